"""Calls of pure functions of NumPy and SciPy: one op where the call is just that, else opaque."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...guards.grip import made_at_run_time
from .breaks import EFFECT, GraphBreak
from .folding import folded
from .invocation import Invocation
from .live import answers_itself, look
from .nodes import opaque_call, probed_call
from .values import Array, Callee, Known, Scalar, Symbolic

_NUMBERS = (bool, int, float, complex)
_PLAIN = (*_NUMBERS, str, bytes, type(None), np.generic, np.dtype, type)
"""Objects that never change: a function of these alone that gives one of these is a constant."""


def pure_call(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """The result of `function` on these arguments; None when it would call one of them."""
    if "out" in call.keywords:
        raise GraphBreak(EFFECT, f"out= of {getattr(function, '__name__', function)}")
    machine = call.machine
    values = call.looked()
    named = {name: look(machine, value) for name, value in call.keywords.items()}
    if any(map(calls_back, (*values, *named.values()))):
        return None
    known = {name: value.object for name, value in named.items() if isinstance(value, Known)}
    if len(known) == len(named):
        made: Symbolic | None = None
        if all(isinstance(value, Known) and _is_plain(value.object) for value in values):
            made = _folded(function, values, known)
        elif all(isinstance(value, Array | Scalar | Known) for value in values):
            numbers = tuple(value for value in values if not _is_bound(value))
            called = _bind(function, values, known)
            made = probed_call(machine, call.frame, called, numbers, located=False)
        if made is not None:
            return made
    return opaque_call(machine, call.frame, function, call.arguments, call.keywords)


def calls_back(value: Symbolic) -> bool:
    """Whether a function may come to the user's code through an argument."""
    return isinstance(value, Callee) or (isinstance(value, Known) and _runs_code(value.object))


def _runs_code(object_: Any) -> bool:
    """Whether NumPy may come to a user's function through an argument.

    A class may have an `__array_finalize__`, an object an `__index__`: to ask what the call gives
    would run them.
    """
    kind = type(object_)
    if kind is tuple or kind is list:
        return any(map(_runs_code, object_))
    if isinstance(object_, np.dtype):
        # StringDType asks its missing value what it equals; a dtype of others is their code.
        return object_.hasobject or kind.__module__ != "numpy.dtypes"
    is_class = issubclass(kind, type)
    if callable(object_) and not is_class and kind is not np.ufunc:
        return True
    if is_class:
        kind = object_
    return made_at_run_time(kind) and (
        answers_itself(kind) or kind.__module__.partition(".")[0] != "numpy"
    )


def _is_plain(object_: Any) -> bool:
    if type(object_) is tuple:
        return all(map(_is_plain, object_))
    return isinstance(object_, _PLAIN)


def _folded(
    function: Callable[..., Any], values: list[Symbolic], keywords: dict[str, Any]
) -> Known | None:
    """The result where it is a constant; None for a fresh object such as an array."""
    args = [value.object for value in values if isinstance(value, Known)]
    if not all(map(_is_plain, keywords.values())):
        return None
    result = folded(function, *args, **keywords)
    return Known(result) if _is_plain(result) else None


def _is_bound(value: Symbolic) -> bool:
    """Constants that are no numbers go into the probed function, not through it."""
    return isinstance(value, Known) and type(value.object) not in _NUMBERS


def _bind(
    function: Callable[..., Any], values: list[Symbolic], keywords: dict[str, Any]
) -> Callable[..., Any]:
    def bound(*numbers: Any) -> Any:
        given = iter(numbers)
        args = [v.object if _is_bound(v) and isinstance(v, Known) else next(given) for v in values]
        return function(*args, **keywords)

    bound.__name__ = getattr(function, "__name__", bound.__name__)
    return bound
