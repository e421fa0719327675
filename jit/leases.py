"""Leases that let one of several processes make a shared file.

A lease is a lock on one byte of a common file, at an offset given by the key. The system releases
it when the process ends, however that happens, and no lock files stay behind. Two keys that share a
byte merely exclude each other.
"""

from __future__ import annotations

import fcntl

from .disk import Folder

FILE = "leases"
DIGITS = 12
"""Number of leading hex digits of a key that give the offset of its byte."""


class Leases:
    """The leases that this process holds, by keys that begin with hex digits.

    Use one object per folder: closing another descriptor of the file would release the locks.
    """

    def __init__(self, folder: Folder) -> None:
        self._file = folder.open_file(FILE)

    def take(self, key: str) -> bool:
        """Take a lease; False if another process holds it.

        True as well if the folder has no locks.
        """
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
        """Release the lease."""
        if self._file is not None:
            try:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _place(key))
            except OSError:
                return


def _place(key: str) -> int:
    return int(key[:DIGITS], 16)
