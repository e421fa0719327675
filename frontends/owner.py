"""What the segments of a function ask of whoever manages it."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Protocol

from ..jit.config import Options
from ..jit.native import Timing
from .lessons import Lessons
from .report.journal import Journal

if TYPE_CHECKING:
    from ..jit.pipeline import TooLong
    from .capture import Captured, Outcome
    from .entry import CacheEntry
    from .kept.entry import KeptEntry
    from .runtime.sites import Site


class Owner(Protocol):
    """See the module."""

    entries: list[CacheEntry | KeptEntry]
    function: FunctionType
    max_entries: int
    frozen: bool
    """Nothing more is captured: see `Manager`."""
    lessons: Lessons
    """What calls of the function have taught."""

    site: Site | None
    """See `Manager`."""

    @property
    def static(self) -> frozenset[str]:
        """Locals that are constants of a capture."""

    def may_capture(self, at: int) -> bool:
        """False while the captures of a call have taken too long; they go on in a later one."""

    def effective_options(self, options: Options) -> Options | None:
        """The options to compile under, None to stay eager."""

    def guarded_capture(self, action: Callable[[], bool]) -> bool:
        """Runs a capture; an error of framejit's own is recorded and gives False."""

    def note_failure(self) -> None:
        """An error of framejit's own is being handled."""

    @property
    def journal(self) -> Journal:
        """What happened, for the report."""

    most_nodes: int | None
    """Operations of a segment, where kernels of more were too long to be compiled."""

    def shorten(self, captured: Captured, error: TooLong, at: int) -> bool:
        """Captures have fewer operations from now on; False where they have too few already."""

    def note_ends(self, outcome: Outcome, at: int) -> None:
        """A capture from real live-ins of the capture point `at` has ended."""

    def new_entry(self, at: int, entry: CacheEntry) -> CacheEntry | KeptEntry:
        """The entry that serves in place of a new one; later processes may find it."""

    def install(self, code: CodeType) -> None:
        """The code that the dispatcher runs from now on."""

    def give_up(self) -> None:
        """No point of the code is worth a stub."""

    @property
    def timing(self) -> Timing | None:
        """What its segments share that are measured; None where whole calls are."""
