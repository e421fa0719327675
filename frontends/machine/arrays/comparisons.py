"""Comparisons of int arrays with ints outside of their dtype's range.

NumPy compares the numbers (`np.int8([1]) < 300` is true) and does not cast the int as in
arithmetic, where it would raise. Such a comparison becomes one with a bound of the dtype.
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
"""Comparison with the dtype's largest number that replaces one with a larger int."""
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
    """Return an equivalent comparison with an int that the array's dtype can hold."""
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
