"""`python -m framejit cache export FILE` and `import FILE`: moves a cache to another machine."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass

from ...jit.archive import Archive, ArchiveError, write
from ...jit.disk import Folder, cache_home
from ...jit.shared import readable
from ..kept import place, record
from ..kept.facts import digest_of_facts, facts_by_name
from ..tiers import ledger

LEDGER = ledger.FILE
MEMBER = re.compile(r"(kernels|entries)/[0-9a-f]{64}|" + re.escape(LEDGER))
"""Members of an archive beside the manifest."""
ASIDE = "imports"
"""Folder in the cache folder, with a temporary folder of each import."""
STALE_NAME = re.compile(r"[0-9a-f]{16}")
STALE = 3600.0
"""Seconds after which the folder of an unfinished import is taken for abandoned."""
SHOWN = 60
"""Maximum length of a fact that is printed."""


@dataclass(slots=True)
class Moved:
    """Counts of members that were exported or imported."""

    kernels: int = 0
    functions: int = 0
    size: int = 0
    there: int = 0
    """Members that the cache has already; they stay unchanged."""

    def count(self, name: str, content: bytes) -> None:
        """Count one more member."""
        self.size += len(content)
        if name != LEDGER:
            self.kernels += name.startswith("kernels/")
            self.functions += name.startswith("entries/")


def facts() -> dict[str, str]:
    """Return everything that kernels and entries depend on, by name.

    Raises
    ------
    ArchiveError
        A fact cannot be determined.
    """
    from ...backends.numba.machine_code import stored

    captured, compiled = facts_by_name(place.folder()), stored.facts_of("")
    if captured is None or compiled is None:
        raise ArchiveError("what decides about entries cannot be known here")
    names = {
        "framejit": "framejit's sources that make machine code",
        "llvm": "the library of LLVM",
        "cpu": "the processor",
        "features": "the instructions of the processor",
    }
    found = {names.get(name, name): value for name, value in compiled.items() if name != "text"}
    return {**captured, **found}


def why_not(theirs: Mapping[str, str]) -> str:
    """Return which facts of an archive differ from this machine's; "" if none do."""
    ours = facts()
    differ = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
    if not differ:
        return ""
    told = [f"{name} ({_shown(theirs, name)} there, {_shown(ours, name)} here)" for name in differ]
    return "it was made where other things hold: " + "; ".join(told)


def _shown(known: Mapping[str, str], name: str) -> str:
    value = known.get(name, "nothing")
    return repr(value[:SHOWN] + "..." if len(value) > SHOWN else value)


# ---- export --------------------------------------------------------------------------------------


def export_to(path: str) -> Moved:
    """Write an archive of all kernels and entries that are usable here, from all folders.

    Raises
    ------
    OSError, ArchiveError
        The file cannot be written; there is nothing to export.
    """
    members = dict(_usable())
    if not members:
        raise ArchiveError("the cache has nothing that can be used here")
    moved = Moved()
    for name, content in members.items():
        moved.count(name, content)
    if rows := ledger.Ledger().kept():
        members[LEDGER] = ledger.packed(rows)
    moved.size = write(path, facts(), members)
    return moved


def _usable() -> Iterator[tuple[str, bytes]]:
    found: set[str] = set()
    for kind, own in (("kernels", _own("kernels")), ("entries", _own("entries"))):
        for folder in readable(own, kind):
            for file in folder.files():
                name = f"{kind}/{file.name}"
                content = folder.read(file.name, use=False)
                if name not in found and content is not None and is_usable(name, content):
                    found.add(name)
                    yield name, content


def _own(kind: str) -> Folder | None:
    home = cache_home()
    return Folder(os.path.join(home, kind), silent=True) if home else None


def is_usable(name: str, content: bytes) -> bool:
    """True if a kernel or entry is intact and was made under the same facts."""
    from ...backends.numba.machine_code import stored

    kind, _, digest = name.partition("/")
    if kind == "kernels":
        entry = stored.Stored.unpacked(content)
        if entry is None:
            return False
        ours = {**(stored.facts_of("") or {}), "text": entry.facts.get("text", "")}
        return entry.facts == ours and stored.name_of(ours) == digest
    try:
        return record.unpacked(content).get("facts") == digest_of_facts(place.folder())
    except record.BadRecordError:
        return False


# ---- import --------------------------------------------------------------------------------------


def import_from(path: str) -> Moved:
    """Import all members of an archive into the first folder, or none.

    Raises
    ------
    ArchiveError
        The archive is damaged or does not fit, or the folder cannot be written.
    OSError
        The archive cannot be read.
    """
    home = cache_home()
    imports = os.path.join(home, ASIDE)
    if why := Folder(imports, silent=True).why_unwritable() if home else "there is no folder":
        raise ArchiveError(f"nothing can be written to {home or 'the cache'}: {why}")
    _remove_stale(imports)
    aside = Folder(os.path.join(imports, os.urandom(8).hex()), silent=True)
    try:
        with closing(Archive(path, MEMBER)) as archive:
            if why := why_not(archive.facts):
                raise ArchiveError(why)
            moved, rows, names = _unpacked(archive, aside)
        _take(home, aside, names)
    finally:
        _remove(aside)
    ledger.Ledger().learn(rows)
    return moved


def _unpacked(archive: Archive, aside: Folder) -> tuple[Moved, dict[str, ledger.Entry], list[str]]:
    """Check all members and write the new ones to a temporary folder.

    Nothing reaches the cache before every member has been checked.
    """
    moved, names = Moved(), []
    rows: dict[str, ledger.Entry] = {}
    for name, content in archive.members():
        if name == LEDGER:
            rows = ledger.unpacked(content)
            continue
        if not is_usable(name, content):
            raise ArchiveError(f"{name} is not what it should be")
        kind, _, digest = name.partition("/")
        folder = _own(kind)
        ours = folder.read(digest) if folder is not None else None
        if ours is not None and is_usable(name, ours):
            moved.there += 1
            continue
        if not aside.replace(f"{kind}-{digest}", content):
            raise ArchiveError(f"nothing can be written to {aside.path}")
        moved.count(name, content)
        names.append(name)
    return moved, rows, names


def _take(home: str, aside: Folder, names: list[str]) -> None:
    """Move each file into the cache; a rename, so that no reader sees half a file."""
    for kind in ("kernels", "entries"):
        folder = Folder(os.path.join(home, kind), silent=True)
        if any(name.startswith(kind) for name in names) and (why := folder.why_unwritable()):
            raise ArchiveError(f"nothing can be written to {folder.path}: {why}")
    for name in names:
        kind, _, digest = name.partition("/")
        os.replace(os.path.join(aside.path, f"{kind}-{digest}"), os.path.join(home, kind, digest))
    for kind in ("kernels", "entries"):
        Folder(os.path.join(home, kind), silent=True).bound()


def _remove_stale(imports: str) -> None:
    """Remove the temporary folders of imports that were killed."""
    for name in Folder(imports, silent=True).names(""):
        path = os.path.join(imports, name)
        if STALE_NAME.fullmatch(name) and time.time() - os.lstat(path).st_mtime > STALE:
            _remove(Folder(path, silent=True))


def _remove(aside: Folder) -> None:
    for name in aside.names(""):
        aside.remove(name)
    if os.path.isdir(aside.path):
        os.rmdir(aside.path)
