"""Slice 5: `for i in range(n)` as one region."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import assert_counts, assert_normally, check

from framejit import explain


def line(size: int = 20) -> Any:
    return np.linspace(0.5, 1, size)


def whole(function: Any, *args: Any) -> None:
    """The same as eager, in one kernel with the loop in it."""
    assert_counts(check(function, *args, calls=3), segments=1, breaks=0)


def test_carried_array_and_scalar() -> None:
    def f(x: Any, n: Any) -> Any:
        total = 0.0
        for i in range(n):
            x = x * 0.5 + i
            total = total * 0.5 + 1.5
        return x * total

    for n in (1, 2, 9):
        whole(f, line(), n)


def test_empty_range() -> None:
    """Eager serves an empty range; locals of the body stay unbound."""

    def f(x: Any, n: Any) -> Any:
        for i in range(n):
            x = x + i
        return x * 2, i

    check(f, line(), 0, calls=3)
    check(f, line(), 2, calls=3)


def test_ranges() -> None:
    def f(x: Any, start: Any, stop: Any) -> Any:
        for i in range(start, stop, 3):
            x = x + i
        for i in range(stop, start, -2):
            x = x * 0.5 + i
        return x, i

    check(f, line(), 2, 12, calls=3)
    check(f, line(), -5, 5, calls=3)


def test_rows() -> None:
    """Rows are read and written in order."""

    def f(a: Any, n: Any) -> Any:
        out = np.zeros((n, a.shape[1]))
        for i in range(n):
            out[i] = a[i] * 2 + i
            a[i, 1:] = out[i, :-1]
        return out

    whole(f, line(48).reshape(6, 8), 5)


def test_index_error_inside() -> None:
    """The rows before the bad one are written, the error is raised at its line."""

    def f(a: Any, n: Any) -> Any:
        out = np.zeros((n, a.shape[1]))
        for i in range(n):
            out[i] = a[i] * 2 + i
            a[i, 1:] = out[i, :-1]
        return out

    check(f, line(48).reshape(6, 8), 9, calls=3)


def test_warning_inside() -> None:
    """Each iteration warns as in eager, however the loop is computed."""

    def f(z0: Any, n: Any) -> Any:
        z = z0 * 1
        for _ in range(n):
            z = z * z + z0
        return z + n

    check(f, line() * 4, 14, calls=4, ignore=[("exception", "locals")])


def test_body_that_breaks() -> None:
    """The loop stays a Python loop."""

    def f(x: Any, n: Any) -> Any:
        for i in range(n):
            x = x * 2 + i
            print(i)
        return x

    check(f, line(), 3, calls=3)
    report = explain(f)(line(), 3)

    assert_normally([(record.code, record.count) for record in report.breaks], [("FJ201", 3)])


def test_a_way_that_breaks() -> None:
    """The loop is a region all the same, which is left where that way is taken."""

    def f(x: Any, n: Any) -> Any:
        for i in range(n):
            x = x * 2 + i
            if i == 1:
                print("one")
        return x

    check(f, line(), 3, calls=3)
    check(f, line(), 1, calls=3)
    taken, not_taken = explain(f)(line(), 3), explain(f)(line(), 1)

    assert_normally([record.code for record in taken.breaks], ["FJ201"])
    assert_normally([*not_taken.breaks], [])


def test_types_that_change() -> None:
    """A local that is an int at first and a float afterwards."""

    def f(x: Any, n: Any) -> Any:
        scale = 1
        for _ in range(n):
            x = x * scale
            scale = scale / 2
        return x

    check(f, line(), 4, calls=3)


def test_swapped_arrays() -> None:
    def f(x: Any, y: Any, n: Any) -> Any:
        for i in range(n):
            x, y = y, x + i
        return x - y

    check(f, line(), line() * 2, 5, calls=3)


def test_reductions_and_calls_inside() -> None:
    def f(a: Any, n: Any) -> Any:
        v = a[0] * 1
        for _ in range(n):
            v = a @ v
            v = v / np.sqrt((v * v).sum())
        return v

    check(f, line(36).reshape(6, 6), 5, calls=3)


def test_memory_does_not_grow() -> None:
    """Two buffers change places, whatever the trip count."""
    import tracemalloc

    from framejit import jit

    def f(x: Any, n: Any) -> Any:
        for i in range(n):
            x = x * 0.5 + i
        return x

    jitted = jit(f)
    x = np.ones(10_000)
    jitted(x, 3)
    tracemalloc.start()
    jitted(x, 1000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert_normally(peak < 10 * x.nbytes)
