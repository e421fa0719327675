"""Calls: the callee decides what happens."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from ....jit.native import Dispatcher
from ... import numpy_calls
from ...purity import changes_its_array, is_pure
from ..breaks import CALL, EFFECT, GraphBreak
from ..invocation import Invocation, name_of
from ..live import look
from ..machine import Frame, Machine, handles
from ..nodes import opaque_call, ufunc_call
from ..pure import pure_call
from ..stores import assign
from ..values import NULL, Array, Known, Method, Symbolic
from .builtins import BUILTINS, of_numbers
from .inline import inline
from .stack import take


@handles("CALL")
def call(machine: Machine, frame: Frame, arg: Any) -> None:
    arguments = take(frame, arg.argc)
    upper, lower = frame.stack.pop(), frame.stack.pop()
    if lower is NULL:
        callee = upper
    elif upper is NULL:
        callee = lower
    else:
        callee, arguments = lower, (upper, *arguments)
    count = len(arguments) - len(arg.keywords)
    named = dict(zip(arg.keywords, arguments[count:], strict=True))
    frame.stack.append(call_value(callee, Invocation(machine, frame, arguments[:count], named)))


def call_value(callee: Symbolic, call: Invocation) -> Symbolic:
    """The result of a call, or a GraphBreak that names the callee."""
    callee = look(call.machine, callee)
    result: Symbolic | None = None
    if isinstance(callee, Method):
        result = _call_method(callee, call)
    elif isinstance(callee, Known):
        result = _call_known(callee, call)
    if result is None:
        raise GraphBreak(CALL, f"call of {name_of(callee)}")
    return result


def _call_known(callee: Known, call: Invocation) -> Symbolic | None:
    function = callee.object
    if getattr(function, "__framejit_disabled__", False):
        return None
    if isinstance(function, Dispatcher):
        function = function.__wrapped__
    if isinstance(function, np.ufunc):
        return _call_ufunc(function, call)
    if _hashable(function) and function in numpy_calls.FUNCTIONS:
        made = numpy_calls.call_row(numpy_calls.FUNCTIONS[function], call)
        if made is not None:
            return made
    if is_pure(function):
        return pure_call(function, call)
    if _hashable(function) and function in BUILTINS:
        return BUILTINS[function](call)
    if isinstance(function, FunctionType):
        return inline(callee, function, call)
    if getattr(function, "__module__", None) == "math":
        return of_numbers(function, call)
    if isinstance(function, type) and issubclass(function, np.generic) and len(call.arguments) == 1:
        return opaque_call(call.machine, call.frame, function, call.arguments, call.keywords)
    return None


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _call_ufunc(ufunc: np.ufunc, call: Invocation) -> Symbolic:
    machine, frame, arguments, keywords = call.machine, call.frame, call.arguments, call.keywords
    out = look(machine, keywords["out"]) if set(keywords) == {"out"} else None
    if len(arguments) == ufunc.nin + 1 and not keywords:
        out, arguments = look(machine, arguments[-1]), arguments[:-1]
    if isinstance(out, Array):
        result = ufunc_call(machine, frame, ufunc, arguments)
        assign(machine, frame, out, result, "same_kind", ufunc)
        return out
    if keywords:
        return opaque_call(machine, frame, ufunc, arguments, keywords)
    return ufunc_call(machine, frame, ufunc, arguments)


def _call_method(method: Method, call: Invocation) -> Symbolic | None:
    owner = method.owner
    if not isinstance(owner, Array):
        return _call_scalar_method(method, call)
    if changes_its_array(method.name):
        raise GraphBreak(EFFECT, f"the method `{method.name}` of an array")
    row = numpy_calls.METHODS.get(method.name)
    if row is not None:
        made = numpy_calls.call_row(row, call.of(owner))
        if made is not None:
            return made
    return pure_call(getattr(np.ndarray, method.name), call.of(owner))


def _call_scalar_method(method: Method, call: Invocation) -> Symbolic | None:
    owner = method.owner
    assert not isinstance(owner, Array)
    kind = owner.type.dtype.type
    if owner.type.python or not hasattr(kind, method.name):
        return None
    if changes_its_array(method.name):
        return None
    function = getattr(kind, method.name)
    return opaque_call(call.machine, call.frame, function, (owner, *call.arguments), call.keywords)
