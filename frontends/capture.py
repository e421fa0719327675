"""One capture: live-ins in, a Captured segment out, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..guards.kinds import SameLength
from ..guards.objects import IsThere
from ..guards.program import Guard
from ..guards.sources import Source
from ..jit.ir.builder import Builder
from ..jit.ir.graph import Constant, Exit, Graph, Recipe, Value, sources
from ..jit.ir.ops import Kind
from ..jit.ir.types import PY_INT, ArrayType, Dim, Sym
from .bytecode import Flow, Instruction, isa, why_no_entry
from .machine import handlers
from .machine.breaks import Break, GraphBreak
from .machine.frame import Frame
from .machine.live import adopt
from .machine.machine import Machine
from .machine.values import RangeIterator, Scalar, Symbolic, Unknown

assert handlers.__all__, "importing the handlers fills the table of the machine"


@dataclass(slots=True)
class Outcome:
    """What a capture came to."""

    captured: Captured | None
    """None when nothing worth a segment was recorded."""
    ended_by: Break | None
    """None when the segment runs to the return."""
    index: int
    """The instruction that it stands before."""
    stack: list[Symbolic]
    locals: list[Symbolic | None]
    machine: Machine
    """What the values among them belong to."""

    def successors(self, flow: Flow) -> Iterator[tuple[int, Outcome]]:
        """What follows once the instruction has run eagerly: (its index, what is known there)."""
        instruction = flow.decoded.instructions[self.index]
        handler = instruction.handler.target if instruction.handler is not None else None
        taken = sum(isa.pops(op) for op in instruction.ops)
        stays = self.stack[: max(0, len(self.stack) - taken)]
        for index in flow.successors[self.index]:
            if index == handler:
                continue
            depth = len(flow.stack_at(index))
            results: list[Symbolic] = [Unknown("a result") for _ in range(depth - len(stays))]
            if index == self.index + 1 and self._iterates_range(instruction):
                results[-1] = Scalar(Value(PY_INT))
            stack = [*stays[:depth], *results]
            yield index, Outcome(None, None, index, stack, list(self.locals), self.machine)

    def _iterates_range(self, instruction: Instruction) -> bool:
        iterates = any(op.name == isa.FOR_ITER for op in instruction.ops)
        return iterates and isinstance(self.stack[-1], RangeIterator)


@dataclass(slots=True)
class Captured:
    """One captured segment."""

    graph: Graph
    guards: list[Guard]
    sources: list[Source]
    """The source of each parameter of the graph."""
    exit: Exit
    ended_by: Break | None
    """None when the segment runs to the return."""
    returned: Recipe | None = None
    """What the return gives back, when the segment runs to it."""


def capture(
    flow: Flow,
    namespace: dict[str, Any],
    locals_: list[Symbolic | None],
    cells: dict[int, Symbolic],
    stack: list[Symbolic],
    start: int,
    below: int,
    origin: Machine | None = None,
    one: bool = False,
) -> Outcome:
    """Runs the symbolic machine from instruction `start`.

    The lowest `below` items of `stack` belong to what is around the segment and stay in place.
    Exploring passes values of another capture; `origin` is the machine that they belong to. With
    `one` a single instruction is captured, whatever it does (hostile mode).
    """
    machine = Machine(locals_, below, {} if origin is None else origin.flows)
    if origin is not None:
        syms: dict[Dim, Dim] = {}
        stack = [adopt(machine, value, origin, syms) for value in stack]
        machine.start = locals_ = [
            v if v is None else adopt(machine, v, origin, syms) for v in locals_
        ]
    frame = Frame(flow, namespace, list(locals_), dict(cells), list(stack), start)
    ended_by = machine.run(frame, limit=1 if one else None)
    outcome = Outcome(None, ended_by, frame.index, frame.stack, frame.locals, machine)
    if not one and not any(_computes(node.op.kind) for node in machine.builder.nodes()):
        return outcome
    frame.index = flow.group_start(frame.index)
    if frame.index == start:
        return outcome  # it would come back to its own stub
    if why_no_entry(flow, frame.index) is not None:
        return outcome
    kind = "break" if ended_by is not None or one else "return"
    try:
        exit_ = machine.leave(frame, locals_, below, kind)
    except GraphBreak:
        return outcome
    graph = machine.builder.graph()
    outcome.captured = Captured(
        graph, _guards(machine, exit_), machine.param_sources, exit_, ended_by
    )
    if kind == "return":
        loaded = frame.decoded.instructions[frame.index].ops[0]
        constant = loaded.name == isa.LOAD_CONST
        returned = Constant(loaded.arg) if constant else exit_.pushes[-1]
        outcome.captured.returned = exit_.payload(returned)
    return outcome


def _computes(kind: Kind) -> bool:
    return kind in (Kind.ELEMENTWISE, Kind.REDUCE, Kind.CORE, Kind.STORE, Kind.CREATE)


def _guards(machine: Machine, exit_: Exit) -> list[Guard]:
    """All that the segment relies on."""
    made = (*exit_.recipes, *exit_.effects)
    fetched = {source for recipe in made for source in sources(recipe)} | machine.realised.keys()
    dropped = [source for source in dict.fromkeys(machine.named) if source not in fetched]
    return [
        *machine.guards,
        *_length_guards(machine.builder, machine.param_sources),
        *map(IsThere, dropped),
    ]


def _length_guards(builder: Builder, params: list[Source]) -> list[SameLength]:
    """Guards for the dims of live-ins that the graph relies on being equal.

    The dims of windows and results are compared where the kernel meets them.
    """
    homes: dict[Dim, tuple[Source, int]] = {}
    guards = []
    for param, source in zip(builder.params, params, strict=True):
        if isinstance(param.type, ArrayType):
            for axis, dim in enumerate(map(builder.resolve, param.type.dims)):
                if isinstance(dim, Sym) and homes.setdefault(dim, (source, axis)) != (source, axis):
                    guards.append(SameLength(*homes[dim], source, axis))
    return guards
