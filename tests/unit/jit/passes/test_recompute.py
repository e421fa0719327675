"""Cheap values are made by those that read them, and are in no memory; lengths need none either."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from rooms import rooms

import framejit

X = np.array([[1.0, -2.0, np.nan, 3.0], [2.0, np.inf, -0.0, 5e-324], [1e308, 7.0, -3.5, 0.25]])
FINITE = np.where(np.isfinite(X) & (abs(X) < 1e300), X, 2.5)


def layer_norm(x: Any) -> Any:
    d = x - x.mean(axis=1, keepdims=True)
    return d / np.sqrt((d * d).mean(axis=1, keepdims=True) + 1e-5)


def chain(x: Any) -> Any:
    d = (x * 2.0 - 1.0) * x
    return d / d.sum()


def of_two(x: Any) -> Any:
    d = x - x[::-1]
    return d / d.sum()


def of_a_window(x: Any) -> Any:
    d = x[:, 1:] - 1.0
    return d / d.sum()


def dear(x: Any) -> Any:
    e = np.exp(x)
    return e / e.sum()


def long(x: Any) -> Any:
    d = ((((x + 1.0) * 2.0) - 3.0) * 4.0) - 5.0
    return d / d.sum()


def handed_out(x: Any) -> Any:
    d = x - 1.0
    return d / d.sum(), d


def mean_square(x: Any) -> Any:
    return np.sqrt(np.mean(x * x))


@pytest.mark.counts("which arrays kernels allocate")
@pytest.mark.parametrize(
    ("program", "count"),
    [
        (layer_norm, 3),
        (chain, 1),
        (of_two, 1),
        (of_a_window, 1),
        (dear, 1),
        (long, 1),
        (handed_out, 2),
        (mean_square, 0),
    ],
)
def test_rooms(program: Any, count: int) -> None:
    """Warnings come as in eager, once for each operation."""
    for x in (X, FINITE):
        assert rooms(program, x) == count
    for x in (X[:, ::-1], X.T, X[::2], X[:1], X[:0], X[:, :1], np.asfortranarray(X)):
        check(program, x)


def changed_by_then(x: Any) -> Any:
    d = x - 1.0
    total = d.sum()
    x += total
    return d / total, x


def changed_by_a_window(x: Any) -> Any:
    row = x[0]
    d = x - 1.0
    row *= d.sum()
    return d * 2.0


def of_one_line(x: Any) -> Any:
    d = x[0] - x[1]
    return (d - d.mean()) / d.std(), d.shape


def in_other_modes(x: Any) -> Any:
    with np.errstate(all="ignore"):
        d = x * 1e308
    return d / d.sum()


def one_after_the_other(x: Any) -> Any:
    a = x - 1.5
    b = a * 2
    c = b * a.sum()
    u = c.sum()
    return b - u, c * u


def through_three(x: Any) -> Any:
    a = x * 2
    b = a - 1
    c = a - b.sum()
    t = (c * b).sum()
    return c * t + b - a


def in_a_loop(x: Any) -> Any:
    for k in range(3):
        d = x - k
        x = d / abs(d).max()
    return x


@pytest.mark.parametrize(
    "program",
    [
        *(changed_by_then, changed_by_a_window, of_one_line, in_other_modes, in_a_loop),
        *(one_after_the_other, through_three),
    ],
)
def test_what_changes(program: Any) -> None:
    """Operands may have changed before the result is read, so it is not computed again."""
    check(program, X)
    check(program, FINITE, calls=6)


def of_an_outer_sum(x: Any) -> Any:
    d = x[:, None] + x
    e = np.exp(np.maximum(d - (x * 2)[:, None] @ x[None], 0))
    return e.mean(axis=0), e.sum(), e.max(axis=1)


def of_an_outer_product(x: Any) -> Any:
    d = x * x[:, None]
    far = np.cumsum(abs(d), axis=1)
    return (far - d).sum(), (d * far).sum(axis=1)


def less_a_row(x: Any) -> Any:
    d = x[:, None] * (x[:, None] + 1).T - x
    e = np.cumsum(d * 2, axis=0) - d
    return e.sum(), (e / 3).sum()


def of_one_item(x: Any) -> Any:
    d = x - x[:1]
    e = d * x.sum()
    return (e - d).sum(), (d * 2).sum()


@pytest.mark.parametrize("n", [1, 2, 3, 8, 9, 40, 129, 700])
@pytest.mark.parametrize("program", [of_an_outer_sum, of_an_outer_product, less_a_row, of_one_item])
def test_sums_of_what_broadcasts(program: Any, n: int) -> None:
    """A whole sum is one of one line: what is made again there must not part it into rows."""
    x = np.sin(np.arange(n) * 1.7)
    check(program, x)
    check(program, x[::-1])
    check(program, x.astype(np.float32))


def outer_less(x: Any, y: Any) -> Any:
    d = x[:, None] + x
    return np.exp(d - np.cumsum(y * 0.5, axis=1))


@pytest.mark.counts("which loops kernels have")
def test_what_nobody_reads_goes() -> None:
    """Its operations are reported once, by those that make it again."""
    x, y = np.array([1.0, 1e308, np.inf]), np.ones((3, 3))
    check(outer_less, x, y)
    check(outer_less, x[:2], y[:2, :2])
    jitted = framejit.jit(outer_less, backend="numba")
    jitted(x, y)
    text = jitted.inspect("numba")
    assert "held" not in text
    assert text.count("float64(x_") == 2
