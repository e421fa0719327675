"""Formats counts and sizes of files for people."""

from __future__ import annotations

from collections.abc import Iterable

from ...jit.disk import File


def size_of(files: Iterable[File]) -> int:
    """Return the sum of the file sizes in bytes."""
    return sum(file.size for file in files)


def counted(number: int) -> str:
    """Return a count, such as "2 kernels"."""
    return f"{number} kernel{'s' * (number != 1)}"


def functions_in_words(number: int) -> str:
    """Return a count, such as "2 functions"."""
    return f"{number} function{'s' * (number != 1)}"


def bytes_in_words(number: int) -> str:
    """Return the size in the largest unit that gives at least 1, rounded down."""
    for unit in ("bytes", "KiB"):
        if number < 1024:
            return f"{number} {unit}"
        number //= 1024
    return f"{number} MiB"
