"""Other axes over items whose number only running tells: `a[mask].reshape(h, w)`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
X, EVEN = np.linspace(-1, 1, 24), np.arange(24) % 2 == 0
TABLE, COLUMNS = np.arange(20.0).reshape(4, 5), np.ones((4, 5), bool)
COLUMNS[:, 2] = False
CUBE = np.arange(60.0).reshape(4, 5, 3)


@PROGRAMS.runs((X, EVEN))
def two_axes(x: Any, m: Any) -> Any:
    return x[m].reshape(3, 4) * 2


@PROGRAMS.runs((X, EVEN))
def what_is_left(x: Any, m: Any) -> Any:
    return x[m].reshape(3, -1) * 2, x[m].reshape((-1, 4)), np.reshape(x[m], (-1, 2, 3))


@PROGRAMS.runs((X, EVEN, 3, 4), (X, EVEN, 4, 3))
def by_arguments(x: Any, m: Any, h: int, w: int) -> Any:
    return x[m].reshape(h, w).sum(axis=0)


@PROGRAMS.runs((TABLE, COLUMNS))
def without_a_seam(a: Any, keep: Any) -> Any:
    h, w = a.shape
    return a[keep].reshape(h, w - 1) + 1.0


@PROGRAMS.runs((CUBE, COLUMNS))
def of_rows(a: Any, keep: Any) -> Any:
    h, w = a.shape[:2]
    return a[keep].reshape(h, w - 1, 3) + 1.0


@PROGRAMS.runs((X, EVEN))
def multiplied(x: Any, m: Any) -> Any:
    return x[m].reshape(3, 4) @ np.ones((4, 2))


@PROGRAMS.runs((X, EVEN))
def in_a_loop(x: Any, m: Any) -> Any:
    total = 0.0
    for k in range(3):
        y = x[m].reshape(3, 4)
        y[0] += k
        total += y.sum(axis=1)[0]
    return total, y


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS, ids=PROGRAMS.names)
def test_is_captured_whole(program: Any, arguments: tuple[Any, ...]) -> None:
    """No break is left of the reshape."""
    check_whole(program, arguments)


@pytest.mark.parametrize(
    "shape",
    [(5, 4), (0, 4), (-1, 5), (-1, -1), (-2, 4), (1, 12, 1), (True, 12), (3.0, 4), (-1, 0), ()],
    ids=str,
)
def test_shapes_that_do_not_fit(shape: tuple[Any, ...]) -> None:
    """Eager refuses them, or has other steps for axes of one item."""
    check(lambda x, m: x[m].reshape(shape) * 2, X, EVEN)
    check(lambda x, m: x[m].reshape(*shape), X, EVEN)


def test_no_items() -> None:
    """An array without items has eager's strides."""
    for shape in ((0, 4), (-1, 4), (4, 0), (4, -1)):
        check(lambda x, shape: x[x > 5].reshape(shape), X, shape)


def test_lengths_that_differ() -> None:
    """One kernel for selections of any length, and eager for those that do not fit."""

    def reshaped(x: Any, least: float) -> Any:
        return x[x > least].reshape(-1, 2) * 2.0

    def script(jit: Any) -> Any:
        jitted = jit(reshaped)
        results = []
        for least in (0.0, -0.5, -2.0, 0.99, 5.0, 0.1):
            try:
                results.append(jitted(X, least))
            except ValueError as error:
                results.append(str(error))
        return results

    from oracle import check_script

    check_script(script)
