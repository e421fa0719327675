"""Functions of NumPy on dtypes, which give constants."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..capture.state.frame import Frame
from ..capture.state.live import realise
from ..capture.state.machine import Machine
from ..capture.values.folding import folded, is_constant
from ..capture.values.symbolic import Array, Known, Scalar, Symbolic
from .numpy_calls import dtype_of, function_row

SAFE = Known("safe")
"""Default of an argument."""


@function_row(np.dtype)
def dtype(machine: Machine, frame: Frame, dtype: Symbolic) -> Symbolic | None:
    known = realise(machine, dtype)
    constant = isinstance(known, Known) and is_constant(known.object)
    wanted = dtype_of(machine, known) if constant else None
    return None if wanted is None else Known(wanted)


@function_row(np.result_type)
def result_type(machine: Machine, frame: Frame, *arguments: Symbolic) -> Symbolic | None:
    given = [_stand_in(realise(machine, value)) for value in arguments]
    if any(one is None for one in given):
        return None
    return Known(folded(np.result_type, *given))


@function_row(np.common_type)
def common_type(machine: Machine, frame: Frame, *arguments: Symbolic) -> Symbolic | None:
    arrays = [realise(machine, value) for value in arguments]
    if not all(isinstance(array, Array) for array in arrays):
        return None
    return Known(folded(np.common_type, *map(_stand_in, arrays)))


@function_row(np.can_cast)
def can_cast(
    machine: Machine, frame: Frame, from_: Symbolic, to: Symbolic, casting: Symbolic = SAFE
) -> Symbolic | None:
    dtype = _stand_in(realise(machine, from_))
    wanted, rule = realise(machine, to), realise(machine, casting)
    if dtype is None or not isinstance(wanted, Known) or not isinstance(rule, Known):
        return None
    return Known(folded(np.can_cast, dtype, wanted.object, rule.object))


def _stand_in(value: Symbolic) -> Any:
    """Return an example of the dtype.

    None if the value may matter, or the argument is no constant.
    """
    if isinstance(value, Array):
        return np.empty((1,) * value.type.ndim, value.type.dtype)
    if isinstance(value, Scalar) and not value.type.python:
        return value.type.dtype
    return value.object if isinstance(value, Known) else None
