"""Stops calls on made-up examples that would never return.

`scipy.linalg.logm` of a matrix of ones, for instance, iterates without converging.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import inf
from typing import Any

MAX_EVENTS = 1_000_000
"""Calls and returns that are allowed; they take about half a second."""


class TakesLong(BaseException):
    """Raised inside the function. No Exception, because the function might catch that."""


def with_call_limit(function: Callable[[], Any]) -> Any:
    """Return `function()`, unless it makes too many calls.

    A profile hook counts calls of Python and builtin functions, and returns. If this thread is
    being profiled already, the function runs without a limit.

    Raises:
        TakesLong: it was stopped.
    """
    if sys.getprofile() is not None:
        return function()
    left: float = MAX_EVENTS
    stopped = False

    def count(*_: Any) -> None:
        nonlocal left, stopped
        left -= 1
        if left < 0:
            stopped = True
            raise TakesLong

    # Compiled code in between may swallow the exception and report it as unraisable.
    report, sys.unraisablehook = sys.unraisablehook, _ignore
    sys.setprofile(count)
    try:
        result = function()
    finally:
        left = inf  # the next statement is counted too
        sys.setprofile(None)
        sys.unraisablehook = report
    if stopped:
        raise TakesLong
    return result


def _ignore(_: Any) -> None:
    pass
