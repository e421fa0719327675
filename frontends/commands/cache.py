"""`python -m framejit cache`: shows, clears and exchanges what is cached on disk.

The cache holds machine code, entries and the ledger.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from ...jit.disk import LIMIT, File, Folder, cache_home, further_homes
from ..kept import place
from ..support import why_unsupported
from ..tiers.ledger import LEDGER
from .further import functions, further_lines
from .words import bytes_in_words, counted, functions_in_words, size_of

WIDTH = 12
EPILOG = """folders:
  FRAMEJIT_CACHE_DIR=a      a is read and written; "off": nothing is kept
  FRAMEJIT_CACHE_DIR=a:b:c  where a has nothing, b and c are read, in this order; nothing is
                            written there. ":b": a is the default folder; "off:b": there is no a
What is taken runs as you do. So a must belong to you and have mode 700; b, its folders kernels
and entries, and each file must belong to you or to root, and nobody else may write to them, nor
to a folder above.
"""
LIST = """Shows each folder, what is in it, how often processes have found what they looked for,
and why a folder or file is not used."""
CLEAR = """Removes kernels, what was captured, and what functions have cost and saved. Folders
that are only read are left alone."""
EXPORT = """Writes one file (a zip) with all that can be used on this machine, of all folders:
kernels, what was captured, and what that has gained. What other versions have made is left out."""
IMPORT = """Takes a file that `cache export` has written into the first folder.

Kernels are machine code, and run as you: import only files of people whom you would let run
programs as you, and that came to you unchanged. Digests in the file tell damage, not who has
made it.

The file has to come from a machine where the same holds: framejit, Python, NumPy, SciPy, Numba,
LLVM, the C library, the processor. If something differs, or one member is damaged, nothing is
imported, and the error says what. What the cache has already stays as it is."""
DESCRIPTION = """What is kept on disk: machine code of kernels, what was captured of functions,
and what both have cost and saved."""
NONE = "none: FRAMEJIT_CACHE_DIR switches it off"
SHOWN = 40
"""Maximum length of a processor name that is printed."""


def main(arguments: Sequence[str]) -> int:
    """Run the command; return 1 if there is no cache folder or it is unusable."""
    asked = _parser().parse_args(arguments)
    what = asked.what
    if reason := why_unsupported():
        print(f"{'not used':<{WIDTH}}everything runs eagerly here: {reason}")
        return 1
    if what in ("export", "import"):
        return _exchange(what, asked.file)
    from ...backends.numba.machine_code import stored  # needs the C core

    folder = stored.folder()
    why = NONE if folder is None else folder.why_unusable()
    for title, text in _answer(folder, why, is_listed=what == "list"):
        print(f"{title:<{WIDTH}}{text}")
    return 1 if why else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m framejit cache",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whats = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    whats.add_parser("list", help="show what there is, for each folder", description=LIST)
    whats.add_parser("clear", help="remove it from the first folder", description=CLEAR)
    for what, help_, description in (
        ("export", "write it to one file, for another machine", EXPORT),
        ("import", "take such a file, which is to trust who made it", IMPORT),
    ):
        row = whats.add_parser(
            what,
            help=help_,
            description=description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        row.add_argument("file", metavar="FILE")
    return parser


def _exchange(what: str, file: str) -> int:
    from ...jit.archive import ArchiveError
    from .exchange import export_to, import_from

    try:
        moved = export_to(file) if what == "export" else import_from(file)
    except (ArchiveError, OSError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        nothing = "nothing was written" if what == "export" else "nothing was imported"
        print(f"framejit cache {what}: {file}: {nothing}: {why}", file=sys.stderr)
        return 1
    words = f"{functions_in_words(moved.functions)} and {counted(moved.kernels)}"
    print(f"{what + 'ed':<{WIDTH}}{words}, {bytes_in_words(moved.size)}")
    if moved.there:
        print(f"{'left alone':<{WIDTH}}{moved.there} that the cache had already")
    return 0


def _answer(folder: Folder | None, why: str, is_listed: bool) -> Iterator[tuple[str, str]]:
    """Yield the lines of the answer.

    `why` is the reason why the first folder is unusable. Read-only folders are reported anyway.
    """
    yield "directory", why if folder is None else folder.path
    if folder is not None and why:
        yield "not used", why
    if folder is not None and not why:
        lines = chain(_listed(folder), _kept(), _lookups(folder))
        yield from lines if is_listed else _cleared(folder)
    if is_listed:
        yield from further_lines()
        return
    for home in further_homes():
        yield "left alone", f"{home}: it is only read"


def _cleared(folder: Folder) -> Iterator[tuple[str, str]]:
    from ...backends.numba.machine_code import lookups

    size = sum(file.size for file in folder.files())
    lookups.forget(folder)
    yield "removed", f"{counted(folder.clear())}, {bytes_in_words(size)}"
    if entries := _functions():
        size = size_of(entries)
        place.kept_in(cache_home()).clear()
        captured = f"what was captured of {functions_in_words(len(entries))}"
        yield "removed", f"{captured}, {bytes_in_words(size)}"
    if LEDGER.forget():
        yield "removed", "what functions have cost and saved in programs so far"


def _listed(folder: Folder) -> Iterator[tuple[str, str]]:
    files = folder.files()
    size = f"{bytes_in_words(size_of(files))} of at most {bytes_in_words(LIMIT)}"
    yield "entries", f"{counted(len(files))}, {size}"
    if not files:
        return
    now = time.time()
    last, first = (_age(now - files[place].used) for place in (0, -1))
    yield "last used", f"{last} ago; the oldest {first} ago"
    makers = {file: _maker(folder, file) for file in files}
    for maker, number in Counter(makers.values()).most_common():
        theirs = size_of(file for file in files if makers[file] == maker)
        yield "made by", f"{maker}: {counted(number)}, {bytes_in_words(theirs)}"


def _kept() -> Iterator[tuple[str, str]]:
    """Yield the number and size of captured functions on disk."""
    if entries := _functions():
        size = f"{bytes_in_words(size_of(entries))} of at most {bytes_in_words(LIMIT)}"
        yield "captured", f"{functions_in_words(len(entries))}, {size}"


def _functions() -> list[File]:
    """Return the files of captured functions, without the file of the sources' digest."""
    home = cache_home()
    return functions(place.kept_in(home).files()) if home else []


def _lookups(folder: Folder) -> Iterator[tuple[str, str]]:
    """Yield how often lookups hit, and the reasons for misses and for results not stored."""
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
    """Return the compiler versions and the processor that a stored kernel was compiled with."""
    from ...backends.numba.machine_code import stored

    content = folder.read(file.name, use=False)
    entry = None if content is None else stored.Stored.unpacked(content)
    if entry is None:
        return "something else"
    facts = entry.facts
    made_by = f"numba {facts['numba']} with llvmlite {facts['llvmlite']}"
    return f"{made_by} for {facts['cpu'][:SHOWN]}"


def _age(seconds: float) -> str:
    for length, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        number = int(seconds // length)
        if number:
            return f"{number} {unit}{'s' * (number != 1)}"
    return "less than a minute"
