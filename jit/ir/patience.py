"""Calls that end: what is computed of made-up operands may go on for ever.

`scipy.linalg.logm` of a matrix of ones halves its way towards a matrix that it never comes to.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import inf
from typing import Any

MAX_EVENTS = 1_000_000
"""Calls and returns, which take about half a second."""


class TakesLong(BaseException):
    """Raised inside of the function; not an Exception, which it might handle."""


def patiently(function: Callable[[], Any]) -> Any:
    """What the function gives, where it does not take very long.

    It is counted what the function calls. Where somebody profiles this thread it runs as it is.

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

    # Compiled code between may go on, and report what cannot be raised.
    report, sys.unraisablehook = sys.unraisablehook, _overlook
    sys.setprofile(count)
    try:
        result = function()
    finally:
        left = inf  # the next line is a call, too
        sys.setprofile(None)
        sys.unraisablehook = report
    if stopped:
        raise TakesLong
    return result


def _overlook(_: Any) -> None:
    pass
