"""Constant folding: pure calls with constant arguments are made once, at capture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....guards.grip import made_at_run_time
from ....jit.filters import filtered
from ....jit.ir.call_limit import TakesLong
from ....jit.ir.slow_calls import within_reason
from .breaks import NUMPY_REFUSED, GraphBreak

_FOLDED = (bool, int, float, complex, str, bytes, type(None), tuple, type(np._NoValue))
"""Types with pure operators."""


def is_constant(object_: Any) -> bool:
    """True if operators on an object, and conversions to a dtype, run no code of the user's."""
    kind = type(object_)
    if kind in _FOLDED or issubclass(kind, np.dtype):
        return True
    return kind is type and (not made_at_run_time(object_) or object_.__module__ == "numpy")


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
