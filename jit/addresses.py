"""Addresses of the outside world, which hold for one process.

Kernels reach the C core, NumPy's loops and the mathematical functions through words of each launch,
so that their machine code belongs to no process. Entries that are kept on disk hold how each of
these is found again. What machine code is given by name when it is loaded are functions of the C
library that LLVM makes of loops. No other name is known: the system's linker is never asked.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from .frozen import dataclass
from .native import library_addresses, sort_functions, ufunc_loop

ADDRESSES: dict[str, int] = library_addresses()
"""What machine code is given by name."""


@dataclass(frozen=True, slots=True)
class LoopAddress:
    """Of an inner loop of a ufunc: its function, or the data that it is called with."""

    ufunc: Any
    number: int
    part: int
    """0: the function, 1: the data."""

    def find(self) -> int:
        """The address in this process."""
        return ufunc_loop(self.ufunc, self.number)[self.part]


@dataclass(frozen=True, slots=True)
class SortAddress:
    """Of NumPy's function that sorts a line of items, or that sorts their places."""

    dtype: Any
    part: int
    """0: sorts, 1: sorts places."""

    def find(self) -> int:
        """The address in this process; 0 where NumPy has no such function."""
        return sort_functions(self.dtype)[self.part]


@dataclass(frozen=True, slots=True)
class LibraryAddress:
    """Of a function of the C library's mathematics."""

    name: str

    def find(self) -> int:
        """The address in this process; 0 where the library has no such function."""
        function = getattr(mathematics(), self.name, None)
        return 0 if function is None else ctypes.cast(function, ctypes.c_void_p).value or 0


Address = LoopAddress | SortAddress | LibraryAddress


@cache
def mathematics() -> ctypes.CDLL:
    """The C library's mathematics, as `math` and NumPy are linked with."""
    try:
        return ctypes.CDLL("libm.so.6")
    except OSError:
        from ctypes.util import find_library  # it starts a process, to ask the linker

        return ctypes.CDLL(find_library("m"))
