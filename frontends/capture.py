"""One capture: live-ins in, a Captured segment out, or the reason why there is none."""

from __future__ import annotations

from types import CodeType
from typing import Any

from ..guards.kinds import SameLength
from ..guards.sources import Source
from ..jit.ir.builder import Builder
from ..jit.ir.ops import Kind
from ..jit.ir.types import ArrayType, Sym
from .bytecode import Decoded, decode
from .machine import handlers
from .machine.machine import Break, Captured, Frame, Machine
from .machine.values import Symbolic

assert handlers.__all__, "importing the handlers fills the table of the machine"


def capture(
    code: CodeType,
    namespace: dict[str, Any],
    locals_: list[Symbolic | None],
    cells: dict[int, Symbolic],
    stack: list[Symbolic],
    start: int,
    decoded: Decoded | None = None,
) -> tuple[Captured | None, Break | None]:
    """Runs the symbolic machine from instruction `start`.

    Returns (captured, break): captured is None when nothing worth a segment was recorded; break is
    None when the segment runs to the return.
    """
    machine = Machine(code)
    frame = Frame(decoded or decode(code), namespace, list(locals_), dict(cells), list(stack), start)
    ended_by = machine.run(frame)
    if not any(_computes(node.op.kind) for node in machine.builder.block.nodes):
        return None, ended_by
    kind = "return" if ended_by is None else "break"
    exit_ = machine.leave(frame, locals_, 0, kind)
    guards = [*machine.guards, *_length_guards(machine.builder, machine.param_sources)]
    graph = machine.builder.graph()
    captured = Captured(graph, guards, machine.param_sources, exit_, ended_by)
    return captured, ended_by


def _computes(kind: Kind) -> bool:
    return kind in (Kind.ELEMENTWISE, Kind.REDUCE, Kind.STORE, Kind.CREATE)


def _length_guards(builder: Builder, sources: list[Source]) -> list[SameLength]:
    """Guards for the dims of live-ins that the graph relies on being equal."""
    homes: dict[Sym, tuple[Source, int]] = {}
    for param, source in zip(builder.params, sources, strict=True):
        if isinstance(param.type, ArrayType):
            for axis, dim in enumerate(param.type.dims):
                if isinstance(dim, Sym):
                    homes.setdefault(dim, (source, axis))
    guards = []
    for one, other in builder.equal:
        assert isinstance(other, Sym), "a dim of 0 or 1 is never a symbol"
        guards.append(SameLength(*homes[one], *homes[other]))
    return guards
