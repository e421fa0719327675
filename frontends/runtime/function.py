"""The manager of a jitted function: it captures on a miss, and counts; `answers.py` reports."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from contextlib import suppress
from time import thread_time
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any
from weakref import WeakMethod

from ...backends.registry import EAGER
from ...jit import native
from ...jit.config import SETTINGS, Options, debug_mode
from ...jit.errors import GraphBreakError, UnsupportedCodeError
from ...jit.filters import filtered
from ...jit.frozen import dataclass, field
from ...jit.interrupts import meant_for_program
from ...jit.log import log
from ...jit.native import Dispatcher
from ..report import last_words
from ..report.journal import Journal
from ..tiers.accounts import ACCOUNT
from ..tiers.decorated import Decorated, leaves_to_copies
from ..tiers.first_calls import is_time_for
from . import call_budget, callees, capture_lock
from .answers import Answers, Failure
from .lessons import MAX_FRUITLESS, Lessons
from .missed_calls import missed, take_kept
from .replaced import ReplacedFunctionsError

if TYPE_CHECKING:
    from ..bytecode.flow import Flow
    from ..capture.outcome import Outcome
    from ..kept.entry import KeptEntry
    from ..tiers.sites import Site
    from .entry import CacheEntry
    from .segments import SegmentedCode

MAX_ENTRIES = 16
"""Entries per capture point; beyond that good entries stay and new types run eagerly."""


@dataclass(eq=False)
class Manager(Answers):
    """The Python side of one dispatcher."""

    function: FunctionType
    overrides: dict[str, Any]
    """Options given to the decorator."""
    entries: list[CacheEntry | KeptEntry] = field(default_factory=list)
    whole: list[CacheEntry | KeptEntry] = field(default_factory=list)
    """The entries for whole calls; the others belong to segments."""
    failures: list[Failure] = field(default_factory=list)
    captures: int = 0
    site: Site | None = None
    """The account of an undecorated function, whose captures must pay; None for a decorated one."""
    copied: Site | Decorated = field(init=False)
    """The account of captures in copies of the process."""
    hooked: bool = False
    """True if the frame hook reaches it: `function` is not the user's object, but one like it."""
    left_alone: bool = False
    """Its code must not be captured, whatever the arguments."""
    fruitless: int = 0
    """Number of captures that gave no entry."""
    price: float = 0.0
    """CPU seconds that captures took before, if they gave no entry or cannot be stored."""
    tries: int = 0
    """Captures in copies of the process so far, none of which gave an entry."""
    unpickled: int = 0
    """Functions with its code that were unpickled so far, this one included; 0 if it was not."""
    max_entries: int = MAX_ENTRIES
    captures_at: int = 0
    """Number of the call that continues captures, as they took too long in an earlier call."""
    wait: int = 1
    """Calls without captures after the next one that takes too long; it doubles each time."""
    frozen: bool = False
    """Nothing more is captured: calls run what was compiled ahead of time, or plain Python."""
    lessons: Lessons = field(default_factory=Lessons)
    most_nodes: int | None = None
    """Maximum operations of a segment, if kernels with more were too long to compile."""
    dispatcher: Dispatcher | None = None
    segmented: SegmentedCode | None = None
    journal: Journal = field(init=False)
    _flow: Flow | None = field(default=None, init=False)
    timing: native.Timing | None = field(default_factory=native.Timing)
    """Times segments from call to call; None if they run in any case."""
    kept_breaks: list[Any] = field(default_factory=list, init=False)
    """Breaks met by earlier processes, as kept on disk; for the report."""
    vain: set[str] = field(default_factory=set, init=False)
    """Digests of calls whose captures broke, here or in earlier processes; kept if none gives an
    entry."""
    was_rewritten: bool = field(default=False, init=False)
    """The code had stubs in the process that found these."""
    was_looked_up: bool = field(default=False, init=False)
    """True once entries kept on disk were looked for."""
    seconds: float = field(default=0.0, init=False)
    """CPU seconds of its captures and rewriting."""
    rests: int = field(default=0, init=False)
    """Number of calls that ran unchanged when a capture last had to wait."""
    looked_at: float = field(default=0.0, init=False)
    """Seconds of the clock at which that was decided."""
    serial: int = field(default_factory=itertools.count().__next__, init=False)
    """Unique among all managers, living or dead, unlike `id`."""

    def __post_init__(self) -> None:
        # Reports of undecorated functions are not read; hostile stubs have limits of their own.
        quiet = self.hooked or debug_mode("stub_everywhere")
        self.journal = Journal(self.function.__qualname__, quiet=quiet)
        self.lessons.due = WeakMethod(self._capture_once_more)
        self.copied = self.site or Decorated()

    @property
    def calls(self) -> int:
        """Return the number of calls so far."""
        return 0 if self.dispatcher is None else self.dispatcher._calls

    @property
    def static(self) -> frozenset[str]:
        """Return the names of arguments whose values kernels are specialised on."""
        return frozenset(self.overrides.get("static", ()))

    @property
    def flow(self) -> Flow:
        """Return the function's bytecode, decoded and analysed at first use.

        No `functools.cached_property`: on 3.11 it has a lock, which a fork may leave locked.
        """
        if self._flow is None:
            from ..bytecode.decode import decode
            from ..bytecode.flow import analyse

            self._flow = analyse(decode(self.function.__code__))
        return self._flow

    # ---- capture ---------------------------------------------------------------------------------

    def effective_options(self, options: Options) -> Options | None:
        """Return the context's options with the decorator's on top; None to stay eager."""
        effective = options.replace(self.overrides) if self.overrides else options
        return None if effective.backend == EAGER else effective

    def decline(self, options: Options) -> None:
        """Run calls under these options as they are from now on."""
        if self.dispatcher is not None:
            self.dispatcher._declined = options

    def guarded_capture(self, action: Callable[[], bool]) -> bool:
        """Run a capture; an error of framejit's own is recorded and eager answers."""
        if self.dispatcher is None or (lock := capture_lock.acquire(blocking=False)) is None:
            return False
        for_program: BaseException | None
        began = thread_time()
        try:
            # The program sees no warnings about framejit's own work.
            account = ACCOUNT if self.site is None else self.site
            with filtered("ignore"), call_budget.paid(self), account.charged():
                done = action()
                if done and self.unpickled:
                    from ..kept.at_exit import put_down_new

                    put_down_new(self)
                return done
        except GraphBreakError:
            raise
        except UnsupportedCodeError as error:
            self._leave_alone("code", error)
            return False
        except ReplacedFunctionsError as error:
            self._leave_alone("replaced", error)
            return False
        except Exception as error:
            for_program = meant_for_program(error)
            if for_program is None:
                return self._failed()
        finally:
            took = thread_time() - began
            self.seconds += took
            log("tiers", "%s: %.1f ms of capturing or rewriting", self.journal.function, took * 1e3)
            capture_lock.release(lock)
        raise for_program

    def _failed(self) -> bool:
        """Record the error of framejit's own that is being handled."""
        self.note_failure()
        if debug_mode("strict"):
            raise
        self.fruitless += 1  # errors of framejit's own recur at each capture
        if self.fruitless >= MAX_FRUITLESS and self.dispatcher is not None:
            self.dispatcher._closed = 1
        return False

    def note_failure(self) -> None:
        """Record the error of framejit's own that is being handled, for the report."""
        import traceback

        text = traceback.format_exc()
        self.failures.append(Failure(self.journal.function, text))
        self.journal.tell(
            f"met an error of framejit itself, and plain Python answers: {text.splitlines()[-1]} "
            "(the report has the traceback; please send it)",
            self.function,
        )

    def miss(self, options: Options, live: tuple[Any, ...]) -> bool:
        """Capture, as no entry holds for these arguments; True if one does now. Called from C."""
        return missed(self, options, live)

    def may_capture_here(self, options: Options | None = None) -> bool:
        """True if captures of its segments may be made in this process, by now."""
        if self.site is None or self.frozen:
            return not leaves_to_copies(self, options)
        return self.site.may_capture_here()

    def take_kept(self) -> bool:
        """Load entries kept by earlier processes, once; True if calls can use one."""
        if self.was_looked_up:
            return False
        self.was_looked_up = True
        return take_kept(self)

    def prepare(self) -> bool:
        """Make segments for a signature that dispatcher.c does not bind; called once.

        Under stub_everywhere it is called before each call, as `miss` is for other functions.
        """
        done = self.guarded_capture(self._prepare)
        if not done and not (self.failures or self.left_alone) and self.dispatcher is not None:
            self.dispatcher._closed = 0  # another capture is in progress: retry at the next call
        return done

    def code_with_segments(self) -> SegmentedCode:
        """Return the segments of the function, made at first use."""
        if self.segmented is None:
            from .segments import SegmentedCode

            self.segmented = SegmentedCode(self, self.function, self.flow)
        return self.segmented

    def may_capture_now(self, live: tuple[Any, ...]) -> bool:
        """True if a call with these arguments is captured in this process while nobody waits."""
        if not is_time_for(self, live):
            return False
        if self.site is None:
            from ..kept.at_exit import note

            note(self)
        return True

    def may_capture(self, at: int, *, later: bool) -> bool:
        """Return False while captures have taken too long; a later call continues.

        `later`: plain Python answers until kernels are compiled.
        """
        assert self.dispatcher is not None
        if self.calls < self.captures_at:
            return False
        spent = call_budget.spent_by(self, later=later)
        if spent is None:
            return True
        self.journal.skipped(spent.rule, at, spent.seconds)
        self.captures_at = self.dispatcher._captures_at = self.calls + self.wait
        self.wait = min(2 * self.wait, call_budget.LONGEST_WAIT)
        return False

    def capture_again(self) -> bool:
        """Continue captures that have waited for this call; called by dispatcher.c."""
        if self.segmented is not None:
            for point in self.segmented.points.values():
                point.ask_again()
        return True

    def other_kind(self) -> bool:
        """React to calls that take much longer or shorter than before; called by dispatcher.c."""
        return self.guarded_capture(self._bring_back)

    def _bring_back(self) -> bool:
        code = self.segmented
        return code is not None and code.bring_back() and code.rewritten()

    def _prepare(self) -> bool:
        if self.take_kept():
            return True
        segmented = self.code_with_segments()
        if debug_mode("stub_everywhere"):
            assert self.dispatcher is not None
            self.dispatcher._closed = 0
            segmented.start_everywhere()
        else:
            segmented.start_blindly()
        return True

    def _leave_alone(self, rule: str, *details: object) -> None:
        """Run the function's calls as they are from now on, without asking again."""
        self.journal.skipped(rule, 0, *details)
        self.left_alone = True
        if self.dispatcher is not None:
            self.dispatcher._closed = 1
        if self.hooked:
            native.hook_mark(self.function.__code__, native.MARK_SKIP)

    def _capture_once_more(self) -> None:
        """Capture a call again if an entry is outgrown, even though others had breaks."""
        outgrown = any(entry.is_outgrown for entry in self.whole)
        if outgrown and self.dispatcher is not None and not (self.frozen or self.left_alone):
            self.dispatcher._closed = int(self.fruitless >= MAX_FRUITLESS)

    def note_ends(self, outcome: Outcome, at: int) -> None:
        """Record what ended a capture from real live-ins at capture point `at`."""
        for place in outcome.breaks:
            if place.ended_by is not None:
                self.journal.came_to(place.ended_by, at)
        if outcome.pauses_by:
            self.journal.skipped(outcome.pauses_by, outcome.index)

    def new_entry(self, at: int, entry: CacheEntry) -> CacheEntry | KeptEntry:
        """Return the entry to use in place of a new one, and keep it for later processes."""
        from ..kept.at_exit import note

        note(self)
        self.journal.compiled(entry)
        if not debug_mode("kept_everywhere"):
            return entry
        from ..kept.again import exchanged

        return exchanged(self, at, entry)

    def install(self, code: CodeType) -> None:
        """Make the dispatcher fall back to this code."""
        function = self.function
        rewritten = FunctionType(
            code,
            function.__globals__,
            function.__name__,
            function.__defaults__,  # dispatcher.c replaces these when the function's change
            function.__closure__,
        )
        rewritten.__kwdefaults__ = function.__kwdefaults__
        rewritten.__qualname__ = function.__qualname__
        assert self.dispatcher is not None
        native.hook_mark(code, native.MARK_SKIP, "rewritten")
        callees.catch()
        self.dispatcher._fallback = rewritten
        if self.segmented is not None and (resuming := self.segmented.resuming()) is not None:
            self.dispatcher._resume = resuming

    def give_up(self) -> None:
        """Remove all stubs, as none pays; the frame hook still sees the functions that it calls."""
        from ..bytecode.rewrite import rewrite

        visits = None if self.segmented is None else self.segmented.visits
        calls = None if visits is None else visits.calls()
        self.install(rewrite(self.flow.decoded, (), self.flow, calls=calls))

    def forget(self) -> None:
        """Free everything made for the user's function, which has died.

        Eager frees a function's objects at once, but what was made for it is in reference cycles.
        Does nothing if the garbage collector was faster, or while the last frame is captured.
        """
        if not hasattr(self, "function") or capture_lock.is_capturing():
            return
        with suppress(AttributeError):  # the collector may be half way through
            self._last_words()
            self.dispatcher = None
            if self.segmented is not None:
                self.segmented.forget()
            self.segmented = self._flow = None
            for entry in self.entries:
                entry.forget()
            self.entries.clear()
            del self.function

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        # The garbage collector does not call forget() first. While the interpreter ends nothing is
        # written, as modules have lost their names.
        if not is_finalizing() and hasattr(self, "function"):
            self._last_words()

    def _last_words(self) -> None:
        last_words.keep(self)
        if self.entries:
            from ..kept.at_exit import put_down_dying

            put_down_dying(self)


if SETTINGS["debug"]:
    from ..tiers import hostile

    hostile.start()
