"""The program as a whole: what earlier processes of it took, and what this one may spend.

Trials measure a kernel where it is called often. A loop that runs once has none, and neither has
what kernels do to the rest of the program. So the CPU time of a whole process is compared with that
of one in which nothing was captured: what is taken to have been saved is at most that difference,
and a program that takes longer with its kernels rests, as plain Python, for as many processes as
pay for that.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from time import process_time
from typing import TYPE_CHECKING
from zlib import crc32

from ...jit.frozen import dataclass
from . import copies
from .accounts import ACCOUNT, INVESTED
from .ledger import LEDGER, PROGRAM, Entry

if TYPE_CHECKING:
    from .sites import Site

PAID_OFF = 0.03
"""Of a process, by how much longer it may take with kernels: a process that rests pays so much."""
INVESTED_INSIDE = 0.05
"""Of the time of a program, what may be spent inside of it where copies of its process capture."""
RESTS_FROM, MOST_DEBT = 0.1, 1.0
"""Debt of a program that rests, as a part of the time of one process; it grows to no more."""
UNKNOWN = 0.05
"""Of the time of a process, what is taken to have been saved and was not tried: where it is more,
and more than what was, the next process rests, and shows what plain Python takes."""


def key() -> str:
    """The name of the program in the ledger."""
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    return f"{PROGRAM}{os.path.abspath(main) if isinstance(main, str) else sys.argv[:1]}"


def begin() -> None:
    """Says to the account what it may spend, by earlier processes."""
    before = _before()
    ACCOUNT.rests = before.debt >= RESTS_FROM and before.arguments == _arguments()
    if not ACCOUNT.rests:
        ACCOUNT.invest(before, INVESTED_INSIDE if copies.are_possible() else INVESTED)


@dataclass(frozen=True, slots=True)
class Closing:
    """The end of a process of the program. Times are seconds."""

    tried: float
    """What its kernels have saved, by trials."""
    untried: float
    """What others are taken to have saved."""
    took: float
    """CPU time without what captures have taken; with what it took to take entries."""
    is_plain: bool
    """Nothing was captured or taken."""
    before: Entry
    has_invested: bool = False
    """Something was captured, here or in a copy, or compiled: what it may take was used."""
    has_served: bool = True
    """Kernels have run. Without them nothing is known of what the program takes with them."""

    @property
    def plain(self) -> float:
        """What the program takes as plain Python; 0.0 where that is not known."""
        known = self.before.plain if self.before.arguments == _arguments() else 0.0
        if not self.is_plain:
            return known
        return (known + self.took) / 2 if known else self.took

    @property
    def believed(self) -> float:
        """Which part of `untried` may be true."""
        if not self.plain or not self.untried:
            return 1.0
        rest = self.plain - self.took - self.tried
        return min(max(rest / self.untried, 0.0), 1.0)

    @property
    def debt(self) -> float:
        """By how much processes have taken longer than plain Python, as a part of its time."""
        before = self.before.debt
        if self.is_plain:
            return max(before - PAID_OFF, 0.0)
        if not self.has_served:
            return before
        if not self.plain:
            is_unknown = self.untried > max(self.tried, UNKNOWN * self.took)
            return RESTS_FROM if is_unknown else 0.0
        return min(max(before + self.took / self.plain - 1.0, 0.0), MOST_DEBT)

    def row(self) -> Entry:
        """What the next process is to know."""
        before = self.before
        return Entry(
            spent=before.spent + process_time(),
            cost=before.cost + ACCOUNT.inside,
            gain=self.tried + self.believed * self.untried,
            outside=before.outside + ACCOUNT.helper,
            runs=before.runs + 1,
            kept=before.kept + (ACCOUNT.invests and self.has_invested),
            plain=self.plain,
            arguments=_arguments(),
            debt=self.debt,
        )


def closing(sites: Collection[Site], tried: float, untried: float, *, has_served: bool) -> Closing:
    """At the end of a process in which there were these sites."""
    took = process_time() - ACCOUNT.inside + sum(one.taken for one in sites)
    is_plain = not any(one.captured for one in sites)
    copied = any(one.copies or one.copies_in_vain for one in sites)
    has_invested = not is_plain or copied or ACCOUNT.helper > 0
    return Closing(tried, untried, took, is_plain, _before(), has_invested, has_served)


def _before() -> Entry:
    return LEDGER.find(key()) or Entry()


def _arguments() -> float:
    """A digest of the program's arguments: with others it takes another time."""
    return float(crc32(repr(sys.argv[1:]).encode("utf-8", "surrogateescape")))
