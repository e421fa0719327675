"""`f.trace(*args)`: a capture that leaves no mark on the function."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..jit.errors import FramejitError
from ..jit.filters import filtered
from ..jit.native import Dispatcher
from ..jit.report import BreakRecord, Place
from . import capture_lock
from .capture import Outcome
from .context import current_options
from .machine.breaks import Break
from .report.facts import line_of
from .report.words import detail_of, hint_of
from .segments import SegmentedCode
from .stages import Traced, TracedSegment, check_backend_for_stages
from .support import CHECKED

if TYPE_CHECKING:
    from .function import Manager

Found = tuple[int, Outcome]
"""The instruction where a capture begins, and what it came to."""


def trace(manager: Manager, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Traced:
    """Captures a function for some arguments; see `trace` in jit/native/dispatcher.c."""
    options = (current_options() or CHECKED).replace(manager.overrides)
    check_backend_for_stages(options)
    live = _bound(manager.function, args, kwargs)
    own = type(manager)(manager.function, manager.overrides)
    lock = capture_lock.acquire(blocking=True)
    if lock is None:
        raise FramejitError("trace: called while framejit itself captures in this thread")
    try:
        with filtered("ignore"):
            found = _captures(own, live)
    finally:
        capture_lock.release(lock)
    return Traced(
        manager.function.__qualname__,
        tuple(_segments(own, found)),
        tuple(_breaks(found)),
        options,
        functools.partial(_jitted, manager.function, manager.overrides),
    )


def _bound(
    function: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[Any, ...]:
    """The values of the parameters in the order of their slots, as a call would bind them."""
    plain = FunctionType(
        function.__code__, {}, function.__name__, function.__defaults__, function.__closure__
    )
    plain.__kwdefaults__ = function.__kwdefaults__
    bound = inspect.signature(plain).bind(*args, **kwargs)
    bound.apply_defaults()
    names = function.__code__.co_varnames
    return tuple(bound.arguments[name] for name in names[: len(bound.arguments)])


def _captures(own: Manager, live: tuple[Any, ...]) -> list[Found]:
    """What a call would capture at its entry, and then behind each break with the types known."""
    first = own._capture_from_entry(live)
    if first.ended_by is None and not first.breaks:
        return [(0, first)]
    code = SegmentedCode(own, own.function, own.flow)
    behind = sorted(code.explore(first), key=lambda one: one[0].at)
    return [(0, first), *((point.at, outcome) for point, outcome in behind)]


def _segments(own: Manager, found: list[Found]) -> Iterator[TracedSegment]:
    for at, outcome in found:
        if outcome.captured is not None:
            behind = outcome is not found[0][1]
            line = line_of(own, at)
            yield TracedSegment(
                line, outcome.captured, dict(outcome.machine.builder.lengths), behind
            )


def _breaks(found: list[Found]) -> Iterator[BreakRecord]:
    """Each instruction that breaks, once; not where only a value is missing that a call has."""
    ends = [place.ended_by for _, outcome in found for place in outcome.breaks]
    known = {one.index: one for one in ends if one is not None and one.foreseen}
    for _, one in sorted(known.items()):
        yield _record(one)


def _record(one: Break) -> BreakRecord:
    place = Place(one.location.filename, one.location.line, one.location.function)
    return BreakRecord(
        one.code, one.title, detail_of(one), hint_of(one), place, place.source, count=0
    )


def _jitted(function: FunctionType, overrides: dict[str, Any]) -> Dispatcher:
    """A jitted function apart from the one that was traced."""
    from .function import Manager

    manager = Manager(function, overrides)
    manager.dispatcher = Dispatcher(function, manager)
    functools.update_wrapper(manager.dispatcher, function)
    return manager.dispatcher
