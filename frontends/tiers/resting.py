"""Runs that rest: the program is plain Python, without gates and samples.

In most runs of a short program nothing can be decided: it has not been run often enough to invest
in it, its kernels gain nothing, or it owes. To look for hot functions takes 10 to 20 ms, and a
second thread costs more where the program has one: each `malloc` takes a lock then. So the ledger
is asked first, and such a run looks for nothing. The next run that looks counts the time of those
that did not.

A run that rests does not load the C core either: with what asks for it that is a quarter of all
that framejit loads. Only where the program has threads, or forks, is it loaded.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import source_hash
from time import process_time
from types import ModuleType
from typing import Any

from . import PERIOD
from .accounts import ACCOUNT, GAINS, HELPER_SHARE, RUNS, SHARE, standing_of
from .ledger import LEDGER, PROGRAM, Entry
from .prices import COPY_BASE, IMPORTS

PAID_OFF = 0.03
"""Fraction of a run by which it may be slower with kernels; a run that rests reduces the debt by
it."""
RESTS_FROM = 0.1
"""Debt from which a program rests, as a fraction of a run's time."""
LONGER = 2.0
"""A run that takes this multiple of the usual time is another matter: the program is sampled from
then on, or in its next run."""
LEAST_WAIT = 1.0
"""Seconds of the program before which that is not looked at."""
MOST_WAIT = 1e6
"""Seconds that the sampler can wait."""
LOOKS = 5
"""Runs that were looked at and captured nothing, after which a program has nothing to capture."""
LOOKS_AGAIN = 10
"""Each so many runs such a program is looked at, as its modules may have changed."""
MOST_DEBT = 1.0
"""The maximum debt, as a fraction of a run's time."""
THREADS = "/proc/self/task"
"""The folder with an entry for each thread of the process."""
decides = False
"""True once `decisions.py` is imported, which takes decisions and writes the ledger at exit."""


_program: tuple[str, float] | None = None
"""Key and digest, once `_identity` has found them."""


def key() -> str:
    """Return the program's key in the ledger."""
    return _identity()[0]


def arguments() -> float:
    """Return a digest of the program's arguments, main file and Python: times depend on them.

    It is 0.0 for a program without a main file, which may be another one each time.
    """
    return _identity()[1]


def is_same(before: Entry) -> bool:
    """True if the row is of the program with these arguments and this main file."""
    return before.arguments != 0.0 and before.arguments == arguments()


def _identity() -> tuple[str, float]:
    """Return key and digest, as they are when NumPy is imported: programs change `sys.argv`."""
    global _program
    if _program is None or not _program[1]:  # `-m` sets the main file late
        main = getattr(sys.modules.get("__main__"), "__file__", None)
        main = main if isinstance(main, str) else ""
        _program = f"{PROGRAM}{os.path.normpath(main) if main else '-c'}", _digest(main)
    return _program


def _digest(main: str) -> float:
    file = main if os.path.isfile(main) else os.path.dirname(main)  # of an archive
    if not os.path.isfile(file):
        return 0.0
    about, words = os.stat(file), getattr(sys, "argv", None)
    words = words[1:] if isinstance(words, list) else []
    python = sys.prefix, sys.hexversion  # in another one other things may be missing
    told = repr((words, (about.st_size, about.st_mtime_ns), python)).encode()
    # `runpy` has loaded this; a module of checksums would lengthen each start.
    return float(int.from_bytes(source_hash(told)[:4], "little"))


is_forked = False
"""This process was forked by a run that rests; the ledger is its parent's to write."""


@cache
def rests() -> bool:
    """True if this run of the program rests."""
    before = LEDGER.find(key())
    if before is None or not before.runs or not is_same(before):
        return False
    return before.debt >= RESTS_FROM or (not before.hopes and _is_left_alone(before))


def _is_left_alone(before: Entry) -> bool:
    """True if nothing was found in it, or it is too short to pay and nothing would be invested."""
    return _earns_nothing(before) or (_has_nothing(before) and before.unsampled < LOOKS_AGAIN - 1)


def _earns_nothing(before: Entry) -> bool:
    """True if the program is too short to pay and nothing would be invested."""
    return not _pays(before) and bool(standing_of(before.with_all_runs()))


def _pays(before: Entry) -> bool:
    """True if the program is long enough to pay for captures in one run."""
    usual = before.spent / before.runs
    return HELPER_SHARE * usual >= COPY_BASE or SHARE * usual >= IMPORTS


def _has_nothing(before: Entry) -> bool:
    """True if nothing was captured in it, and nothing ever will be.

    Its time would have paid for captures, or nearly none of it is spent on arrays.

    CPython's own JIT works in a program that rests: gates may have it turned off (interp.c).
    """
    if before.runs < LOOKS or before.kept or before.gain or before.outside:
        return False
    return _pays(before) or before.arrays < GAINS * before.spent


def begin(look: Callable[[list[Any]], None]) -> None:
    """Leave the program alone; `look` at its samples in processes that it forks.

    And in this one, if it takes longer than usual. That takes a thread, so it is looked at only
    where the program has several.
    """
    before = LEDGER.find(key())
    assert before is not None
    atexit.register(_write, os.getpid())

    def look_in_child() -> None:
        global is_forked
        is_forked = True
        native = _core()
        if native is None or (native.is_sampling() and decides):
            return  # its parent has begun
        native.sample(look, PERIOD)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_core, after_in_child=look_in_child)
    if _has_threads() and (native := _core()):
        wait = max(LONGER * before.spent / before.runs, LEAST_WAIT)
        native.sample(look, PERIOD, min(wait, MOST_WAIT))


@cache
def _core() -> ModuleType | None:
    """Load the C core, before the first fork if not at once: its children have it then.

    Return None where there is none any more.
    """
    from ...jit import native

    if native.why_unsupported() is not None:
        return None
    atexit.register(native.sample, None, 0.0)  # in forked processes, too
    return native


def _has_threads() -> bool:
    try:
        return len(os.listdir(THREADS)) > 1
    except OSError:
        return True


def note_unlooked(process: int) -> None:
    """Write the program's row at the end of a run with samples that told of nothing.

    It was too short for code to become due. The next run need not be sampled.
    """
    if os.getpid() != process or decides or ACCOUNT.has_failed:
        return
    before = (LEDGER.find(key()) or Entry()).with_all_runs()
    took = process_time()
    spent, plain = before.spent + took, took - ACCOUNT.inside
    row = before.but(spent=spent, runs=before.runs + 1, plain=plain, arguments=arguments())
    LEDGER.update({key(): row.but(cost=before.cost + ACCOUNT.inside)})


def _write(process: int) -> None:
    """Write the program's row at the end of a run that has rested."""
    if os.getpid() != process or decides or ACCOUNT.has_failed:
        return
    before = LEDGER.find(key())
    assert before is not None
    changed = rested(before, process_time())
    if changed != before:
        LEDGER.update({key(): changed})


def rested(before: Entry, took: float) -> Entry:
    """Return the row of a program behind a run that rested and took so many seconds."""
    is_longer = took > max(LONGER * before.spent / before.runs, LEAST_WAIT)
    if is_longer:
        return before.but(arguments=0.0)
    if before.debt:
        plain = (before.plain + took) / 2 if before.plain else took
        debt = max(min(before.debt, MOST_DEBT) - PAID_OFF, 0.0)
        return before.but(debt=debt, plain=plain, unsampled=before.unsampled + 1)
    is_counted = _has_nothing(before) and not _earns_nothing(before)
    if is_counted or before.runs + before.unsampled < RUNS:
        return before.but(unsampled=before.unsampled + 1)
    return before
