"""Arrays that nobody reads: not computed, where they raise nothing that eager reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit

X = np.array([1e200, -0.0, np.nan, np.inf, 2.0])
K = np.array([-128, -1, 0, 1, 127], np.int8)


def dead(program: Callable[..., Any], *args: Any) -> int:
    """How many operations have gone; answers and warnings are eager's."""
    check(program, *args, calls=6)
    report = framejit.explain(framejit.jit(program, backend="numba"))(*args)
    return sum(segment.passes.get("dead", 0) for segment in report.segments)


def silent(x: Any, k: Any) -> Any:
    a, b, c = -x, np.isnan(x) | (x > 0), np.maximum(x, 1)
    d, e = k * k, k.astype("i8") << 1
    f = np.where(b, a, c)
    return x + 1, k


def reporting(x: Any, k: Any) -> Any:
    square = x * x
    inverse = 1.0 / k
    return x + 1


def casting(x: Any, k: Any) -> Any:
    ints = x.astype("i4")
    small = x.astype("f4")
    return x + 1


def of_a_number(x: Any, k: Any) -> Any:
    y = np.maximum(x.astype("f4") * 0, 1e300)
    return x + 1


@pytest.mark.counts("which operations are taken out")
def test_silent() -> None:
    """All of it goes, what it was computed from as well."""
    assert dead(silent, X, K) >= 9


@pytest.mark.parametrize("program", [reporting, casting, of_a_number])
def test_what_reports_stays(program: Any) -> None:
    """There is a warning, whoever reads the result."""
    check(program, X, K, calls=6)


def raising(x: Any, k: Any) -> Any:
    y = x + k[:3]
    return x


def test_errors_stay() -> None:
    """Lengths that do not fit are an error in eager."""
    check(raising, X, K[:3])
    check(raising, X[:3], K)
