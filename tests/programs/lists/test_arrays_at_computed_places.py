"""Arrays of a list from outside at places that only running tells: `zs[-l]`, `weights[k]`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
X = np.linspace(0.5, 2.0, 7)
ALIKE = [X, X + 1.0, X * 2.0, X - 3.0]
UNLIKE = [X[:3], X, X[:1], X[2:6]]
TABLES = [np.outer(X, X[:3]), np.outer(X, X[:2]), np.outer(X, X)]


@PROGRAMS.runs((ALIKE, 3), (ALIKE, 1), (UNLIKE, 4), (tuple(ALIKE), 4))
def from_the_end(zs: Any, n: int) -> Any:
    total = 0.0
    for k in range(1, n):
        total = total + zs[-k].sum() * (zs[k] * 0.5).max()
    return total


@PROGRAMS.runs((ALIKE, np.array([3, 1, 1, 0, -1]), X))
def by_order(items: Any, order: Any, x: Any) -> Any:
    best = np.array([items[k] for k in order[:3]])
    return best @ x, best


@PROGRAMS.runs((ALIKE, 2, X), (ALIKE, -1, X))
def one_of_them(zs: Any, k: int, x: Any) -> Any:
    total = x * 0.0
    for iteration in range(3):
        total = total + zs[k - iteration] * iteration
    return total


@PROGRAMS.runs((TABLES, X))
def tables(weights: Any, x: Any) -> Any:
    total = 0.0
    for k in range(len(weights)):
        total += (x @ weights[k]).sum()
    return total


@PROGRAMS.runs((ALIKE, X), (ALIKE[:2], X))
def as_they_are(zs: Any, x: Any) -> Any:
    last = x
    for k in range(2):
        if x[k] < 1.0:
            last = zs[1 - k]
    return last, x * 2


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS, ids=PROGRAMS.names)
def test_is_captured_whole(program: Any, arguments: tuple[Any, ...]) -> None:
    """No break is left of the subscript."""
    check_whole(program, arguments)


def read(items: Any, places: Any, x: Any) -> Any:
    total = x * 0.0
    for k in places:
        total = total + items[k]
    return total


def written(items: Any, places: Any, x: Any) -> Any:
    for k in places:
        items[k][0] = 5.0
        items[k] += x
    return items, x * 2


def replaced(items: Any, places: Any, x: Any) -> Any:
    for k in places:
        items[k] = items[k] + x
        x = items[1] * 2
    return items, x


@pytest.mark.parametrize("program", [read, written, replaced])
@pytest.mark.parametrize(
    "items",
    [
        ALIKE,
        [X, X, X],
        [X, X[1:], X[:6]],
        [X, X.astype("f4"), X],
        [X, 2.0, X],
        [X, None],
        [X, [1.0]],
        [X.reshape(7, 1), X, X],
        [X[::-1], X[::2], X],
        [np.broadcast_to(1.0, 7), X, X],
        [X > 1, X, X],
    ],
)
@pytest.mark.parametrize("places", [[0, 1], [1, 0, 1], [2, -1], [-1, -2], [5], [0, -9]])
def test_all_kinds(items: Any, places: list[int], program: Any) -> None:
    """Lists of other things, places that are not there, and arrays that are written to."""
    check(program, items, np.array(places), X.copy())


def test_lists_that_change_between_calls() -> None:
    """Each call reads the items that the list has then."""

    def script(jit: Any) -> Any:
        jitted = jit(from_the_end)
        lists = [list(ALIKE), [*ALIKE[::-1]], UNLIKE, [X[:2]] * 5, [2.0, 1.0, X, X]]
        results = []
        for zs in lists:
            for n in (2, 4):
                try:
                    results.append(jitted(zs, n))
                except (AttributeError, IndexError, ValueError) as error:
                    results.append(str(error))
        return results

    from oracle import check_script

    check_script(script)
