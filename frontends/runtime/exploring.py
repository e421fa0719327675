"""Captures from capture points with the types known before any call reaches them.

The first break in a function starts an exploration: from each instruction after a break the machine
continues with the types it knows, until all points where a segment may begin, and the exits that it
would take, are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...jit.ir.graph import Graph, Recipe, Value
from ...jit.ir.types import PYTHON_SCALARS
from ...jit.native import Segment
from ..bytecode.kinds import Kind
from ..bytecode.model import SlotKind
from ..bytecode.placement import why_no_stub
from ..capture.capturing import capture
from ..capture.outcome import Outcome, Place, StartState
from ..capture.state.machine import Machine
from ..capture.values.break_keys import break_key
from ..capture.values.symbolic import (
    INDEX,
    NULL,
    UNTOUCHED,
    Known,
    Lazy,
    Scalar,
    Symbolic,
    Unknown,
    UserFunction,
)
from .capture_budget import MAX_SECONDS, OverBudget
from .stub_exits import add_exits

if TYPE_CHECKING:
    from ..bytecode.flow import Flow
    from .capture_points import CapturePoint
    from .segments import SegmentedCode


NULLS = {Kind.NULL: NULL, Kind.INDEX: INDEX}
FUNCTIONS = (Known, Lazy, UserFunction)
"""Values on the stack that stand for a function about to be called."""


def capture_at(
    code: SegmentedCode,
    point: CapturePoint,
    state: tuple[list[Symbolic], dict[int, Symbolic]],
    origin: Machine | None = None,
    single: bool = False,
    around: Sequence[Symbolic] = (),
) -> Outcome:
    """Capture from a point; `state` is (its stack items, its slots), see `capture`.

    `around`: what is known of the items below, which shows the call they are arguments of.
    """
    stack, slots = state
    lessons = code.owner.lessons
    bound = code.flow.bound_at(point.at)
    locals_: list[Symbolic | None] = [
        UNTOUCHED if slot in bound and kind is SlotKind.LOCAL else None
        for slot, kind in enumerate(code.decoded.kinds)
    ]
    cells: dict[int, Symbolic] = {}
    for slot, value in slots.items():
        if code.decoded.kinds[slot] is SlotKind.LOCAL:
            locals_[slot] = value
        else:
            cells[slot] = value
    # Identity tells if two equal values have been exchanged.
    below: list[Symbolic] = [Unknown("a with block or a handler") for _ in range(point.below)]
    for k, (known, what) in enumerate(zip(below, code.flow.stack_at(point.at), strict=False)):
        given = around[k] if around else known
        below[k] = given if isinstance(given, FUNCTIONS) else NULLS.get(what, known)
    namespace = code.function.__globals__
    return capture(
        StartState(code.flow, namespace, locals_, cells, [*below, *stack], point.at, point.below),
        origin=origin,
        single=single,
        static=code.owner.static if origin is None else frozenset(),
        lessons=lessons if point.resumed_in_loop else lessons.outside_of_loops(),
        most_nodes=code.owner.most_nodes,
    )


def start(code: SegmentedCode, outcome: Outcome) -> None:
    """Build the first version of the code after a capture at the function's entry."""
    entry = next((k for k in range(outcome.index + 1) if why_no_stub(code.flow, k) is None), None)
    if outcome.captured is not None and entry is not None and entry <= outcome.index:
        point = code.point(entry)
        assert point is not None
        add_exits(point, outcome.captured.graph)
    elif entry is not None and (entry < outcome.index or outcome.met_unsupported_object):
        # There, cells made by the frame itself can be passed, and arguments of later calls may be
        # of other kinds.
        point = code.point(entry)
        assert point is not None
        point.hopeful = True
    explore(code, outcome)
    code.rewrite()


def resume_at(code: SegmentedCode, graph: Graph) -> tuple[tuple[int, ...], list[Recipe], Segment]:
    """Make places to continue after the exits of a whole call other than returns.

    Returns (for each exit its number, 0 for a return; the payloads of the others; the segment to
    prime). The code is rewritten so that the stub at its entry has the exits.
    """
    numbers, payloads, point = add_resumed(code, graph)
    point.resumes = True  # so that it gets a stub, even if plain Python was faster there
    code.rewrite()
    assert point.segment is not None
    point.segment.closed = True
    return numbers, payloads, point.segment


def add_resumed(
    code: SegmentedCode, graph: Graph
) -> tuple[tuple[int, ...], list[Recipe], CapturePoint]:
    """Do the same without rewriting the code; return the point at whose stub eager continues."""
    point = code.point(code.entry())
    assert point is not None
    others = [exit_ for exit_ in graph.exits if exit_.kind != "return"]
    found, payloads = add_exits(
        point, Graph(graph.params, graph.body, others, lengths=graph.lengths)
    )
    left = iter(found)
    numbers = (0 if exit_.kind == "return" else next(left) + 1 for exit_ in graph.exits)
    return tuple(numbers), payloads, point


def _handlers(code: SegmentedCode, outcome: Outcome) -> Iterator[Place]:
    """Yield exception handlers for reports; only locals that are never assigned are known there."""
    instructions = code.decoded.instructions
    assigned = code.flow.stored_later_at(0)
    known = outcome.breaks[0].locals if outcome.breaks else ()
    for index in sorted({one.handler.target for one in instructions if one.handler is not None}):
        if code.flow.is_reachable(index):
            stack: list[Symbolic] = [Unknown("an exception") for _ in code.flow.stack_at(index)]
            locals_: list[Symbolic | None] = [Unknown("a local") for _ in code.decoded.kinds]
            for slot, value in enumerate(known):
                if slot not in assigned and value is not None:
                    locals_[slot] = value
            yield Place(index, stack, locals_, pauses=True)


def _in_any_pass(flow: Flow, before: int, after: Place) -> Place:
    """Return the place; behind a jump back, with constants that the loop changes left open.

    The first pass of a loop knows that `n` is 3, and would take `while n > 0` for one that never
    ends.
    """
    loop = flow.loop_at(after.index)
    if loop is None or before not in loop.body:
        return after
    locals_ = list(after.locals)
    for slot in flow.stores_between(loop.header, loop.header):
        known = locals_[slot]
        type_ = PYTHON_SCALARS.get(type(known.object)) if isinstance(known, Known) else None
        if type_ is not None:
            locals_[slot] = Scalar(Value(type_))
    return replace(after, locals=locals_)


def explore(code: SegmentedCode, outcome: Outcome) -> list[tuple[CapturePoint, Outcome]]:
    """Find the capture points after a break, and those after theirs.

    Return the points with the outcomes of captures from them, made with the types known so far.
    """
    explored: list[tuple[CapturePoint, Outcome]] = []
    waiting = [(place, outcome.machine) for place in outcome.breaks]
    if code.visits is not None and not code.explored:
        # Handlers come last: instructions are explored once, and least is known here.
        waiting = [*((place, outcome.machine) for place in _handlers(code, outcome)), *waiting]
    seen = set()
    while waiting:
        place, machine = waiting.pop()
        for after in place.successors(code.flow):
            after = _in_any_pass(code.flow, place.index, after)
            index = after.index
            if index in seen:
                continue
            seen.add(index)
            point = code.point(index)
            if point is None:
                waiting.append((after, machine))  # no stub may stand here: what comes next?
                continue
            slots = {slot: after.locals[slot] or Unknown("a cell") for slot in point.live}
            items = after.stack[point.below :]
            state = (index, *map(break_key, items), *map(break_key, slots.values()))
            if state in code.explored:
                continue
            code.explored.add(state)
            try:
                around = after.stack[: point.below] if code.visits is not None else ()
                found = capture_at(code, point, (items, slots), machine, around=around)
            except OverBudget as error:
                code.owner.journal.skipped(error.rule, index, MAX_SECONDS)
                return explored
            explored.append((point, found))
            if code.visits is not None:
                ends = (place.ended_by for place in found.breaks)
                code.visits.predict(one for one in ends if one is not None)
            if found.captured is not None:
                add_exits(point, found.captured.graph)
            elif found.ended_by is not None and not found.ended_by.predicted:
                point.hopeful = True
            waiting += ((place, found.machine) for place in found.breaks)
    return explored
