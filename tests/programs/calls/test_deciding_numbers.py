"""Numbers that decide the meaning of a call: an axis, the decimals, the number of repeats.

Each function meets several numbers, of several kinds, one after the other.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from oracle import check_script

A = np.arange(1.0, 13.0).reshape(3, 4)

FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "power operator": operator.pow,
    "power": np.power,
    "sum": lambda a, n: a.sum(n),
    "np.sum": np.sum,
    "keepdims": lambda a, n: a.sum(keepdims=bool(n)),
    "add.reduce": lambda a, n: np.add.reduce(a) + np.add.reduce(a, None),
    "add.reduce axis": lambda a, n: np.add.reduce(a, n),
    "maximum.reduce": lambda a, n: np.maximum.reduce(a, axis=n),
    "logical_and.reduce": lambda a, n: np.logical_and.reduce(a > 3, n),
    "add.accumulate": lambda a, n: np.add.accumulate(a, n),
    "max": lambda a, n: a.max(n),
    "argmax": lambda a, n: a.argmax(n),
    "prod": lambda a, n: np.prod(a, axis=n),
    "all": lambda a, n: np.all(a, n),
    "any": lambda a, n: a.any(axis=n),
    "mean": lambda a, n: a.mean(n),
    "std": lambda a, n: a.std(n),
    "ddof": lambda a, n: a.std(ddof=n),
    "var": lambda a, n: np.var(a, axis=n, keepdims=True),
    "ptp": lambda a, n: np.ptp(a, n),
    "cumsum": lambda a, n: a.cumsum(n),
    "diff": np.diff,
    "diff axis": lambda a, n: np.diff(a, axis=n),
    "lower": lambda a, n: np.clip(a, n, 2),
    "upper": lambda a, n: np.clip(a, 0, n),
    "both": lambda a, n: np.clip(a, n, n),
    "round": np.round,
    "round method": lambda a, n: a.round(n),
    "matrix_power": lambda a, n: np.linalg.matrix_power(a[:, :3], n),
    "norm": lambda a, n: np.linalg.norm(a, n),
    "expand_dims": np.expand_dims,
    "roll": np.roll,
    "roll axis": lambda a, n: np.roll(a, 1, n),
    "take": np.take,
    "take axis": lambda a, n: np.take(a, 1, n),
    "repeat": np.repeat,
    "tile": np.tile,
    "flip": np.flip,
    "stack": lambda a, n: np.stack([a, a], n),
    "concatenate": lambda a, n: np.concatenate([a, a], n),
    "sort": np.sort,
    "triu": np.triu,
    "trace": np.trace,
    "full": lambda a, n: np.full(n + 2, 2.0) + n,
    "arange": lambda a, n: np.arange(n + 2) * a.sum(),
    "swapaxes": lambda a, n: np.swapaxes(a, 0, n) * 2,
    "item": lambda a, n: a[n] * 2,
    "slice": lambda a, n: a[n:] * 2,
    "shape": lambda a, n: a.shape[n] * a,
    "reshape": lambda a, n: a.reshape(a.shape[n], -1) + 1,
    "ldexp": lambda a, n: np.ldexp(a, n),
}
ORDERS: dict[str, tuple[Any, ...]] = {
    "zero first": (0, 1, -1, 2, 0),
    "one first": (1, 0, None, True, False),
    "two first": (2, 3, 2, 1),
    "floats": (0.5, 2.0, 3.0, -1.0),
    "of NumPy": (np.int64(1), np.int64(0), 1, np.int64(2)),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_number_counts(name: str, order: str) -> None:
    """Results and errors are eager's, in the order in which the numbers come."""

    def script(decorate: Callable[..., Any], a: Any) -> list[Any]:
        function = FUNCTIONS[name]
        if not isinstance(function, FunctionType) or function.__module__ != __name__:
            plain = function
            function = lambda a, n: plain(a, n)  # noqa: E731
        jitted = decorate(function)
        return [tried(jitted, a, n) for n in ORDERS[order]]

    def tried(jitted: Callable[..., Any], a: Any, n: Any) -> Any:
        try:
            return jitted(a, n)
        except Exception as error:
            return type(error), str(error)

    check_script(script, A, backends=["numpy"])
    check_script(script, A.astype(int), backends=["numpy"])


@pytest.mark.parametrize("power", [operator.pow, pow])
@pytest.mark.parametrize("number", [-2.0, -2])
def test_powers_that_are_complex_for_some(number: Any, power: Any) -> None:
    """Whichever comes first."""
    exponents = (0.5, 3.0, 2.0, -1.0, 0.5, -0.5, 4)

    def script(decorate: Callable[..., Any], a: Any) -> list[Any]:
        programs = [decorate(lambda a, x, y: (power(x, y), a * 2)) for _ in range(2)]
        calls = [(-number, y) for y in exponents], [(number, y) for y in exponents]
        orders = [*calls[0], *calls[1]], [*calls[1], *calls[0]]
        return [
            [jitted(a, x, y) for x, y in order]
            for jitted, order in zip(programs, orders, strict=True)
        ]

    check_script(script, A, backends=["numpy", "numba"])
