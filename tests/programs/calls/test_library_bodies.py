"""Functions of NumPy's that are written in Python are a part of the kernel: nothing is called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, assert_normally, check, check_script
from whole import Programs, check_whole

WHOLE = Programs()
X = np.array([1.5, -2.0, 0.25, 8.0, -0.0, 3.0])
Y = np.array([2.0, 1.0, -1.0, 0.5, 4.0, -3.0])
HOLES = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, 1.0]])
TABLE = np.arange(12.0).reshape(3, 4) ** 2 % 7


@WHOLE.runs((X,), (X.astype(np.float32),), (X[::-2],), (X[:2],))
def spread(x: Any) -> Any:
    return np.std(x) + x.var(ddof=0.5), (x - x.mean()) / np.ptp(x + 1)


@WHOLE.runs((TABLE,), (TABLE.T,), (TABLE[:, ::2],))
def spread_by_axis(a: Any) -> Any:
    return np.var(a, axis=0), a.std(axis=-1, keepdims=True), np.average(a, axis=1)


@WHOLE.runs((X, Y), (X[:3], Y[:3]), (X.astype(np.float32), Y))
def slopes(x: Any, y: Any) -> Any:
    return np.diff(x, 2) + 1, np.gradient(x) * y, np.trapezoid(y, dx=0.5), np.outer(x, y)


@WHOLE.runs((TABLE,), (np.asfortranarray(TABLE),))
def slopes_by_axis(a: Any) -> Any:
    return np.diff(a, axis=0), np.flip(a, 1) + 1, np.fliplr(a) - a, np.trapezoid(a)


@WHOLE.runs((HOLES,), (HOLES.T,), (TABLE,), (TABLE.astype(np.int32),))
def without_nan(a: Any) -> Any:
    return np.nansum(a, axis=0) + 1, np.nanprod(a), np.nanmax(a[0]), np.nanmin(a)


@WHOLE.runs((X, TABLE), (X[::-1], TABLE.T), (X.astype(np.float16), TABLE > 2), (X[:0], TABLE[:0]))
def running(x: Any, a: Any) -> Any:
    sums = np.cumsum(x) * 2, a.cumsum(axis=0), np.cumsum(a, axis=1) + 1
    return *sums, x.cumprod(), np.maximum.accumulate(x), np.add.accumulate(a, axis=-1)


@WHOLE.runs((X, Y, TABLE), (X[::2], Y.astype(np.float32), TABLE[:1]), (X[:0], Y, TABLE[:, :0]))
def joined(x: Any, y: Any, a: Any) -> Any:
    flat = np.concatenate([x, y * 2, x]), np.hstack((y, x)), np.append(x, y)
    return *flat, np.vstack([a, a + 1]), np.stack([x, x + 1], axis=1), np.concatenate([a, a], 1)


@WHOLE.runs((X, Y), (X, X.astype(np.float32)), (X, X > 0))
def asks_first(x: Any, y: Any) -> Any:
    if x.shape != y.shape:
        return x * 2
    if x.dtype == np.float64 and issubclass(y.dtype.type, np.floating):
        y = y.astype(np.dtype("f8"))
    middle = slice(1, -1)
    return x[middle] + y[middle]


@WHOLE.runs((X, Y, np.zeros(6)), (X, Y, np.zeros((2, 6), np.float32)))
def into(x: Any, y: Any, out: Any) -> Any:
    np.add(x, y, out=out, casting="unsafe")
    np.copyto(out, 7.0, where=x > 1)
    return np.multiply(out, 2, out=...) + 1


@pytest.mark.parametrize(("program", "args"), WHOLE, ids=WHOLE.names)
def test_whole(program: Any, args: Any) -> None:
    """Nothing breaks and nothing is called from the kernel."""
    check_whole(program, args)


@pytest.mark.counts("how much of a kernel is fused")
def test_nothing_is_called() -> None:
    """A body that is in line leaves no opaque node behind."""
    for program, args in dict(reversed(WHOLE)).items():
        (jitted,) = check(program, *args, backends=["numba"])
        assert "opaque" not in jitted.inspect("graph"), program.__name__


def test_a_body_that_warns() -> None:
    """A way on which NumPy warns is eager's: the warning stands at the line that it names."""
    jitted = check(without_nan, HOLES * np.nan, calls=3)

    assert_counts(jitted, captures=1, bails=3)


OVERFLOWS = np.array([1e308, 1e308, -1e308, 1e308])


def sums(x: Any) -> Any:
    return np.sum(x), x.prod(), np.cumsum(x), np.add.reduce(x), np.std(x)


def test_flags_of_bodies() -> None:
    """Warnings name the lines of NumPy's own, from the kernel too."""
    check(sums, OVERFLOWS, calls=4)
    (jitted,) = check(sums, OVERFLOWS, calls=4, backends=["numba"])

    assert_normally(jitted.stats()["bails"], 1)  # the second kernel tells where


def exchanged(decorate: Any, x: Any) -> Any:
    """A function of NumPy's own that its functions call becomes another one."""
    home = np.lib._function_base_impl
    before = home.subtract

    @decorate
    def steps(x: Any) -> Any:
        return np.diff(x) * 2

    seen = [steps(x), steps(x)]
    home.subtract = np.add
    try:
        seen.append(steps(x))
    finally:
        home.subtract = before
    return [*seen, steps(x)]


def test_what_a_body_relies_on() -> None:
    """Names of NumPy's modules are guarded."""
    check_script(exchanged, X)


def other_function(decorate: Any, x: Any) -> Any:
    """A public function is exchanged for another one."""
    before = np.exp

    @decorate
    def grows(x: Any) -> Any:
        return np.exp(x) + 1

    seen = [grows(x), grows(x)]
    np.exp = np.sin
    try:
        seen.append(grows(x))
    finally:
        np.exp = before
    return [*seen, grows(x)]


def test_a_public_name() -> None:
    """So are those that the program looks up itself."""
    check_script(other_function, X)


def test_out_of_another_rank() -> None:
    """An output that has fewer axes than the operands is refused, in place too."""

    def add(x: Any, out: Any) -> Any:
        return np.add(x, x, out=out)

    def in_place(x: Any, out: Any) -> Any:
        out += x
        return out

    for program in (add, in_place):
        check(program, X[None], np.zeros(6))
        check(program, X, np.zeros((1, 6)))


def test_functions_that_a_body_calls() -> None:
    """A function of the user's that NumPy's calls is the user's all the same."""

    def program(x: Any) -> Any:
        seen: list[Any] = []

        def piece(v: Any) -> Any:
            import math

            seen.append({1, 2})
            seen.append(set(range(3)))
            return v * len(seen) + math.pi

        return np.piecewise(x, [x > 1], [piece, 0.0]), np.fromfunction(piece, (3,)), seen

    check(program, X)
