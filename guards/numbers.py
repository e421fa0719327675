"""Types of numbers that one kernel may serve, numbered as in `number.c`."""

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
"""One number of each type by its bit: Python numbers, NumPy scalars, arrays without axes."""
INT, FLOAT = 1, 2
"""Bits of Python's int and float."""
ARRAYS = sum(1 << bit for bit in SAMPLES if bit >= _OF_ARRAYS)
"""Mask of all arrays without axes."""
_BITS = {type(one): bit for bit, one in SAMPLES.items() if bit < _OF_ARRAYS}


def is_number(kind: Any) -> bool:
    """True if a kernel may take numbers of this type."""
    return any(kind is known for known in _BITS)


def bit_of(number: Any) -> int | None:
    """Return the bit of a number's type, or None for any other object."""
    kind = type(number)
    if kind is np.ndarray:
        bit = _OF_ARRAYS + number.dtype.num
        plain = number.ndim == 0 and number.flags.aligned and number.dtype.isnative
        return bit if plain and bit in SAMPLES and not _is_single_nan(number) else None
    return None if type(kind) is not type or _is_single_nan(number) else _BITS.get(kind)


def is_line(value: Any) -> bool:
    """True for an array of doubles with one axis, which one kernel may take for a number, too."""
    if type(value) is not np.ndarray or value.ndim != 1 or value.dtype.char != "d":
        return False
    plain = value.dtype.isnative and value.dtype.metadata is None
    return plain and value.flags.aligned and value.flags.c_contiguous


def _is_single_nan(number: Any) -> bool:
    """True for a float32 NaN: casting it to double may raise a flag, so C refuses to convert it."""
    single = type(number) in (np.float32, np.ndarray) and number.dtype == np.float32
    return single and bool(np.isnan(number))
