"""Digest of framejit's own sources, so that entries of other versions are not used.

Reading four hundred files takes longer than everything else about an entry, so the cache stores the
digest under the sizes and times of the files, as CPython does for .pyc files. Read-only folders are
not used for it: another machine's files may have equal sizes and times, but different contents.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from ...jit.digests import digest256
from ...jit.disk import Folder

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZE = 64
"""Size of the file with the digest, in bytes."""
FOLDERS = ("backends", "frontends", "guards", "jit")


def digest_of_sources(cache: Folder | None) -> str | None:
    """Return a digest of all Python files and the C core; None if they cannot be read."""
    try:
        files = sorted(_files())
        listed = repr([(path[len(ROOT) :], *about) for path, *about in files])
        name = digest256(f"sources {ROOT} {listed}".encode()).hexdigest()
        known = cache.read(name) if cache is not None else None
        if known is not None and len(known) == SIZE:
            return known.decode("ascii", "replace")
        digest = digest256()
        for path, *_ in files:
            with open(path, "rb") as file:
                content = file.read()
            digest.update(f"{path[len(ROOT) :]} {len(content)}\0".encode())
            digest.update(content)
    except OSError:
        return None
    if cache is not None:
        cache.write(name, digest.hexdigest().encode())
    return digest.hexdigest()


def _files() -> Iterator[tuple[str, int, int, int]]:
    """Yield (path, size, time, inode) of each file."""
    waiting = [os.path.join(ROOT, name) for name in FOLDERS]
    while waiting:
        with os.scandir(waiting.pop()) as found:
            for one in found:
                if one.name.endswith((".py", ".so")):
                    about = one.stat()
                    yield one.path, about.st_size, about.st_mtime_ns, about.st_ino
                elif one.name != "__pycache__" and one.is_dir(follow_symlinks=False):
                    waiting.append(one.path)
