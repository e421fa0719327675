"""The list that the hand-written programs enter themselves into."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

PROGRAMS: list[tuple[Callable[..., Any], tuple[tuple[Any, ...], ...]]] = []


def program(*calls):
    """Enter a function with the arguments that it is called with."""

    def enter(function):
        PROGRAMS.append((function, calls))
        return function

    return enter


def arguments(call):
    """Fresh arguments."""
    return copy.deepcopy(call)
