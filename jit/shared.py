"""Read-only cache folders, provided for many users or machines.

`FRAMEJIT_CACHE_DIR=a:b` names them after the first folder, which is read and written (disk.py).
Nothing in them is written, marked or removed. Object code from there runs as the user, so it has to
come from the user or root: the folders on the path (trust.py), the folder and the file belong to
them, and nobody else may write there. Others may read all of it: such a folder has mode 755, a
writable cache has 700.
"""

from __future__ import annotations

import os
from functools import cache

from .disk import File, Folder, cache_home, content_of, further_homes, is_ours, is_trusted, names_in
from .log import tell
from .trust import ROOT, DistrustError, check, flags, open_folder

_FILE = flags("O_RDONLY", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC")


class SharedFolder:
    """A read-only folder at an absolute path, opened anew for each file."""

    def __init__(self, path: str) -> None:
        self.path = path

    def read(self, name: str, use: bool = False) -> bytes | None:
        """Return a file's content, or None if it is missing or not trusted."""
        del use  # nothing is marked as used
        folder = self._open()
        if folder is None:
            return None
        try:
            file = os.open(name, _FILE, dir_fd=folder)
            try:
                return content_of(file, _owners())
            finally:
                os.close(file)
        except OSError:
            return None
        finally:
            os.close(folder)

    def names(self, prefix: str) -> list[str]:
        """Return the names of files with this prefix."""
        return names_in(self._open(), prefix)

    def files(self) -> list[File]:
        """Return all cache files in the folder."""
        return [file for file, _ in self._listed()]

    def refused(self) -> list[File]:
        """Return files that are ignored.

        Others may write to them, or the user may not read them.
        """
        return [file for file, is_taken in self._listed() if not is_taken]

    def why_unusable(self) -> str:
        """Return the reason why the folder cannot be read; "" if it can, or is missing."""
        folder, why = self._opened()
        if folder is not None:
            os.close(folder)
        return why

    def _listed(self) -> list[tuple[File, bool]]:
        """Return (file, is it used?) for each.

        The size of files that cannot be opened is unknown.
        """
        folder = self._open()
        if folder is None:
            return []
        try:
            names = sorted(filter(is_ours, os.listdir(folder)))
            return [_looked_at(folder, name) for name in names]
        except OSError:
            return []
        finally:
            os.close(folder)

    def _open(self) -> int | None:
        """Return a descriptor of the folder, which the caller owns; None if it cannot be used."""
        folder, why = self._opened()
        if why:
            tell(f"takes nothing from {self.path}: {why}")
        return folder

    def _opened(self) -> tuple[int | None, str]:
        """Return (descriptor, "") or (None, reason); the reason is "" for a missing folder."""
        try:
            folder = open_folder(self.path)
        except FileNotFoundError:
            return None, ""
        except (DistrustError, OSError) as error:
            return None, _reason(error)
        try:
            check(folder, self.path, may_be_sticky=False)
        except (DistrustError, OSError) as error:
            os.close(folder)
            return None, _reason(error)
        return folder, ""


def _reason(error: DistrustError | OSError) -> str:
    return str(error.strerror) if isinstance(error, OSError) else str(error)


def _owners() -> tuple[int, int]:
    return ROOT, os.geteuid()


def _looked_at(folder: int, name: str) -> tuple[File, bool]:
    try:
        file = os.open(name, _FILE, dir_fd=folder)
    except OSError:
        return File(name, 0, 0.0), False
    try:
        about = os.fstat(file)
        return File(name, about.st_size, about.st_mtime), is_trusted(about, _owners())
    finally:
        os.close(file)


@cache
def shared_folders(name: str) -> tuple[SharedFolder, ...]:
    """Return the subfolders of this name in all read-only folders."""
    return tuple(SharedFolder(os.path.join(home, name)) for home in further_homes())


def readable(own: Folder | None, name: str) -> tuple[Folder | SharedFolder, ...]:
    """Return all folders to read from: the writable one first, if any, then the read-only ones."""
    shared = shared_folders(name)
    return shared if own is None else (own, *shared)


def setting() -> str:
    """Return all folders in the form of the environment variable, for another process."""
    home = cache_home()
    usable = home and os.pathsep not in home  # a user's name may contain the separator
    return os.pathsep.join([home if usable else "off", *further_homes()])
