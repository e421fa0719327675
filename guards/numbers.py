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
        return bit if number.ndim == 0 and bit in SAMPLES else None
    return _BITS.get(kind) if type(kind) is type else None
