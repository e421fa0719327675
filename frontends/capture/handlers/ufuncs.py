"""Calls of ufuncs, with outputs and masks."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from ....jit.filters import filtered
from ....jit.ir.infer import CannotInfer
from ....jit.ir.ops import CAST, UFUNC
from ....jit.ir.types import captured_dtype
from ...numpy.creation import of_no_axes
from ...numpy.numpy_calls import as_operand, dtype_of, where
from ...numpy.outputs import call_into
from ...numpy.pure import as_constant
from ..arrays.nodes import add, opaque_call, ufunc_call
from ..arrays.steps import called_into, is_exact
from ..arrays.stores import assign_out
from ..state.graph_values import sample_value
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine
from ..state.number_kinds import of_any_kind
from ..values.breaks import EFFECT, GraphBreak
from ..values.symbolic import Array, Known, Scalar, Symbolic, Tuple
from .gufuncs import call_gufunc

SAME_KIND = Known("same_kind")
"""Default value of an argument."""
ONE = Known(1)
"""Operand used where a mask excludes elements."""


@cache
def _warns_of_position(ufunc: np.ufunc) -> bool:
    """True if NumPy warns about a positional output, as tried with numbers of some dtype."""
    for types in ufunc.types:
        operands = [np.ones((), char) for char in types[: ufunc.nin] if char not in "OmM"]
        if len(operands) == ufunc.nin and ufunc.signature is None:
            try:
                with filtered("error"), np.errstate(all="ignore"):
                    ufunc(*operands, None)
            except Warning:
                return True
            return False
    return False


@cache
def _warns_of_masks() -> bool:
    """True if NumPy warns about a mask without an output, as it does since 2.4."""
    try:
        with filtered("error"):
            np.add(1, 1, where=np.array(False))
    except Warning:
        return True
    return False


def refuse_warnings(ufunc: np.ufunc, call: Invocation) -> None:
    """Break if NumPy would warn, since a kernel's call could not do so at the user's line.

    It warns about some positional outputs, even None, and about a mask without an output.
    """
    if len(call.arguments) > ufunc.nin:
        if _warns_of_position(ufunc):
            raise GraphBreak(EFFECT, f"out= of `{ufunc.__name__}` by its position")
    elif "where" in call.keywords and "out" not in call.keywords and _warns_of_masks():
        mask = realise(call.machine, call.keywords["where"])
        if not (isinstance(mask, Known) and (mask.object is True or mask.object is np._NoValue)):
            raise GraphBreak(EFFECT, f"where= of `{ufunc.__name__}` without out=")


def call_ufunc(ufunc: np.ufunc, call: Invocation) -> Symbolic:
    """Call a ufunc.

    Raises:
        GraphBreak: a keyword is not supported, or NumPy rejects the operands.
    """
    machine, frame, arguments, keywords = call.machine, call.frame, call.arguments, call.keywords
    if len(arguments) == ufunc.nin + 1 and "out" not in keywords:
        out = realise(machine, arguments[-1])
        if isinstance(out, Known) and out.object is ...:
            raise GraphBreak(EFFECT, f"out= of `{ufunc.__name__}` by its position")
        keywords = {**keywords, "out": arguments[-1]}
        arguments = arguments[:-1]
    arguments = of_any_kind(machine, ufunc, arguments)
    arguments = tuple(as_operand(machine, frame, realise(machine, one)) for one in arguments)
    if "out" in keywords:
        return _into(ufunc, replace(call, arguments=arguments, keywords=keywords))
    if keywords:
        made = None
        if ufunc.signature is not None:
            made = call_gufunc(ufunc, replace(call, arguments=arguments))
        elif [*keywords] == ["dtype"]:
            made = _in_dtype(ufunc, call)
        return made or opaque_call(machine, frame, ufunc, arguments, keywords)
    call = replace(call, arguments=arguments)
    made = _of_constants(ufunc, call)
    if made is None and (ufunc.signature is not None or ufunc.nout > 1):
        made = call_gufunc(ufunc, call)
    return made or ufunc_call(machine, frame, ufunc, arguments)


def _of_constants(ufunc: np.ufunc, call: Invocation) -> Symbolic | None:
    """Return the result if all operands are constants and no flag is raised."""
    try:
        return as_constant(ufunc, call)
    except GraphBreak:
        return None


def _in_dtype(ufunc: np.ufunc, call: Invocation) -> Symbolic | None:
    """Capture `dtype=` if it gives what NumPy would do with operands of that dtype.

    Operands are cast beforehand instead of in blocks, which is the same for exact ufuncs.
    """
    machine, frame = call.machine, call.frame
    wanted = dtype_of(machine, call.keywords["dtype"])
    if wanted is None or not captured_dtype(wanted):
        return None
    operands: list[Symbolic] = []
    for one in call.realised():
        if isinstance(one, Array) and one.type.dtype != wanted:
            if not np.can_cast(one.type.dtype, wanted) or not is_exact(ufunc, wanted):
                return None
            one = add(machine, frame, CAST, (one.value,), {"dtype": wanted}, "astype")
        operands.append(one)
    if not any(isinstance(one, Array) for one in operands):
        return None
    if _dtype_of(machine, ufunc, tuple(operands)) != wanted:
        return None
    return ufunc_call(machine, frame, ufunc, tuple(operands))


def _into(ufunc: np.ufunc, call: Invocation) -> Symbolic:
    """Capture a ufunc that writes into `out`; `...` asks for an array even if 0-d."""
    machine, frame = call.machine, call.frame
    named = call.realised_keywords()
    out, casting = named.pop("out"), named.pop("casting", SAME_KIND)
    mask = named.pop("where", None)
    if isinstance(mask, Known) and (mask.object is True or mask.object is np._NoValue):
        mask = None
    if isinstance(out, Tuple) and len(out.items) == 1:
        out = realise(machine, out.items[0])
        if not isinstance(out, Array):  # in a tuple, None means no output and `...` is an error
            raise GraphBreak(EFFECT, f"out= of `{ufunc.__name__}`, which is no plain array")
    if named or not isinstance(casting, Known) or type(casting.object) is not str:
        return call_into(machine, frame, ufunc, call.arguments, call.keywords)
    if isinstance(out, Known) and out.object is ... and mask is None:
        result = ufunc_call(machine, frame, ufunc, call.arguments)
        made = of_no_axes(machine, frame, result) if isinstance(result, Scalar) else result
        if isinstance(made, Array):
            return made
    if not isinstance(out, Array):
        raise GraphBreak(EFFECT, f"out= of `{ufunc.__name__}`, which is no plain array")
    given = {} if casting is SAME_KIND else {"casting": casting}
    if mask is None and called_into(machine, frame, ufunc, call.arguments, out, given):
        return out
    if mask is None:
        result = ufunc_call(machine, frame, ufunc, call.arguments)
    else:
        merged = _where(ufunc, call, out, mask)
        if merged is None:
            return call_into(machine, frame, ufunc, call.arguments, call.keywords)
        result = merged
    assign_out(machine, frame, out, result, ufunc, casting.object)
    return out


def _where(ufunc: np.ufunc, call: Invocation, out: Array, mask: Symbolic) -> Symbolic | None:
    """Return the output with the ufunc's results where the mask is true; None to call the ufunc.

    Elsewhere operands are ones, so that no flag is raised. Arrays must be contiguous, because
    others may be traversed differently with a mask.
    """
    machine, frame = call.machine, call.frame
    operands = tuple(call.realised())
    if not isinstance(mask, Array) or mask.type.dtype != np.bool:
        return None
    arrays = [one for one in (*operands, out, mask) if isinstance(one, Array)]
    flat = all(one.type.layout.is_c and one.type.ndim for one in arrays)
    if ufunc.signature is not None or not flat or not _is_silent(ufunc, operands):
        return None
    if _dtype_of(machine, ufunc, operands) != out.type.dtype:
        return None
    chosen = tuple(
        where(machine, frame, mask, one, ONE) if isinstance(one, Array) else one for one in operands
    )
    if any(one is None for one in chosen):
        return None
    result = ufunc_call(machine, frame, ufunc, tuple(one for one in chosen if one is not None))
    return where(machine, frame, mask, result, out)


def _dtype_of(
    machine: Machine, ufunc: np.ufunc, operands: tuple[Symbolic, ...]
) -> np.dtype[Any] | None:
    """Return the dtype of the result; None if NumPy refuses, or there are several."""
    values = tuple(sample_value(machine, one) for one in operands)
    if ufunc.nout != 1 or len(values) != ufunc.nin:
        return None
    try:
        return machine.builder.infer(UFUNC, values, {"ufunc": ufunc}).dtype
    except CannotInfer:
        return None


def _is_silent(ufunc: np.ufunc, operands: tuple[Symbolic, ...]) -> bool:
    """True if no flag is raised for ones and the constant operands."""
    samples: list[Any] = []
    for one in operands:
        if isinstance(one, Array):
            samples.append(np.ones(1, one.type.dtype))
        elif isinstance(one, Known):
            samples.append(one.object)
        else:
            return False  # a number known only at run time may be anything
    try:
        with np.errstate(all="raise"):
            ufunc(*samples)
    except (ArithmeticError, TypeError, ValueError):
        return False
    return any(isinstance(one, np.ndarray) for one in samples)
