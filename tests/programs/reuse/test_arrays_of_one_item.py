"""Arrays of several items are met first, and then arrays of one: masks with a single hit.

One kernel serves both where an operation computes one item as it computes more of them. Where NumPy
treats one item in another way, there is another kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import Decorator, assert_counts, check, check_script

RNG = np.random.default_rng(0)
LENGTHS = (5, 1, 3, 1, 40)


class Vec3:
    def __init__(self, x: Any, y: Any, z: Any) -> None:
        self.x, self.y, self.z = x, y, z

    def __add__(self, other: Any) -> Any:
        return Vec3(self.x + other.x, self.y + other.y, self.z + other.z)

    def __mul__(self, factor: Any) -> Any:
        return Vec3(self.x * factor, self.y * factor, self.z * factor)

    def dot(self, other: Any) -> Any:
        return self.x * other.x + self.y * other.y + self.z * other.z

    def unit(self) -> Any:
        length = np.sqrt(self.dot(self))
        return self * (1.0 / np.where(length == 0.0, 1.0, length))


def vectors(n: int) -> Vec3:
    return Vec3(*RNG.normal(size=(3, n)).copy())


def arithmetic(x: Any, y: Any) -> Any:
    return np.maximum(x * y - 1.0, 0.0) / 3.0 + x


def elementary(x: Any, y: Any) -> Any:
    return np.exp(x) * np.sin(y) + np.power(np.abs(x), 40) - np.arctan2(x, y)


def reduced(x: Any, y: Any) -> Any:
    return (x * y).sum() + (x - y).max(), np.any(x > y), np.mean(x)


def masked(x: Any, y: Any) -> Any:
    hit = x < 10.0
    whole = np.zeros(len(x))
    whole[hit] = (x * y)[hit]
    return whole, x[hit] + y[hit]


def in_place(x: Any, y: Any) -> Any:
    made = x * 2.0
    made += y
    made[1:] -= 1.0
    return made


PROGRAMS = [arithmetic, elementary, reduced, masked, in_place]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_one_kernel_for_any_number_of_items(program: Any) -> None:
    """No miss at one item."""
    lines = [tuple(RNG.normal(size=(2, n)).copy()) for n in LENGTHS]

    def script(jit: Decorator) -> Any:
        f = jit(program)
        return [f(x, y) for x, y in lines]

    for (made,) in check_script(script, backends=["numba"]):
        assert_counts([made], captures=1, hits=len(LENGTHS))


def test_vectors_of_one_item() -> None:
    """The methods of a vector class, with masks that hit any number of pixels."""
    given = [(vectors(n), vectors(n)) for n in LENGTHS]

    def script(jit: Decorator) -> Any:
        f = jit(lambda a, b: ((a + b) * a.dot(b)).unit())
        return [vars(f(a, b)) for a, b in given]

    for (made,) in check_script(script, backends=["numba"]):
        assert_counts([made], captures=1, hits=len(LENGTHS))


def test_signs_of_zero() -> None:
    """The sum of one -0.0, and a NaN with a payload."""
    odd = np.array([0x7FF8000000000123], "u8").view("f8")

    def script(jit: Decorator) -> Any:
        f = jit(lambda x: (x.sum(), (x * 1.0).sum(), x.min(), x + x))
        return [f(np.array(one)) for one in ([1.0, 2.0], [-0.0], [0.0])] + [f(odd)]

    check_script(script)


@pytest.mark.parametrize("function", [np.squeeze, lambda x: (x * 2.0).squeeze() + x, np.atleast_2d])
def test_axes_of_one_item_that_matter(function: Any) -> None:
    """`squeeze` removes an axis of one item."""

    def script(jit: Decorator) -> Any:
        f = jit(lambda x: function(x))
        return [f(np.arange(1.0, n + 1)) for n in LENGTHS]

    check_script(script)


def test_squeeze_of_a_computed_length() -> None:
    """`squeeze` removes the axis where the mask selects one item, and else keeps it."""

    def script(jit: Decorator) -> Any:
        f = jit(lambda x: (x[x > 0] * 2.0).squeeze())
        return [f(np.array(one)) for one in ([1.0, 2.0, -1.0], [1.0, -2.0, -1.0], [-1.0, -2.0])]

    check_script(script)


def test_lengths_that_broadcast() -> None:
    """One item beside several, in either place, and beside another table."""
    one, five, table = np.ones(1), np.arange(5.0), np.arange(10.0).reshape(2, 5)

    def script(jit: Decorator) -> Any:
        f = jit(lambda x, y: x * y + 1.0)
        pairs = ((five, five), (one, five), (five, one), (one, one), (table, five), (table, one))
        return [f(*pair) for pair in pairs]

    check_script(script)


def test_one_item_with_a_stride_of_its_own() -> None:
    """Views of it show that stride."""
    whole = np.arange(30.0)

    def script(jit: Decorator) -> Any:
        f = jit(lambda x: (x[:], x[::-1] * 1.0, x * 2.0, np.exp(x)))
        lines = (whole[:4], whole[::7][:1], whole[:1], whole[5::-9][:1], whole[::3])
        return [f(line) for line in lines]

    check_script(script)


@pytest.mark.parametrize("n", [2, 5])
def test_truth_and_numbers_of_one_item(n: int) -> None:
    """NumPy refuses them for more items."""

    def program(x: Any) -> Any:
        y = x * 2.0
        return float(y[0]) if len(y) > 1 else (bool(y), y.item(), float(y.sum()))

    def script(jit: Decorator) -> Any:
        f = jit(program)
        return [f(np.arange(1.0, k + 1)) for k in (n, 1, n)]

    check_script(script)


def test_lengths_as_numbers() -> None:
    """A program that computes with `len(x)` gets eager's numbers, slices and branches."""

    def program(x: Any) -> Any:
        n = len(x)
        return x / n, x[n - 1], x[: n // 2], np.zeros(n - 1), "many" if n > 1 else "one"

    def script(jit: Decorator) -> Any:
        f = jit(program)
        return [f(np.arange(float(k))) for k in LENGTHS]

    check_script(script)


def test_views_that_are_returned() -> None:
    """Their memory and strides."""
    check(lambda x: (x, x[1:], x[::2], x[:0]), np.arange(3.0))

    def script(jit: Decorator) -> Any:
        f = jit(lambda x: (x, x[1:], x[::2], x[:0], x * 2.0))
        return [[part.strides for part in f(np.arange(float(k)))] for k in LENGTHS]

    check_script(script)
