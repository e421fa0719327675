"""The program as a whole: times of earlier runs, and the budget of this one.

Trials measure a kernel that is called often. A loop that runs once has none, nor have the effects
of kernels on the rest of the program. So the CPU time of a whole process is compared with that of
one in which nothing was captured: the savings assumed are at most that difference, and a program
that takes longer with its kernels rests, as plain Python, for as many runs as make up for the loss.
"""

from __future__ import annotations

from collections.abc import Collection
from time import process_time
from typing import TYPE_CHECKING

from ...jit.frozen import dataclass
from . import copies
from .accounts import ACCOUNT, INVESTED
from .ledger import LEDGER, Entry
from .resting import MOST_DEBT, PAID_OFF, RESTS_FROM, arguments, is_same, key

if TYPE_CHECKING:
    from .sites import Site

INVESTED_INSIDE = 0.05
"""Fraction of a program's time that may be spent inside it where copies of its process capture."""
UNKNOWN = 0.05
"""Fraction of a run's time. If untried savings exceed it, and exceed the tried ones, the next run
rests, to measure plain Python."""


def begin() -> None:
    """Set the account's budget from earlier processes."""
    before = _before()
    ACCOUNT.scale = (LEDGER.find(key()) or Entry()).scale
    ACCOUNT.rests = before.debt >= RESTS_FROM and is_same(before)
    if ACCOUNT.rests:
        ACCOUNT.standing = "rests"
    else:
        ACCOUNT.invest(before, INVESTED_INSIDE if copies.are_possible() else INVESTED)


@dataclass(frozen=True, slots=True)
class Closing:
    """Summary of a run of the program. Times are seconds."""

    tried: float
    """Time saved by kernels, as trials measured."""
    untried: float
    """Time that kernels without a trial are assumed to have saved."""
    took: float
    """CPU time without captures, but with loading entries."""
    is_plain: bool
    """Nothing was captured or loaded."""
    before: Entry
    has_invested: bool = False
    """Something was captured, here or in a copy, or compiled, so that the investment was used."""
    has_served: bool = True
    """Kernels have run. Otherwise nothing is known of the time with them."""
    arrays: float = 0.0
    """Time over all processes in sites that work on arrays, as far as known."""

    @property
    def plain(self) -> float:
        """The program's time as plain Python; 0.0 if unknown."""
        known = self.before.plain if is_same(self.before) else 0.0
        if not self.is_plain:
            return known
        return (known + self.took) / 2 if known else self.took

    @property
    def believed(self) -> float:
        """The fraction of `untried` that the total time allows."""
        if not self.plain or not self.untried:
            return 1.0
        rest = self.plain - self.took - self.tried
        return min(max(rest / self.untried, 0.0), 1.0)

    @property
    def debt(self) -> float:
        """Accumulated slowdown against plain Python, as a fraction of its time."""
        before = min(self.before.debt, MOST_DEBT)
        if self.is_plain:
            return max(before - PAID_OFF, 0.0)
        if not self.has_served:
            return before
        if not self.plain:
            is_unknown = self.untried > max(self.tried, UNKNOWN * self.took)
            return RESTS_FROM if is_unknown else 0.0
        return min(max(before + self.took / self.plain - 1.0, 0.0), MOST_DEBT)

    def row(self, hopes: int) -> Entry:
        """Return the ledger's row for the program, with so many sites worth loading."""
        before = self.before
        return Entry(
            spent=before.spent + process_time(),
            cost=before.cost + ACCOUNT.inside,
            gain=self.tried + self.believed * self.untried,
            outside=before.outside + ACCOUNT.helper,
            runs=before.runs + 1,
            kept=before.kept + (ACCOUNT.invests and self.has_invested),
            plain=self.plain,
            arguments=0.0 if ACCOUNT.has_failed else arguments(),
            debt=self.debt,
            hopes=hopes,
            arrays=self.arrays,
        )


def closing(sites: Collection[Site], tried: float, untried: float, *, has_served: bool) -> Closing:
    """Summarise a run with these sites at its end."""
    took = process_time() - ACCOUNT.inside + sum(one.taken for one in sites)
    is_plain = not any(one.captured for one in sites)
    copied = any(one.copies or one.copies_in_vain for one in sites)
    has_invested = not is_plain or copied or ACCOUNT.helper > 0
    arrays = sum(one.spent for one in sites if one.has_arrays)
    return Closing(tried, untried, took, is_plain, _before(), has_invested, has_served, arrays)


def knows_plain() -> bool:
    """True if an earlier process with these arguments ran as plain Python."""
    before = _before()
    return bool(before.plain) and is_same(before)


def _before() -> Entry:
    return (LEDGER.find(key()) or Entry()).with_all_runs()
