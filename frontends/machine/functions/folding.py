"""Calls whose arguments are all constants: made once, at capture."""

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
"""Types whose operators are pure."""


def is_constant(object_: Any) -> bool:
    """Whether operators on an object, and conversions to a dtype, run no code of the user's."""
    kind = type(object_)
    if kind in _FOLDED or issubclass(kind, np.dtype):
        return True
    return kind is type and (not made_at_run_time(object_) or object_.__module__ == "numpy")


def is_of_a_library(namespace: dict[str, Any]) -> bool:
    """Whether a namespace is that of a module of NumPy or SciPy, or what stands for them."""
    name = namespace.get("__name__")
    if is_ours(namespace):
        return True
    return type(name) is str and name.partition(".")[0] in ("numpy", "scipy")


_OURS = {id(function): ours for function, ours in OURS.items()}
"""By identity: a callable of the user's may have a hash of its own."""
_DISPATCHER = type(np.concatenate)
"""What stands around functions of NumPy: it looks for `__array_function__` of other classes."""


def body_of(function: Callable[..., Any]) -> FunctionType | None:
    """The Python of a function of NumPy or SciPy, None for one of C.

    That of an array's method stands in a module of NumPy's.
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
"""Calls that were made in place of kernels so far."""
fresh: dict[int, tuple[int, Any]] = {}
"""By address, what they have made in the capture that goes on, each with its number: the program
has a new object each time that it comes there."""


def folded(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What a pure function gives for constants.

    Raises:
        GraphBreak: it raises, warns or sets a floating point flag: that has to happen at each call.
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
    """Whether an object was made here when so many had been made before."""
    number, known = fresh.get(id(object_), (0, None))
    return known is object_ and number > count
