"""The budget of framejit in a process: the CPU time it may spend, and has spent.

There is one account per process. Work inside the program (capture, rewriting, imports) may take a
small part of the program's time; work in other processes (compiles) a larger part, as other cores
do it. All times are seconds of CPU time, so that load on the machine affects both sides of each
comparison.
"""

from __future__ import annotations

import math
from _thread import get_ident  # `threading` would lengthen each start
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import process_time, thread_time
from typing import TYPE_CHECKING

from . import warming
from .prices import TAKING_FIRST

if TYPE_CHECKING:
    from .ledger import Entry
    from .sites import Site

LEAST = 0.04
"""Time that framejit may take inside the program, however short the program is."""
OVERDRAFT = 0.5
"""Seconds by which segments of decorated functions may overdraw the account of what is allowed
inside. They are not asked to pay; but one with values that differ in each call takes seconds."""
SHARE = 0.03
"""Fraction of the program's time so far that it may take, where that is more than LEAST."""
HELPER_SHARE = 0.4
"""Fraction of the program's time so far that compiles in other processes may take."""
LEAST_HELPER = 0.2
"""Time that they may take, however short the program is."""
KNOWN_SHARE = 0.5
"""Fraction of the time saved in earlier processes that may be spent to save it again."""


RUNS = 2
"""Runs of a program after which framejit invests in it."""
INVESTED, INVESTED_OUTSIDE = 0.25, 1.0
"""Fractions of the program's time over all runs that framejit may have spent over all runs: inside
the processes, and on compiles outside."""
MOST_CREDIT, MOST_OUTSIDE = 1.0, 20.0
"""Maximum seconds of an investment per process, inside and outside."""
TRIES, GAINS = 2, 0.05
"""Number of runs that are invested in unconditionally. Later, each other run is invested in if the
last one saved at least the fraction GAINS of a run's time."""
WORTH = 0.18
"""Fraction of a run's time that kernels are expected to save in a program never captured."""
LEAST_SAVED = 2 * TAKING_FIRST
"""If that is less than this, nothing is invested: to load entries, and to sample the program in
which they are made, takes as much. What is captured, mostly in copies, does not take it."""


class Account:
    """The budget of the process."""

    def __init__(self) -> None:
        self.inside = 0.0
        """CPU time spent on capture, rewriting and imports inside the program."""
        self.helper = 0.0
        """CPU time of the compile helper, its start included."""
        self.known_gain = 0.0
        """CPU time that sites of this process saved in earlier processes."""
        self.credit = 0.0
        """Additional CPU time allowed inside a program that has been run several times."""
        self.outside_credit = 0.0
        """Additional CPU time allowed for its compiles in the helper."""
        self.runs = 0.0
        """Earlier processes of the program."""
        self.usual = 0.0
        """CPU time that one of them took."""
        self.invests = False
        """This process may spend more than its own share."""
        self.standing = "unpaid"
        """The reason why sites that would have paid are not captured, as a rule of the report."""
        self.scale = 1.0
        """Processes of the program for each sampled one: factor on what sites have spent."""
        self.has_failed = False
        """The program ended with an error, so its time says nothing."""
        self.rests = False
        """Nothing is captured or taken: the program takes longer with its kernels."""
        self._depth = 0
        self._open = (0, 0.0)
        """The outermost `charged` block: its thread, and the time up to which it is charged."""

    def invest(self, before: Entry, share: float = INVESTED) -> None:
        """Grant credit from what is known of the program's earlier processes.

        `share` is the fraction of the program's time that may be spent inside it.
        """
        self.runs = before.runs
        self.usual = before.spent / before.runs if before.runs else 0.0
        if why := standing_of(before):
            self.standing = why
            return
        inside = share * before.spent - before.cost
        outside = INVESTED_OUTSIDE * before.spent - before.outside
        self.invests = True
        self.credit = min(max(inside, 0.0), MOST_CREDIT)
        self.outside_credit = min(max(outside, 0.0), MOST_OUTSIDE)

    def allowed_inside(self) -> float:
        """Return the seconds that framejit may still spend inside the program.

        It is negative if the account is overdrawn.
        """
        if warming.is_on:
            return math.inf
        if self.rests:
            return -math.inf
        least = max(LEAST, SHARE * process_time())
        return least + KNOWN_SHARE * self.known_gain + self.credit - self.inside

    def allowed_outside(self) -> float:
        """Return the seconds that compiles in the helper may still take."""
        if warming.is_on:
            return math.inf
        if self.rests:
            return -math.inf
        least = max(LEAST_HELPER, HELPER_SHARE * process_time())
        return least + self.known_gain + self.outside_credit - self.helper

    @contextmanager
    def charged(self) -> Iterator[None]:
        """Charge the CPU time of the block, once for nested blocks."""
        began = get_ident(), thread_time()
        if self._depth == 0:
            self._open = began
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if self._depth == 0:
                _, until = self._open if self._open[0] == began[0] else began
                self.inside += thread_time() - until

    def charge_so_far(self) -> None:
        """Charge what the outermost `charged` block of this thread has taken so far."""
        thread, until = self._open
        if self._depth and thread == get_ident():
            now = thread_time()
            self.inside += now - until
            self._open = thread, now

    @contextmanager
    def unpaid(self) -> Iterator[None]:
        """Exclude the time of the block from an enclosing `charged` block."""
        began = thread_time()
        try:
            yield
        finally:
            self.inside -= thread_time() - began

    def preparing(self, site: Site | None, is_imported: bool) -> AbstractContextManager[None]:
        """Exclude a block with imports, for a decorated function, which has no site.

        The first capture of a process, and the first load, import and prepare what the others use.
        Charged to a short program they would leave nothing for its other functions, so that each
        process would import everything for the capture of one function more.
        """
        is_first = site is None and not is_imported
        return self.unpaid() if is_first else nullcontext()


def standing_of(before: Entry) -> str:
    """Return the rule by which nothing is invested in a program; "" if something is."""
    if before.runs < RUNS:
        return "unpaid"
    usual = before.spent / before.runs
    if WORTH * usual < LEAST_SAVED:
        return "short-program"
    if before.kept < TRIES:
        return ""
    if before.gain < GAINS * usual:
        return "no-gain"
    is_between = before.runs - RUNS < 2 * before.kept - 1  # every other run only measures
    return "next-run" if is_between else ""


ACCOUNT = Account()
