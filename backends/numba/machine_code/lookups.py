"""Counts of what became of searches for machine code on disk: found, or the cause of the miss.

A cache that never hits looks like one that works: the program only starts slowly. So each search is
counted, for this process and, beside the entries, for all processes that share the folder.
`python -m framejit cache list` shows the sums. A search appends one short line to a file, which
needs no lock; a file that has grown to LIMIT bytes is rewritten as one line for each outcome.
"""

from __future__ import annotations

import enum
import os
from collections import Counter
from collections.abc import Mapping
from hashlib import sha256

from ....jit.disk import Folder

LIMIT = 1 << 16
"""Bytes of the file of counts at which it is summed up."""
FILE = "lookups"


class Outcome(enum.Enum):
    """What became of one search, or of code that was to be kept; the value is said to the user."""

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
"""After these the kernel is compiled."""
NOT_KEPT = (Outcome.INTERPRETER, Outcome.REFUSED)
"""After these the next process compiles it again."""

_FACTS = {
    **dict.fromkeys(("framejit",), Outcome.FRAMEJIT),
    **dict.fromkeys(("numba", "llvmlite", "llvm"), Outcome.NUMBA),
    **dict.fromkeys(("cpu", "features"), Outcome.PROCESSOR),
}
"""The cause of a miss, by the fact in which an entry of the same text differs."""

MOST = 4096
"""Texts of which the process knows an outcome: those that it has looked for last."""
_of_process: dict[str, Outcome] = {}
"""The last outcome for texts that this process has looked for, by their digests."""


def count(outcome: Outcome, text: str, kernels: Folder | None) -> None:
    """Counts one outcome for this process, and for all that share the folder of the entries."""
    count_of(outcome, _digest(text), kernels)


def count_of(outcome: Outcome, digest: str, kernels: Folder | None) -> None:
    """The same for the text of this digest."""
    _of_process.pop(digest, None)
    _of_process[digest] = outcome
    while len(_of_process) > MOST:
        _of_process.pop(next(iter(_of_process)), None)
    if kernels is not None:
        folder = _folder_beside(kernels)
        if folder.append(FILE, f"{outcome.name}\n".encode()) > LIMIT:
            folder.replace(FILE, _packed(_counts(folder)))


def machine_code_of(text: str) -> tuple[str, str]:
    """Where the code of a kernel came from in this process: "disk" or "compiled", and a remark.

    The remark is "" where all is as it should be, such as for a kernel that nobody had before.
    """
    outcome = _of_process.get(_digest(text))
    if outcome is None:
        return "", ""
    if outcome is Outcome.FOUND:
        return "disk", ""
    remark = "" if outcome in (Outcome.NEW, Outcome.OFF) else outcome.value
    return "compiled", remark


def counts(kernels: Folder) -> Counter[Outcome]:
    """The sums for all processes that share the folder of the entries."""
    return _counts(_folder_beside(kernels))


def forget(kernels: Folder) -> None:
    """Starts again from zero for all processes."""
    _folder_beside(kernels).remove(FILE)


def differing(ours: Mapping[str, str], theirs: Mapping[str, str]) -> Outcome | None:
    """Why an entry of the same text is not the one looked for; None: nothing known differs."""
    for name, outcome in _FACTS.items():
        if ours.get(name) != theirs.get(name):
            return outcome
    return None


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _folder_beside(kernels: Folder) -> Folder:
    return Folder(os.path.join(os.path.dirname(kernels.path), "statistics"), silent=True)


def _counts(folder: Folder) -> Counter[Outcome]:
    """Lines of an outcome's name, or of its name and a number; others are no counts."""
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
