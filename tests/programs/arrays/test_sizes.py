"""Numbers that become lengths, of 0 and 1 too, one after the other in one jitted function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check, check_script

X = np.arange(6.0)


def _set(x: Any, n: Any) -> Any:
    y = np.zeros(6)
    y[:n] = x[:n]
    return y


def _loop(x: Any, n: Any) -> Any:
    y = x
    for i in range(n):
        y = y * 2 + x[:i].sum()
    return y


FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "zeros": lambda x, n: np.zeros(n) + 1,
    "shape": lambda x, n: np.zeros(n).shape,
    "shape of two": lambda x, n: np.ones((n, 2)).shape,
    "broadcast": lambda x, n: np.zeros(n) + x,
    "broadcast column": lambda x, n: np.zeros((n, 1)) + x,
    "half": lambda x, n: np.zeros(n // 2).shape,
    "half broadcast": lambda x, n: np.zeros(n // 2) + x,
    "sum of lengths": lambda x, n: np.zeros(len(x) + n).shape,
    "full": lambda x, n: np.full((n, n), 3.0).sum(),
    "empty": lambda x, n: np.empty((n, 3)).shape,
    "transposed": lambda x, n: np.zeros((n, 4)).T.shape,
    "raveled": lambda x, n: np.zeros((n, 3)).ravel().shape,
    "reshape": lambda x, n: x.reshape(n, -1).shape,
    "reshape twice": lambda x, n: x.reshape(n, -1) + x.reshape(-1, n),
    "arange": lambda x, n: np.arange(n) * x,
    "linspace": lambda x, n: np.linspace(0, 1, n) * 2,
    "slice": lambda x, n: x[:n] * 2,
    "slice shape": lambda x, n: x[:n].shape,
    "slice broadcast": lambda x, n: x[:n] + x,
    "two slices": lambda x, n: x[n:] * x[: -n or None],
    "column of a slice": lambda x, n: x[:n, None] + x[:n],
    "sum": lambda x, n: np.ones((n, 4)).sum(0),
    "sum of rows": lambda x, n: np.ones((n, 4)).sum(1),
    "max": lambda x, n: x[:n].max(),
    "mean": lambda x, n: x[:n].mean(),
    "mean of rows": lambda x, n: np.ones((n, 4)).mean(axis=0),
    "zeros_like": lambda x, n: np.zeros_like(x[:n]).shape,
    "ones_like": lambda x, n: np.ones_like(x[:n]) + x[:1],
    "matmul": lambda x, n: np.ones((n, 6)) @ x,
    "inner product": lambda x, n: np.ones((2, n)) @ np.ones((n, 2)),
    "repeat": lambda x, n: np.repeat(x, n).shape,
    "stack": lambda x, n: np.stack([x[:n], x[:n]]).shape,
    "broadcast_arrays": lambda x, n: [a.shape for a in np.broadcast_arrays(np.zeros(n), 1)],
    "cumsum": lambda x, n: np.cumsum(x[:n]),
    "where": lambda x, n: np.where(np.ones(n) > 0, x[:n], 0),
    "columns": lambda x, n: np.tile(x, (3, 1))[:, :n] * 2 + 1,
    "sum of columns": lambda x, n: np.tile(x, (3, 1))[:, :n].sum(),
    "sine of columns": lambda x, n: np.sin(np.tile(x, (3, 1))[:, :n]),
    "rows": lambda x, n: np.tile(x, (6, 1))[:n].sum(),
    "turned rows": lambda x, n: np.tile(x, (6, 1)).T[:n, ::-1] * 2,
    "assignment": _set,
    "loop": _loop,
}
ORDERS = ((1, 3, 1, 0, 6, 1), (0, 2, 1, 6), (6, 1, 0, 6, 3), (2, 1, -1, 3), (6, 12, 1, 2, 0))


def script(decorate: Callable[..., Any], name: str, order: tuple[int, ...], x: Any) -> list[Any]:
    """Print the results for each number, one after the other."""
    function = FUNCTIONS[name]
    jitted = decorate(function)

    def tried(n: int) -> Any:
        try:
            return jitted(x, n)
        except Exception as error:
            return type(error), str(error)

    return [tried(n) for n in order]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_length_counts(name: str) -> None:
    """A capture for one length answers no other one wrongly."""
    for order in ORDERS:
        check_script(script, name, order, X, backends=["numpy"])
    check_script(script, name, ORDERS[2], X, backends=["numba"])


def steps_of_a_range(x: Any, start: int, stop: int, step: int) -> Any:
    frames = range(start, stop, step)
    total = np.zeros(len(frames))
    for k, first in enumerate(frames):
        total[k] = x[first] * k
    return total, len(frames)


def test_ranges_of_unknown_steps() -> None:
    """The length of a range for steps of both signs; a step of 0 is Python's ValueError."""
    x = np.linspace(0.0, 1.0, 30)
    for start, stop in ((0, 30), (2, 29), (29, 0), (5, 5), (29, -1)):
        for step in (1, 2, 7, -1, -3, 40, -40):
            check(steps_of_a_range, x, start, stop, step)
    check(steps_of_a_range, x, 0, 5, 0)


@pytest.mark.parametrize("h", [0.3, 0.05, 2.0])
def test_lengths_of_linspace_that_are_computed(h: float) -> None:
    """NumPy reshapes the numbers it makes, and the machine knows that the result is still 1-d."""

    def f(x: Any, h: Any) -> Any:
        count = int(np.ceil((x[-1] - x[0]) / h))
        return np.sin(np.linspace(x[0], x[-1], count + 1)), np.linspace(0, 1, count)

    assert_counts(check(f, np.linspace(0.0, 1.0, 7), h), breaks=0, bails=0, segments=1)
