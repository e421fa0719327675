"""Calls of pure functions of NumPy and SciPy: as a single op if possible, else opaque."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...guards.grip import made_at_run_time
from ..capture.arrays.nodes import opaque_call, probed_call
from ..capture.state.invocation import Invocation
from ..capture.state.live import answers_itself, realise
from ..capture.values.folding import folded
from ..capture.values.symbolic import Array, Known, Scalar, Symbolic, Tuple
from ..capture.values.value_kind import Callee
from .outputs import call_into

_NUMBERS = (bool, int, float, complex)
_PLAIN = (*_NUMBERS, str, bytes, type(None), np.generic, np.dtype, type)
"""Immutable types: a function of these that returns one of these is folded."""


def as_constant(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """Return the result of a call with constants as a constant, or None."""
    values, known = call.realised(), _constants(call)
    if known is None:
        return None
    if all(isinstance(value, Known) and _is_plain(value.object) for value in values):
        return _folded(function, values, known)
    return None


def as_one_op(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """Return the call as one ufunc, reduction or accumulation; None if it is more than that."""
    values, known = [_of_constants(call, value) for value in call.realised()], _constants(call)
    if known is None or not any(isinstance(value, Array | Scalar) for value in values):
        return None
    if any(one is ... for one in (*known.values(), *map(_known_object, values))):
        return None  # `out=...` asks for an array instead of a scalar, which a probe cannot see
    if all(isinstance(value, Array | Scalar | Known) for value in values):
        numbers = tuple(value for value in values if not _is_bound(value))
        called = _bind(function, values, known)
        return probed_call(call.machine, call.frame, called, numbers)
    return None


def _constants(call: Invocation) -> dict[str, Any] | None:
    """Return the keywords if all are constants."""
    named = {name: _of_constants(call, one) for name, one in call.realised_keywords().items()}
    known = {name: value.object for name, value in named.items() if isinstance(value, Known)}
    return known if len(known) == len(named) else None


def _of_constants(call: Invocation, value: Symbolic) -> Symbolic:
    """Return a tuple of constants as a constant."""
    if not isinstance(value, Tuple) or value.named is not None:
        return value
    items = [realise(call.machine, item) for item in value.items]
    known = tuple(item.object for item in items if isinstance(item, Known))
    return Known(known) if len(known) == len(items) else value


def as_call(function: Callable[..., Any], call: Invocation) -> Symbolic:
    """Return an opaque call."""
    if "out" in call.keywords:
        return call_into(call.machine, call.frame, function, call.arguments, call.keywords)
    return opaque_call(call.machine, call.frame, function, call.arguments, call.keywords)


def may_call_back(call: Invocation) -> bool:
    """True if the call may run code of the user's through its arguments."""
    return any(map(calls_back, (*call.realised(), *call.realised_keywords().values())))


def calls_back(value: Symbolic) -> bool:
    """True if a function may run code of the user's through this argument."""
    return isinstance(value, Callee) or (isinstance(value, Known) and _runs_code(value.object))


def _runs_code(object_: Any) -> bool:
    """True if NumPy may run code of the user's through this object.

    A class may define `__array_finalize__`, an object `__index__`, which an example call would run.
    """
    kind = type(object_)
    if kind is tuple or kind is list:
        return any(map(_runs_code, object_))
    if isinstance(object_, np.dtype):
        # StringDType compares its missing value; other dtypes have code of their own
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
    """Return the result if it is a constant; None for a mutable one such as an array."""
    args = [value.object for value in values if isinstance(value, Known)]
    if not all(map(_is_plain, keywords.values())):
        return None
    result = folded(function, *args, **keywords)
    return Known(result) if _is_plain(result) else None


def _is_bound(value: Symbolic) -> bool:
    """True for constants other than numbers, which are bound in the probed function."""
    return isinstance(value, Known) and type(value.object) not in _NUMBERS


def _known_object(value: Symbolic) -> Any:
    return value.object if isinstance(value, Known) else None


def _bind(
    function: Callable[..., Any], values: list[Symbolic], keywords: dict[str, Any]
) -> Callable[..., Any]:
    def bound(*numbers: Any) -> Any:
        given = iter(numbers)
        args = [v.object if _is_bound(v) and isinstance(v, Known) else next(given) for v in values]
        return function(*args, **keywords)

    for name in ("__name__", "__module__"):
        setattr(bound, name, getattr(function, name, getattr(bound, name)))
    return bound
