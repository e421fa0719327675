"""`python -m framejit cache list|clear`: machine code and entries on disk, and the ledger."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from ...jit import native
from ...jit.disk import LIMIT, File, Folder, cache_home
from ..kept import own_sources, place
from ..runtime.ledger import LEDGER

WIDTH = 12
NONE = "none: FRAMEJIT_CACHE_DIR switches it off"
SHOWN = 40
"""Characters of the names of processors that are shown."""


def main(arguments: Sequence[str]) -> int:
    """Does what is asked; 1 where there is no folder, or none that can be used."""
    parser = argparse.ArgumentParser(prog="python -m framejit cache", description=__doc__)
    parser.add_argument("what", choices=("list", "clear"), help="show what there is, or remove it")
    what = parser.parse_args(arguments).what
    if reason := native.why_unsupported():
        print(f"{'not used':<{WIDTH}}everything runs eagerly here: {reason}")
        return 1
    from ...backends.numba.machine_code import stored  # needs the C core

    folder = stored.folder()
    if folder is None:
        print(f"{'directory':<{WIDTH}}{NONE}")
        return 1
    print(f"{'directory':<{WIDTH}}{folder.path}")
    if why := folder.why_unusable():
        print(f"{'not used':<{WIDTH}}{why}")
        return 1
    listed = what == "list"
    lines = chain(_listed(folder), _kept(), _lookups(folder)) if listed else _cleared(folder)
    for title, text in lines:
        print(f"{title:<{WIDTH}}{text}")
    return 0


def _cleared(folder: Folder) -> Iterator[tuple[str, str]]:
    from ...backends.numba.machine_code import lookups

    size = sum(file.size for file in folder.files())
    lookups.forget(folder)
    yield "removed", f"{counted(folder.clear())}, {_bytes(size)}"
    if entries := _functions():
        size = _size(entries)
        place.kept_in(cache_home()).clear()
        yield "removed", f"what was captured of {_functions_in_words(entries)}, {_bytes(size)}"
    if LEDGER.forget():
        yield "removed", "what functions have cost and saved in programs so far"


def _listed(folder: Folder) -> Iterator[tuple[str, str]]:
    files = folder.files()
    yield "entries", f"{counted(len(files))}, {_bytes(_size(files))} of at most {_bytes(LIMIT)}"
    if not files:
        return
    now = time.time()
    last, first = (_age(now - files[place].used) for place in (0, -1))
    yield "last used", f"{last} ago; the oldest {first} ago"
    makers = {file: _maker(folder, file) for file in files}
    for maker, number in Counter(makers.values()).most_common():
        size = _size([file for file in files if makers[file] == maker])
        yield "made by", f"{maker}: {counted(number)}, {_bytes(size)}"


def _kept() -> Iterator[tuple[str, str]]:
    """What was captured in earlier processes."""
    if entries := _functions():
        size = f"{_bytes(_size(entries))} of at most {_bytes(LIMIT)}"
        yield "captured", f"{_functions_in_words(entries)}, {size}"


def _functions() -> list[File]:
    """The files of functions that were captured."""
    files = place.kept_in(cache_home()).files()
    return [file for file in files if file.size > own_sources.SIZE]


def _functions_in_words(files: Sequence[File]) -> str:
    return f"{len(files)} function{'s' * (len(files) != 1)}"


def _lookups(folder: Folder) -> Iterator[tuple[str, str]]:
    """How often processes have found what they looked for, and why not."""
    from ...backends.numba.machine_code import lookups
    from ...backends.numba.machine_code.lookups import Outcome

    sums = lookups.counts(folder)
    found, missed = sums[Outcome.FOUND], sum(sums[one] for one in lookups.MISSES)
    if not sums:
        return
    yield "looked up", f"{counted(found + missed)}: {found} found, {missed} compiled"
    for title, outcomes in (("compiled", lookups.MISSES), ("not kept", lookups.NOT_KEPT)):
        for outcome in outcomes:
            if sums[outcome]:
                yield title, f"{sums[outcome]}: {outcome.value}"


def _maker(folder: Folder, file: File) -> str:
    """By what an entry was made, and for which processor."""
    from ...backends.numba.machine_code import stored

    content = folder.read(file.name, use=False)
    entry = None if content is None else stored.Stored.unpacked(content)
    if entry is None:
        return "something else"
    facts = entry.facts
    made_by = f"numba {facts['numba']} with llvmlite {facts['llvmlite']}"
    return f"{made_by} for {facts['cpu'][:SHOWN]}"


def _size(files: Sequence[File]) -> int:
    return sum(file.size for file in files)


def counted(number: int) -> str:
    """Such as "2 kernels"."""
    return f"{number} kernel{'s' * (number != 1)}"


def _bytes(number: int) -> str:
    for unit in ("bytes", "KiB"):
        if number < 1024:
            return f"{number} {unit}"
        number //= 1024
    return f"{number} MiB"


def _age(seconds: float) -> str:
    for length, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        number = int(seconds // length)
        if number:
            return f"{number} {unit}{'s' * (number != 1)}"
    return "less than a minute"
