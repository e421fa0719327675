"""The budget of framejit in a process: the CPU time it may spend, and has spent.

There is one account for the process. What framejit does inside the program (capture, rewriting,
imports) may take a small part of the program's time; what it has done in other processes (compiles)
a larger part, since other cores do that. All times are seconds of CPU time: on a machine that does
other work as well, both sides of each comparison take longer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time, thread_time
from typing import TYPE_CHECKING

from . import warming
from .prices import IMPORTS

if TYPE_CHECKING:
    from .ledger import Entry

LEAST = 0.04
"""What framejit may take inside the program, however short that is."""
SHARE = 0.03
"""Of the program's time so far, what it may take where that is more."""
HELPER_SHARE = 0.4
"""Of the program's time so far, what compiles in other processes may take."""
LEAST_HELPER = 0.2
"""What they may take however short the program is."""
KNOWN_SHARE = 0.5
"""Of the time that earlier processes have gained, what may be spent to gain it again."""


RUNS = 2
"""Processes of a program after which framejit invests into it."""
INVESTED, INVESTED_OUTSIDE = 0.25, 1.0
"""Of the time that it has taken in all of them, what framejit may have spent in all of them: inside
of them, and on compiles outside."""
MOST_CREDIT, MOST_OUTSIDE = 1.0, 20.0
"""Seconds of that which one process may spend."""
TRIES, GAINS = 2, 0.05
"""Runs that are invested into, whatever comes of it; after them each other run, if the last one has
gained so much of the time of one."""
WORTH = 0.18
"""Of the time of one run, what kernels are expected to save in a program that nobody has captured:
less than what loading framejit costs is not worth it."""


class Account:
    """That of the process."""

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
        self.invests = False
        """This process may spend more than its own share."""
        self.rests = False
        """Nothing is captured or taken: the program takes longer with its kernels."""
        self._depth = 0

    def invest(self, before: Entry, share: float = INVESTED) -> None:
        """`before`: what is known of the program from earlier processes.

        `share`: of its time, what may be spent inside of it.
        """
        self.runs = before.runs
        is_sure = before.gain >= GAINS * before.spent / max(before.runs, 1.0)
        rests = before.runs - RUNS < 2 * before.kept - 1  # each other run only collects
        if before.kept >= TRIES and (rests or not is_sure):
            return
        if before.runs >= RUNS and WORTH * before.spent / before.runs >= IMPORTS:
            inside = share * before.spent - before.cost
            outside = INVESTED_OUTSIDE * before.spent - before.outside
            self.invests = True
            self.credit = min(max(inside, 0.0), MOST_CREDIT)
            self.outside_credit = min(max(outside, 0.0), MOST_OUTSIDE)

    def allowed_inside(self) -> float:
        """Seconds that framejit may still spend inside the program; negative if overdrawn."""
        if warming.is_on:
            return math.inf
        if self.rests:
            return -math.inf
        least = max(LEAST, SHARE * process_time())
        return least + KNOWN_SHARE * self.known_gain + self.credit - self.inside

    def allowed_outside(self) -> float:
        """Seconds that compiles in the helper may still take."""
        if warming.is_on:
            return math.inf
        if self.rests:
            return -math.inf
        least = max(LEAST_HELPER, HELPER_SHARE * process_time())
        return least + self.known_gain + self.outside_credit - self.helper

    @contextmanager
    def charged(self) -> Iterator[None]:
        """Charges the time of the block; blocks inside of it cost nothing more."""
        began = thread_time()
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if self._depth == 0:
                self.inside += thread_time() - began

    @contextmanager
    def unpaid(self) -> Iterator[None]:
        """Takes the time of the block off a block of `charged` around it."""
        began = thread_time()
        try:
            yield
        finally:
            self.inside -= thread_time() - began


ACCOUNT = Account()
