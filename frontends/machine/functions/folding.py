"""Constant folding: pure calls with constant arguments are made once, at capture."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from numpy._core import _methods

from ....guards.grip import made_at_run_time
from ....jit.filters import filtered
from ....jit.ir.patience import TakesLong
from ....jit.ir.slow_calls import within_reason
from ..breaks import NUMPY_REFUSED, GraphBreak
from ..in_python import OURS, is_ours

_FOLDED = (bool, int, float, complex, str, bytes, type(None), tuple, type(np._NoValue))
"""Types with pure operators."""


def is_constant(object_: Any) -> bool:
    """True if operators on an object, and conversions to a dtype, run no code of the user's."""
    kind = type(object_)
    if kind in _FOLDED or issubclass(kind, np.dtype):
        return True
    return kind is type and (not made_at_run_time(object_) or object_.__module__ == "numpy")


def is_of_a_library(namespace: dict[str, Any]) -> bool:
    """True for the namespace of a module of NumPy or SciPy, or of a decomposition."""
    name = namespace.get("__name__")
    if is_ours(namespace):
        return True
    return type(name) is str and name.partition(".")[0] in ("numpy", "scipy")


_OURS = {id(function): ours for function, ours in OURS.items()}
"""By identity, because user callables may define a hash."""
_DISPATCHER = type(np.concatenate)
"""Type of the wrapper of NumPy functions that supports `__array_function__`."""


def body_of(function: Callable[..., Any]) -> FunctionType | None:
    """Return the Python function behind a function of NumPy or SciPy; None if it is in C.

    Bodies of array methods are in NumPy's own modules.
    """
    ours = _OURS.get(id(function))
    if ours is not None:
        return ours
    if getattr(function, "__objclass__", None) is np.ndarray:
        function = getattr(_methods, f"_{function.__name__}", function)
    body: Any = function
    if type(function) is _DISPATCHER:
        body = getattr(function, "__wrapped__", None)
    return body if type(body) is FunctionType and is_of_a_library(body.__globals__) else None


made = 0
"""Number of calls made at capture so far."""
fresh: dict[int, tuple[int, Any]] = {}
"""Results of such calls in the present capture by address, each with its number: the program would
make a new object each time."""


def folded(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return the result of a pure function of constants.

    Raises:
        GraphBreak: it raises, warns or sets a floating point flag, as each call then has to.
    """
    global made
    try:
        with filtered("error"), np.errstate(all="raise"):
            constants = (*args, *kwargs.values())
            result = within_reason(function, constants, (), lambda _: function(*args, **kwargs))
    except TakesLong:
        detail = "a call of constants takes very long, and is not made at capture again"
        raise GraphBreak(NUMPY_REFUSED, detail) from None
    except Exception as error:
        raise GraphBreak(NUMPY_REFUSED, f"{type(error).__name__}: {error}") from None
    made += 1
    if not any(result is one for one in args):
        fresh[id(result)] = made, result
    return result


def is_made_since(object_: Any, count: int) -> bool:
    """True if an object was made by a folded call after this many."""
    number, known = fresh.get(id(object_), (0, None))
    return known is object_ and number > count
