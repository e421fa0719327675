"""Loads object code of kernels, and describes the processor it is compiled for.

Needs neither Numba nor LLVM: the C core loads object code (jit/native/object_code.c).
"""

from __future__ import annotations

from functools import cache

from ....jit.addresses import ADDRESSES
from ....jit.log import log
from ....jit.native import ObjectCode, processor

Code = ObjectCode
"""Machine code in memory: the kernel's `address` stays valid while this object lives."""


def load(code: bytes, symbol: str) -> Code | None:
    """Load object code into this process; None if it refers to symbols that are not available."""
    try:
        return ObjectCode(code, symbol, ADDRESSES)
    except ValueError as error:
        log("kernels", "not loaded: %s", error)
        return None


@cache
def machine() -> dict[str, str]:
    """Return the processor's name and features, for which code is compiled."""
    name, registers, _ = processor()
    return {"cpu": name, "features": registers}


@cache
def features() -> frozenset[str]:
    """Return the features of the processor that kernels may use, such as "+fma"."""
    return processor()[2]
