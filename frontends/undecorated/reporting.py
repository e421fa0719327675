"""Writes the report of `python -m framejit run --report FILE`.

Each process that `multiprocessing` forks writes one too, beside the first: for `report.json` it is
`report.PID.json`, about what that process ran. A process that is terminated, as `with Pool()` does
with
its workers, and one forked by other means write none.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ...jit.report import Place, ProgramFacts, ProgramReport, SkipRecord

if TYPE_CHECKING:
    from .seen import Seen  # which imports NumPy

LAST = -1000
"""Priority of our finaliser in multiprocessing: after the work."""


def write(file: str, seen: Seen | None, why_not: str | None, *, verbose: bool) -> None:
    """Write the report, or why there is none; "-" is standard error."""
    if seen is None or why_not is not None:
        facts = ProgramFacts(skipped=(SkipRecord("off", str(why_not), Place("", 0, "")),))
    else:
        seen.close()
        facts = seen.facts()
    report = ProgramReport(lambda: facts)
    text = report.to_json() if file.endswith(".json") else report.to_text(verbose=verbose)
    if file == "-":
        print(text, file=sys.stderr)
        return
    try:
        with open(file, "w", encoding="utf-8") as out:
            print(text, file=out)
    except OSError as error:
        print(f"framejit run: the report cannot be written: {error}", file=sys.stderr)


def follow(file: str, *, verbose: bool) -> None:
    """In a forked process, have its report written at its end if multiprocessing forked it."""
    from multiprocessing import util

    # Runs only in forks by multiprocessing, after it has cleared the parent's finalisers.
    util.register_after_fork(_Child(file, verbose), _Child.begin)


_children: list[_Child] = []
"""Keeps the child alive, as multiprocessing has weak references only."""


class _Child:
    """The report of a process that multiprocessing forked."""

    def __init__(self, file: str, verbose: bool) -> None:
        self.file, self.verbose = file, verbose
        _children[:] = [self]

    def begin(self) -> None:
        """Start recording for this process alone."""
        from multiprocessing import util

        from .seen import Seen

        self._seen = Seen()
        util.Finalize(None, self._end, exitpriority=LAST)

    def _end(self) -> None:
        with suppress(Exception):
            self._seen.close()
            if not (self._seen.facts().functions or self._seen.facts().skipped):
                return
            process: Any = sys.modules["multiprocessing.process"].current_process()
            if self.file == "-":
                print(f"process {os.getpid()}, {process.name}:", file=sys.stderr)
            write(_beside(self.file, os.getpid()), self._seen, None, verbose=self.verbose)


def _beside(file: str, process: int) -> str:
    """Return the report file of another process."""
    stem, dot = os.path.splitext(file)
    return file if file == "-" else f"{stem}.{process}{dot}"
