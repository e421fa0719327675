"""`python -m framejit warm`: runs a program so that later runs find everything compiled."""

from __future__ import annotations

import atexit
import os
import sys
import time
from collections.abc import Iterator, Sequence
from typing import NoReturn

from ...jit.platforms import why_not_here
from ..tiers import warming
from .run import parsed, run

USAGE = """usage: python -m framejit warm [--report FILE] SCRIPT [ARGS...]
       python -m framejit warm [--report FILE] -m MODULE [ARGS...]
       python -m framejit warm [--report FILE] -c CODE [ARGS...]

Runs a program as `python -m framejit run` does, with its own output, and fills the cache for
later runs. Nothing has to pay for itself: functions of the program that work on arrays are
captured at their second call, running loops when they are reached, functions under @jit at their
first call, and each waits until its kernels are compiled. What is in the cache already is taken,
and added to. The next `python -m framejit run` takes what was warmed from the first calls on.

At the end a few lines on the standard error say what was put into the cache, and what was not.

  --report FILE  as of `run`: what was captured and what was not, and why

The folder is FRAMEJIT_CACHE_DIR, ~/.cache/framejit where that is not set. In CI:
  FRAMEJIT_CACHE_DIR=cache python -m framejit warm -m pytest tests
"""
MOST = 5
"""Maximum number of reasons that are printed."""
PREFIX = "framejit warm: "


def main(arguments: Sequence[str], began: float) -> NoReturn:
    """Run the program that the arguments name and end the process as the program does."""
    rest, report, verbose = parsed(arguments, "warm", USAGE)
    warming.begin()
    atexit.register(_tell, _Before(), os.getpid())  # registered first, so called last
    from ..undecorated import entrance

    entrance.prepare(report, verbose=verbose)
    run(rest, began)


class _Before:
    """State at the start of the process, to report the difference."""

    def __init__(self) -> None:
        self.cpu = time.process_time()
        self.kernels = {} if why_not_here() else _kernels()


def _tell(before: _Before, process: int) -> None:
    """Print what was added to the cache; forked children print nothing."""
    if os.getpid() != process or sys.stderr is None:
        return
    try:
        for line in _lines(before):
            print(PREFIX + line, file=sys.stderr)
    except (OSError, ValueError):  # the program has closed stderr
        pass


def _lines(before: _Before) -> Iterator[str]:
    from ...jit.config import SETTINGS
    from ...jit.disk import cache_home

    home = cache_home()
    if "numpy" not in sys.modules:
        yield "nothing was captured: the program never imported NumPy"
        return
    from ..support import why_unsupported  # imports NumPy

    if why := why_unsupported():
        yield f"nothing was captured: everything runs eagerly here: {why}"
    elif SETTINGS["disable"]:
        yield "nothing was captured: FRAMEJIT_DISABLE is set"
    elif not (home and SETTINGS["cache"]):
        switch = "FRAMEJIT_CACHE" if home else "FRAMEJIT_CACHE_DIR"
        yield f"nothing was kept: {switch} switches the cache off"
    elif not SETTINGS["entries"]:
        yield "nothing was kept: FRAMEJIT_ENTRIES switches that off"
    else:
        yield from _kept(home, before)


def _kept(home: str, before: _Before) -> Iterator[str]:
    from ..kept import place
    from ..kept.at_exit import put_down

    if why := place.kept_in(home).why_unwritable():
        yield f"nothing was kept: {home}: {why}"
        return
    files = {file.name: file.size for file in place.kept_in(home).files()}
    new = {name: size for name, size in _kernels().items() if name not in before.kernels}
    size = sum(new.values()) + sum(files.get(name, 0) for name in put_down)
    seconds = time.process_time() - before.cpu
    entries = sum(put_down.values())
    what = f"{_counted(len(put_down), 'function')} with {_counted(entries, 'entry', 'entries')}"
    kernels = f"{_counted(len(new), 'new kernel')}, {size / 1e6:.1f} MB"
    yield f"{what} and {kernels}, in {home}; {seconds:.1f} s of CPU time with the program"
    yield from _left_out()


def _left_out() -> Iterator[str]:
    """Yield the reasons why entries were not stored, and functions with internal errors."""
    from ...jit import native
    from ..kept.place import why_not

    for why, times in why_not.most_common(MOST):
        yield f"not kept: {_counted(times, 'entry', 'entries')}: {why}"
    if native.all_owned():
        from ..undecorated.caught import hooked_managers

        failed = [one.journal.function for one in hooked_managers() if one.failures]
        for name in failed[:MOST]:
            yield f"not captured: {name}: an error of framejit itself, see --report"


def _kernels() -> dict[str, int]:
    """Return the sizes of the kernels on disk by name, without importing NumPy."""
    from ...jit.disk import Folder, cache_home

    home = cache_home()
    folder = Folder(os.path.join(home, "kernels"), silent=True) if home else None
    return {} if folder is None else {file.name: file.size for file in folder.files()}


def _counted(number: int, one: str, more: str = "") -> str:
    return f"{number} {one if number == 1 else more or one + 's'}"
