"""Names that the text of a kernel may use. Needs no Numba, so that cached kernels load without it.

Their definitions are in intrinsics.py.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

STORAGE = (
    *("float64", "float32", "float16", "complex128", "complex64"),
    *("int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8"),
)
"""Types in which elements are held in registers. bool is a byte of 0 or 1. float16 is represented
by its bits, which are moved and passed to NumPy's loops but not computed with. Complex numbers are
not computed with either, as LLVM rounds their products and quotients differently."""

BUILTINS = (
    "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod "
    "compile complex delattr dict dir divmod enumerate eval exec filter float format frozenset "
    "getattr globals hasattr hash hex id input int isinstance issubclass iter len list locals map "
    "max memoryview min next object oct open ord pow print property range repr reversed round set "
    "setattr slice sorted staticmethod str sum super tuple type vars zip"
)
"""Python functions and types that a text may call. `dir(builtins)` would differ between Python
versions and in notebooks; renamed variables would then change the text, which would not be found on
disk."""

RUN_TIME = {
    "alloc": ("ALLOC", 1),
    "call": ("CALL", 1),
    "reported": ("FLAGS", 1),
    "due": ("DUE", 1),
    "undo": ("UNDO", 1),
    "commit": ("COMMIT", 1),
    "keep": ("KEEP", 2),
    "swap": ("SWAP", 2),
    "log_flags": ("LOG", 2),
    "loud": ("LOUD", 1),
    "room": ("ROOM", 1),
}
"""Run time functions: the word that holds the address, and the number of arguments."""
ANY_THREAD = frozenset({"room"})
"""Those that any thread may call, without the GIL."""

ARITHMETIC = (
    *("wrapped_add", "wrapped_sub", "wrapped_mul"),
    *("add_overflows", "sub_overflows", "mul_overflows", "umul_overflows"),
    *("libm1", "libm2", "libm2f", "square", "truncated", "floor", "ceil", "remainder"),
    *("floor_divide", "natural_rest", "natural_quotient", "times", "trip_count", "over", "overf"),
    *("through", "times_again", "through_again", "real_through", "bounded"),
)
"""Functions of arithmetic.py."""

SUMS = ("pairwise_float64", "pairwise_float32")
"""Functions of sums.py."""

ROW_PRODUCTS = ("row_products_float64", "row_products_float32")
"""Functions of row_products.py."""

REMAINDERS = tuple(f"remainders_{kind}{bits}" for kind in ("int", "uint") for bits in (32, 64))
"""Functions of remainders.py, by the type of their ints."""

EXITS = ("bail", "left", "new_list", "no_room", "not_copied", "copy")
"""Functions of exits.py."""
LEAST_ROOM = 16
"""Smallest capacity of a list."""

OF_LINES = (
    *("sines", "cosines", "exponentials", "logarithms", "powers", "tangents", "quotients"),
    *REMAINDERS,
)
"""Functions of libm_proofs.py, tangents.py, quotients.py and remainders.py."""

NAMES = (
    *("inf", "nan", "sqrt", "fabs"),
    *(f"{name}_at" for name in STORAGE),
    *STORAGE,
    *RUN_TIME,
    *("poll", "raised_flags", "x87_flags", "x87_status", "bits_of", "pinned", "hidden", "unlikely"),
    *("unpredictable", "parallel", "chunk"),
    *("get_status", "set_status", "inner_loop", "sort", "argsort", "extreme", "address_of"),
    *ARITHMETIC,
    *EXITS,
    *SUMS,
    *ROW_PRODUCTS,
    *OF_LINES,
)
"""The globals of every kernel."""


@cache
def storage_name(dtype: np.dtype[Any]) -> str | None:
    """Return the name in STORAGE for a dtype, or None if native code does not handle it."""
    name = "uint8" if dtype.kind == "b" else dtype.name
    return name if name in STORAGE else None
