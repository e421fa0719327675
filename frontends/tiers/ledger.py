"""The ledger: costs and gains of sites in earlier processes, in one file on disk.

It is data, checked when read: invalid content is ignored. The format is one line per site, numbers
and key, since most processes read it and JSON would have to be imported. If nothing may be stored
on disk the ledger starts empty. Read-only folders have ledgers too, with the gains of the entries
in them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator

from ...jit.config import SETTINGS
from ...jit.disk import Folder, cache_home
from ...jit.shared import SharedFolder, readable

FOLDER, FILE = "programs", "ledger"
"""The file, and its folder in the cache folder: that one may be made by the user, with any mode."""
FORMAT = b"framejit ledger 6"
"""The first line of the file."""
PROGRAM = "program "
"""Prefix of the keys of programs; all other keys are sites'."""
MOST = 2000
"""Maximum number of rows kept, the last used ones: about 300 KB."""


class Entry:
    """Data on a site or a program from earlier processes; times are seconds.

    No dataclass, which would lengthen each start. Nobody changes one.
    """

    __slots__ = (
        *("spent", "cost", "gain", "outside", "runs", "kept"),
        *("plain", "arguments", "debt", "unsampled", "hopes", "arrays"),
    )
    spent: float
    """CPU time in the function, or of the program, over all processes."""
    cost: float
    """Cost of captures and compiles over all processes; of a program only the part inside it."""
    gain: float
    """Time its kernels saved in the last process that ran them, or are expected to save."""
    outside: float
    """For a program: cost of compiles in other processes."""
    runs: float
    """For a program: number of sampled processes. For a site: those that captured it and saved
    nothing."""
    kept: float
    """For a site: 1 if its entries are on disk, 2 if warmed. For a program: runs invested in."""
    plain: float
    """For a program: CPU time of a run as plain Python; 0.0 if there was none."""
    arguments: float
    """For a program: digest of the arguments of that run."""
    debt: float
    """For a program: by how much its last runs took longer than plain Python, as a fraction of
    that."""
    unsampled: float
    """For a program: processes since the last sampled one, in which it rested."""
    hopes: float
    """For a program: its sites whose entries are worth loading, as of the last sampled process."""
    arrays: float
    """For a program: CPU time over all processes in its sites that work on arrays, as far as known,
    as of the last sampled process."""

    def __init__(self, *numbers: float, **named: float) -> None:
        """Set numbers in the order of the slots or by name; the others are 0."""
        names = self.__slots__
        others = dict.fromkeys(names[len(numbers) :], 0.0)
        for name, number in zip(names, numbers, strict=False):
            setattr(self, name, number)
        for name, number in {**others, **named}.items():
            setattr(self, name, number)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and self._numbers() == other._numbers()

    def __hash__(self) -> int:
        return hash(self._numbers())

    def __repr__(self) -> str:
        numbers = zip(self.__slots__, self._numbers(), strict=True)
        return f"Entry({', '.join(f'{name}={number!r}' for name, number in numbers)})"

    def _numbers(self) -> tuple[float, ...]:
        return tuple([getattr(self, name) for name in self.__slots__])

    def but(self, **changed: float) -> Entry:
        """Return the row with some other numbers."""
        names = Entry.__slots__
        return Entry(**{name: changed.get(name, getattr(self, name)) for name in names})

    @property
    def scale(self) -> float:
        """For a program: the number of its processes for each sampled one."""
        return 1.0 + self.unsampled / self.runs if self.runs else 1.0

    def with_all_runs(self) -> Entry:
        """For a program: count runs that were not sampled like those that were."""
        runs = self.runs + self.unsampled
        return self.but(spent=self.scale * self.spent, runs=runs, unsampled=0.0)


def folder_in(home: str) -> Folder:
    """Return the ledger's folder in a cache folder."""
    return Folder(os.path.join(home, FOLDER), silent=True)


class Ledger:
    """Rows by key, the last used last."""

    def __init__(self) -> None:
        home = cache_home() if SETTINGS["cache"] else ""
        self._folder = folder_in(home) if home else None
        self._folders = readable(self._folder, FOLDER) if SETTINGS["cache"] else ()
        self._contents: list[bytes] | None = None
        self._found: dict[str, Entry | None] = {}

    @property
    def is_known(self) -> bool:
        """True if earlier processes have left any row."""
        return any(next(_rows(_lines(one)), None) is not None for one in self._read_files())

    def find(self, key: str) -> Entry | None:
        """Return the row of a site; reads the files at first use, and of them this row only."""
        if key not in self._found:
            found: Entry | None = None
            for content in self._read_files():
                row = _row_in(content, key)
                if found is None:
                    found = row
                elif row is not None and not key.startswith(PROGRAM):
                    found = _joined(found, row)
            self._found[key] = found
        return self._found[key]

    def _read_files(self) -> list[bytes]:
        if self._contents is None:
            read = [folder.read(FILE, use=False) for folder in self._folders]
            self._contents = [one for one in read if one is not None]
        return self._contents

    def update(self, changed: dict[str, Entry]) -> None:
        """Write rows; rows that other processes wrote meanwhile are kept."""
        if self._folder is None or not changed:
            return
        known = _read(self._folder)
        for key, entry in changed.items():
            known.pop(key, None)
            known[key] = entry
        self._folder.replace(FILE, packed(known))

    def kept(self) -> dict[str, Entry]:
        """Return sites with entries on disk that saved time, for another machine's ledger."""
        return {
            key: entry
            for key, entry in self._read_all().items()
            if entry.kept and entry.gain and not key.startswith(PROGRAM)
        }

    def learn(self, others: dict[str, Entry]) -> None:
        """Merge the rows that `kept` of another machine's ledger returned.

        No program rests in its next run, so that it finds what has come.
        """
        known = self._read_all()
        taken = {
            key: _joined(known[key], entry) if key in known else entry
            for key, entry in others.items()
            if entry.kept and not key.startswith(PROGRAM)
        }
        programs = {
            key: one.but(hopes=max(one.hopes, 1))
            for key, one in known.items()
            if taken and key.startswith(PROGRAM)
        }
        self.update({**programs, **taken})

    def forget(self) -> bool:
        """Remove the file; True if there was one."""
        return self._folder is not None and self._folder.remove(FILE)

    def _read_all(self) -> dict[str, Entry]:
        """Read all folders; the first one with a site counts, except for `_joined`."""
        known: dict[str, Entry] = {}
        for folder in self._folders:
            for key, entry in _read(folder).items():
                is_new = key not in known
                if is_new or not key.startswith(PROGRAM):
                    known[key] = entry if is_new else _joined(known[key], entry)
        return known


def _joined(own: Entry, shared: Entry) -> Entry:
    """Return our row; gain and storage are the read-only folder's if only that has entries."""
    if own.kept or not shared.kept:
        return own
    return own.but(gain=shared.gain, kept=shared.kept)


def _read(folder: Folder | SharedFolder) -> dict[str, Entry]:
    content = folder.read(FILE, use=False)
    return {} if content is None else unpacked(content)


def packed(entries: dict[str, Entry]) -> bytes:
    """Serialise the last MOST rows."""
    lines = [FORMAT]
    for key, entry in [*entries.items()][-MOST:]:
        numbers = " ".join(_brief(getattr(entry, name)) for name in Entry.__slots__)
        lines.append(numbers.encode() + b" " + _quoted(key))
    return b"\n".join((*lines, b""))


def _brief(number: float) -> str:
    return f"{number:.6f}".rstrip("0").rstrip(".")


def unpacked(content: bytes) -> dict[str, Entry]:
    """Deserialise rows of `packed`; invalid lines are skipped."""
    return dict(_rows(_lines(content)))


def _lines(content: bytes) -> list[bytes]:
    first, *lines = content.split(b"\n")
    return lines[-MOST - 1 :] if first == FORMAT else []


def _row_in(content: bytes, key: str) -> Entry | None:
    """Return one row of `packed`. All of them take 7 ms, which a short program would notice."""
    if not content.startswith(FORMAT + b"\n"):
        return None
    end = len(content)
    ending = b" " + _quoted(key) + b"\n"
    while (end := content.rfind(ending, 0, end)) >= 0:
        begin = content.rfind(b"\n", 0, end) + 1
        for found, row in _rows([content[begin : end + len(ending) - 1]]):
            if found == key:
                return row
    return None


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
    """Escape line ends in a key: a file may have any name."""
    return key.replace("%", "%25").replace("\n", "%0A").encode("utf-8", "surrogatepass")


def _unquoted(key: bytes) -> str:
    return key.decode("utf-8", "surrogatepass").replace("%0A", "\n").replace("%25", "%")


LEDGER = Ledger()
"""The ledger of the process."""
