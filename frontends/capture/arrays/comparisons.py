"""Comparisons of int arrays with ints outside of their dtype's range.

NumPy compares the numbers (`np.int8([1]) < 300` is true) and does not cast the int as in
arithmetic, where it would raise. Such a comparison becomes one with a bound of the dtype.
"""

from __future__ import annotations

import numpy as np

from ....jit.ir.primitives import primitive
from ..values.symbolic import Array, Known, Symbolic


def within_range(
    ufunc: np.ufunc, operands: tuple[Symbolic, ...]
) -> tuple[np.ufunc, tuple[Symbolic, ...]]:
    """Return an equivalent comparison with an int that the array's dtype can hold."""
    asked = primitive(ufunc).compares
    if asked is None:
        return ufunc, operands
    match operands:
        case (Array() as array, Known(object=int() as number)):
            pass
        case (Known(object=int() as number), Array() as array):
            asked = primitive(asked.mirrored).compares
        case _:
            return ufunc, operands
    dtype = array.type.dtype
    if type(number) is not int or dtype.kind not in "iu":
        return ufunc, operands
    limits = np.iinfo(dtype)
    assert asked is not None
    assert asked.above is not None
    assert asked.below is not None
    if number > limits.max:
        return asked.above, (array, Known(int(limits.max)))
    if number < limits.min:
        return asked.below, (array, Known(int(limits.min)))
    return ufunc, operands
