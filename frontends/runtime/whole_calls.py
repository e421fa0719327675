"""Captures a whole call, as the dispatcher requests when no entry holds for the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...guards.sources import Fixed, Live
from ...jit import native
from ...jit.config import Options, debug_mode
from ...jit.errors import GraphBreakError
from ...jit.ir.graph import Recipe
from ...jit.pipeline import TooLong
from ..bytecode.model import SlotKind
from ..capture.capturing import capture
from ..capture.outcome import Captured, Outcome, StartState
from ..capture.values.symbolic import Cell, Lazy, Symbolic
from ..kept.at_exit import note
from ..kept.in_vain import note_in_vain
from ..report.facts import fullgraph_text
from ..tiers import random_decisions
from . import exploring
from .capture_budget import MAX_SECONDS, OverBudget
from .lessons import MAX_FRUITLESS
from .new_entries import draft_entry, make_entry, shorten
from .point_captures import MAX_REASONS, capture_or_resume

if TYPE_CHECKING:
    from .function import Manager


def capture_call(manager: Manager, key: Options, live: tuple[Any, ...]) -> bool:
    """Capture a call; return True if there is a new entry, which may serve it.

    `key`: the options of the context in which the entry is valid.

    Raises
    ------
    GraphBreakError
        With fullgraph=True, if there is a break.
    """
    options = _options_now(manager, key, live)
    if options is None:
        return False
    dispatcher = manager.dispatcher
    assert dispatcher is not None
    manager.lessons.heed(manager.journal.missed(0, manager.whole, key, live))
    try:
        outcome = capture_from_entry(manager, live)
    except OverBudget as error:
        dispatcher._closed = 1
        manager.journal.skipped(error.rule, 0, MAX_SECONDS)
        return False
    found = [place.ended_by for place in outcome.breaks if place.ended_by is not None]
    if found and options.fullgraph:
        raise GraphBreakError(fullgraph_text(manager.function, found[-1]))
    manager.note_ends(outcome, 0)
    if outcome.ended_by is not None or outcome.pauses:
        dispatcher._closed = 1
        # Existing entries bail to exits that it has.
        exploring.start(manager.code_with_segments(), outcome)
        if note_in_vain(manager, live):
            note(manager)
        return False
    if outcome.captured is None:
        return _gain_nothing(manager, "no-arrays")
    return _make(manager, outcome, outcome.captured, options, key, live)


def capture_call_or_begin(manager: Manager, key: Options, live: tuple[Any, ...]) -> bool:
    """Capture a call, or what is before its first break; return True if there is a new entry.

    In a process that goes on, the stub at the begin of the rewritten code captures the latter.
    """
    if capture_call(manager, key, live):
        return True
    code = manager.segmented
    point = None if code is None else code.points.get(code.entry())
    if point is None or point.segment is None:
        return False
    kinds = point.code.decoded.kinds
    if any(slot >= len(live) or kinds[slot] is not SlotKind.LOCAL for slot in point.live):
        return False  # it is in a cell by then
    return capture_or_resume(point, point.segment, key, tuple(live[slot] for slot in point.live))


def _options_now(manager: Manager, key: Options, live: tuple[Any, ...]) -> Options | None:
    """Return the options to compile under; None if this call captures nothing."""
    dispatcher, journal = manager.dispatcher, manager.journal
    assert dispatcher is not None
    if dispatcher._closed:
        return None  # another thread was faster
    if manager.frozen:
        journal.missed(0, manager.whole, key, live)
        dispatcher._closed = journal.misses.total() >= MAX_REASONS
        return None
    options = manager.effective_options(key)
    if options is None:
        return None
    if debug_mode("stub_everywhere"):
        manager.code_with_segments().start_everywhere()
        return None
    if random_decisions.declines():
        return None
    if not manager.may_capture(0, later=False):
        return None
    if sum(not entry.is_outgrown for entry in manager.entries) >= manager.max_entries:
        dispatcher._closed = 1
        journal.came_to_limit(0, manager.max_entries, manager.whole, key, live, manager.function)
        return None
    return options


def _make(
    manager: Manager,
    outcome: Outcome,
    captured: Captured,
    options: Options,
    key: Options,
    live: tuple[Any, ...],
) -> bool:
    """Compile what was captured; return True if that gave an entry."""
    assert manager.dispatcher is not None
    if len(captured.returns) < len(captured.graph.exits):
        manager.code_with_segments()
    if manager.segmented is not None:
        exploring.explore(manager.segmented, outcome)
    numbers, payloads = _exits_of(manager, captured)
    try:
        entry = make_entry(manager, draft_entry(captured, len(live), payloads, options, key))
    except TooLong as error:
        if shorten(manager, captured, error, 0):
            return capture_call(manager, key, live)
        manager.dispatcher._closed = 1
        return False
    if entry is None:
        return _gain_nothing(manager, "nothing-fused")
    entry.number_exits(numbers)
    entry.weigh()
    serves = manager.new_entry(0, entry)
    manager.entries.append(serves)
    manager.whole.append(serves)
    manager.dispatcher._add(serves.native)
    return True


def _exits_of(manager: Manager, captured: Captured) -> tuple[tuple[int, ...], list[Recipe]]:
    """Return for each exit of a whole call its number (0 for a return) and its payload."""
    graph, returns = captured.graph, captured.returns
    if len(returns) == len(graph.exits):
        return (0,) * len(returns), list(returns.values())
    assert manager.dispatcher is not None
    assert manager.segmented is not None
    numbers, others, manager.dispatcher._resume = exploring.resume_at(manager.segmented, graph)
    left = iter(others)
    return numbers, [returns[k] if k in returns else next(left) for k in range(len(numbers))]


def _gain_nothing(manager: Manager, rule: str) -> bool:
    """Record a capture that was not worth an entry; after several, calls stop trying."""
    assert manager.dispatcher is not None
    manager.journal.skipped(rule, 0)
    manager.fruitless += 1
    if manager.fruitless >= MAX_FRUITLESS:
        manager.dispatcher._closed = 1
        if manager.hooked:
            native.hook_mark(manager.function.__code__, native.MARK_SKIP, rule)
    return False


def capture_from_entry(manager: Manager, live: tuple[Any, ...]) -> Outcome:
    """Capture a whole call with these arguments."""
    names = manager.flow.decoded.localsplus
    locals_: list[Symbolic | None] = [None] * len(names)
    for slot, value in enumerate(live):
        locals_[slot] = Lazy(Live(slot, f"argument `{names[slot]}`"), value)
    cells: dict[int, Symbolic] = {}
    first_free = len(names) - len(manager.function.__code__.co_freevars)
    for k, cell in enumerate(manager.function.__closure__ or ()):
        name = names[first_free + k]
        cells[first_free + k] = Cell(name, Fixed.of(cell, f"cell `{name}`"), cell)
    manager.captures += 1
    namespace = manager.function.__globals__
    return capture(
        StartState(manager.flow, namespace, locals_, cells),
        static=manager.static,
        lessons=manager.lessons.outside_of_loops(),
        most_nodes=manager.most_nodes,
    )
