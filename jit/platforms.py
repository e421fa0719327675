"""Platforms on which framejit compiles, and the facts about processors that differ between them.

Imports nothing heavy, as every process asks, and nothing of framejit, as setup.py runs this file.
What C needs of these facts at compile time is in jit/native/processor.h.
"""

from __future__ import annotations

import os
import sys
from typing import Final


class Processor:
    """One kind of processor: what kernels and captures need to know of it.

    A subclass is a row: the standard library's classes of records take half a millisecond of each
    start to make.
    """

    machine: str
    """Its name in `os.uname()`."""
    vectors: tuple[tuple[str, int], ...]
    """Pairs of a feature and the size in bytes of the vector registers that come with it, widest
    first; the last feature is "", for what each of these processors has."""
    fused: str
    """The feature of multiplications and additions that are rounded once."""
    invalid: int
    """Bit of the floating point status that an operation raises by a NaN; four of them follow in
    NumPy's terms."""
    divide: int
    over: int
    under: int
    to_nearest: int
    """Bits of the floating point control that are zero for rounding to nearest."""
    store_status: str
    """Instruction that stores the status at the address `$0`."""
    load_status: str
    store_control: str
    read_further_status: str
    """Instruction that reads the flags of a second floating point unit."""
    take_further_status: str
    """Instructions that read them, and clear them if any is set: clearing takes twice as long."""
    further_status: str
    """LLVM's register of the result, and all else that these instructions change."""

    def vector_bytes(self, features: frozenset[str]) -> int:
        """Return the size of the widest vector registers, with these features."""
        return next(size for feature, size in self.vectors if not feature or feature in features)

    def __repr__(self) -> str:
        """Show all facts: names of machine code on disk depend on them."""
        facts = {name: getattr(self, name) for name in Processor.__annotations__}
        return f"{type(self).__name__}({facts})"


class X86(Processor):
    """Processors of Intel's and AMD's."""

    machine = "x86_64"
    vectors = (("+avx512f", 64), ("+avx", 32), ("", 16))
    fused = "+fma"
    invalid = 0x01
    divide = 0x04
    over = 0x08
    under = 0x10
    to_nearest = 3 << 13
    store_status = "stmxcsr ($0)"
    load_status = "ldmxcsr ($0)"
    store_control = "stmxcsr ($0)"
    read_further_status = "fnstsw %ax"
    take_further_status = "fnstsw %ax\n\ttestb $$63, %al\n\tjz 1f\n\tfnclex\n1:"
    further_status = "={ax},~{memory},~{flags}"


PROCESSOR: Final = X86()
"""The processor that everything is compiled for. Another one is another row, chosen here by
`os.uname().machine`, and another column in processor.h."""
SYSTEM: Final = "linux"
_SYSTEMS: Final = {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}
"""Names of systems by `sys.platform`."""


def why_not_here() -> str | None:
    """Return the reason why framejit cannot compile on this platform and build of Python."""
    if sys.implementation.name != "cpython":
        return f"{sys.implementation.name} is not CPython"
    if sys.platform != SYSTEM or os.uname().machine != PROCESSOR.machine or sys.maxsize < 2**32:
        return (
            "framejit's C core knows the frames, system calls and machine code of Linux on x86-64 "
            f"only, and this is {_name()}"
        )
    if "t" in getattr(sys, "abiflags", ""):
        return "this is a free-threaded build of CPython, and framejit's C core relies on the GIL"
    return None


def _name() -> str:
    import platform  # expensive

    bits = "" if sys.maxsize > 2**32 else ", in 32 bits"
    return f"{_SYSTEMS.get(sys.platform, sys.platform)} on {platform.machine()}{bits}"
