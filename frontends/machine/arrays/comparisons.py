"""Comparisons of arrays of ints with ints that their dtype cannot hold.

NumPy compares the numbers (`np.int8([1]) < 300` is true) and does not cast the int as it does for
arithmetic, where it refuses it. They become comparisons with an end of the dtype's range.
"""

from __future__ import annotations

import numpy as np

from ..values import Array, Known, Symbolic

_ABOVE = {
    np.less: np.less_equal,
    np.less_equal: np.less_equal,
    np.not_equal: np.less_equal,
    np.greater: np.greater,
    np.greater_equal: np.greater,
    np.equal: np.greater,
}
"""What `array ? int` is where the int is above all numbers: `array <= highest` or `> highest`."""
_BELOW = {
    np.less: np.less,
    np.less_equal: np.less,
    np.equal: np.less,
    np.greater: np.greater_equal,
    np.greater_equal: np.greater_equal,
    np.not_equal: np.greater_equal,
}
_MIRRORED = {
    np.less: np.greater,
    np.less_equal: np.greater_equal,
    np.greater: np.less,
    np.greater_equal: np.less_equal,
    np.equal: np.equal,
    np.not_equal: np.not_equal,
}


def within_range(
    ufunc: np.ufunc, operands: tuple[Symbolic, ...]
) -> tuple[np.ufunc, tuple[Symbolic, ...]]:
    """The ufunc and operands of the same answer with an int that the array's dtype holds."""
    if ufunc not in _MIRRORED:
        return ufunc, operands
    match operands:
        case (Array() as array, Known(object=int() as number)):
            asked = ufunc
        case (Known(object=int() as number), Array() as array):
            asked = _MIRRORED[ufunc]
        case _:
            return ufunc, operands
    dtype = array.type.dtype
    if type(number) is not int or dtype.kind not in "iu":
        return ufunc, operands
    limits = np.iinfo(dtype)
    if number > limits.max:
        return _ABOVE[asked], (array, Known(int(limits.max)))
    if number < limits.min:
        return _BELOW[asked], (array, Known(int(limits.min)))
    return ufunc, operands
