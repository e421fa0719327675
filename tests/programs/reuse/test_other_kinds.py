"""Arguments of another kind at each call: what one of them broke, the others go on with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check_script

OVERFLOWS = np.array([1e308, 0.0])


def doubled(x: Any) -> Any:
    x += 1
    x *= 2
    x -= 1
    return x


def doubled_late(x: Any) -> Any:
    y = x * 1
    x *= 2
    x -= True
    return x + y


@pytest.mark.parametrize("function", [doubled, doubled_late])
def test_a_bail_goes_on_after_a_break_that_others_came_to(function: Any) -> None:
    """A whole function that bails must not start again: its first writes are done.

    Arrays of bool break where others did not, and give the function another code.
    """

    def script(jit: Any) -> Any:
        f = jit(function)
        seen = []
        for given in (np.ones(3), np.ones(3, bool), OVERFLOWS, np.ones(4, np.float32), OVERFLOWS):
            x = given.copy()
            try:
                f(x)
            except TypeError as error:
                seen.append(str(error))
            seen.append(x)
        return seen

    check_script(script)


def test_defaults_count_where_a_bail_goes_on() -> None:
    """The code that goes on is an older one: the function's defaults are the present ones."""

    def script(jit: Any) -> Any:
        @jit
        def f(x: Any, by: Any = 2) -> Any:
            x *= 2
            print("x")
            return x * by

        @jit
        def g(x: Any, by: Any = 2) -> Any:
            x *= 2
            x -= by
            return x

        seen = []
        for given in (np.ones(3), np.ones(3, bool), OVERFLOWS):
            for function in (f, g):
                try:
                    seen.append(function(given.copy()))
                except TypeError as error:
                    seen.append(str(error))
        g.__defaults__ = (5,)
        seen.append(g(OVERFLOWS.copy()))
        return seen

    check_script(script)
