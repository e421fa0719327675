"""Opens and closes gates, in running code too."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from opcode import opmap
from types import CodeType
from typing import Final

from ...jit import native
from .gating import BackEdge, Gate, back_edges, gates_of
from .hashing import UNIT, hash_of_constant

_TRACED: Final = opmap.get("ENTER_EXECUTOR", -1)
"""Replaces a jump back for which CPython's own JIT has a trace."""
_drop_traces: Final[Callable[[], None] | None] = getattr(sys, "_clear_internal_caches", None)
"""Discards all traces of CPython's JIT, which recreates those that it needs."""
_TRIES: Final = 3


def open_gates(code: CodeType, header: int | None = None) -> bool:
    """Make frames stop at the gates of this code from now on; False if it has none.

    `header`: only at the loop at this offset.
    """
    found = [gate.slot for gate in gates_of(code) if header in (None, gate.header)]
    return bool(found) and _switched(code, found, is_open=True)


def close_gates(code: CodeType, header: int) -> None:
    """Let frames that reach this loop pass by its gate."""
    _switched(code, [g.slot for g in gates_of(code) if g.header == header], is_open=False)


def _switched(code: CodeType, slots: Sequence[int], *, is_open: bool) -> bool:
    """Open or close gates; False if the code could not keep its hash."""
    gates = gates_of(code)
    edges = back_edges(code.co_code, gates)
    for _ in range(_TRIES):  # another thread may be running the code, and CPython may trace it
        are_open = {gate.slot for gate in gates if code.co_consts[gate.slot] is not None}
        wanted = are_open.union(slots) if is_open else are_open.difference(slots)
        if wanted == are_open:
            return True
        live = _live(code, edges)
        free = {
            gate.slot: [edge for edge in edges[gate.slot] if live[UNIT * edge.at] != _TRACED]
            for gate in gates
        }
        now = _with_arguments(
            code.co_code, ((e, _argument(live, e)) for some in free.values() for e in some)
        )
        jumps = [
            (edge, edge.opened if slot in wanted else edge.closed)
            for slot, some in free.items()
            for edge in some
        ]
        consts = _constants(code, gates, wanted, now, _with_arguments(now, jumps))
        if consts is None:
            return False
        gates.kept.extend(value for _, value in consts if value is not None)
        arguments = tuple((edge.at, edge.width, argument) for edge, argument in jumps)
        if native.exchange(code, consts, arguments):
            return True
    return False


def _live(code: CodeType, edges: Mapping[int, Sequence[BackEdge]]) -> bytes:
    """Return the running bytes, with traces at these jumps discarded where possible."""
    live: bytes = code._co_code_adaptive  # type: ignore[attr-defined]
    traced = any(live[UNIT * edge.at] == _TRACED for some in edges.values() for edge in some)
    if traced and _drop_traces is not None:
        _drop_traces()
        live = code._co_code_adaptive  # type: ignore[attr-defined]
    return live


def _constants(
    code: CodeType, gates: Sequence[Gate], wanted: set[int], now: bytes, then: bytes
) -> tuple[tuple[int, native.Gate | None], ...] | None:
    """Return the constants for the slots; the last open one compensates for all changed jumps."""
    consts = {
        gate.slot: native.Gate(gate.header, hash(None)) if gate.slot in wanted else None
        for gate in gates
    }
    if wanted:
        last = next(gate for gate in reversed(gates) if gate.slot in wanted)
        exchanged = [consts.get(slot, one) for slot, one in enumerate(code.co_consts)]
        needed = hash_of_constant(code, [*map(hash, exchanged)], last.slot, now, then)
        if needed is None:
            return None
        consts[last.slot] = native.Gate(last.header, needed)
    return tuple(consts.items())


def _argument(raw: bytes, edge: BackEdge) -> int:
    last = UNIT * edge.at + 1
    return int.from_bytes(raw[last - UNIT * (edge.width - 1) : last + 1 : UNIT], "big")


def _with_arguments(raw: bytes, jumps: Iterable[tuple[BackEdge, int]]) -> bytes:
    out = bytearray(raw)
    for edge, argument in jumps:
        last = UNIT * edge.at + 1
        out[last - UNIT * (edge.width - 1) : last + 1 : UNIT] = argument.to_bytes(edge.width, "big")
    return bytes(out)
