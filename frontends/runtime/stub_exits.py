"""Converts exits of graphs to exits of stubs: stores, pushes, deletes and payloads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...jit.ir.graph import Build, Constant, Graph, Leaf, Recipe
from ...jit.ir.graph import Exit as GraphExit
from ...jit.native import raise_held
from ..bytecode.model import SlotKind
from ..bytecode.stub import Exit

if TYPE_CHECKING:
    from .capture_points import CapturePoint


def add_exits(point: CapturePoint, graph: Graph) -> tuple[tuple[int, ...], list[Recipe]]:
    """Return (numbers among the exits of the stub, payloads) for all exits of a graph."""
    numbers = tuple(add_exit(point, exit_) for exit_ in graph.exits)
    payloads = [
        _payload(exit_, point.exits[number])
        for exit_, number in zip(graph.exits, numbers, strict=True)
    ]
    return numbers, payloads


def add_exit(point: CapturePoint, exit_: GraphExit) -> int:
    """Return the number of an exit among those of the stub, appending it if it is new."""
    bare = len(exit_.recipes) == 1 and isinstance(exit_.recipes[0], Leaf)
    stores = tuple(slot for slot, _ in exit_.stores)
    wanted = Exit(
        exit_.at,
        stores,
        len(exit_.pushes) + len(exit_.nulls),
        tuple(sorted({*exit_.deletes, *_gone(point, exit_.at, stores)})),
        bare,
        exit_.nulls,
        raise_held if exit_.kind == "halt" else None,
    )
    if wanted not in point.exits:
        point.exits.append(wanted)
    return point.exits.index(wanted)


def _gone(point: CapturePoint, target: int, stores: tuple[int, ...]) -> list[int]:
    """Return locals that may be bound at the point and surely are not at the target.

    The machine does not know a local that is assigned before it is read, so it does not see that it
    is deleted.
    """
    flow = point.code.flow
    gone = flow.maybe_bound_at(point.at) - flow.maybe_bound_at(target) - {*stores}
    return [slot for slot in gone if flow.decoded.kinds[slot] is SlotKind.LOCAL]


def _payload(exit_: GraphExit, shape: Exit) -> Recipe:
    if not shape.values:
        return exit_.payload(Constant(True))
    if shape.bare:
        return exit_.payload(exit_.recipes[0])
    return exit_.payload(Build("tuple", exit_.recipes))
