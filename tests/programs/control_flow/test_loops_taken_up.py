"""A loop that breaks in the middle: the next segment goes on with what is left of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check
from whole import Program, Programs

import framejit

X = np.arange(48.0) * 1.5
A = np.arange(120.0).reshape(40, 3)

PROGRAMS = Programs()
runs = PROGRAMS.runs


@runs((X, 100), (X, 3), (X, 0))
def a_line_now_and_then(x: Any, n: Any) -> Any:
    for iteration in range(n):
        x = x * 0.99 + 1.0
        if iteration % 10 == 0:
            print(iteration, x.sum())
    return x


@runs((X, 40), (X, 1))
def at_the_end_of_each_iteration(x: Any, n: Any) -> Any:
    total = 0.0
    for iteration in range(n, -n, -3):
        for k in range(len(x)):
            total += x[k] * iteration
        print(total)
    return total


@runs((A,), (A[:2],), (A[:0],), (A[::-1],))
def rows(a: Any) -> Any:
    total = 0.0
    for row in a:
        total += row[0] * row[2]
        if row[1] % 4 == 0:
            print(total)
    return total


@runs((A,), (A[:1],))
def rows_backward(a: Any) -> Any:
    total = 0.0
    for row in reversed(a):
        total = total * 0.5 + row[0] * row[2]
        if row[1] % 4 == 0:
            print(total)
    return total


@runs((X,), (X[:1],))
def counted(x: Any) -> Any:
    total = 0.0
    for k, value in enumerate(x, 7):
        total += value * k
        if k % 10 == 0:
            print(k, value)
    return total


@runs((X, X + 1), (X, X[:11]), (X[:10], X))
def side_by_side(x: Any, y: Any) -> Any:
    total = 0.0
    for k, (one, other) in enumerate(zip(x, y, strict=False)):
        total += one * other
        if k % 10 == 9:
            print(k, total)
    return total


@runs((X,))
def beside_a_range(x: Any) -> Any:
    total = 0.0
    for value, k in zip(x, range(3, 90, 2), strict=False):
        total += value * k
        if k % 5 == 0:
            print(k, total)
    return total


@runs((A,), (A[:, ::2],))
def in_the_inner_one(a: Any) -> Any:
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            total += a[i, j]
            if i % 10 == 0 and j == 1:
                print(i, j, total)
        total *= 0.5
    return total


@runs((X, 20.0), (X, 2000.0))
def left_early(x: Any, limit: Any) -> Any:
    total = 0.0
    for k in range(len(x)):
        total += x[k]
        if k % 4 == 0:
            print(k)
        if total > limit:
            break
    else:
        print("no break")
    return total, k


@runs((X, 20.0), (X, 2000.0))
def returned_early(x: Any, limit: Any) -> Any:
    for k in range(len(x)):
        if k % 4 == 0:
            print(k)
        if x[k] > limit:
            return x[: k + 1].sum()
    return x


@runs((X,))
def somebody_else_holds_it(x: Any) -> Any:
    left = iter(range(40))
    total = 0.0
    for k in left:
        total += x[k]
        if k % 7 == 0:
            print(k, next(left, None))
    return total, list(left)


@runs((X,))
def somebody_else_goes_on_with_it(x: Any) -> Any:
    left = iter(x)
    total = 0.0
    for value in left:
        total += value
        if value > 20:
            print(value)
            break
    return total, list(left)


@runs((X,))
def one_inside_of_the_other_is_held(x: Any) -> Any:
    left = iter(x)
    total = 0.0
    for k, value in enumerate(left):
        total += value * k
        if k % 7 == 0:
            print(k, next(left, None))
    return total


@runs((X.copy(),))
def what_is_written_on_the_way(x: Any) -> Any:
    for k in range(1, len(x)):
        x[k] += x[k - 1] * 0.5
        if k % 10 == 0:
            print(x[k])
    return x


@runs((X, np.array([1, 5, 60])), (X, np.array([1, 5, 6])))
def an_index_that_is_out_of_range(x: Any, wanted: Any) -> Any:
    total = 0.0
    for k in wanted:
        total += x[k]
        print(total)
    return total


@runs((X,))
def in_a_with_block(x: Any) -> Any:
    total = 0.0
    for k in range(30):
        with np.errstate(all="ignore"):
            total += x[k]
            if k % 10 == 0:
                print(total)
    return total


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_eager_goes_on(program: Program, args: tuple[Any, ...]) -> None:
    check(program, *args, calls=3)


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (a_line_now_and_then, (X, 1000)),
        (rows, (A,)),
        (rows_backward, (A,)),
        (counted, (X,)),
        (side_by_side, (X, X + 1)),
        (beside_a_range, (X,)),
        (in_the_inner_one, (A,)),
    ],
)
def test_the_rest_of_the_iterations_is_one_kernel(program: Program, args: tuple[Any, ...]) -> None:
    """One from the begin of the function, one from behind the print, one from behind the loop."""
    jitted = framejit.jit(program)
    for _ in range(3):
        jitted(*args)
    assert_normally(jitted.stats()["captures"] <= 3)
    report = framejit.explain(jitted)(*args)
    assert_normally({one.code for one in report.breaks}, {"FJ201"})


def often_left(x: Any) -> Any:
    seen = {}
    for k in range(len(x)):
        if x[k] > 10.0:
            seen[x[k]] = k
    return len(seen)


@pytest.mark.counts("captures of the normal mode")
def test_launches_that_do_too_little_end() -> None:
    jitted = framejit.jit(often_left, backend="numba")
    x = np.arange(2000.0)
    for _ in range(6):
        assert jitted(x) == often_left(x)
    report = framejit.explain(jitted)(x)
    assert "few-iterations" in [one.rule for one in report.skipped]
