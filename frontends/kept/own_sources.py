"""Digest of framejit's own sources, so that entries of other versions are not used.

Reading four hundred files takes longer than everything else about an entry, so the cache stores the
digest under the sizes and times of the files, as CPython does for .pyc files. Read-only folders are
not used for it: another machine's files may have equal sizes and times, but different contents.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256

from ...jit.disk import Folder

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZE = 64
"""Size of the file with the digest, in bytes."""
FOLDERS = ("backends", "frontends", "guards", "jit")


def digest_of_sources(cache: Folder | None) -> str | None:
    """Return a digest of all Python files and the C core; None if they cannot be read."""
    try:
        files = sorted(_files())
        stats = repr([(path[len(ROOT) :], *_stat(path)) for path in files])
        name = sha256(f"sources {ROOT} {stats}".encode()).hexdigest()
        known = cache.read(name) if cache is not None else None
        if known is not None and len(known) == SIZE:
            return known.decode("ascii", "replace")
        digest = sha256()
        for path in files:
            with open(path, "rb") as file:
                content = file.read()
            digest.update(f"{path[len(ROOT) :]} {len(content)}\0".encode())
            digest.update(content)
    except OSError:
        return None
    if cache is not None:
        cache.write(name, digest.hexdigest().encode())
    return digest.hexdigest()


def _stat(path: str) -> tuple[int, int, int]:
    about = os.stat(path)
    return about.st_size, about.st_mtime_ns, about.st_ino


def _files() -> Iterator[str]:
    waiting = [os.path.join(ROOT, name) for name in FOLDERS]
    while waiting:
        with os.scandir(waiting.pop()) as found:
            for one in found:
                if one.is_dir(follow_symlinks=False):
                    if one.name != "__pycache__":
                        waiting.append(one.path)
                elif one.name.endswith((".py", ".so")):
                    yield one.path
