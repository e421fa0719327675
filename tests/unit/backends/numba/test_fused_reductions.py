"""Reductions of a cluster's results, made block by block, have the bits of eager's."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check
from sweep import every_other, in_order, numbers, sweep

import framejit
from framejit.backends.numba.clusters.pairwise import adds_pairwise

LENGTHS = (0, 1, 2, 7, 8, 9, 127, 128, 129, 255, 511, 512, 513, 514, 1023, 1025, 4097, 70_001)
SHAPES = ((2, 2), (3, 7), (200, 9), (9, 200), (40, 300), (513, 2), (2, 9000), (3, 513), (600, 512))
CUBES = ((2, 3, 4), (9, 2, 17), (2, 130, 9), (3, 4, 700))


def text_of(f: Any, *args: Any) -> str:
    """The kernel of a function."""
    jitted = framejit.jit(f, backend="numba")
    jitted(*args)
    text: str = jitted.inspect("numba")
    return text


def test_numpy_adds_pairwise() -> None:
    """The other tests rely on pairwise sums; another NumPy would do without."""
    assert adds_pairwise(np.dtype(np.float64))
    assert adds_pairwise(np.dtype(np.float32))
    assert not adds_pairwise(np.dtype(np.float16))
    assert not adds_pairwise(np.dtype(np.complex128))


def norm(x: Any) -> Any:
    return np.sqrt((x * x).sum())


def similarity(x: Any) -> Any:
    y = x[::-1]
    return (x * y).sum() / (np.sqrt((x * x).sum()) * np.sqrt((y * y).sum()))


def handed_out_too(x: Any) -> Any:
    y = x * 2 + 1
    return y, y.sum(), (y * x).sum()


def with_numpys_loop(x: Any) -> Any:
    return np.exp(x * 0.01).sum()


def centred(x: Any) -> Any:
    d = x - x.mean()
    return d / np.sqrt((d * d).mean())


@pytest.mark.parametrize("program", [norm, similarity, handed_out_too, with_numpys_loop, centred])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_all_of_one_axis(program: Any, dtype: str) -> None:
    """Every length at which a line is parted in another way."""
    with np.errstate(all="ignore"):
        sweep(program, ((numbers((n,), dtype),) for n in LENGTHS))
        sweep(program, ((every_other(numbers((n,), dtype)),) for n in LENGTHS[2:]))


@pytest.mark.counts("what is allocated")
def test_nothing_is_written_to_memory() -> None:
    """One pass over what is read."""
    x = numbers((1000,), "f8")
    for program in (norm, similarity, with_numpys_loop):
        assert_normally("alloc(" not in text_of(program, x))
        assert_normally("pairwise_float64(" in text_of(program, x))


def counted(x: Any) -> Any:
    big = x > 3
    return big.sum(), np.count_nonzero(x > 0), (x * 2).sum(), big.mean()


@pytest.mark.parametrize("dtype", ["i8", "i4", "u1", "?", "f8"])
def test_ints(dtype: str) -> None:
    """Masks are counted, ints wrap around."""
    sweep(counted, ((numbers((n,), dtype),) for n in LENGTHS if n))


def by_axis(axis: Any, keepdims: bool) -> Any:
    def f(x: Any) -> Any:
        y = x * x - 1
        return y.sum(axis=axis, keepdims=keepdims), (x > 1).sum(axis=axis), y

    return f


@pytest.mark.parametrize("axis", [0, 1, -1, None, (0, 1)])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_axes(axis: Any, order: tuple[int, ...]) -> None:
    """Rows, columns, all; in both orders of memory."""
    for keepdims in (False, True):
        f = by_axis(axis, keepdims)
        sweep(f, ((in_order(numbers(shape, "f8"), order),) for shape in SHAPES))
    sweep(f, ((every_other(numbers(shape, "f8")),) for shape in SHAPES))


@pytest.mark.parametrize("axis", [0, 1, 2, (0, 2), (0, 1), (1, 2), None])
def test_three_axes(axis: Any) -> None:
    """Every order of memory."""
    f = by_axis(axis, keepdims=True)
    cubes = [numbers(shape, "f4") for shape in CUBES]
    orders = list(itertools.permutations(range(3)))
    sweep(f, ((in_order(cube, order),) for order in orders for cube in cubes))


def of_rows(x: Any, w: Any) -> Any:
    y = x * w
    return y.sum(axis=0), y.sum(axis=1), y.sum(), (x + w).prod(axis=0)


@pytest.mark.parametrize("shape", [*SHAPES, (1, 5), (5, 1), (1, 1), (0, 3), (3, 0)])
def test_an_operand_that_is_broadcast(shape: tuple[int, ...]) -> None:
    """There is no one line of all items."""
    x = numbers(shape, "f8").clip(-3, 3)
    check(of_rows, x, x[:1])
    check(of_rows, x, x[:, :1])
    check(of_rows, x.T, x[:1])
    check(of_rows, np.asfortranarray(x), x[:1])


def test_signs_of_zero() -> None:
    """The sum of negative zeros is zero."""
    for n in (1, 8, 600):
        x = np.full(n, -0.0)
        check(lambda x: ((x * 1).sum(), (x * 1).sum(axis=0, keepdims=True)), x)


def reported(x: Any) -> Any:
    return (x * 2).sum(), (x * x).sum() + 1


def test_what_is_reported() -> None:
    """Overflow in the product, in the sum, in the sum of two blocks, and none at all."""
    for n in (5, 700):
        for x in (np.full(n, 1e300), np.full(n, 8e307), np.full(n, 1e308 / n), np.ones(n)):
            check(reported, x, calls=3)
            with np.errstate(all="raise"):
                check(reported, x)
    x = np.ones(700)
    x[3], x[600] = np.inf, -np.inf
    check(reported, x, calls=3)


def in_a_loop(x: Any, n: Any) -> Any:
    found = 0.0
    for i in range(n):
        found += (x * i).sum()
        x = x - (x * x).sum(axis=0) * 1e-9
    return found, x


def test_in_loops() -> None:
    """An iteration of a loop has sums of its own."""
    check(in_a_loop, numbers((700,), "f8"), 5)
    check(in_a_loop, numbers((30, 40), "f8"), 5)
