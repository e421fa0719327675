"""Fourier transforms: a node for the loop that NumPy's functions call."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.fft import _pocketfft as home

from ....jit.flags import NO_MODES
from ....jit.ir.graph import Location
from ....jit.ir.infer import CannotInfer
from ....jit.ir.ops import CAST
from ...numpy.decompositions.transforms import transformed
from ..arrays.nodes import add
from ..state.graph_values import graph_value
from ..state.invocation import Invocation
from ..state.live import concrete
from ..values.breaks import NUMPY_REFUSED, GraphBreak
from ..values.symbolic import Array, Known, Symbolic
from .builtins import builtin
from .gufuncs import dtypes_of

_HOME: Any = home


@builtin(transformed, takes=(6, 6))
def transform(call: Invocation) -> Symbolic | None:
    """Add the node, and a cast before it if the loop has another dtype.

    NumPy casts in its own buffer; the loop copies line by line, whatever the strides.
    """
    machine, frame = call.machine, call.frame
    ufunc, array, factor, _, points, dtype = call.realised()
    along = concrete(machine, call.arguments[3])
    if not isinstance(array, Array) or along is None:
        return None
    if not isinstance(ufunc, Known) or not isinstance(dtype, Known):
        return None
    halves, result = ufunc.object is _HOME.pfu.rfft_n_even, np.dtype(dtype.object)
    found = dtypes_of(ufunc.object, (array, factor), result)
    if found is None or (halves and frame.modes.warned):
        return None  # which of two ufuncs warns depends on the number of points
    operand: Symbolic = array
    if array.type.dtype != found[0]:
        operand = add(machine, frame, CAST, (array.value,), {"dtype": found[0]}, "astype")
    values = tuple(graph_value(machine, one) for one in (operand, factor, points, array))
    odd = _HOME.pfu.rfft_n_odd if halves else None
    axis = along.object % array.type.ndim
    attrs = {"ufunc": ufunc.object, "odd": odd, "axis": axis, "dtype": found[-1]}
    where = _where(call)
    located = not halves or frame.modes != NO_MODES
    try:
        made = machine.builder.transform(values, attrs, where if located else None)
        if result != found[-1]:  # for an int factor NumPy computes in double precision
            made = machine.builder.add(CAST, (made,), {"dtype": result}, where)
    except CannotInfer as error:
        raise GraphBreak(NUMPY_REFUSED, f"{ufunc.object.__name__}: {error}") from None
    machine.memory.fresh(made)
    return Array(made)


def _where(call: Invocation) -> Location:
    """Return the line in NumPy that calls the ufunc: the last one in the function that does."""
    code, namespace = _HOME._raw_fft.__code__, _HOME._raw_fft.__globals__
    line = max(line for _, _, line in code.co_lines() if line is not None)
    module = namespace["__name__"]
    modes = call.frame.modes
    return Location(code.co_filename, line, code.co_qualname, module, namespace, modes)
