"""Exact counts for `explain`: how often the interpreter came to each instruction of a function.

While a call is explained, rewritten code has a call of a counter before each instruction. What
stands in a kernel is not counted, so what is counted of an instruction that ends segments is how
often its graph break was passed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .bytecode.flow import Flow
from .bytecode.placement import why_no_stub
from .runtime.at_once import at_once, is_looked_into

if TYPE_CHECKING:
    from .function import Manager
    from .machine.breaks import Break
    from .segments import SegmentedCode

_TRAVELLING = {"PUSH_EXC_INFO", "POP_EXCEPT", "RERAISE", "CHECK_EXC_MATCH", "COPY"}
"""Instructions of handlers that no statement of the program stands for."""
_counting: list[SegmentedCode] = []
"""Code that has counters, in the order in which it got them."""


class Visits:
    """The counters of one function; they go on through all versions of its code."""

    def __init__(self, flow: Flow) -> None:
        places = range(len(flow.decoded.instructions))
        self._flow = flow
        self._counters = {at: itertools.count() for at in places if why_no_stub(flow, at) is None}
        self._looks = dict.fromkeys(self._counters, 0)
        """Times that a counter was read, which counts as well."""
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
        return {at: counter.__next__ for at, counter in self._counters.items()}

    def times(self, index: int) -> int | None:
        """How often the interpreter came to an instruction; None where nothing counts that."""
        at = self._counted_before(index)
        if at is None:
            return None
        self._looks[at] += 1
        return next(self._counters[at]) + 1 - self._looks[at]

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
def explained(manager: Manager) -> Iterator[None]:
    """A call of the function in this block counts, and what it captures of others."""
    before, around = manager.calls, len(_counting)
    if manager.segmented is not None:
        manager.guarded_capture(manager.segmented.count)
    try:
        with at_once():
            yield
    finally:
        if manager.segmented is not None and manager.segmented.visits is not None:
            manager.segmented.visits.counted_calls += manager.calls - before
        while len(_counting) > around:
            code = _counting.pop()
            code.owner.guarded_capture(code.stop_counting)
