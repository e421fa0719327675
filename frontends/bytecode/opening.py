"""Opens and closes gates, also in code that runs."""

from __future__ import annotations

from types import CodeType

from ...jit import native
from .gating import Gate, back_edges, gates_of


def open_gates(code: CodeType, header: int | None = None) -> bool:
    """Frames that come to a loop of this code ask from now on; False where no gate stands.

    `header`: only at the loop at this offset.
    """
    found = _gates_at(code, header)
    edges = back_edges(code.co_code, gates_of(code)) if found else {}
    for gate in found:
        native.replace_const(code, gate.slot, native.Gate(gate.header))
        for edge in edges[gate.slot]:
            native.set_argument(code, edge.at, edge.width, edge.opened)
    return bool(found)


def close_gates(code: CodeType, header: int) -> None:
    """Frames that come to this loop go on as they are."""
    edges = back_edges(code.co_code, gates_of(code))
    for gate in _gates_at(code, header):
        for edge in edges[gate.slot]:
            native.set_argument(code, edge.at, edge.width, edge.closed)
        native.replace_const(code, gate.slot, None)


def _gates_at(code: CodeType, header: int | None) -> list[Gate]:
    return [gate for gate in gates_of(code) if header in (None, gate.header)]
