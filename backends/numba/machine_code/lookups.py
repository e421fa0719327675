"""Counts the outcomes of searches for machine code on disk, with the causes of misses.

A cache that never hits looks like a working one: the program merely starts slowly. Each search is
counted for this process and, in a file beside the entries, for all processes that share the folder.
`python -m framejit cache list` shows the sums. A search appends one short line, which needs no
lock; a file of LIMIT bytes is condensed to one line per outcome.
"""

from __future__ import annotations

import enum
import os
from collections import Counter
from collections.abc import Mapping

from ....jit.digests import digest256
from ....jit.disk import Folder

LIMIT = 1 << 16
"""Size in bytes at which the file of counts is condensed."""
FILE = "lookups"


class Outcome(enum.Enum):
    """Outcome of a search, or of storing code; the value is shown to users."""

    FOUND = "found"
    NEW = "no process had compiled this kernel, or its code was removed"
    FRAMEJIT = "it was compiled by another version of framejit"
    NUMBA = "it was compiled by another version of Numba or LLVM"
    PROCESSOR = "it was compiled for another processor"
    DAMAGED = "its file was damaged, or somebody else could have written it"
    FOLDER = "the folder cannot be used"
    OFF = "the cache is off"
    INTERPRETER = "the code needs the interpreter"
    REFUSED = "the file could not be written"


MISSES = (
    *(Outcome.NEW, Outcome.FRAMEJIT, Outcome.NUMBA, Outcome.PROCESSOR),
    *(Outcome.DAMAGED, Outcome.FOLDER, Outcome.OFF),
)
"""Outcomes after which the kernel is compiled."""
NOT_KEPT = (Outcome.INTERPRETER, Outcome.REFUSED)
"""Outcomes after which the next process compiles the kernel again."""

_FACTS = {
    **dict.fromkeys(("framejit",), Outcome.FRAMEJIT),
    **dict.fromkeys(("numba", "llvmlite", "llvm"), Outcome.NUMBA),
    **dict.fromkeys(("cpu", "features"), Outcome.PROCESSOR),
}
"""Cause of a miss, by the fact in which an entry of the same text differs."""

MOST = 4096
"""Number of texts for which the last outcome is remembered."""
_of_process: dict[str, Outcome] = {}
"""Last outcome of texts that this process has looked for, by digest."""


def count(outcome: Outcome, text: str, kernels: Folder | None) -> None:
    """Count an outcome for this process and for all that share the folder."""
    count_of(outcome, _digest(text), kernels)


def count_of(outcome: Outcome, digest: str, kernels: Folder | None) -> None:
    """Count an outcome for the text with this digest."""
    _of_process.pop(digest, None)
    _of_process[digest] = outcome
    while len(_of_process) > MOST:
        _of_process.pop(next(iter(_of_process)), None)
    if kernels is not None:
        folder = _folder_beside(kernels)
        if folder.append(FILE, f"{outcome.name}\n".encode()) > LIMIT:
            folder.replace(FILE, _packed(_counts(folder)))


def machine_code_of(text: str) -> tuple[str, str]:
    """Return a kernel's origin in this process ("disk" or "compiled"), and a remark.

    The remark is "" unless something is amiss; a kernel compiled for the first time has none.
    """
    outcome = _of_process.get(_digest(text))
    if outcome is None:
        return "", ""
    if outcome is Outcome.FOUND:
        return "disk", ""
    remark = "" if outcome in (Outcome.NEW, Outcome.OFF) else outcome.value
    return "compiled", remark


def counts(kernels: Folder) -> Counter[Outcome]:
    """Return the sums for all processes that share the folder."""
    return _counts(_folder_beside(kernels))


def forget(kernels: Folder) -> None:
    """Reset the counts for all processes."""
    _folder_beside(kernels).remove(FILE)


def differing(ours: Mapping[str, str], theirs: Mapping[str, str]) -> Outcome | None:
    """Return the reason why an entry of the same text does not match; None if none is known."""
    for name, outcome in _FACTS.items():
        if ours.get(name) != theirs.get(name):
            return outcome
    return None


def _digest(text: str) -> str:
    return digest256(text.encode()).hexdigest()


def _folder_beside(kernels: Folder) -> Folder:
    return Folder(os.path.join(os.path.dirname(kernels.path), "statistics"), silent=True)


def _counts(folder: Folder) -> Counter[Outcome]:
    """Read the counts: lines with the name of an outcome, optionally followed by a number."""
    found: Counter[Outcome] = Counter()
    for line in (folder.read(FILE, use=False) or b"").decode(errors="replace").splitlines():
        name, _, number = line.partition(" ")
        if name in Outcome.__members__ and (
            not number or (number.isdecimal() and len(number) < 16)
        ):
            found[Outcome[name]] += int(number or "1")
    return found


def _packed(sums: Mapping[Outcome, int]) -> bytes:
    return "".join(f"{outcome.name} {number}\n" for outcome, number in sums.items()).encode()
