"""Sites: undecorated functions, each with its costs and gains.

A site is captured, and its kernels are compiled, when the time spent in it reaches what that will
cost plus what was spent on it before: so no site costs more than twice the time that the program
would have taken without framejit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time
from types import CodeType
from typing import TYPE_CHECKING
from zlib import crc32

from ...jit import native
from ..runtime import capture_budget
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
"""Factor on the time to be spent before another capture, for each process that captured the site
and saved nothing."""
SAVED, TIMES = 0.5, 2.0
"""Fraction of a site's time that kernels are expected to save, and the number of capture prices
that this has to cover per process."""
OVERRUN, LEAST_LIMIT = 4.0, 0.05
"""A capture is aborted after OVERRUN times its price, or the account's rest if that is less, but
not before LEAST_LIMIT seconds."""
OTHER_CORE = 0.5
"""Cost of a second of work on another core."""
MOST_IN_VAIN = 2
"""Copies of a process without result after which a site is left alone."""
BRIEF = 1e-3
"""Seconds below which a rewrite or look does not count as a capture for the prices."""


class Site:
    """One code object of the program, with its costs. All times are seconds."""

    def __init__(self, code: CodeType, running: CodeType | None = None) -> None:
        """Create the site of the user's `code`; `running` is rewritten code in its place."""
        self.code = code
        self.has_arrays = True
        """It works on arrays, as far as known."""
        self.has_gates = False
        """Its running frames can switch at loop headers."""
        self.again = False
        """It was called more than once, as far as known."""
        self.versions = [running] if running is not None and running is not code else []
        """Rewritten code that runs in its place."""
        self.captured = 0.0
        """CPU time of captures and rewriting in this process."""
        self.taken = 0.0
        """The part of `captured` that loaded entries from disk."""
        self.compiled = 0.0
        """CPU time of its compiles, in this process or in helpers."""
        self.copies = 0
        """Copies of the process that stored a capture of it, or are about to."""
        self.copies_in_vain = 0
        """Copies of the process that found nothing to store."""
        self.needs_inside = False
        """Its captures cannot be stored, so that copies of the process are useless."""
        self._least_price = 0.0
        """Time that a copy needed for it."""
        self.before = _row_of(code)
        self.is_kept = bool(self.before.kept)
        """Its entries are on disk, as far as known."""
        self.has_kept_entries = False
        """Some of them serve in this process."""
        self.replaced_gain = 0.0, 0.0
        """Seconds saved by kernels that were replaced since, by trials and untried."""
        if not self.was_warmed:
            ACCOUNT.known_gain += self.before.gain

    @property
    def spent(self) -> float:
        """Sampled time in the function, in this process and in earlier ones.

        Time in other functions of the program is excluded: these are sites of their own.
        """
        own = sum(map(native.own_time, (self.code, *self.versions)))
        return float(self.before.spent + own / 1e9)

    @property
    def key(self) -> str:
        """Its key in the ledger."""
        return key_of(self.code)

    @property
    def was_warmed(self) -> bool:
        """True if it was captured by warming: everything that can be stored is stored."""
        return self.before.kept == warming.WARMED

    @property
    def was_in_vain(self) -> bool:
        """True if captures of it, in earlier processes or in copies of this one, saved nothing."""
        return self.before.runs > 0 or self.copies_in_vain >= MOST_IN_VAIN

    @property
    def invested(self) -> float:
        """Its costs in this process and in earlier ones."""
        return self.before.cost + self.captured + self.compiled

    @property
    def captured_again(self) -> float:
        """Time of captures in this process if an earlier process had captured it too.

        A function that is captured in each process, because it cannot be stored, has to save more.
        """
        return self.captured - self.taken if self.before.cost > 0 else 0.0

    def may_capture(self) -> bool:
        """True if a capture pays and fits the account of the process."""
        price = self.capture_price()
        has_time = ACCOUNT.allowed_inside() >= price
        return self.saves_enough() and self.pays(price) and has_time

    def may_begin(self) -> bool:
        """True if a capture may begin, in a copy of the process or here."""
        return self.may_be_copied() if self._is_copied() else self.may_capture()

    def may_capture_here(self) -> bool:
        """True if it may be captured in this process."""
        return not self._is_copied() and self.may_capture()

    def _is_copied(self) -> bool:
        """True if its captures are made in copies of the process."""
        return copies.are_possible() and not self.needs_inside

    def may_be_copied(self) -> bool:
        """True if a capture in a copy of the process pays and fits the account."""
        price = COPY.of(units_of(self.code))
        is_useless = self.needs_inside or self.copies_in_vain >= MOST_IN_VAIN
        if is_useless or not self.saves_enough():
            return False
        has_time = ACCOUNT.allowed_outside() >= price and ACCOUNT.allowed_inside() > 0
        return has_time and self.pays(self._copy_price())

    def has_copied(self, cpu: float, *, kept: bool) -> None:
        """Record that a copy has captured it; `kept` if the result is on disk."""
        COPY.learn(units_of(self.code), cpu)
        self.compiled += OTHER_CORE * cpu
        self._least_price = cpu
        self.copies += kept
        self.copies_in_vain += not kept
        self.is_kept |= kept

    def may_be_taken(self) -> bool:
        """True if its entries on disk are used: they saved more than loading them costs."""
        return self.is_kept and self.before.gain >= taking_price() and not ACCOUNT.rests

    def is_known(self) -> bool:
        """True if it saved time in earlier processes."""
        return self.before.gain > 0

    def saves_enough(self) -> bool:
        """True if its savings per process, known or expected, exceed what a process pays."""
        runs = 0.0 if warming.is_on else ACCOUNT.runs
        if runs == 0 or (self.is_known() and (self._is_copied() or not self.was_warmed)):
            return True
        price = TAKING if self._is_copied() else CAPTURE.of(units_of(self.code))
        return SAVED * self.spent / (runs + 1) >= TIMES * price

    def price(self) -> float:
        """Return the time that has to be spent in it before it is captured, as a rule."""
        return self._copy_price() if self._is_copied() else self.capture_price()

    def _copy_price(self) -> float:
        """Return what a capture in a copy of the process is expected to cost the program."""
        return OTHER_CORE * COPY.of(units_of(self.code))

    def capture_price(self) -> float:
        """Return the expected time of a capture, including imports."""
        return max(CAPTURE.of(units_of(self.code)) + import_price(), self._least_price)

    def may_compile(self, lines: int) -> bool:
        """True if a kernel with this many lines pays and its compile fits the account."""
        price, start = COMPILE.of(lines), 0.0 if ACCOUNT.helper else HELPER_START
        return self.pays(price) and ACCOUNT.allowed_outside() >= price + start

    def has_compiled(self, job: Job) -> None:
        """Record the compile of one of its kernels."""
        self.compiled += job.cpu
        if ACCOUNT.helper or job.inside:  # the first answer includes the start of the helper
            COMPILE.learn(job.lines, job.cpu)
        if job.inside:
            ACCOUNT.inside += job.cpu
        else:
            ACCOUNT.helper += job.cpu

    def owes(self, lines: list[int]) -> None:
        """Charge the compiles, of so many lines, that are unfinished when the process ends."""
        price = sum(map(COMPILE.of, lines))
        self.compiled += price
        ACCOUNT.helper += price

    def pays(self, price: float) -> bool:
        """True if the time spent in it reaches this price plus its earlier costs."""
        is_sure = self.is_known() and not self.before.runs and not self.was_warmed
        if warming.is_on or is_sure:
            return True
        patience = PATIENCE**self.before.runs
        return bool(self.spent >= patience * (self.invested + price))

    def untried_gain(self, launched: float, *, knows_plain: bool) -> float:
        """Return the seconds that kernels without a trial are assumed to have saved.

        At least what their launches took. A loop that runs once may have become a hundred times
        as fast, so what earlier processes spent in the function counts, too, less its time in this
        one; and what they saved, if it is known how long the program takes as plain Python.
        """
        usual = self.before.spent / max(ACCOUNT.runs, 1.0)
        now = self.spent - self.before.spent
        return max(launched, usual - now, self.before.gain if knows_plain else 0.0)

    @contextmanager
    def charged(self) -> Iterator[None]:
        """Charge the block, which captures or rewrites code for the site."""
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
        """Record that the function runs this code from now on."""
        native.tell_at(code, None)
        self.versions.append(code)


def _row_of(code: CodeType) -> Entry:
    """Return the code's row in the ledger; runs that were not sampled count like the others."""
    row = LEDGER.find(key_of(code)) or Entry()
    return row.but(spent=ACCOUNT.scale * row.spent) if ACCOUNT.scale > 1.0 else row


def key_of(code: CodeType) -> str:
    """Return the code's key in the ledger, which changes when the code is edited."""
    plain = [one for one in code.co_consts if not isinstance(one, CodeType)]
    digest = crc32(repr((code.co_names, plain)).encode(), crc32(code.co_code))
    return f"{code.co_filename}:{code.co_qualname}:{code.co_firstlineno}:{digest:08x}"
