"""Exact counts for `explain`: how often the interpreter came to each instruction, for how long.

While a call is explained, rewritten code has a call of a `Lap` before each instruction, and each
segment has one, too (`jit/native/laps.c`). What stands in a kernel is not counted, so what is
counted of an instruction that ends segments is how often its graph break was passed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ..jit.native import Lap, Laps, set_aside
from .bytecode.flow import Flow
from .bytecode.placement import why_no_stub
from .runtime.at_once import at_once, is_looked_into
from .runtime.savings import has_lost

if TYPE_CHECKING:
    from .function import Manager
    from .machine.breaks import Break
    from .segments import SegmentedCode

_TRAVELLING = {"PUSH_EXC_INFO", "POP_EXCEPT", "RERAISE", "CHECK_EXC_MATCH", "COPY"}
"""Instructions of handlers that no statement of the program stands for."""
_totals: WeakKeyDictionary[Manager, Total] = WeakKeyDictionary()
_counting: list[SegmentedCode] = []
"""Code that has counters, in the order in which it got them."""


@dataclass(slots=True)
class Total:
    """What explained calls of one function came to."""

    seconds: float = math.inf
    """Of the fastest, without captures and compiles."""
    calls: int = 0
    whole: int = 0
    """Those that one kernel answered."""

    def of_call(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Calls a function and takes the time; gives what it returns."""
        begun = perf_counter_ns() - set_aside(0)
        result = function(*args, **kwargs)
        self.seconds = min(self.seconds, (perf_counter_ns() - set_aside(0) - begun) / 1e9)
        return result


def total_of(manager: Manager) -> Total:
    """Of the calls of a function that were explained."""
    return _totals.get(manager, Total())


class Visits:
    """The counters of one function; they go on through all versions of its code."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._laps = Laps()
        self._counters = {
            at: Lap(self._laps, ends=one.returns)
            for at, one in enumerate(flow.decoded.instructions)
            if why_no_stub(flow, at) is None
        }
        self._segments: dict[int, Lap] = {}
        self.foreseen: list[Break] = []
        """Breaks that exploring has found; whether the program came to them is what is counted."""
        self.counted_calls = 0
        """Calls that were explained; what others came to is not counted."""
        self.stands_in = True
        """Versions of the code that are made now have the counters."""

    def foresee(self, found: Iterable[Break]) -> None:
        """Notes breaks of an exploration."""
        self.foreseen += [one for one in found if one.foreseen]

    def is_statement(self, index: int) -> bool:
        """False for instructions by which exceptions travel: what raises is told of, or catches."""
        ops = self._flow.decoded.instructions[index].ops
        return not any(op.name in _TRAVELLING for op in ops)

    def calls(self) -> Mapping[int, Callable[[], object]]:
        """What is to be called before which instruction."""
        if not self.stands_in:
            return {}
        return {**self._counters}

    def times(self, index: int) -> int | None:
        """How often the interpreter came to an instruction; None where nothing counts that."""
        at = self._counted_before(index)
        return None if at is None else self._counters[at].times

    def lap_of_segment(self, at: int) -> Lap | None:
        """What the segment of a capture point begins with each call."""
        return self._segments.setdefault(at, Lap(self._laps)) if self.stands_in else None

    def of_segment(self, at: int) -> float | None:
        """Seconds of the shortest call of the segment of a capture point; None without any."""
        lap = self._segments.get(at)
        return None if lap is None or not lap.least else lap.least / 1e9

    def inside(self) -> float:
        """Seconds in calls of segments."""
        return sum(lap.spent for lap in self._segments.values()) / 1e9

    def outside(self) -> dict[int, float]:
        """Seconds that the interpreter spent at each instruction, with what is called there."""
        return {at: lap.spent / 1e9 for at, lap in self._counters.items() if lap.spent}

    def _counted_before(self, index: int) -> int | None:
        """The last counter that whoever comes to the instruction has passed just before."""
        while index not in self._counters:
            led_to = [at for at, after in enumerate(self._flow.successors) if index in after]
            if index == 0 or led_to != [index - 1]:
                return None
            index -= 1
        return index


def new_visits(code: SegmentedCode) -> Visits | None:
    """Counters for code that is made while a call is explained."""
    return counting(code, Visits(code.flow)) if is_looked_into() else None


def counting(code: SegmentedCode, visits: Visits) -> Visits:
    """The counters, which go with the call that is explained."""
    _counting.append(code)
    visits.stands_in = True
    return visits


@contextmanager
def explained(manager: Manager) -> Iterator[Total]:
    """A call of the function in this block counts, and what it captures of others."""
    before, around = manager.calls, len(_counting)
    if manager.segmented is not None:
        manager.guarded_capture(manager.segmented.count)
    for entry in manager.entries:
        entry.measured_once()
    whole, total = _whole(manager), _totals.setdefault(manager, Total())
    try:
        with at_once(), _unmeasured(manager):
            yield total
    finally:
        total.calls += manager.calls - before
        total.whole += _whole(manager) - whole
        if manager.segmented is not None and manager.segmented.visits is not None:
            manager.segmented.visits.counted_calls += manager.calls - before
        while len(_counting) > around:
            code = _counting.pop()
            code.owner.guarded_capture(code.stop_counting)


@contextmanager
def _unmeasured(manager: Manager) -> Iterator[None]:
    """No call runs plain Python to be measured, unless that is what serves by now."""
    dispatcher = manager.dispatcher
    if dispatcher is None or any(map(has_lost, dispatcher._trials)):
        yield
        return
    before, dispatcher._untimed = dispatcher._untimed, 1
    try:
        yield
    finally:
        dispatcher._untimed = before


def _whole(manager: Manager) -> int:
    return 0 if manager.dispatcher is None else manager.dispatcher._hits
