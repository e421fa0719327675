"""`with np.errstate(...="ignore")` is a part of the segment: only the rest is reported."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check, framejit_jit

A = np.array([1.0, 2.0, 0.0, -1.0, np.inf])
B = np.array([2.0, 0.0, 0.0, 1.0, np.inf])
HOLES = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, 1.0]])


def quotient(a: Any, b: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        r = a / b
    return np.where(np.isfinite(r), r, 0.0) + np.exp(a)


def returns_within(a: Any, b: Any) -> Any:
    with np.errstate(all="ignore"):
        r = np.log(a) * b / a
        return r.sum()


def one_kind(a: Any, b: Any) -> Any:
    with np.errstate(over="ignore"):
        c = np.exp(a * 1000)
        d = c / b
    return d, np.sqrt(a)


def nested(a: Any, b: Any) -> Any:
    with np.errstate(divide="ignore"):
        x = a / b
        with np.errstate(invalid="ignore"):
            y = a / b
        z = np.log(a)
    return x, y, z, 1 / b


def left_in_the_middle(a: Any, b: Any) -> Any:
    with np.errstate(divide="ignore"):
        x = a / b
        print(x.sum())
        y = 1 / b
    return x + y, 1 / b


def numbers(a: Any, b: Any) -> Any:
    total = 0.0
    with np.errstate(all="ignore"):
        for k in range(a.shape[0]):
            if b[k] > 0:
                total += a[k] / b[k]
            else:
                total += np.log(b[k])
    return total


def raises(a: Any, b: Any) -> Any:
    with np.errstate(all="ignore"):
        return a[5:] / b[0] + a[7]


WHOLE = [quotient, returns_within, one_kind, nested, numbers, raises]


@pytest.mark.parametrize("program", [*WHOLE, left_in_the_middle])
def test_blocks(program: Any) -> None:
    """Whatever the data are: warnings are those of eager, and the block breaks nothing."""
    for a, b in ((A, B), (A[::-1], B), (abs(A) + 1, abs(B) + 1), (A.astype("f4"), B.astype("f4"))):
        jitted = check(program, a, b, calls=3)

        if program is not left_in_the_middle and program is not raises:
            assert_counts(jitted, segments=1, breaks=0)


@pytest.mark.parametrize("way", [0, 1, 2])
def test_ways(way: int) -> None:
    """A block on one of several ways ends there."""

    def program(a: Any, b: Any, way: int) -> Any:
        if way > 0:
            with np.errstate(divide="ignore"):
                r = a / b
                if way > 1:
                    return r
        else:
            r = b * 2
        return r + 1 / b

    check(program, A, B, way, calls=3)


def test_generators_that_run_within() -> None:
    """They compute in the block that asks for their items."""

    def quotients(a: Any, b: Any) -> Any:
        for k in range(2):
            yield a / (b - k)

    def program(a: Any, b: Any) -> Any:
        with np.errstate(divide="ignore", invalid="ignore"):
            return [one + 1 for one in quotients(a, b)]

    check(program, A, B, calls=3)


def test_functions_of_numpy() -> None:
    """NumPy's own functions ignore in such blocks."""

    def program(a: Any) -> Any:
        return np.nanmean(a), np.nanstd(a), np.nanvar(a, axis=1), np.nanmean(a, axis=0)

    jitted = check(program, np.abs(HOLES) * 2 + np.eye(2, 3), calls=3)

    assert_counts(jitted, segments=1, breaks=0)


def test_modes_around() -> None:
    """Errors that are not ignored raise where a block around the call says so."""

    def around(program: Any) -> Any:
        with np.errstate(all="raise"):
            try:
                return program(A, B)
            except FloatingPointError as error:
                return str(error)

    for program in WHOLE[:3]:
        for backend in ("numba", "numpy"):
            jitted = framejit_jit(program, backend)
            expected = repr([around(program)] * 3)
            actual = repr([around(jitted) for _ in range(3)])

            assert actual == expected
