"""Captures functions in place, under `python -m framejit run`.

The function itself runs the rewritten code, in its own frame, without a wrapper: callers call it as
before, the interpreter inlines the call, and generators, star arguments and deep recursion work as
before. `__code__` still returns the user's code.
"""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import TYPE_CHECKING

from ...jit import native
from ..bytecode import gating
from ..runtime.function import Manager
from ..runtime.segments import SegmentedCode
from .body import why_no_body
from .caught import copied
from .policy import FUNCTION, MAX_FUNCTIONS

if TYPE_CHECKING:
    from ..tiers.sites import Site


class InPlace(Manager):
    """The manager of a function that runs rewritten code itself."""

    @property
    def calls(self) -> int:
        """Calls since it was captured, as counted by a stub at its entry."""
        points = self.segmented.points if self.segmented is not None else {}
        first = points.get(min(points, default=0))
        return 0 if first is None else sum(segment.calls for segment in first.segments)

    @property
    def _manager(self) -> Manager:
        return self

    def start(self, loop: int | None = None) -> bool:
        """Make the first version, with a stub at the entry; a capture action.

        Another stub is placed at the loop at offset `loop`, if given.
        """
        if not self.take_kept():
            segmented = self.code_with_segments()
            if loop is not None:
                segmented.hope_at(loop)
            segmented.start_blindly()
        return True

    def code_with_segments(self) -> SegmentedCode:
        """Return the segments of the function; with gates if its own code has some."""
        if self.segmented is None:
            self.segmented = SegmentedCode(self, self.function, self.flow)
            function = native.owner(self)
            if function is not None and gating.gates_of(native.running_code(function)):
                self.segmented.gate()
        return self.segmented

    def enter(self, loop: int) -> tuple[CodeType, int] | None:
        """Return where a frame that reached a loop continues; a capture action."""
        if self.segmented is None:
            self.start(loop)
        assert self.segmented is not None
        return self.segmented.enter(loop)

    def install(self, code: CodeType) -> None:
        """Give the function this code, unless somebody else replaced its code."""
        native.hook_mark(code, native.MARK_SKIP, "rewritten")
        native.stand_in(code, self.function.__code__)
        if self.site is not None:
            self.site.add_version(code)
        self._give(code)

    def give_up(self) -> None:
        """Give the function its own code back."""
        code = self.function.__code__
        rule = "breaks" if self.journal.arrivals else "no-arrays"
        native.hook_mark(code, native.MARK_SKIP, rule)
        self.journal.skipped(rule, 0)
        self._give(code)

    def _give(self, code: CodeType) -> None:
        function = native.owner(self)
        if function is not None and function.__code__ is self.function.__code__:
            function.__code__ = code

    def _forget(self) -> None:
        self.forget()


class RunningBody(InPlace):
    """Captures a running module body: its frame switches to rewritten code at a loop header."""

    _newest: CodeType | None = None

    @property
    def calls(self) -> int:
        """The number of times that one of its stubs was reached."""
        points = self.segmented.points.values() if self.segmented is not None else ()
        return sum(segment.calls for point in points for segment in point.segments)

    def start(self, loop: int | None = None) -> bool:
        """Make the first version, with a stub at the loop at this offset."""
        if not self.take_kept():
            segmented = self.code_with_segments()
            if loop is not None and segmented.hope_at(loop):
                segmented.rewrite()
        return True

    def code_with_segments(self) -> SegmentedCode:
        """Return the segments of the body, with gates."""
        if self.segmented is None:
            self.segmented = SegmentedCode(self, self.function, self.flow)
            self.segmented.gate()
        return self.segmented

    def _give(self, code: CodeType) -> None:
        """Keep the code for running frames, which switch to it; nobody calls a body again."""
        self._newest = code

    def forget(self) -> None:
        """Drop the manager when the body has run to its end."""
        self._newest = None
        super().forget()


def adopt(function: FunctionType, site: Site | None = None) -> bool:
    """Capture a function in place from its next call on; False if its code has too many functions.

    Functions of one code object have separate managers, as each has its own globals and cells.
    """
    manager = _new_manager(function, site)
    if manager is not None:
        manager.guarded_capture(manager.start)
    return manager is not None


def manager_of(function: FunctionType, site: Site | None = None) -> InPlace | None:
    """Return the manager of a function, made if needed; None if it cannot be captured in place."""
    manager = native.owned(function)
    if manager is None:
        return _new_manager(function, site)
    return manager if isinstance(manager, InPlace) else None


def _new_manager(function: FunctionType, site: Site | None) -> InPlace | None:
    code = function.__code__
    if native.count_function(code) > MAX_FUNCTIONS:
        return None
    if code.co_flags & FUNCTION == FUNCTION:
        copy, kind = copied(function), InPlace
    elif why_no_body(code, function.__globals__, function.__globals__) is None:
        copy, kind = FunctionType(code, function.__globals__), RunningBody
    else:
        return None
    manager = kind(copy, {}, hooked=True, site=site)
    manager.dispatcher = native.Dispatcher(copy, manager)
    manager.dispatcher._closed = 1
    native.own(function, manager)
    return manager
