"""`static=`: arguments that are constants of a kernel, one for each value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, assert_normally

from framejit import FramejitError, explain, jit

X = np.linspace(0.0, 1.0, 6)


def powers(x: Any, n: Any, shift: Any = 0.0) -> Any:
    total = np.zeros_like(x)
    for k in range(n):
        total = total + x**k
    return total + shift


def test_a_kernel_for_each_value() -> None:
    """The loop has a known number of iterations, and a power that is known is a product."""
    jitted = jit(powers, static=("n",))
    for n in (2, 3, 2, 3, 4):
        for shift in (0.5, 1.5):
            assert jitted(X, n, shift).tobytes() == powers(X, n, shift).tobytes()

    assert_counts([jitted], captures=3, hits=10, breaks=0, bails=0)
    assert_normally("const() value=4 : int" in jitted.inspect("graph"))


def test_floats_and_tuples() -> None:
    def f(x: Any, parts: Any) -> Any:
        return x * parts[0] + parts[1][0]

    jitted = jit(f, static=("parts",))
    for parts in ((2.0, (1,)), (2.0, (3,)), (-0.0, (1,)), (0.0, (1,))):
        assert jitted(X, parts).tobytes() == f(X, parts).tobytes()

    assert_counts([jitted], captures=4, hits=4)


def test_in_the_segments_of_a_function() -> None:
    """The number is a constant in each segment, behind a break too."""

    def f(x: Any, n: Any, log: list[int]) -> Any:
        y = x * n
        log.sort()
        return y + n

    jitted = jit(f, static=("n",))
    for n in (2, 3, 2, 3):
        assert jitted(X, n, [2, 1]).tobytes() == f(X, n, [2, 1]).tobytes()

    assert_normally(len(explain(jitted)(X, 2, [1]).segments) >= 2)


def test_what_has_no_value_stays_what_it_is() -> None:
    """An array is no constant; it is captured as ever."""
    jitted = jit(powers, static=("x", "n"))
    for scale in (1.0, 2.0, 3.0):
        assert jitted(X * scale, 3).tobytes() == powers(X * scale, 3).tobytes()

    assert_counts([jitted], captures=1, hits=3)


@pytest.mark.parametrize(
    ("static", "message"),
    [
        (("m",), r"static=\('m',\), but powers has no parameter 'm'.*: it has x, n, shift"),
        (("shif",), r"no parameter 'shif' \(did you mean 'shift'\?\)"),
        ("n", "option 'static' must be a tuple of names, not 'n'"),
        ((1,), "has no parameter 1"),
    ],
)
def test_wrong_names(static: Any, message: str) -> None:
    with pytest.raises(FramejitError, match=message):
        jit(powers, static=static)
