"""A folder of small files that processes of one user share, used by the disk cache.

Files read here can only have been written by the user: the folder and its files belong to the user,
others may not write to them, nor replace a folder on the path (trust.py). Files appear atomically,
under names that identify their content, so writers need no locks and removal does not disturb
readers. Anything else under such a name, such as a folder or broken link, is moved away. Any error
of the file system has the effect of a missing folder; the log reports it once.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from contextlib import suppress

from .config import OPTIONS, SETTINGS
from .log import tell
from .trust import DistrustError, open_folder

LIMIT = 256 << 20
"""Approximate maximum size of a folder in bytes."""
KEPT = 0.75
"""Fraction of the limit that remains after files were removed, so that this happens rarely."""
LARGEST = 16 << 20
"""Maximum size in bytes of a file that is read."""
_LOOKED_AFTER = 8
"""One of 32 files, selected by a digit of their names, has its writer check the folder's size."""
_STALE = 3600.0
"""Seconds after which an unfinished file is abandoned, and a used file's time is updated."""
_PASSING = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EDQUOT)
"""Temporary errors that say nothing about the folder."""
_NO_FILE = (errno.ELOOP, errno.ENXIO, errno.EACCES)
"""Errors from opening links, sockets, or files without read permission."""
_UNFINISHED = ".new"
_ASIDE = ".aside"
"""Suffix that a non-empty folder gets when it is in the place of a file."""
_OURS = r"[0-9a-f]{64}|[0-9a-f]{16}\.new"
"""Names of files written here. Others belong to somebody who uses the folder for something else.
Most processes ask for no name, so `re` compiles the pattern when one does."""


class File:
    """One file of a folder; no dataclass, which would lengthen each start."""

    def __init__(self, name: str, size: int, used: float) -> None:
        self.name = name
        self.size = size
        self.used = used
        """The time of the last read or write, in seconds since the epoch; precise to an hour."""


def cache_home(setting: str | None = None, default: str = OPTIONS["cache_dir"].default) -> str:
    """Return the first folder of the option `cache_dir` as an absolute path; "" for none."""
    path = (str(SETTINGS["cache_dir"]) if setting is None else setting).partition(os.pathsep)[0]
    given = os.environ.get("XDG_CACHE_HOME", "")
    if path == default and os.path.isabs(given):
        return os.path.join(given, "framejit")
    path = os.path.expanduser(path)
    return path if os.path.isabs(path) else ""


def further_homes() -> list[str]:
    """Return the remaining folders of the option, which are read-only."""
    return str(SETTINGS["cache_dir"]).split(os.pathsep)[1:]


def is_ours(name: str) -> bool:
    """True for names of files that are written here."""
    return re.fullmatch(_OURS, name) is not None


class Folder:
    """A folder at an absolute path, created at the first write. File names are 64 hex digits."""

    def __init__(self, path: str, silent: bool = False) -> None:
        """Make the object; `silent` keeps the log quiet if the folder cannot be used."""
        self.path = path
        self.silent = silent

    def read(self, name: str, use: bool = True) -> bytes | None:
        """Return a file's content, or None if it is missing or not trusted.

        With `use` the file is marked as used, or removed if it is not trusted.
        """
        folder = self._open()
        if folder is None:
            return None
        try:
            return _read(folder, name, use)
        except OSError:
            return None
        finally:
            os.close(folder)

    def write(self, name: str, content: bytes) -> bool:
        """Write a file atomically; return True if it exists now."""
        if not self.replace(name, content):
            return False
        if int(name[:2], 16) < _LOOKED_AFTER:
            self.bound()
        return True

    def replace(self, name: str, content: bytes) -> bool:
        """Write a file of any name atomically; `bound` never removes it. Return True on success."""
        folder = self._open(make=True)
        if folder is None:
            return False
        try:
            _write(folder, name, content)
        except OSError:
            return False
        finally:
            os.close(folder)
        return True

    def append(self, name: str, line: bytes) -> int:
        """Append a line to a file of any name; return the file's length then, 0 on failure.

        Lines of several processes do not mix, as each is one write in append mode.
        """
        folder = self._open(make=True)
        if folder is None:
            return 0
        try:
            return _append(folder, name, line)
        except OSError:
            return 0
        finally:
            os.close(folder)

    def open_file(self, name: str) -> int | None:
        """Open a file of any name, creating it if missing; the caller owns the descriptor."""
        folder = self._open(make=True)
        if folder is None:
            return None
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            return os.open(name, flags, 0o600, dir_fd=folder)
        except OSError:
            return None
        finally:
            os.close(folder)

    def names(self, prefix: str) -> list[str]:
        """Return the names of files with this prefix."""
        return names_in(self._open(), prefix)

    def remove(self, name: str) -> bool:
        """Remove a file; return True if it was there."""
        folder = self._open()
        if folder is None:
            return False
        try:
            _clear_away(folder, name)
        except OSError:
            return False
        finally:
            os.close(folder)
        return True

    def files(self) -> list[File]:
        """Return all files, most recently used first."""
        folder = self._open()
        if folder is None:
            return []
        found: list[File] = []
        try:
            for name in filter(is_ours, os.listdir(folder)):
                with suppress(FileNotFoundError):
                    about = os.stat(name, dir_fd=folder, follow_symlinks=False)
                    found.append(File(name, about.st_size, about.st_mtime))
        except OSError:
            return []
        finally:
            os.close(folder)
        return sorted(found, key=lambda file: file.used, reverse=True)

    def bound(self, limit: int = LIMIT) -> int:
        """Remove the least recently used files if the total exceeds `limit`.

        Return their number.
        """
        files, now = self.files(), time.time()
        gone = [f for f in files if f.name.endswith(_UNFINISHED) and now - f.used > _STALE]
        if sum(file.size for file in files) > limit:
            left = limit * KEPT
            for file in files:
                left -= file.size
                if left < 0 and file not in gone:
                    gone.append(file)
        return sum(self.remove(file.name) for file in gone)

    def clear(self) -> int:
        """Remove all files; return their number."""
        return sum(self.remove(file.name) for file in self.files())

    # ---- trust -----------------------------------------------------------------------------------

    def why_unusable(self) -> str:
        """Return the reason why the folder can be neither read nor written; "" if it can."""
        folder, why = self._opened(make=False)
        if folder is not None:
            os.close(folder)
        return str(why.strerror) if isinstance(why, OSError) else why

    def why_unwritable(self) -> str:
        """Create the folder; return the reason why it cannot be written, "" if it can."""
        folder, why = self._opened(make=True)
        if folder is None:
            return str(why.strerror) if isinstance(why, OSError) else why
        name = f"{os.urandom(8).hex()}{_UNFINISHED}"
        try:
            _write(folder, name, b"")
            os.unlink(name, dir_fd=folder)
        except OSError as error:
            return str(error.strerror)
        finally:
            os.close(folder)
        return ""

    def is_usable(self) -> bool:
        """True if files can be written; creates the folder."""
        folder = self._open(make=True)
        if folder is None:
            return False
        os.close(folder)
        return True

    def _open(self, make: bool = False) -> int | None:
        """Return a descriptor of the folder, or None if it cannot be used.

        It is not kept open, since programs may close descriptors that they do not know. This is no
        contextlib generator: with an exception that makes a reference cycle through frames, which
        keeps the program's objects alive.
        """
        folder, why = self._opened(make)
        if why and not self.silent:
            text = why.strerror if isinstance(why, OSError) else why
            tell(f"keeps no machine code in {self.path}, and compiles in each process: {text}")
        return folder

    def _opened(self, make: bool) -> tuple[int | None, str | OSError]:
        """Return (descriptor, "") or (None, reason).

        The reason is "" for a folder that is missing.
        """
        try:
            folder = open_folder(self.path, make)
        except DistrustError as error:
            return None, str(error)
        except OSError as error:
            missing = error.errno == errno.ENOENT and not make
            return None, "" if missing or error.errno in _PASSING else error
        try:
            about = os.fstat(folder)
        except OSError as error:
            os.close(folder)
            return None, error
        if about.st_uid != os.geteuid():
            why = "it belongs to somebody else"
        elif about.st_mode & 0o077:
            why = f"others may use it: its mode is {about.st_mode & 0o777:o}, make it 700"
        else:
            return folder, ""
        os.close(folder)
        return None, why


def _read(folder: int, name: str, use: bool) -> bytes | None:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        file = os.open(name, flags, dir_fd=folder)
    except OSError as error:
        if error.errno in _NO_FILE and use:
            _clear_away(folder, name)
        return None
    try:
        content = content_of(file, (os.geteuid(),), use)
    finally:
        os.close(file)
    if content is None and use:
        _clear_away(folder, name)
    return content


def _clear_away(folder: int, name: str) -> None:
    """Remove whatever has this name; a folder that is not empty is renamed, never emptied."""
    try:
        os.unlink(name, dir_fd=folder)
    except IsADirectoryError:
        try:
            os.rmdir(name, dir_fd=folder)
        except OSError:
            aside = f"{os.urandom(8).hex()}{_ASIDE}"
            os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=folder)


def _write(folder: int, name: str, content: bytes) -> None:
    path = f"{os.urandom(8).hex()}{_UNFINISHED}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(path, flags, 0o600, dir_fd=folder)
    try:
        _write_all(file, content)
        try:
            os.replace(path, name, src_dir_fd=folder, dst_dir_fd=folder)
        except IsADirectoryError:
            _clear_away(folder, name)
            os.replace(path, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(path, dir_fd=folder)
        raise


def _append(folder: int, name: str, line: bytes) -> int:
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    file = os.open(name, flags, 0o600, dir_fd=folder)
    try:
        os.write(file, line)
        return os.fstat(file).st_size
    finally:
        os.close(file)


def names_in(folder: int | None, prefix: str) -> list[str]:
    """Return names with this prefix in an opened folder, and close the folder."""
    if folder is None:
        return []
    try:
        return [name for name in os.listdir(folder) if name.startswith(prefix)]
    except OSError:
        return []
    finally:
        os.close(folder)


def content_of(file: int, owners: tuple[int, ...], use: bool = False) -> bytes | None:
    """Return the content of an opened file; None if others than these users may have written it."""
    about = os.fstat(file)
    if not is_trusted(about, owners) or about.st_size > LARGEST:
        return None
    if use and time.time() - about.st_mtime > _STALE:
        with suppress(OSError):
            os.utime(file)
    content = bytearray()
    while len(content) < about.st_size:
        part = os.read(file, about.st_size - len(content))
        if not part:
            break
        content += part
    return bytes(content)


def is_trusted(about: os.stat_result, owners: tuple[int, ...]) -> bool:
    """True if only these users can have written the file."""
    is_file = stat.S_ISREG(about.st_mode)
    return is_file and about.st_uid in owners and not about.st_mode & 0o022


def _write_all(file: int, content: bytes) -> None:
    """Write to an opened file and close it."""
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(file, rest) :]
    finally:
        os.close(file)
