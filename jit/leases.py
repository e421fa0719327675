"""Who may make something that processes of one user share, so that it is made once.

A lease is a lock on one byte of one file, at a place that the key tells: locks end with the process
that holds them, however it ends, and no file is left behind. Two keys that share a byte wait for
each other, no more.
"""

from __future__ import annotations

import fcntl

from .disk import Folder

FILE = "leases"
DIGITS = 12
"""Hex digits of a key that are the place of its byte."""


class Leases:
    """Leases of this process, by keys that begin with hex digits.

    There may be one object for each folder: closing another descriptor of the file would end them.
    """

    def __init__(self, folder: Folder) -> None:
        self._file = folder.open_file(FILE)

    def take(self, key: str) -> bool:
        """False if another process has it. True, too, where the folder has no locks."""
        if self._file is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(key))
        except (BlockingIOError, PermissionError):
            return False
        except OSError:
            return True
        return True

    def give_back(self, key: str) -> None:
        """It is over."""
        if self._file is not None:
            try:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _place(key))
            except OSError:
                return


def _place(key: str) -> int:
    return int(key[:DIGITS], 16)
