"""Digests of framejit's own sources, so that nothing is used that another version has made.

To read the files takes longer than everything else about an entry, so the cache stores digests
under the stamps of all files (sizes, times and inodes), as CPython knows its .pyc files by size
and time. Read-only folders are not used for it: another machine's files may have equal stamps, but
different contents.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from . import native
from .config import SETTINGS
from .digests import digest256
from .disk import Folder, cache_home

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = "entries"
"""Folder of the digests within the cache; that of captured entries."""
SIZE = 64
"""Size of a file with a digest, in bytes."""
FOLDERS = ("backends", "frontends", "guards", "jit")
_taken: list[bytes] = []
"""The stamps of all files at the first look, sorted."""


def folder() -> Folder | None:
    """Return the folder that digests are kept in; None if entries are not kept on disk."""
    home = cache_home()
    if not (home and SETTINGS["entries"] and SETTINGS["cache"]):
        return None
    return Folder(os.path.join(home, FOLDER), silent=True)


def digest_of_sources(cache: Folder | None) -> str | None:
    """Return a digest of all Python files and the C core; None if they cannot be read."""
    return _digest("sources", cache, None)


def digest_of_some(title: str, paths: Iterable[str]) -> str | None:
    """Return a digest of files, by paths relative to ROOT; None if they cannot be read.

    The title belongs to these paths, and to no others.
    """
    return _digest(title, folder(), [*paths])


def _digest(title: str, cache: Folder | None, paths: list[str] | None) -> str | None:
    try:
        if cache is None and paths is not None:
            return _read(map(os.fsencode, paths))
        if not _taken:
            _taken.extend(_stamps())
        named = "\0".join([title, ROOT, *(paths or ()), ""]).encode("utf-8", "surrogateescape")
        name = digest256(named + b"\0".join(_taken)).hexdigest()
        known = cache.read(name) if cache is not None else None
        if known is not None and len(known) == SIZE:
            return known.decode("ascii", "replace")
        digest = _read(map(_path_of, _taken) if paths is None else map(os.fsencode, paths))
        # A file that was changed meanwhile may have been read as it is now, under an older stamp.
        if cache is not None and _stamps() == _taken:
            cache.write(name, digest.encode())
    except OSError:
        return None
    return digest


def _read(paths: Iterable[bytes]) -> str:
    digest, root = digest256(), os.fsencode(ROOT)
    for path in sorted(paths):
        with open(os.path.join(root, path), "rb") as file:
            content = file.read()
        digest.update(b"%s %d\0" % (path, len(content)))
        digest.update(content)
    return digest.hexdigest()


def _stamps() -> list[bytes]:
    found = []
    for name in FOLDERS:
        within = os.path.join(ROOT, name)
        found += [b"%s %s" % (name.encode(), one) for one in native.file_stamps(within)]
    return sorted(found)


def _path_of(stamp: bytes) -> bytes:
    name, _, _, _, _, path = stamp.split(b" ", 5)
    return name + b"/" + path
