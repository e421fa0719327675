"""Exact counts and times for `explain`, by instruction.

While a call is explained, rewritten code calls a `Lap` before each instruction, and each segment
has one, too (`jit/native/laps.c`). Instructions inside kernels are not counted, so for an
instruction that ends segments the count tells how often its graph break was passed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ...jit.frozen import dataclass
from ...jit.native import Lap, Laps, set_aside
from ..bytecode.flow import Flow
from ..bytecode.placement import why_no_stub
from ..tiers.at_once import at_once
from ..tiers.savings import has_lost

if TYPE_CHECKING:
    from ..capture.values.breaks import Break
    from .function import Manager
    from .segments import SegmentedCode

_TRAVELLING = {"PUSH_EXC_INFO", "POP_EXCEPT", "RERAISE", "CHECK_EXC_MATCH", "COPY"}
"""Opcodes that pass an exception on; no statement of the program corresponds to them."""
_totals: WeakKeyDictionary[Manager, Total] = WeakKeyDictionary()
_counting: list[SegmentedCode] = []
"""Code with counters, in the order in which it got them."""


@dataclass(slots=True)
class Total:
    """Totals of the explained calls of one function."""

    seconds: float = math.inf
    """Time of the fastest call, without captures and compiles."""
    calls: int = 0
    whole: int = 0
    """Number of calls answered by one kernel."""

    def of_call(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function, record its time, and return its result."""
        begun = perf_counter_ns() - set_aside(0)
        result = function(*args, **kwargs)
        self.seconds = min(self.seconds, (perf_counter_ns() - set_aside(0) - begun) / 1e9)
        return result


def total_of(manager: Manager) -> Total:
    """Return the totals of a function's explained calls."""
    return _totals.get(manager, Total())


class Visits:
    """The counters of one function, which last through all versions of its code."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._laps = Laps()
        self._counters = {
            at: Lap(self._laps, ends=one.returns)
            for at, one in enumerate(flow.decoded.instructions)
            if why_no_stub(flow, at) is None
        }
        self._segments: dict[int, Lap] = {}
        self.predicted: list[Break] = []
        """Breaks found by exploring; the counts show if the program reached them."""
        self.counted_calls = 0
        """Number of explained calls; breaks of other calls are not counted."""
        self.stands_in = True
        """True while new versions of the code get the counters."""

    def predict(self, found: Iterable[Break]) -> None:
        """Record breaks found by an exploration."""
        self.predicted += [one for one in found if one.predicted]

    def is_statement(self, index: int) -> bool:
        """False for instructions that propagate exceptions; others raise or catch them."""
        ops = self._flow.decoded.instructions[index].ops
        return not any(op.name in _TRAVELLING for op in ops)

    def calls(self) -> Mapping[int, Callable[[], object]]:
        """Return the callables to insert, by instruction."""
        if not self.stands_in:
            return {}
        return {**self._counters}

    def times(self, index: int) -> int | None:
        """Return how often the interpreter reached an instruction; None if that is not counted."""
        at = self._counted_before(index)
        return None if at is None else self._counters[at].times

    def lap_of_segment(self, at: int) -> Lap | None:
        """Return the lap that a capture point's segment starts with each call."""
        return self._segments.setdefault(at, Lap(self._laps)) if self.stands_in else None

    def of_segment(self, at: int) -> float | None:
        """Return seconds of the shortest call of a capture point's segment, or None."""
        lap = self._segments.get(at)
        return None if lap is None or not lap.least else lap.least / 1e9

    def inside(self) -> float:
        """Return the seconds spent in calls of segments."""
        return sum(lap.spent for lap in self._segments.values()) / 1e9

    def outside(self) -> dict[int, float]:
        """Return the seconds that each instruction took in the interpreter, calls included."""
        return {at: lap.spent / 1e9 for at, lap in self._counters.items() if lap.spent}

    def _counted_before(self, index: int) -> int | None:
        """Return the last counter that is always passed before the instruction is reached."""
        while index not in self._counters:
            led_to = [at for at, after in enumerate(self._flow.successors) if index in after]
            if index == 0 or led_to != [index - 1]:
                return None
            index -= 1
        return index


def counting(code: SegmentedCode, visits: Visits) -> Visits:
    """Return the counters and activate them for the explained call."""
    _counting.append(code)
    visits.stands_in = True
    return visits


@contextmanager
def explained(manager: Manager) -> Iterator[Total]:
    """Count calls of the function in this block, and what it captures of others."""
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
    """Let no call run plain Python for timing, unless that is what serves already."""
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
