"""Addresses that machine code is given by name when it is loaded.

Kernels reach the C core, NumPy's loops and the mathematical functions through words of each launch,
so that their machine code belongs to no process. What is left are functions of the C library that
LLVM makes of loops. No other name is known: the system's linker is never asked.
"""

from __future__ import annotations

from .native import library_addresses

ADDRESSES: dict[str, int] = library_addresses()
"""By name."""
