"""Opens a folder that nobody but the user and root can have put there, by its whole way from `/`.

Who may write to any folder on the way can rename the next one and put one of their own in its
place: object code from there would run as the user. As `ssh` and `sudo` do, each folder on the way
is asked for its owner and mode. One that others may write to is trusted where its sticky bit is
set, as that of /tmp is: only owners rename what is in it. One that its group may write to is
trusted where the group is the user's own: it has the user's name and no other member, as on systems
that give each user a group and make folders with mode 775.

Each folder is opened relative to the one that was looked at before, and links are read by
descriptor: what is opened is what was looked at, whatever others rename meanwhile.
"""

from __future__ import annotations

import errno
import os
import posixpath
import stat
from contextlib import suppress

ROOT = 0
"""The user who could do all of it anyway."""
MAX_LINKS = 40
"""Symbolic links on one way, as many as Linux follows."""
_NAMED = getattr(os, "O_PATH", os.O_RDONLY) | os.O_NOFOLLOW | os.O_CLOEXEC
"""To look at what stands under a name, a link too, without the right to read it."""
_READ = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class DistrustError(Exception):
    """Somebody else could have put the folder there; says who, by which folder."""


def open_folder(path: str, make: bool = False) -> int:
    """The descriptor of the folder at an absolute path, which the caller owns.

    `make`: folders that are missing are made, for the user alone. Links on the way are followed;
    the folder itself may be none, and its own mode is for the caller to judge.

    Raises:
        DistrustError: somebody else could have put it there.
        OSError: there is none, or it cannot be opened.
    """
    at, here, links = os.open("/", _NAMED), "/", 0
    rest = _reversed_names(path)
    try:
        check(at, here)
        while rest:
            name = rest.pop()
            at = _instead(at, _opened(name, at, make))
            here = posixpath.normpath(posixpath.join(here, name))
            is_link = stat.S_ISLNK(os.fstat(at).st_mode)
            if is_link and not rest:
                raise DistrustError("it is a symbolic link")
            if not is_link:
                if rest:
                    check(at, here)
                continue
            links += 1
            if links > MAX_LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            # Where it leads to is walked from the beginning, like any other way.
            rest += _reversed_names(posixpath.join(posixpath.dirname(here), _target(at, here)))
            at, here = _instead(at, os.open("/", _NAMED)), "/"
        return os.open(".", _READ, dir_fd=at)
    finally:
        os.close(at)


def _reversed_names(path: str) -> list[str]:
    return [name for name in reversed(path.split("/")) if name not in ("", ".")]


def _instead(old: int, new: int) -> int:
    """The new descriptor; the old one is closed."""
    os.close(old)
    return new


def _opened(name: str, folder: int, make: bool) -> int:
    """A descriptor of what stands under a name, be it a link; a new folder where `make` says so."""
    try:
        return os.open(name, _NAMED, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=folder)
    return os.open(name, _NAMED, dir_fd=folder)


def _target(link: int, here: str) -> str:
    """Where a link of the user's own or of root's leads to; others could lead it elsewhere."""
    if os.fstat(link).st_uid not in (ROOT, os.geteuid()):
        raise DistrustError(f"the link {here} belongs to somebody else")
    return os.readlink("", dir_fd=link)


def check(folder: int, here: str, may_be_sticky: bool = True) -> None:
    """Raises DistrustError where others could exchange what is in a folder.

    `may_be_sticky`: its owner may let others put files of their own beside those that are there.
    """
    about = os.fstat(folder)
    if not stat.S_ISDIR(about.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if about.st_uid not in (ROOT, os.geteuid()):
        raise DistrustError(f"{here} belongs to somebody else")
    if may_be_sticky and about.st_mode & stat.S_ISVTX:
        return
    mode = f"{about.st_mode & 0o777:o}"
    if about.st_mode & stat.S_IWOTH:
        raise DistrustError(f"others may write to {here}: its mode is {mode}, make it 755")
    if about.st_mode & stat.S_IWGRP and not _is_private(about.st_gid, folder):
        raise DistrustError(f"its group may write to {here}: its mode is {mode}, make it 755")


def _is_private(group: int, folder: int) -> bool:
    """True if the user alone is in a group, by the convention that it has the user's name.

    Then the mode may stand for an access control list, which could name other users.
    """
    import grp  # asked seldom; the import costs as much as the rest of the way
    import pwd

    try:
        user, members = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
        lists = os.listxattr(f"/proc/self/fd/{folder}")
    except (KeyError, OSError):
        return False
    own = user.pw_gid == group and members.gr_name == user.pw_name
    return own and {*members.gr_mem} <= {user.pw_name} and "system.posix_acl_access" not in lists
