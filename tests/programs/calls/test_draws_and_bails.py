"""Random numbers around exceptions, warnings and bails: nothing is drawn twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import Decorator, check, check_script

X = np.array([1.0, 2.0, 3.0, 4.0])


Program = Callable[..., Any]


# ---- exceptions and bails ------------------------------------------------------------------------


def raises_in_the_middle(x: Any, n: int) -> Any:
    y = x * np.random.rand()
    for k in range(n):
        y[k] = y[k] + np.random.rand()
    return y


def a_draw_is_refused(x: Any, n: int) -> Any:
    y = x + np.random.rand()
    try:
        y = y * np.random.normal(0.0, -float(n), 4)
    except ValueError as error:
        return str(error), y, np.random.rand()
    return y


def warns_after_a_draw(x: Any, n: int) -> Any:
    y = x + np.random.rand()
    z = y / (x - n)
    return z * np.random.rand(), np.log(x - n)


def too_big_after_a_draw(x: Any, n: int) -> Any:
    k, y = n + 2, x
    for _ in range(8):
        y = y + np.random.rand()
        k = k * k
    return k, y


def changes_and_draws(x: Any, n: int) -> Any:
    made = []
    for k in range(3):
        x[k] += np.random.rand()
        made.append(x[k] * 2)
        x[1:] = x[:-1] + np.random.rand()
    return made, x[n]


AFTER = (
    raises_in_the_middle,
    a_draw_is_refused,
    warns_after_a_draw,
    too_big_after_a_draw,
    changes_and_draws,
)


@pytest.mark.parametrize("program", AFTER)
def test_after_exceptions_and_bails(program: Program) -> None:
    """Nothing is drawn twice: the state behind them is eager's."""

    def script(jit: Decorator) -> Any:
        f, results = jit(program), []
        for n in (1, 2, 9, 1, 3, 9, 2):
            x = X.copy()
            try:
                results.append((f(x, n), x))
            except IndexError as error:
                results.append((str(error), x))
            results.append((np.random.rand(), np.random.get_state()[2:]))
        return results

    check_script(script)


# ---- where a draw is hidden ----------------------------------------------------------------------


def test_warnings_from_before_a_draw() -> None:
    """The state of a generator is kept first, by NumPy's own code, which lowers flags."""

    def shuffled(x: Any, rng: Any) -> Any:
        y = x / 0
        rng.shuffle(x)
        return y, x

    def in_a_loop(x: Any, rng: Any) -> Any:
        y = x / 0
        for _ in range(3):
            rng.shuffle(x)
            y = y * rng.normal()
        return y

    for program in (shuffled, in_a_loop):
        check(program, np.arange(4.0), np.random.RandomState(3))
        check(program, np.arange(4.0), np.random.default_rng(3))
