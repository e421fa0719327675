"""Packs the files of a cache into one: a zip with a manifest, verified before any of it is used.

The manifest has the size and digest of each member and facts about the machine that wrote it; the
last member is the digest of the manifest. Reading yields exactly the members that were written,
under names that a cache uses, or an error; names in the file never become paths. The digests detect
damage; they do not prove who wrote the file.
"""

from __future__ import annotations

import json
import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any, TypeGuard, TypeVar

from .disk import LARGEST, LIMIT

FORMAT = "framejit cache 1"
MANIFEST, DIGEST = "manifest.json", "digest"
MOST = 100_000
"""Maximum number of members."""
LARGEST_MANIFEST = 32 << 20
_BEGAN = (1980, 1, 1, 0, 0, 0)
"""Time stamp of all members, so that equal contents make equal files."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_READABLE = 0o644 << 16


class ArchiveError(Exception):
    """The file is not one that `write` made; the message has the reason."""


def write(path: str, facts: Mapping[str, str], members: Mapping[str, bytes]) -> int:
    """Write a file of these members, whole or not at all; return its size in bytes.

    The names must be names of cache files.

    Raises
    ------
    OSError
        It cannot be written.
    """
    told = {name: [len(members[name]), sha256(members[name]).hexdigest()] for name in members}
    manifest = json.dumps({"format": FORMAT, "facts": {**facts}, "members": told}).encode()
    unfinished = f"{path}.{os.urandom(8).hex()}.new"
    try:
        with zipfile.ZipFile(unfinished, "x", zipfile.ZIP_DEFLATED) as made:
            for name in sorted(members):
                _add(made, name, members[name])
            _add(made, MANIFEST, manifest)
            _add(made, DIGEST, sha256(manifest).hexdigest().encode())
        size = os.stat(unfinished).st_size
        os.replace(unfinished, path)
    except BaseException:
        if os.path.lexists(unfinished):
            os.unlink(unfinished)
        raise
    return size


def _add(made: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _BEGAN)
    info.external_attr, info.compress_type = _READABLE, zipfile.ZIP_DEFLATED
    made.writestr(info, content)


class Archive:
    """An archive opened for reading, whose manifest has been read and verified."""

    def __init__(self, path: str, names: re.Pattern[str]) -> None:
        """Open an archive; `names` matches the names that members may have.

        Raises
        ------
        ArchiveError
            It is damaged, or no such file.
        OSError
            It cannot be read.
        """
        self._names = names
        self._file = open(path, "rb")  # noqa: SIM115 - close() closes it
        try:
            if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
                raise ArchiveError("it is no file")
            self._zip = _guarded(lambda: zipfile.ZipFile(self._file))
            self._infos = self._checked()
            self.facts, self._told = self._manifest()
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._zip.close()
        self._file.close()

    def members(self) -> Iterator[tuple[str, bytes]]:
        """Yield the members in order, each verified against the manifest.

        Raises
        ------
        ArchiveError
            One of them is not as the manifest says.
        """
        for name, (size, digest) in self._told.items():
            content = self._read(name, size)
            if len(content) != size or sha256(content).hexdigest() != digest:
                raise ArchiveError(f"{name} is damaged")
            yield name, content

    def _checked(self) -> dict[str, zipfile.ZipInfo]:
        """Return the members by name, after checking that they are plain files with valid names."""
        found: dict[str, zipfile.ZipInfo] = {}
        infos = self._zip.infolist()
        if len(infos) > MOST:
            raise ArchiveError("it has too many members")
        for info in infos:
            name = info.filename
            if name not in (MANIFEST, DIGEST) and self._names.fullmatch(name) is None:
                raise ArchiveError(f"it has a member that no cache has: {name[:100]!r}")
            if name in found:
                raise ArchiveError(f"it has {name} twice")
            kind = stat.S_IFMT(info.external_attr >> 16)
            is_plain = kind in (0, stat.S_IFREG) and not info.is_dir()
            if not is_plain or info.flag_bits & 1 or info.compress_type not in _METHODS:
                raise ArchiveError(f"{name} is no plain file")
            found[name] = info
        if not {MANIFEST, DIGEST} <= found.keys():
            raise ArchiveError("it has no manifest")
        return found

    def _manifest(self) -> tuple[dict[str, str], dict[str, tuple[int, str]]]:
        content = self._read(MANIFEST, LARGEST_MANIFEST)
        if self._read(DIGEST, 64) != sha256(content).hexdigest().encode():
            raise ArchiveError("its manifest is damaged")
        try:
            held = json.loads(content)
        except (ValueError, RecursionError):
            raise ArchiveError("its manifest is damaged") from None
        if type(held) is not dict or held.get("format") != FORMAT:
            raise ArchiveError("it is of another format")
        facts, told = held.get("facts"), held.get("members")
        if not _are_texts(facts) or type(told) is not dict:
            raise ArchiveError("its manifest is damaged")
        members = {name: _size_and_digest(row) for name, row in told.items()}
        if members.keys() != self._infos.keys() - {MANIFEST, DIGEST}:
            raise ArchiveError("its members are not those of its manifest")
        if sum(size for size, _ in members.values()) > 2 * LIMIT + LARGEST:
            raise ArchiveError("it is too large")
        return facts, members

    def _read(self, name: str, limit: int) -> bytes:
        """Read a member, but never more than `limit` bytes, whatever size it claims."""
        info = self._infos[name]
        if info.file_size > limit:
            raise ArchiveError(f"{name} is too large")
        content = _guarded(lambda: self._begin_of(info, limit + 1))
        if len(content) > limit:
            raise ArchiveError(f"{name} is too large")
        return content

    def _begin_of(self, info: zipfile.ZipInfo, size: int) -> bytes:
        with self._zip.open(info) as member:
            return member.read(size)


Read = TypeVar("Read")


def _guarded(read: Callable[[], Read]) -> Read:
    """Call `read`; the various errors that zipfile raises for damaged files become ArchiveError."""
    try:
        return read()
    except MemoryError:
        raise
    except Exception as error:
        raise ArchiveError(f"it is damaged: {error}") from None


def _are_texts(facts: Any) -> TypeGuard[dict[str, str]]:
    return type(facts) is dict and all(type(one) is str for one in facts.values())


def _size_and_digest(row: Any) -> tuple[int, str]:
    if type(row) is not list or [type(one) for one in row] != [int, str]:
        raise ArchiveError("its manifest is damaged")
    size, digest = row
    if not 0 <= size <= LARGEST:
        raise ArchiveError("it is too large")
    return size, digest
