"""Arrays that nobody reads: not computed, where they raise nothing that eager reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check, check_script

import framejit

X = np.array([1e200, -0.0, np.nan, np.inf, 2.0])
K = np.array([-128, -1, 0, 1, 127], np.int8)


def dead(program: Callable[..., Any], *args: Any) -> int:
    """Return the number of operations that have gone; answers and warnings are eager's."""
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


def added(x: Any, n: Any) -> Any:
    y = x + n
    return x * x


def least(x: Any, n: Any) -> Any:
    y = np.minimum(x, n)
    return x * x


def masked(x: Any, n: Any) -> Any:
    y = x & n
    return x * x


def chosen(x: Any, n: Any) -> Any:
    y = np.where(x > 1, x, n)
    return x * x


def compared(x: Any, n: Any) -> Any:
    y = x < n
    return x * x


BYTES = np.arange(5, dtype=np.uint8)
"""Numbers that NumPy's own ones may be too small for."""


@pytest.mark.parametrize(
    ("program", "x", "numbers"),
    [
        (added, BYTES, (3, 4, -1)),
        (least, BYTES, (3, 4, 300)),
        (masked, BYTES, (3, 4, -1)),
        (chosen, BYTES, (3, 4, 300)),
        (compared, BYTES, (3, 4, 300)),
        (added, BYTES.astype(bool), (3, 4, -(2**63))),
        (added, BYTES.astype(int), (3, 4, -(2**63))),
        (chosen, BYTES.astype("f4"), (1.5, 2.5, 1e300)),
        (chosen, BYTES.astype("f4"), (3, 4, 2**62)),
        (chosen, BYTES.astype("f2"), (3, 4, 10**6)),
        (chosen, BYTES.astype("F"), (1.5, 2.5, 1e300)),
    ],
)
def test_numbers_that_do_not_fit(program: Any, x: Any, numbers: tuple[Any, ...]) -> None:
    """They raise in eager, or there is a warning, also where nobody reads the result."""

    def script(decorate: Any) -> Any:
        function = decorate(program)
        found = []
        for number in numbers:
            try:
                found.append(function(x, number))
            except OverflowError as error:
                found.append(str(error))
        return found

    check_script(script)
