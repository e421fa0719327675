"""The heap of the C library keeps what the program frees.

glibc takes blocks of more than some threshold from the system one by one, and gives memory back
that is free at the end of its heap, so that each temporary array is made of pages that the kernel
has to clear: 0.1 to 0.25 ns a byte, which is up to half of the time of NumPy programs. It raises
both thresholds by itself when a larger block is freed, up to 32 MiB and 64 MiB. One block of that
size is freed here, of which no page is touched: then glibc does what it does for all programs that
have freed such an array. Thresholds that the user has set (GLIBC_TUNABLES, MALLOC_MMAP_THRESHOLD_)
stay as they are.
"""

from __future__ import annotations

LARGEST = 32 << 20
"""Bytes of the largest block that raises the threshold, with its header."""
HEADER = 1 << 16
"""More than the headers of Python and glibc take, page rounding included."""

_kept: list[bool] = []


def keep_freed() -> None:
    """Let up to 64 MiB of freed memory stay in the heap, for arrays up to 32 MiB."""
    bytes(LARGEST - HEADER)  # zeros come from calloc(), as pages that nobody has touched
    _kept.append(True)


def keeps_freed() -> bool:
    """True if `keep_freed` was called in this process."""
    return bool(_kept)
