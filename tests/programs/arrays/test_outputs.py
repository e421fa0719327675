"""Functions that write into `out=`: the array that was given, in the segment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

PROGRAMS: dict[str, Callable[..., Any]] = {
    "add in another dtype": lambda x, a, o, r, c: np.add(x, x, out=o, dtype=np.float32) + 1,
    "log where": lambda x, a, o, r, c: np.log(a.T, out=c, where=a > 0.5) + 1,
    "dot": lambda x, a, o, r, c: np.dot(a, a, out=c) + 1,
    "sum": lambda x, a, o, r, c: np.sum(a, axis=0, out=r) * 2,
    "mean": lambda x, a, o, r, c: a.mean(axis=1, out=r) * 2,
    "median": lambda x, a, o, r, c: np.median(a, axis=0, out=r) is r,
    "percentile": lambda x, a, o, r, c: np.percentile(a, 30, axis=0, out=r) + 1,
    "take": lambda x, a, o, r, c: np.take(x, [1, 0, 1], out=r) + 1,
    "cumsum": lambda x, a, o, r, c: x.cumsum(out=o) + 1,
    "clip": lambda x, a, o, r, c: x.clip(0, 1, out=o) + 1,
    "round": lambda x, a, o, r, c: x.round(1, out=o) + 1,
    "einsum": lambda x, a, o, r, c: np.einsum("ij,jk", a, a, out=c) + 1,
    "accumulate": lambda x, a, o, r, c: np.add.accumulate(x, out=o) + 1,
    "reduceat": lambda x, a, o, r, c: np.add.reduceat(x, [0, 2, 3], out=r) + 1,
    "outer": lambda x, a, o, r, c: np.multiply.outer(r, r, out=c) + 1,
    "over itself": lambda x, a, o, r, c: np.add(x[1:], x[:-1], out=x[:-1], dtype=float) + 1,
    "choose": lambda x, a, o, r, c: np.choose([0, 1, 0], [r, r + 1], out=r) + 1,
    "of one in a tuple": lambda x, a, o, r, c: np.add(x, 1.0, out=(o,), casting="unsafe") + 1,
}


def _arguments() -> tuple[Any, ...]:
    x = np.linspace(-1.0, 2.0, 6)
    return x, np.eye(3) + 0.1, np.zeros(6), np.arange(3.0), np.zeros((3, 3))


@pytest.mark.parametrize("name", PROGRAMS)
def test_outputs(name: str) -> None:
    check(PROGRAMS[name], *_arguments(), backends=("numpy",))


def several(x: Any, a: Any, o: Any, r: Any, c: Any) -> Any:
    np.add(x, x, out=o, dtype=np.float32)
    np.dot(a, a, out=c)
    np.take(x, [1, 0, 1], out=r)
    return o * 2 + x, c - a, r.sum()


def test_several_in_one_segment() -> None:
    assert_counts(check(several, *_arguments()), segments=1, breaks=0)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_warnings_are_eagers() -> None:
    def overflow(x: Any, o: Any, m: Any) -> Any:
        np.multiply(x, 1e10, out=o, where=m, casting="unsafe")
        return o + 1

    check(overflow, np.full(4, 1e300), np.zeros(4), np.arange(4) > 1)


def test_what_is_refused_is_refused_at_each_call() -> None:
    def refused(x: Any, o: Any) -> Any:
        y = x * 2
        np.add(x, y, out=o, casting="safe", dtype=np.float64)
        return o

    check(refused, np.arange(3.0), np.zeros(3, int))
    check(refused, np.arange(3.0), np.zeros(4))


def arrays_of_one_number(x: Any, out: Any) -> Any:
    reduced = np.add.reduce(x * 2, out=...), np.maximum.reduce(x, axis=0, out=out)
    return *reduced, np.logical_or.reduce(x, out=out), np.nanmax(x, None, out)


@pytest.mark.parametrize("x", [np.array([1.0, 2.0, 3.0]), np.array(2.0)], ids=["1d", "0d"])
def test_reductions_to_arrays(x: Any) -> None:
    """`out=...` asks for an array where the result would be a number."""
    check(arrays_of_one_number, x, ...)
    check(arrays_of_one_number, x, None)


def test_an_ellipsis_in_a_tuple() -> None:
    """NumPy accepts `out=...`, but raises for `out=(...,)`."""

    def with_tuple(x: Any, out: Any) -> Any:
        return np.add(x * 2, 2, out=(out,))

    check(with_tuple, np.array([1.0, 2.0]), ...)
    check(with_tuple, np.array([1.0, 2.0]), None)
