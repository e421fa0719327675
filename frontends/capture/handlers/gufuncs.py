"""Calls of generalised ufuncs with `signature=`, and of those that factor matrices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.linalg import _umath_linalg

from ....jit.ir.infer import CannotInfer
from ....jit.ir.ops import CAST, GUFUNC, GUFUNC_ITEMS
from ....jit.ir.types import ScalarType, captured_dtype
from ..arrays.nodes import add
from ..state.graph_values import graph_value
from ..state.invocation import Invocation
from ..state.live import realise
from ..values.breaks import EFFECT, NUMPY_REFUSED, GraphBreak
from ..values.symbolic import Array, Known, Scalar, Symbolic, Tuple

_COPY = frozenset(one for one in vars(_umath_linalg).values() if isinstance(one, np.ufunc))
"""Their loops copy each operand to their own buffers, so its strides do not matter."""
_WRITES = frozenset(one for one in _COPY if one.__name__.startswith("qr_r_raw"))
"""Their first operand is also a result."""


def call_gufunc(ufunc: np.ufunc, call: Invocation) -> Symbolic | None:
    """Capture `gufunc(...)` with one or several results; None if it has to be called.

    Raises:
        GraphBreak: it writes into an operand, or NumPy rejects the operands.
    """
    if ufunc in _WRITES:
        raise GraphBreak(EFFECT, f"`{ufunc.__name__}` writes into its operand")
    named = call.realised_keywords()
    signature = named.pop("signature", None)
    if named or len(call.arguments) != ufunc.nin:
        return None
    operands = call.realised()
    if signature is None:
        return None if ufunc.nout == 1 else _parts(ufunc, call, operands)
    if not isinstance(signature, Known) or type(signature.object) is not str:
        return None
    wanted = _dtypes(ufunc, signature.object)
    if wanted is None:
        return None
    cast = [_cast(ufunc, call, *one) for one in zip(operands, wanted, strict=False)]
    chosen = [one for one in cast if one is not None]
    if len(chosen) < len(cast) or dtypes_of(ufunc, chosen) != wanted:
        return None
    return _parts(ufunc, call, chosen)


@cache
def _dtypes(ufunc: np.ufunc, signature: str) -> tuple[np.dtype[Any], ...] | None:
    """Return the dtypes of the loop with this signature."""
    if signature not in ufunc.types:
        return None
    return tuple(np.dtype(char) for char in signature.replace("->", ""))


def _cast(
    ufunc: np.ufunc, call: Invocation, operand: Symbolic, wanted: np.dtype[Any]
) -> Symbolic | None:
    """Return the operand in the loop's dtype, copied as NumPy does."""
    if isinstance(operand, Scalar | Known):
        return operand
    if not isinstance(operand, Array) or not captured_dtype(wanted):
        return None
    if operand.type.dtype == wanted:
        return operand
    if ufunc not in _COPY or not np.can_cast(operand.type.dtype, wanted, "same_kind"):
        return None
    attrs = {"dtype": wanted}
    return add(call.machine, call.frame, CAST, (operand.value,), attrs, "astype")


def dtypes_of(
    ufunc: np.ufunc, operands: Sequence[Symbolic], *out: np.dtype[Any]
) -> tuple[np.dtype[Any], ...] | None:
    """Return the dtypes of the loop that NumPy selects for these operands and outputs."""
    given: list[Any] = []
    for one in operands:
        if isinstance(one, Array | Scalar):
            weak = isinstance(one.type, ScalarType) and one.type.python
            given.append(type(one.value.hint) if weak else one.type.dtype)
        elif isinstance(one, Known) and type(one.object) in (bool, int, float, complex):
            given.append(type(one.object))
        elif isinstance(one, Known) and isinstance(one.object, np.generic):
            given.append(one.object.dtype)
        else:
            return None
    try:
        return ufunc.resolve_dtypes((*given, *(out or [None] * ufunc.nout)))
    except TypeError:
        return None


def _parts(ufunc: np.ufunc, call: Invocation, operands: Sequence[Symbolic]) -> Symbolic:
    """Add the node and return values for its results."""
    machine, frame, name = call.machine, call.frame, ufunc.__name__
    values = tuple(graph_value(machine, realise(machine, one)) for one in operands)
    attrs = {"ufunc": ufunc}
    if ufunc.nout == 1:
        return add(machine, frame, GUFUNC, values, attrs, name)
    try:
        _, made = machine.builder.add_items(values, attrs, frame.location(), GUFUNC_ITEMS)
    except CannotInfer as error:
        raise GraphBreak(NUMPY_REFUSED, f"{name}: {error}") from None
    results: list[Symbolic] = []
    for value in made:
        if isinstance(value.type, ScalarType):
            results.append(Scalar(value))
        else:
            machine.memory.fresh(value)
            results.append(Array(value))
    return Tuple(tuple(results))
