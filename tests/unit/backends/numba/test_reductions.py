"""Reductions in a kernel have the bits, the type and the memory order of eager's."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check
from samples import captured
from sweep import every_other, in_order, numbers, sweep

UFUNCS = {
    "f8": (np.add, np.multiply, np.maximum, np.minimum, np.subtract, np.logaddexp, np.hypot),
    "f4": (np.add, np.maximum, np.fmax, np.divide, np.arctan2),
    "c16": (np.add, np.multiply, np.subtract),
    "i8": (np.add, np.multiply, np.maximum, np.bitwise_xor, np.bitwise_and, np.gcd, np.subtract),
    "u1": (np.maximum, np.bitwise_or, np.minimum),
    "?": (np.logical_or, np.logical_and, np.add),
    "i1": (np.add, np.minimum),
    "u2": (np.add,),
    "i4": (np.add, np.maximum),
    "u8": (np.add,),
}
LENGTHS = (2, 3, 7, 8, 9, 15, 16, 17, 127, 128, 129, 130, 1000, 8191, 8192, 8193, 20_001)
SHAPES = ((2, 2), (3, 7), (7, 3), (200, 9), (9, 200), (40, 300), (513, 2), (2, 9000))
CUBES = ((2, 3, 4), (9, 2, 17), (17, 9, 2), (2, 130, 9), (30, 20, 10))


def reducing(ufuncs: tuple[np.ufunc, ...], axis: Any, keepdims: bool) -> Any:
    """A user's function that reduces by each of these ufuncs."""
    lines = [
        f"np.{ufunc.__name__}.reduce(x, axis={axis}, keepdims={keepdims})," for ufunc in ufuncs
    ]
    namespace: dict[str, Any] = {"np": np}
    exec("def f(x):\n    return (" + "\n        ".join(lines) + ")\n", namespace)
    return namespace["f"]


@pytest.mark.parametrize("dtype", UFUNCS)
def test_one_axis(dtype: str) -> None:
    """Every length at which NumPy changes its way of adding, and around the blocks of a buffer."""
    f = reducing(UFUNCS[dtype], None, keepdims=False)
    stats = sweep(f, ((numbers((n,), dtype),) for n in LENGTHS))
    assert stats["captures"] == 1
    assert stats["hits"] == len(LENGTHS)
    sweep(f, ((every_other(numbers((n,), dtype)),) for n in LENGTHS))


@pytest.mark.parametrize("axis", [0, 1, -1, None, (0, 1)])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_axes(axis: Any, order: tuple[int, ...]) -> None:
    """Rows, columns, all; in both orders of memory, with and without the axes left in place."""
    for keepdims in (False, True):
        ufuncs = UFUNCS["f8"][:4]
        f = reducing(ufuncs, axis, keepdims)
        stats = sweep(f, ((in_order(numbers(shape, "f8"), order),) for shape in SHAPES))
        assert stats["captures"] == 1
        assert stats["hits"] == len(SHAPES)


@pytest.mark.parametrize("axis", [0, 1, 2, (0, 2), (0, 1), None])
def test_three_axes(axis: Any) -> None:
    """Every order of memory."""
    f = reducing((np.add, np.maximum), axis, keepdims=True)
    cubes = [numbers(shape, "f8") for shape in CUBES]
    orders = list(itertools.permutations(range(3)))
    stats = sweep(f, ((in_order(cube, order),) for order in orders for cube in cubes))
    assert stats["hits"] == len(orders) * len(cubes)


@pytest.mark.parametrize("axis", [0, 1, None])
def test_gaps(axis: Any) -> None:
    """A window of a wider array; over all axes NumPy copies it to buffers, and so it is called."""
    f = reducing((np.add, np.maximum), axis, keepdims=False)
    sweep(f, ((every_other(numbers(shape, "f8")),) for shape in SHAPES))
    sweep(f, ((numbers((rows, 40), "f8")[:, :n],) for rows, n in ((300, 7), (2, 39), (900, 2))))


@pytest.mark.parametrize("shape", [(1, 5), (5, 1), (1, 1), (1,), (5, 1, 3), (0,), (0, 3), (3, 0)])
def test_short_axes(shape: tuple[int, ...]) -> None:
    """Axes of one item and of none."""
    for axis in (None, 0, -1):
        check(lambda x, axis: (x.sum(axis), x.prod(axis)), np.full(shape, -0.0), axis)
        check(lambda x, axis: x.max(axis), np.full(shape, -0.0), axis)


def test_length_that_the_kernel_computes() -> None:
    """Windows of no item and of one item are walked in another way."""

    def f(x: Any, k: int) -> Any:
        window = x[:, k:]
        return window.sum(axis=0), window.max(axis=1)

    x = numbers((6, 5), "f8")
    sweep(f, ((x, first) for first in (1, 3, 4, 2, 1)))
    check(f, x, 4)
    check(f, x, 5)


def test_methods_and_functions() -> None:
    """However the user writes it, it is one reduction in the kernel."""
    x = numbers((40, 30), "f8")
    captured(lambda x: (np.sum(x, axis=1), x.sum(), np.max(x), x.min(axis=0), np.prod(x, 1)), x)
    captured(lambda x: (np.any(x > 0, axis=1), (x > 0).all(), np.amax(x, axis=-1)), x)


def test_casts_are_called() -> None:
    """Products of small integers, and means of any: eager casts in buffers."""
    for dtype in ("u1", "i2", "f2", "?"):
        check(lambda x: (x.prod(), x.prod(axis=0), x.mean()), numbers((30, 20), dtype))


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "i8", "u8"])
@pytest.mark.parametrize("axis", [0, 1, None])
def test_sums_of_ints(dtype: str, axis: Any) -> None:
    """They are the same in any order, and wrap around in silence."""
    f = reducing((np.add,), axis, keepdims=False)
    for shape in (*SHAPES, (1, 5), (5, 1), (0, 3), (3, 0)):
        for order in ((0, 1), (1, 0)):
            check(f, in_order(numbers(shape, dtype), order))
        check(f, every_other(numbers(shape, dtype)))
        check(f, numbers(shape, dtype)[::-1, ::-1])
    check(f, np.full((3, 3), np.iinfo("i8").max) if dtype == "i8" else np.ones((3, 3), dtype))
    captured(lambda x: (x.sum(), x.sum(axis=0)), numbers((30, 20), dtype))


def test_what_a_reduction_reports() -> None:
    """Overflow and invalid values are warned about where eager warns, as often as eager does."""
    huge = np.full((4, 50), 1e308)
    both = np.array([[np.inf, -np.inf, 1.0]] * 3)
    for x in (huge, both):
        check(lambda x: x.sum(axis=1) + x.max(axis=1), x, calls=3)
        check(lambda x: np.add.reduce(x, axis=0) * 2.0, x, calls=3)
        with np.errstate(all="raise"):
            check(lambda x: x.sum() * 2.0, x)


def test_softmax_is_one_kernel() -> None:
    """Reductions, broadcasting and loops of NumPy together."""

    def softmax(x: Any) -> Any:
        weights = np.exp(x - x.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    jitted = check(softmax, numbers((70, 13), "f8").clip(-5, 5))
    assert_counts(jitted[:1], captures=1, breaks=0, bails=0)
    assert "opaque" not in jitted[0].inspect("graph")
