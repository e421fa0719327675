"""Object code of kernels: how it becomes code that can be called, and for which processor it is.

Nothing here needs Numba or LLVM: the C core loads object code (jit/native/object_code.c).
"""

from __future__ import annotations

from functools import cache

from ....jit.addresses import ADDRESSES
from ....jit.log import log
from ....jit.native import ObjectCode, processor

Code = ObjectCode
"""Machine code in memory: `address` of the kernel, which stays there as long as this object."""


def load(code: bytes, symbol: str) -> Code | None:
    """Object code as code of this process; None where it needs more than each process has."""
    try:
        return ObjectCode(code, symbol, ADDRESSES)
    except ValueError as error:
        log("kernels", "not loaded: %s", error)
        return None


@cache
def machine() -> dict[str, str]:
    """What code is made for: the processor and its features."""
    name, registers, _ = processor()
    return {"cpu": name, "features": registers}


@cache
def features() -> frozenset[str]:
    """Those instructions that kernels are asked for and may have, such as "+fma", as LLVM does."""
    return processor()[2]
