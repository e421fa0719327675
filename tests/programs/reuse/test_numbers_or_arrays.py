"""One name, an array in one call and a number in another: beside an array one kernel takes both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check_script

X = np.linspace(-1.0, 2.0, 7)
NUMBERS = (0, 0.5, -3, np.float64(2.5), np.int64(4), True, np.float32(0.25), np.array(1.5))


class Vector:
    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def __add__(self, other: Any) -> Any:
        return Vector(self.x + other.x, self.y + other.y)


def plus(one: Any, other: Any) -> Any:
    both = one + other
    return both.x, both.y


def in_turns(jit: Any, function: Any, calls: list[tuple[Any, ...]]) -> Any:
    """Make all calls twice, and return results; of exceptions, type and text."""
    inner = jit(function)
    seen = []
    for arguments in (*calls, *calls):
        try:
            seen.append(inner(*arguments))
        except Exception as error:
            seen.append((type(error), str(error)))
    return seen


def test_components_share_kernels() -> None:
    """A vector has arrays as components in one call, and numbers in the next."""

    def script(jit: Any) -> Any:
        other = Vector(X, X * 2.0)
        held = [Vector(0, 0.5), Vector(X + 1.0, X * 3.0), Vector(0.5, 2), Vector(X, 0)]
        return in_turns(jit, plus, [(one, other) for one in (*held, Vector(1, X))])

    for jitted in check_script(script):
        assert_normally(jitted[0].stats()["captures"] <= 3)


def difference(a: Any, b: Any) -> Any:
    return np.sqrt(np.abs(a - b)) + np.maximum(a, b), a < b, b / 2.0


@pytest.mark.parametrize("number", NUMBERS, ids=repr)
def test_numbers_of_each_type(number: Any) -> None:
    """On the left and on the right of an array."""

    def script(jit: Any) -> Any:
        calls = [(X, X + 1.0), (number, X), (X, number), (X[::-1], X), (X * 2.0, X)]
        return in_turns(jit, difference, calls)

    check_script(script)


HOSTILE = (np.nan, -np.nan, np.inf, -0.0, 2**53 + 1, 2**70, -(2**63), 1e308, 5e-324, 10**400)


@pytest.mark.parametrize("number", HOSTILE, ids=repr)
def test_hostile_numbers(number: Any) -> None:
    """NaNs of both signs, infinities, ints that no double holds, and what makes NumPy warn."""

    def script(jit: Any) -> Any:
        hostile = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1e308, 5e-324])

        def products(a: Any, b: Any) -> Any:
            return a * b, a + b, a / b, np.minimum(a, b), a == b

        calls = [(hostile, hostile[::-1].copy()), (0.5, hostile), (hostile * 1.0, hostile)]
        return in_turns(jit, products, [*calls, (number, hostile), (hostile, number), (2, hostile)])

    check_script(script)


def test_other_shapes_and_layouts() -> None:
    """Lengths that broadcast, that differ, that are 0 or 1; strides, other dtypes, read-only."""

    def script(jit: Any) -> Any:
        frozen = X.copy()
        frozen.flags.writeable = False
        others = [X[:1], X[:0], X[:3], X[::-1], X[::2], X.astype("f4"), X.astype(int), X > 0]
        others += [X[:, None], np.stack((X, X)), frozen, X.astype(">f8"), X + 1j, X.tolist(), None]
        calls: list[tuple[Any, ...]] = [(X, X), (0.5, X), (X + 1.0, X)]
        calls += [(one, X) for one in others] + [(2, one) for one in others]
        calls += [(one, one) for one in others] + [(X[:1], X[:1]), (3, X[:1]), (3, X[:0])]
        return in_turns(jit, lambda a, b: (a + b) * 2.0, calls)

    check_script(script)


def test_in_place() -> None:
    """An array changes in place, a number does not, an array without axes cannot."""

    def script(jit: Any) -> Any:
        def added(a: Any, b: Any) -> Any:
            a += b
            return a * 2.0, a

        made = [X.copy(), X * 2.0]
        calls = [(a, X) for a in (0.5, made[0], 2, made[1], np.array(2.5), np.float64(1.0), 3)]
        return in_turns(jit, added, calls), made

    check_script(script)


def test_where_it_is_written_to() -> None:
    """The array may be, or overlap, what the segment writes to; numbers are not."""

    def script(jit: Any) -> Any:
        def moved(a: Any, b: Any, out: Any) -> Any:
            out[1:] = a[1:] + 1.0 if isinstance(a, np.ndarray) else a
            total = a + b
            out[0] = 7.0
            return total, a + b

        def stored(a: Any, b: Any, out: Any) -> Any:
            first = a + b
            out[:] = first * 2.0
            return first, a + b, a * out

        seen = []
        for function in (moved, stored):
            held = X.copy()
            calls = [(0.5, X, X.copy()), (held, X, X.copy()), (2, X, held), (held, X, held)]
            calls += [(held, held, held), (np.float64(3.0), held, held), (held[:], X, held)]
            seen.append((in_turns(jit, function, calls), held))
        return seen

    check_script(script)


def test_other_uses_of_the_number() -> None:
    """A number that is returned, or asked for its type or shape, stays a number."""

    def script(jit: Any) -> Any:
        def used(a: Any, b: Any) -> Any:
            return a + b, a, type(a).__name__, np.shape(a), a * 2

        other = Vector(X, X)
        calls = [(0.5, X), (X * 2.0, X), (2, X), (np.float64(0.25), X), (X, other.x)]
        return in_turns(jit, used, calls)

    check_script(script)
