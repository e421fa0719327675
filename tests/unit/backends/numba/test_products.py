"""matmul and its kin in a kernel: NumPy's own loop on the operands that eager gives it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import captured
from sweep import every_other, in_order, numbers, sweep

from framejit import jit
from framejit.jit.native import parallel_counts
from framejit.jit.threads import EVERYWHERE

SIZES = ((2, 3, 4), (5, 2, 7), (3, 40, 2), (33, 17, 65), (100, 2, 2))


def product(x: Any, y: Any) -> Any:
    return x @ y


def inverse(x: Any) -> Any:
    return np.linalg.inv(x)


def layouts(array: Any) -> list[Any]:
    """The array in the layouts that NumPy hands to BLAS in different ways, or not at all."""
    made = [array, every_other(array), array[::-1].copy()[::-1]]
    if array.ndim > 1:
        axes = (*range(array.ndim - 2), array.ndim - 1, array.ndim - 2)
        made += [
            in_order(array, axes),
            np.concatenate([array, array], axis=-1)[..., : array.shape[-1]],
        ]
    return made


def _releases(function: Any, *args: Any) -> int:
    """Return the number of times that one call releases the GIL, once its kernel is there."""
    made = jit(function, compile="now")
    made(*args), made(*args)
    before = parallel_counts()["released"]
    made(*args)
    return parallel_counts()["released"] - before


@pytest.mark.skipif(EVERYWHERE, reason="the mode releases the GIL in loops of any length")
def test_the_gil_is_released_in_long_products_only() -> None:
    """A matrix of 200 x 200 times a vector takes 5 us: 40,000 products, not 200 ** 3."""
    a, v = numbers((200, 200), "f8"), numbers((200,), "f8")
    b = numbers((600, 600), "f8")
    assert _releases(product, a, v) == _releases(product, v, a) == 0
    assert _releases(product, b, b) == _releases(inverse, a + 200 * np.eye(200)) == 1


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i8", "?"])
@pytest.mark.parametrize("ranks", [(1, 1), (1, 2), (2, 1), (2, 2), (3, 2), (1, 3), (3, 3)])
def test_matmul(dtype: str, ranks: tuple[int, int]) -> None:
    """Every pair of layouts, at several sizes, on one capture a pair."""
    left, right = ranks
    pairs = []
    for m, k, p in SIZES:
        x = numbers((2, m, k)[3 - left :] if left > 1 else (k,), dtype, seed=1)
        y = numbers((2, k, p)[3 - right :] if right > 1 else (k,), dtype, seed=2)
        pairs += list(itertools.product(layouts(x), layouts(y)))
    stats = sweep(product, pairs)
    if dtype == "f8":
        assert stats["breaks"] == 0
        assert stats["hits"] > len(pairs) // 2


def test_one_item() -> None:
    """An axis of one item has no step."""
    for m, k, p in ((1, 3, 4), (3, 1, 4), (3, 4, 1), (1, 1, 1), (1, 4, 1)):
        check(product, numbers((m, k), "f8"), numbers((k, p), "f8"))
        check(product, every_other(numbers((m, k), "f8")), numbers((p, k), "f8").T)


def test_empty() -> None:
    """No items: zeros, or nothing."""
    for m, k, p in ((0, 3, 4), (3, 0, 4), (3, 4, 0)):
        check(product, np.ones((m, k)), np.ones((k, p)))


def test_a_matrix_and_its_transpose() -> None:
    """NumPy makes a symmetric product of it."""
    x = numbers((40, 30), "f8")
    captured(lambda x: x.T @ x, x)
    captured(lambda x: (x @ x.T) * 2.0, x)


def test_names_of_matmul() -> None:
    """The operator, the function, dot, and the other products."""
    shapes = ((7, 5), (5, 9), (5,))
    x, y, v = (np.nan_to_num(numbers(s, "f8"), posinf=1, neginf=1) for s in shapes)
    captured(lambda x, y: np.matmul(x, y) + 1.0, x, y)
    captured(lambda x, v: (x @ v).sum(), x, v)
    captured(lambda x, v: np.vecdot(x, v) * 2.0, x, v)
    captured(lambda x, v: np.matvec(x, v) * 2.0, x, v)
    captured(lambda y, v: np.vecmat(v, y) * 2.0, y, v)
    captured(lambda x, y: np.dot(x, y) + x.dot(y), x, y)


def test_sizes_that_do_not_fit() -> None:
    """NumPy's error, at the user's line."""
    check(lambda x, y: x @ y + 1.0, np.ones((3, 4)), np.ones((5, 6)))
    jitted = check(product, np.ones((3, 4)), np.ones((4, 6)))[0]
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        jitted(np.ones((3, 4)), np.ones((5, 6)))


def test_what_a_product_reports() -> None:
    """Invalid and overflow in matmul are warned about at the user's line, at kernel speed."""
    x = np.array([[np.inf, 1.0], [1e308, 1e308]])
    check(lambda x: (x @ np.array([[0.0, 2.0], [3.0, 1.0]])) + 1.0, x, calls=4)
    check(lambda x, y: x @ y, x, np.zeros((2, 2)), calls=4)


def test_dense_layers_are_one_kernel() -> None:
    """Three layers and a bias each: no opaque call."""

    def layers(x: Any, w: Any, b: Any) -> Any:
        h = np.maximum(x @ w + b, 0.0)
        h = np.tanh(h @ w + b)
        return h @ w + b

    x, w, b = numbers((50, 8), "f8"), numbers((8, 8), "f8") / 9.0, numbers((8,), "f8")
    x, w, b = (np.nan_to_num(a, posinf=1.0, neginf=1.0) for a in (x, w, b))
    jitted = check(layers, x, w, b)[0]
    assert "opaque" not in jitted.inspect("graph")
    assert jitted.stats()["bails"] == 0


def test_core_dims_that_a_gufunc_computes() -> None:
    """Its signature does not give the length of the result."""
    ufuncs = pytest.importorskip("numpy._core._umath_tests")
    x = np.arange(1.0, 6.0)
    for y in (x[:3], x):
        check(lambda x, y: ufuncs.conv1d_full(x * 2, y) + 1, x, y)
    check(lambda x: ufuncs.euclidean_pdist(x * 2) + 1, np.arange(12.0).reshape(4, 3) ** 2)


def dots(x: Any, y: Any) -> Any:
    return np.dot(x * 1, y), x.dot(y), np.inner(x, y * 1), np.dot(x[1:], y[1:]), x @ y


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i4", "bool"])
def test_lines_of_one_item(dtype: str) -> None:
    """`np.dot` multiplies lines of one item without adding 0.0: the sign of a zero stays."""
    for n in (1, 2, 3):
        for low in (-0.0, 0.0, np.inf, np.nan, 5e-324, 1e308):
            x, y = np.full(n, low, "c16"), np.full(n, -2.0 - 3e-5j)
            if dtype[0] != "c":
                x, y = x.real, y.real
            with np.errstate(all="ignore"):
                x, y = x.astype(dtype), y.astype(dtype)
            check(dots, x, y)
            check(dots, y, x)


def of_windows(x: Any, y: Any) -> Any:
    found = [np.dot(x[:k], y[:k]) for k in range(4)]
    return found[0], found[1], found[2], found[3]


def test_windows_of_one_item() -> None:
    check(of_windows, np.array([-0.0, 1.0, 2.0, 3.0]), np.arange(4.0) + 1)


def row_by_row(x: Any) -> Any:
    total = np.zeros(len(x))
    for k in range(1, len(x)):
        total[k] = np.dot(x[k, :k], x[:k, k])
    return total


def test_windows_in_a_loop() -> None:
    x = np.sin(np.arange(36.0)).reshape(6, 6)
    x[1, 0] = -0.0
    check(row_by_row, x)
    check(row_by_row, x.T)
