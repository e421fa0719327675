"""The ledger: what the sites of earlier processes have cost and gained, in one file on disk.

It is data, checked when it is read: what is not as it should be is as if it were not there. A line
for each site, numbers and key: most processes read it, and would have to import `json`. Where
nothing may be kept on disk the ledger is empty at the start of each process. Folders that are only
read have ledgers too: they know what the entries in them have gained.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...jit.config import SETTINGS
from ...jit.disk import Folder, cache_home
from ...jit.frozen import dataclass
from ...jit.shared import SharedFolder, readable

FILE = "ledger"
FORMAT = b"framejit ledger 4"
"""The first line."""
PROGRAM = "program "
"""Keys of programs begin so; all others are those of sites."""
MOST = 2000
"""Sites that are kept, those that were used last: about 300 KB."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a site, or of a program, from earlier processes, in seconds."""

    spent: float = 0.0
    """CPU time in the function, or of the program, in all processes so far."""
    cost: float = 0.0
    """Of captures and compiles, in all processes so far; of a program only what was done inside."""
    gain: float = 0.0
    """What its kernels have saved in the last process that ran them, or are expected to."""
    outside: float = 0.0
    """Of a program: what compiles in other processes have cost."""
    runs: float = 0
    """Of a program: processes. Of a site: those that captured it and gained nothing."""
    kept: float = 0
    """Of a site: 1 if its entries stand on disk. Of a program: runs that were invested into."""
    plain: float = 0.0
    """Of a program: CPU time of a process of it as plain Python; 0.0 if there was none."""
    arguments: float = 0.0
    """Of a program: a digest of its arguments then."""
    debt: float = 0.0
    """Of a program: by how much its last processes took longer, as a part of that time."""


class Ledger:
    """Sites by key, in the order in which they were used last."""

    def __init__(self) -> None:
        home = cache_home() if SETTINGS["cache"] else ""
        self._folder = Folder(home, silent=True) if home else None
        self._folders = readable(self._folder, "") if SETTINGS["cache"] else ()
        self._known: dict[str, Entry] | None = None

    @property
    def is_known(self) -> bool:
        """True if earlier processes have left anything here."""
        if self._known is None:
            self._known = self._read_all()
        return bool(self._known)

    def find(self, key: str) -> Entry | None:
        """What is known of a site; reads the file at first use."""
        if self._known is None:
            self._known = self._read_all()
        return self._known.get(key)

    def update(self, changed: dict[str, Entry]) -> None:
        """Writes sites down; what other processes have written meanwhile stays."""
        if self._folder is None or not changed:
            return
        known = _read(self._folder)
        for key, entry in changed.items():
            known.pop(key, None)
            known[key] = entry
        self._folder.replace(FILE, packed(known))

    def kept(self) -> dict[str, Entry]:
        """Sites whose entries stand on disk and have gained time, for another machine's ledger."""
        return {
            key: entry
            for key, entry in self._read_all().items()
            if entry.kept and entry.gain and not key.startswith(PROGRAM)
        }

    def learn(self, others: dict[str, Entry]) -> None:
        """Takes over what another machine's ledger has said of sites by `kept`."""
        known = self._read_all()
        taken = {
            key: _joined(known[key], entry) if key in known else entry
            for key, entry in others.items()
            if entry.kept and not key.startswith(PROGRAM)
        }
        self.update(taken)

    def forget(self) -> bool:
        """Removes the file; True if there was one."""
        return self._folder is not None and self._folder.remove(FILE)

    def _read_all(self) -> dict[str, Entry]:
        """What all folders tell; of a site in several of them the first, see `_joined`."""
        known: dict[str, Entry] = {}
        for folder in self._folders:
            for key, entry in _read(folder).items():
                is_new = key not in known
                if is_new or not key.startswith(PROGRAM):
                    known[key] = entry if is_new else _joined(known[key], entry)
        return known


def _joined(own: Entry, shared: Entry) -> Entry:
    """Entries of a site that stand in a further folder only serve, if they have gained there."""
    if own.kept or not shared.kept:
        return own
    names = (name for name in Entry.__slots__ if name not in ("gain", "kept"))
    return Entry(**{name: getattr(own, name) for name in names}, gain=shared.gain, kept=shared.kept)


def _read(folder: Folder | SharedFolder) -> dict[str, Entry]:
    content = folder.read(FILE, use=False)
    return {} if content is None else unpacked(content)


def packed(entries: dict[str, Entry]) -> bytes:
    """The last MOST of them as they stand on disk."""
    lines = [FORMAT]
    for key, entry in [*entries.items()][-MOST:]:
        numbers = " ".join(f"{getattr(entry, name):.6f}" for name in Entry.__slots__)
        lines.append(numbers.encode() + b" " + _quoted(key))
    return b"\n".join((*lines, b""))


def unpacked(content: bytes) -> dict[str, Entry]:
    """Reads what `packed` has written; leaves out lines that are not as they should be."""
    first, *lines = content.split(b"\n")
    return dict(_rows(lines[-MOST - 1 :])) if first == FORMAT else {}


def _rows(lines: list[bytes]) -> Iterator[tuple[str, Entry]]:
    count = len(Entry.__slots__)
    for line in lines:
        *numbers, key = line.split(b" ", count)
        try:
            row = [*map(float, numbers)]
            name = _unquoted(key)
        except ValueError:
            continue
        if len(row) == count and all(math.isfinite(one) and one >= 0 for one in row):
            yield name, Entry(*row)


def _quoted(key: str) -> bytes:
    """A key without ends of lines: a file may have any name."""
    return key.replace("%", "%25").replace("\n", "%0A").encode("utf-8", "surrogatepass")


def _unquoted(key: bytes) -> str:
    return key.decode("utf-8", "surrogatepass").replace("%0A", "\n").replace("%25", "%")


LEDGER = Ledger()
"""That of the process."""
