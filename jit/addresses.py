"""Descriptions of addresses outside a kernel, from which each process finds its own.

Kernels reach the C core, NumPy's loops and mathematical functions through words of each launch, so
that machine code does not depend on the process. Entries kept on disk describe how to find each of
these addresses again. By name, machine code may only refer to those functions of the C library that
LLVM substitutes for loops (such as memset); the system's linker is never asked for others.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from .frozen import dataclass
from .native import dtype_functions, library_addresses, ufunc_loop

ADDRESSES: dict[str, int] = library_addresses()
"""Functions that machine code may refer to by name, with their addresses."""


@dataclass(frozen=True, slots=True)
class LoopAddress:
    """The address of a ufunc's inner loop: its function, or the data pointer passed to it."""

    ufunc: Any
    number: int
    part: int
    """0 for the function, 1 for the data."""

    def find(self) -> int:
        """Return the address in this process."""
        return ufunc_loop(self.ufunc, self.number)[self.part]


@dataclass(frozen=True, slots=True)
class DtypeAddress:
    """The address of a NumPy function for lines of items of a dtype."""

    dtype: Any
    part: int
    """0: sorts items, 1: sorts their places, 2 and 3: finds the largest or smallest item."""

    def find(self) -> int:
        """Return the address in this process; 0 if NumPy has no such function."""
        return dtype_functions(self.dtype)[self.part]


@dataclass(frozen=True, slots=True)
class LibraryAddress:
    """The address of a function of libm."""

    name: str

    def find(self) -> int:
        """Return the address in this process; 0 if the library has no such function."""
        function = getattr(mathematics(), self.name, None)
        return 0 if function is None else ctypes.cast(function, ctypes.c_void_p).value or 0


Address = LoopAddress | DtypeAddress | LibraryAddress


@cache
def mathematics() -> ctypes.CDLL:
    """Return libm, the same library that `math` and NumPy are linked with."""
    try:
        return ctypes.CDLL("libm.so.6")
    except OSError:
        from ctypes.util import find_library  # it starts a process, which runs the linker

        return ctypes.CDLL(find_library("m"))
