"""A folder of small files that processes of one user share: what one has made, others find.

Nobody else can have written what is read here: the folder and each file belong to the user, others
may not write to them, nor exchange a folder on the way to it (trust.py). Files appear whole or not
at all, under names that tell their content, so that writers need not wait for each other, and who
removes one takes nothing from who has read it. What else stands under such a name, such as a folder
or a broken link, goes out of the way. Whatever the disk refuses is as if there were no folder; the
log says once why.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from contextlib import suppress

from .config import OPTIONS, SETTINGS
from .frozen import dataclass
from .log import tell
from .trust import DistrustError, open_folder

LIMIT = 256 << 20
"""Bytes that a folder holds at most, about."""
KEPT = 0.75
"""What of that is left where files are removed, so that this is not done each time."""
LARGEST = 16 << 20
"""Bytes of the largest file that is read."""
_LOOKED_AFTER = 8
"""One of 32 files, as its name says, makes its writer look how large the folder is."""
_STALE = 3600.0
"""Seconds after which a file that was not renamed belongs to nobody, and one is marked as used."""
_PASSING = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EDQUOT)
"""What is no fault of the folder's."""
_NO_FILE = (errno.ELOOP, errno.ENXIO, errno.EACCES)
"""What opening a link, a socket or a file says that the user may not read."""
_UNFINISHED = ".new"
_ASIDE = ".aside"
"""What a folder that holds something is renamed to where it stands in a file's place."""
_OURS = re.compile(r"[0-9a-f]{64}|[0-9a-f]{16}\.new")
"""Names of files that are written here; all others are somebody's who has a folder of that name."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of a folder."""

    name: str
    size: int
    used: float
    """When it was read or written, to the hour: seconds since the epoch."""


def cache_home(setting: str | None = None, default: str = OPTIONS["cache_dir"].default) -> str:
    """The folder that the option `cache_dir` names first, an absolute path; "" for none."""
    path = (str(SETTINGS["cache_dir"]) if setting is None else setting).partition(os.pathsep)[0]
    given = os.environ.get("XDG_CACHE_HOME", "")
    if path == default and os.path.isabs(given):
        return os.path.join(given, "framejit")
    path = os.path.expanduser(path)
    return path if os.path.isabs(path) else ""


def further_homes() -> list[str]:
    """The other folders that the option names, which are only read."""
    return str(SETTINGS["cache_dir"]).split(os.pathsep)[1:]


def is_ours(name: str) -> bool:
    """True for the names of files that are written here."""
    return _OURS.fullmatch(name) is not None


class Folder:
    """The folder at an absolute path; made when something is written. Names are 64 hex digits."""

    def __init__(self, path: str, silent: bool = False) -> None:
        """`silent`: where it cannot be used, the log does not say so."""
        self.path = path
        self.silent = silent

    def read(self, name: str, use: bool = True) -> bytes | None:
        """What the file holds; None where there is none, or none that can be trusted.

        `use`: it is marked as used, and removed where it cannot be trusted.
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
        """Puts a file there, whole or not at all; whether it stands there now."""
        if not self.replace(name, content):
            return False
        if int(name[:2], 16) < _LOOKED_AFTER:
            self.bound()
        return True

    def replace(self, name: str, content: bytes) -> bool:
        """The same for a file of any name, which `bound` leaves alone."""
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
        """Adds a line to a file of any name; how long the file is now, 0 where that failed.

        Lines of several processes do not mix: each is one write at the end of the file.
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
        """A descriptor of a file of any name, which is made if missing; the caller owns it."""
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
        """The names of files that begin so."""
        return names_in(self._open(), prefix)

    def remove(self, name: str) -> bool:
        """Takes a file away, if it is there; whether it was."""
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
        """All files, those first that were used last."""
        folder = self._open()
        if folder is None:
            return []
        found: list[File] = []
        try:
            for name in filter(_OURS.fullmatch, os.listdir(folder)):
                with suppress(FileNotFoundError):
                    about = os.stat(name, dir_fd=folder, follow_symlinks=False)
                    found.append(File(name, about.st_size, about.st_mtime))
        except OSError:
            return []
        finally:
            os.close(folder)
        return sorted(found, key=lambda file: file.used, reverse=True)

    def bound(self, limit: int = LIMIT) -> int:
        """Removes what was not used for the longest time where files are too large; how many."""
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
        """Removes all files; how many."""
        return sum(self.remove(file.name) for file in self.files())

    # ---- trust -----------------------------------------------------------------------------------

    def why_unusable(self) -> str:
        """Why nothing is read from the folder, nor written to it; "" where that can be done."""
        folder, why = self._opened(make=False)
        if folder is not None:
            os.close(folder)
        return str(why.strerror) if isinstance(why, OSError) else why

    def why_unwritable(self) -> str:
        """Why nothing can be written to the folder; "" where that can be done. Makes the folder."""
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
        """True if something can be put there; makes the folder."""
        folder = self._open(make=True)
        if folder is None:
            return False
        os.close(folder)
        return True

    def _open(self, make: bool = False) -> int | None:
        """The folder's descriptor; None where it cannot be used.

        It is not kept: a program may close all descriptors that it does not know. Nor is this a
        generator of contextlib's: with an exception it makes a cycle of frames, which keeps alive
        what the program holds.
        """
        folder, why = self._opened(make)
        if why and not self.silent:
            text = why.strerror if isinstance(why, OSError) else why
            tell(f"keeps no machine code in {self.path}, and compiles in each process: {text}")
        return folder

    def _opened(self, make: bool) -> tuple[int | None, str | OSError]:
        """The folder's descriptor, or why there is none; "" where it is not there yet."""
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
    """Removes what stands under a name; a folder that is not empty is renamed, never emptied."""
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
    """The names of files that begin so, in an opened folder, which is closed."""
    if folder is None:
        return []
    try:
        return [name for name in os.listdir(folder) if name.startswith(prefix)]
    except OSError:
        return []
    finally:
        os.close(folder)


def content_of(file: int, owners: tuple[int, ...], use: bool = False) -> bytes | None:
    """What an opened file holds; None: others than these users may have written to it."""
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
    """True for a file that only these users can have written."""
    is_file = stat.S_ISREG(about.st_mode)
    return is_file and about.st_uid in owners and not about.st_mode & 0o022


def _write_all(file: int, content: bytes) -> None:
    """Writes to an opened file and closes it."""
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(file, rest) :]
    finally:
        os.close(file)
