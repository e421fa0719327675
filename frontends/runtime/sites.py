"""Sites: functions that nobody decorated, each with what it has cost and what was gained.

A site is captured, and its kernels are compiled, when the time that was spent in it reaches what
that will cost together with what was spent on it before: so no site costs more than twice what the
program would have taken without framejit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time
from types import CodeType
from typing import TYPE_CHECKING
from zlib import crc32

from ...jit import native
from .. import capture_budget
from . import copies, warming
from .accounts import ACCOUNT
from .ledger import LEDGER, Entry
from .prices import (
    CAPTURE,
    COMPILE,
    COPY,
    HELPER_START,
    TAKING,
    import_price,
    taking_price,
    units_of,
)

if TYPE_CHECKING:
    from ...jit.background import Job

PATIENCE = 4.0
"""What was captured in an earlier process and gained nothing has to spend so many times as much
before it is captured once more, for each time."""
SAVED, TIMES = 0.5, 2.0
"""Of the time of a site, what kernels are expected to save; so many prices of a capture, which each
process pays again."""
OVERRUN, LEAST_LIMIT = 4.0, 0.05
"""A capture that takes so many times its price, or more than the account allows, is given up when
it has taken these seconds."""
OTHER_CORE = 0.5
"""What a second costs that another core works."""
MOST_IN_VAIN = 2
"""Copies of a process that came to nothing; after them a site is left alone."""
BRIEF = 1e-3
"""Seconds of what is no capture: a version of the code, a look."""


class Site:
    """One code object of the program. All times are seconds."""

    def __init__(self, code: CodeType, running: CodeType | None = None) -> None:
        """`running` stands in for the code that the user wrote."""
        self.code = code
        self.has_arrays = True
        """It works on arrays, as far as that can be told."""
        self.has_gates = False
        """Its running frames can go over at its loops."""
        self.again = False
        """It was called more than once, as far as that is known."""
        self.versions = [running] if running is not None and running is not code else []
        """Rewritten code that runs in its place."""
        self.captured = 0.0
        """CPU time of captures and rewriting in this process."""
        self.taken = 0.0
        """The part of it in which entries were taken from the disk."""
        self.compiled = 0.0
        """CPU time of compiles for it, in this process or by helpers."""
        self.copies = 0
        """Copies of the process that have put something of it on disk, or are about to."""
        self.copies_in_vain = 0
        """Copies of the process that have found nothing to keep."""
        self.needs_inside = False
        """What is captured of it cannot be put on disk: copies of the process are of no use."""
        self._least_price = 0.0
        """What a copy has needed for it."""
        self.before = LEDGER.find(key_of(code)) or Entry()
        self.is_kept = bool(self.before.kept)
        """Its entries stand on disk, as far as is known."""
        if not self.was_warmed:
            ACCOUNT.known_gain += self.before.gain

    @property
    def spent(self) -> float:
        """Time in the function, by samples, in this process and in earlier ones.

        Without that in other functions of the program: these are sites of their own.
        """
        own = sum(map(native.own_time, (self.code, *self.versions)))
        return float(self.before.spent + own / 1e9)

    @property
    def was_warmed(self) -> bool:
        """True if somebody had it captured ahead of time: what could be kept is there."""
        return self.before.kept == warming.WARMED

    @property
    def invested(self) -> float:
        """What it has cost in this process and in earlier ones."""
        return self.before.cost + self.captured + self.compiled

    @property
    def captured_again(self) -> float:
        """What captures have taken in this process though an earlier one had captured it, too.

        What is captured in each process, since nothing of it can be kept, has to gain more.
        """
        return self.captured - self.taken if self.before.cost > 0 else 0.0

    def may_capture(self) -> bool:
        """True if a capture pays, and the account of the process has the time for it."""
        price = self.capture_price()
        is_known = self.is_known() and not self.was_warmed
        is_worth_it = is_known or self.saves_enough(CAPTURE.of(units_of(self.code)))
        return is_worth_it and self.pays(price) and ACCOUNT.allowed_inside() >= price

    def may_begin(self) -> bool:
        """True if something may be captured: in a copy of the process, or else in this one."""
        if copies.are_possible() and not self.needs_inside:
            return self.may_be_copied()
        return self.may_capture()

    def may_capture_here(self) -> bool:
        """True if it may be captured in this process."""
        return (self.needs_inside or not copies.are_possible()) and self.may_capture()

    def may_be_copied(self) -> bool:
        """True if a capture in a copy of the process pays, and the account has the time for it."""
        price = COPY.of(units_of(self.code))
        is_useless = self.needs_inside or self.copies_in_vain >= MOST_IN_VAIN
        if is_useless or not (self.is_known() or self.saves_enough(TAKING)):
            return False
        has_time = ACCOUNT.allowed_outside() >= price and ACCOUNT.allowed_inside() > 0
        return has_time and self.pays(OTHER_CORE * price)

    def has_copied(self, cpu: float, *, kept: bool) -> None:
        """A copy of the process has captured something of it; `kept`: it is on disk."""
        COPY.learn(units_of(self.code), cpu)
        self.compiled += OTHER_CORE * cpu
        self._least_price = cpu
        self.copies += kept
        self.copies_in_vain += not kept
        self.is_kept |= kept

    def may_be_taken(self) -> bool:
        """True if entries on disk are to serve: they have gained more than taking them costs."""
        return self.is_kept and self.before.gain >= taking_price() and not ACCOUNT.rests

    def is_known(self) -> bool:
        """True if it has gained time in earlier processes."""
        return self.before.gain > 0

    def saves_enough(self, price: float) -> bool:
        """False for what earlier processes have spent so little in that each run would lose."""
        runs = 0.0 if warming.is_on else ACCOUNT.runs
        return runs == 0 or SAVED * self.spent / (runs + 1) >= TIMES * price

    def capture_price(self) -> float:
        """What a capture is expected to take, with what has to be loaded for it."""
        return max(CAPTURE.of(units_of(self.code)) + import_price(), self._least_price)

    def may_compile(self, lines: int) -> bool:
        """True if a kernel of so many lines pays, and the account has the time for its compile."""
        price, start = COMPILE.of(lines), 0.0 if ACCOUNT.helper else HELPER_START
        return self.pays(price) and ACCOUNT.allowed_outside() >= price + start

    def has_compiled(self, job: Job) -> None:
        """A kernel was compiled for it."""
        self.compiled += job.cpu
        if ACCOUNT.helper or job.inside:  # the first answer brings the start of the helper along
            COMPILE.learn(job.lines, job.cpu)
        if job.inside:
            ACCOUNT.inside += job.cpu
        else:
            ACCOUNT.helper += job.cpu

    def owes(self, lines: list[int]) -> None:
        """Kernels of so many lines are being compiled as the process ends: somebody pays."""
        price = sum(map(COMPILE.of, lines))
        self.compiled += price
        ACCOUNT.helper += price

    def pays(self, price: float) -> bool:
        """True if what is spent here has reached this price and what it has cost before."""
        is_sure = self.is_known() and not self.before.runs and not self.was_warmed
        if warming.is_on or is_sure:
            return True
        patience = PATIENCE**self.before.runs
        return bool(self.spent >= patience * (self.invested + price))

    @contextmanager
    def charged(self) -> Iterator[None]:
        """The block captures or rewrites something for the site."""
        began = thread_time()
        before = capture_budget.limit
        if not warming.is_on:
            allowed = min(OVERRUN * self.capture_price(), ACCOUNT.allowed_inside())
            capture_budget.limit = max(LEAST_LIMIT, allowed)
        try:
            with ACCOUNT.charged():
                yield
        finally:
            capture_budget.limit = before
            took = thread_time() - began
            self.captured += took
            if took > BRIEF:
                CAPTURE.learn(units_of(self.code), took)

    def add_version(self, code: CodeType) -> None:
        """The function runs this code from now on."""
        native.tell_at(code, None)
        self.versions.append(code)


def key_of(code: CodeType) -> str:
    """A name of the code in the ledger: another one when the code is edited."""
    plain = [one for one in code.co_consts if not isinstance(one, CodeType)]
    digest = crc32(repr((code.co_names, plain)).encode(), crc32(code.co_code))
    return f"{code.co_filename}:{code.co_qualname}:{code.co_firstlineno}:{digest:08x}"
