"""Opens a folder after verifying that only the user or root controls each step of its path.

Whoever may write to a folder on the path can rename the next one and substitute their own: object
code from there would then run as the user. As in `ssh` and `sudo`, the owner and mode of each
folder are checked. A world-writable folder is trusted if its sticky bit is set, like /tmp: only
owners can rename its entries. A group-writable one is trusted if the group is private to the user:
it has the user's name and no other member, as on systems that create folders with mode 775.

Each folder is opened relative to the previous, verified one, and links are read by descriptor: the
folder opened is the one that was checked, whatever others rename meanwhile.
"""

from __future__ import annotations

import errno
import os
import posixpath
import stat
from contextlib import suppress

ROOT = 0
"""The user id of root, who needs no trick to run code as the user."""
MAX_LINKS = 40
"""Maximum number of symbolic links on a path, as in Linux."""


def flags(*names: str) -> int:
    """Return these flags of `os.open` together.

    Windows lacks some of them. Nothing is opened there, as everything runs eagerly.
    """
    return sum(getattr(os, name, 0) for name in names)


_NAMED = flags("O_PATH", "O_NOFOLLOW", "O_CLOEXEC")
"""Opens any entry, even a link, without read permission."""
_READ = flags("O_RDONLY", "O_DIRECTORY", "O_CLOEXEC")


class DistrustError(Exception):
    """Somebody else could have placed the folder; the message says who and where."""


def open_folder(path: str, make: bool = False) -> int:
    """Return a descriptor of the folder at an absolute path; the caller owns it.

    With `make`, missing folders are created with mode 700. Links on the path are followed, but the
    folder itself must not be one. The caller checks the folder's own mode.

    Raises:
        DistrustError: somebody else could have placed it.
        OSError: it is missing, or cannot be opened.
    """
    at, here, links = os.open("/", _NAMED), "/", 0
    rest = _reversed_names(path)
    try:
        check(at, here)
        while rest:
            name = rest.pop()
            at = _closing(at, _opened(name, at, make))
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
            # The link's target is resolved from the root, like any other path.
            rest += _reversed_names(posixpath.join(posixpath.dirname(here), _target(at, here)))
            at, here = _closing(at, os.open("/", _NAMED)), "/"
        return os.open(".", _READ, dir_fd=at)
    finally:
        os.close(at)


def _reversed_names(path: str) -> list[str]:
    return [name for name in reversed(path.split("/")) if name not in ("", ".")]


def _closing(old: int, new: int) -> int:
    """Close the old descriptor and return the new one."""
    os.close(old)
    return new


def _opened(name: str, folder: int, make: bool) -> int:
    """Open an entry of a folder, even a link; with `make`, create a missing folder first."""
    try:
        return os.open(name, _NAMED, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=folder)
    return os.open(name, _NAMED, dir_fd=folder)


def _target(link: int, here: str) -> str:
    """Return a link's target, if the link belongs to the user or root; others could redirect it."""
    if os.fstat(link).st_uid not in (ROOT, os.geteuid()):
        raise DistrustError(f"the link {here} belongs to somebody else")
    return os.readlink("", dir_fd=link)


def check(folder: int, here: str, may_be_sticky: bool = True) -> None:
    """Raise DistrustError if others could replace entries of a folder.

    `may_be_sticky`: accept a sticky folder, in which others can only add entries of their own.
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
    """True if the user is the only member of a group, which by convention has the user's name.

    False if the folder has an access control list, which could admit other users.
    """
    import grp  # rarely needed, and expensive to import
    import pwd

    try:
        user, members = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
        lists = os.listxattr(f"/proc/self/fd/{folder}")
    except (KeyError, OSError):
        return False
    own = user.pw_gid == group and members.gr_name == user.pw_name
    return own and {*members.gr_mem} <= {user.pw_name} and "system.posix_acl_access" not in lists
