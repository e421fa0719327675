"""Sizes and numbers of files, in words."""

from __future__ import annotations

from collections.abc import Iterable

from ...jit.disk import File


def size_of(files: Iterable[File]) -> int:
    """Bytes of all of them."""
    return sum(file.size for file in files)


def counted(number: int) -> str:
    """Such as "2 kernels"."""
    return f"{number} kernel{'s' * (number != 1)}"


def functions_in_words(number: int) -> str:
    """Such as "2 functions"."""
    return f"{number} function{'s' * (number != 1)}"


def bytes_in_words(number: int) -> str:
    """In the largest unit of which it has one, rounded down."""
    for unit in ("bytes", "KiB"):
        if number < 1024:
            return f"{number} {unit}"
        number //= 1024
    return f"{number} MiB"
