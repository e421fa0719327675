"""Calls of ufuncs: into an output, and where a mask says."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from ....jit.filters import filtered
from ....jit.ir.infer import CannotInfer
from ....jit.ir.ops import CAST, UFUNC
from ....jit.ir.types import captured_dtype
from ..arrays.steps import called_into, is_exact
from ..arrays.stores import assign_out
from ..breaks import EFFECT, GraphBreak
from ..functions.creation import of_no_axes
from ..functions.numpy_calls import as_operand, dtype_of, where
from ..functions.outputs import call_into
from ..functions.pure import as_constant
from ..invocation import Invocation
from ..live import look
from ..machine import Machine
from ..nodes import add, opaque_call, sample_value, ufunc_call
from ..number_kinds import of_any_kind
from ..values import Array, Known, Scalar, Symbolic, Tuple
from .gufuncs import call_gufunc

SAME_KIND = Known("same_kind")
"""An argument that is not given."""
ONE = Known(1)
"""What is computed with where a mask leaves elements out."""


@cache
def _warns_of_position(ufunc: np.ufunc) -> bool:
    """Whether NumPy warns when the output is no keyword: it is asked, with numbers of some type."""
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
    """True if NumPy warns of a mask without an output, as it does since 2.4."""
    try:
        with filtered("error"):
            np.add(1, 1, where=np.array(False))
    except Warning:
        return True
    return False


def refuse_warnings(ufunc: np.ufunc, call: Invocation) -> None:
    """Raises a GraphBreak where NumPy warns: at its own line no call in a kernel could.

    It does for some outputs by their position, be it None, and for a mask without an output.
    """
    if len(call.arguments) > ufunc.nin:
        if _warns_of_position(ufunc):
            raise GraphBreak(EFFECT, f"out= of `{ufunc.__name__}` by its position")
    elif "where" in call.keywords and "out" not in call.keywords and _warns_of_masks():
        mask = look(call.machine, call.keywords["where"])
        if not (isinstance(mask, Known) and (mask.object is True or mask.object is np._NoValue)):
            raise GraphBreak(EFFECT, f"where= of `{ufunc.__name__}` without out=")


def call_ufunc(ufunc: np.ufunc, call: Invocation) -> Symbolic:
    """`ufunc(...)`.

    Raises:
        GraphBreak: keywords that are not followed, or NumPy refuses the operands.
    """
    machine, frame, arguments, keywords = call.machine, call.frame, call.arguments, call.keywords
    if len(arguments) == ufunc.nin + 1 and "out" not in keywords:
        out = look(machine, arguments[-1])
        if isinstance(out, Known) and out.object is ...:
            raise GraphBreak(EFFECT, f"out= of `{ufunc.__name__}` by its position")
        keywords = {**keywords, "out": arguments[-1]}
        arguments = arguments[:-1]
    arguments = of_any_kind(machine, ufunc, arguments)
    arguments = tuple(as_operand(machine, frame, look(machine, one)) for one in arguments)
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
    """The result where all operands are constants and nothing is reported of them."""
    try:
        return as_constant(ufunc, call)
    except GraphBreak:
        return None


def _in_dtype(ufunc: np.ufunc, call: Invocation) -> Symbolic | None:
    """With `dtype=`, where that says what NumPy would do by itself with operands of this dtype.

    The operands are cast before the loop instead of in blocks: the ufunc is one that is exact.
    """
    machine, frame = call.machine, call.frame
    wanted = dtype_of(machine, call.keywords["dtype"])
    if wanted is None or not captured_dtype(wanted):
        return None
    operands: list[Symbolic] = []
    for one in call.looked():
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
    """A ufunc that writes into `out`; `...` asks for an array, be it one of no axes."""
    machine, frame = call.machine, call.frame
    named = call.looked_keywords()
    out, casting = named.pop("out"), named.pop("casting", SAME_KIND)
    mask = named.pop("where", None)
    if isinstance(mask, Known) and (mask.object is True or mask.object is np._NoValue):
        mask = None
    if isinstance(out, Tuple) and len(out.items) == 1:
        out = look(machine, out.items[0])
        if not isinstance(out, Array):  # None in a tuple is no output, and `...` an error
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
    """The output with what the ufunc gives where the mask is true; None where it has to be called.

    Elsewhere it computes with ones, so that nothing is reported there. Arrays are contiguous, as
    others may be walked in another way when a mask is given.
    """
    machine, frame = call.machine, call.frame
    operands = tuple(call.looked())
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
    """The dtype of the result; None where NumPy refuses, or gives more than one."""
    values = tuple(sample_value(machine, one) for one in operands)
    if ufunc.nout != 1 or len(values) != ufunc.nin:
        return None
    try:
        return machine.builder.infer(UFUNC, values, {"ufunc": ufunc}).dtype
    except CannotInfer:
        return None


def _is_silent(ufunc: np.ufunc, operands: tuple[Symbolic, ...]) -> bool:
    """Whether it reports nothing of ones and the constants among the operands."""
    samples: list[Any] = []
    for one in operands:
        if isinstance(one, Array):
            samples.append(np.ones(1, one.type.dtype))
        elif isinstance(one, Known):
            samples.append(one.object)
        else:
            return False  # a number that is known at run time only may be anything
    try:
        with np.errstate(all="raise"):
            ufunc(*samples)
    except (ArithmeticError, TypeError, ValueError):
        return False
    return any(isinstance(one, np.ndarray) for one in samples)
