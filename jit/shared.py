"""Folders that are only read: what somebody has put there for many users or machines.

`FRAMEJIT_CACHE_DIR=a:b` names them behind the first folder, which is read and written (disk.py).
In these nothing is written, marked or removed, whatever stands there. Object code from there runs
as the user, so it has to come from the user or from root, who could do all of it anyway: to them
belong each folder on the way (trust.py), the folder and the file, and nobody else may write to
any of them. Others may read all of it: such a folder has mode 755, one that is written has 700.
"""

from __future__ import annotations

import os
from functools import cache

from .disk import File, Folder, cache_home, content_of, further_homes, is_ours, is_trusted, names_in
from .log import tell
from .trust import ROOT, DistrustError, check, open_folder

_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class SharedFolder:
    """The folder at an absolute path, which is opened anew for each file."""

    def __init__(self, path: str) -> None:
        self.path = path

    def read(self, name: str, use: bool = False) -> bytes | None:
        """What the file holds; None where there is none, or none that can be trusted."""
        del use  # nothing is marked here
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
        """The names of files that begin so."""
        return names_in(self._open(), prefix)

    def files(self) -> list[File]:
        """All files that were kept there."""
        return [file for file, _ in self._listed()]

    def refused(self) -> list[File]:
        """Those that are not read: others may write to them, or the user may not read them."""
        return [file for file, is_taken in self._listed() if not is_taken]

    def why_unusable(self) -> str:
        """Why nothing is read from the folder; "" where that is done, or where it is missing."""
        folder, why = self._opened()
        if folder is not None:
            os.close(folder)
        return why

    def _listed(self) -> list[tuple[File, bool]]:
        """Files, and whether each is read; how large one is that cannot be opened is not known."""
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
        """The folder's descriptor, which the caller owns; None where it cannot be used."""
        folder, why = self._opened()
        if why:
            tell(f"takes nothing from {self.path}: {why}")
        return folder

    def _opened(self) -> tuple[int | None, str]:
        """The folder's descriptor, or why there is none; "" where it is missing."""
        try:
            folder = open_folder(self.path)
        except FileNotFoundError:
            return None, ""
        except (DistrustError, OSError) as error:
            return None, _told(error)
        try:
            check(folder, self.path, may_be_sticky=False)
        except (DistrustError, OSError) as error:
            os.close(folder)
            return None, _told(error)
        return folder, ""


def _told(error: DistrustError | OSError) -> str:
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
    """The folders of this name in those that are only read; "" for themselves."""
    homes = further_homes()
    return tuple(SharedFolder(os.path.join(home, name) if name else home) for home in homes)


def readable(own: Folder | None, name: str) -> tuple[Folder | SharedFolder, ...]:
    """The folder that is written, if there is one, and behind it those that are only read."""
    shared = shared_folders(name)
    return shared if own is None else (own, *shared)


def setting() -> str:
    """All folders as the environment of another process names them."""
    home = cache_home()
    usable = home and os.pathsep not in home  # as a user's name may have it
    return os.pathsep.join([home if usable else "off", *further_homes()])
