"""The interface that the segments of a function need from its manager."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Protocol

from ...jit.config import Options
from ...jit.native import Timing
from ..report.journal import Journal
from .lessons import Lessons

if TYPE_CHECKING:
    from ..capture.outcome import Outcome
    from ..kept.entry import KeptEntry
    from ..tiers.decorated import Decorated
    from ..tiers.sites import Site
    from .entry import CacheEntry


class Owner(Protocol):
    """The manager of a function, as its segments see it."""

    entries: list[CacheEntry | KeptEntry]
    function: FunctionType
    max_entries: int
    frozen: bool
    """True if nothing more is captured, see `Manager`."""
    lessons: Lessons
    """Lessons from calls of the function."""

    site: Site | None
    """The account of an undecorated function, see `Manager`."""

    copied: Site | Decorated
    """The account of captures in copies of the process."""

    @property
    def static(self) -> frozenset[str]:
        """Return the names of locals that captures treat as constants."""

    def may_capture(self, at: int, *, later: bool) -> bool:
        """Return False while captures have taken too long; a later call continues.

        `later`: kernels are not waited for.
        """

    def effective_options(self, options: Options) -> Options | None:
        """Return the options to compile under, None to stay eager."""

    def decline(self, options: Options) -> None:
        """Run calls under these options as they are from now on."""

    def may_capture_here(self, options: Options | None = None) -> bool:
        """True if captures of its segments may be made in this process, by now.

        `options` of the context, if they are known.
        """

    def guarded_capture(self, action: Callable[[], bool]) -> bool:
        """Run a capture; record an error of framejit's own and return False."""

    def note_failure(self) -> None:
        """Record the error of framejit's own that is being handled."""

    @property
    def journal(self) -> Journal:
        """Return the journal of events for the report."""

    most_nodes: int | None
    """Maximum operations of a segment, if kernels with more were too long to compile."""

    def note_ends(self, outcome: Outcome, at: int) -> None:
        """Record the end of a capture from real live-ins at capture point `at`."""

    def new_entry(self, at: int, entry: CacheEntry) -> CacheEntry | KeptEntry:
        """Return the entry to use in place of a new one, and keep it for later processes."""

    def install(self, code: CodeType) -> None:
        """Make the dispatcher run this code from now on."""

    def give_up(self) -> None:
        """Remove all stubs, as none is worth it."""

    @property
    def timing(self) -> Timing | None:
        """Return the timing that its segments share; None if whole calls are timed."""
