"""The types of numbers that one kernel may serve, numbered as `number.c` does."""

from __future__ import annotations

from typing import Any

import numpy as np

_OF_SCALARS, _OF_ARRAYS = 8, 32
_DTYPES = tuple(np.dtype(char) for char in "?bBhHiIlLqfd")
SAMPLES: dict[int, Any] = {
    **dict(enumerate((True, 2, 2.5))),
    **{_OF_SCALARS + dtype.num: dtype.type(1) for dtype in _DTYPES},
    **{_OF_ARRAYS + dtype.num: np.ones((), dtype) for dtype in _DTYPES},
}
"""A number of each type, by its bit: Python's, NumPy's scalars, arrays without axes."""
INT, FLOAT = 1, 2
"""The bits of Python's own."""
ARRAYS = sum(1 << bit for bit in SAMPLES if bit >= _OF_ARRAYS)
"""The mask of arrays without axes."""
_BITS = {type(one): bit for bit, one in SAMPLES.items() if bit < _OF_ARRAYS}


def is_number(kind: Any) -> bool:
    """Whether a type is one of them."""
    return any(kind is known for known in _BITS)


def bit_of(number: Any) -> int | None:
    """The bit of an object; None where it is no such number."""
    kind = type(number)
    if kind is np.ndarray:
        bit = _OF_ARRAYS + number.dtype.num
        plain = number.ndim == 0 and number.flags.aligned and number.dtype.isnative
        return bit if plain and bit in SAMPLES and not _is_single_nan(number) else None
    return None if type(kind) is not type or _is_single_nan(number) else _BITS.get(kind)


def _is_single_nan(number: Any) -> bool:
    """Whether it is a NaN that a cast to a double may report: C does not take it."""
    single = type(number) in (np.float32, np.ndarray) and number.dtype == np.float32
    return single and bool(np.isnan(number))
