"""What the text of a kernel may name, without Numba: who finds a text on disk compiles none.

What the names stand for is in intrinsics.py.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

STORAGE = (
    *("float64", "float32", "float16", "complex128", "complex64"),
    *("int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8"),
)
"""How an element is held in registers; bool is a byte of 0 or 1, float16 its bits: it is moved and
handed to NumPy's loops, never computed with; nor are complex numbers, whose product and quotient
LLVM rounds in another way."""

BUILTINS = (
    "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod "
    "compile complex delattr dict dir divmod enumerate eval exec filter float format frozenset "
    "getattr globals hasattr hash hex id input int isinstance issubclass iter len list locals map "
    "max memoryview min next object oct open ord pow print property range repr reversed round set "
    "setattr slice sorted staticmethod str sum super tuple type vars zip"
)
"""Python's functions and types, which a text may call. Not `dir(builtins)`: versions of Python and
notebooks have other names there, and a variable of the program's would have another one in the
text, which is then not found on disk."""

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
}
"""Functions of the run time: the word that holds the address, how many arguments it has."""

ARITHMETIC = (
    *("wrapped_add", "wrapped_sub", "wrapped_mul"),
    *("add_overflows", "sub_overflows", "mul_overflows", "umul_overflows"),
    *("libm1", "libm2", "libm2f", "square", "truncated", "floor", "ceil", "remainder"),
    *("floor_divide", "natural_rest", "natural_quotient", "times", "turns", "over", "overf"),
    *("through", "times_again", "through_again", "real_through", "bounded"),
)
"""See arithmetic.py."""

SUMS = ("pairwise_float64", "pairwise_float32")
"""See sums.py."""

REMAINDERS = tuple(f"remainders_{kind}{bits}" for kind in ("int", "uint") for bits in (32, 64))
"""By the kind of their ints, see remainders.py."""

EXITS = ("bail", "left", "new_list", "no_room", "not_copied", "copy")
"""See exits.py."""

OF_LINES = (
    *("sines", "cosines", "exponentials", "logarithms", "powers", "tangents", "quotients"),
    *REMAINDERS,
)
"""See known_loops.py, tangents.py, quotients.py and remainders.py."""

NAMES = (
    *("inf", "nan", "sqrt", "fabs"),
    *(f"{name}_at" for name in STORAGE),
    *STORAGE,
    *RUN_TIME,
    *("poll", "raised_flags", "x87_flags", "x87_status", "bits_of", "pinned", "hidden", "unlikely"),
    *("unpredictable", "parallel"),
    *("get_status", "set_status", "inner_loop", "sort", "argsort", "address_of"),
    *ARITHMETIC,
    *EXITS,
    *SUMS,
    *OF_LINES,
)
"""The globals of every kernel."""


@cache
def storage_name(dtype: np.dtype[Any]) -> str | None:
    """The name in STORAGE for a dtype, None for one that no native code touches."""
    name = "uint8" if dtype.kind == "b" else dtype.name
    return name if name in STORAGE else None
