"""Sums over slower axes, added while the summands are in registers, have the bits of eager's."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check
from sweep import every_other, in_order, numbers

import framejit

WIDTHS = (1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 33, 63, 65, 127, 129, 511, 513, 1030)
"""Lengths of lines: whole vectors, each rest, and more than one block."""


def product(a: Any, b: Any) -> Any:
    return (a[:, :, None] * b[None]).sum(axis=1)


def in_numpys_way(a: Any, b: Any) -> Any:
    return np.sum(a[..., None] * b, axis=1)


def outer(a: Any, b: Any) -> Any:
    return (a.T[:, :, None] * b[:, None, :]).sum(axis=0)


def weighted(a: Any, b: Any) -> Any:
    return (a[0][:, None, None] * (b[:, None] + a[:3, :1])).sum(axis=0)


def of_more(a: Any, b: Any) -> Any:
    t = a[:, :, None] - b[None]
    return (t * t).sum(axis=1), t.sum(axis=1, keepdims=True), np.abs(t).sum(axis=1)


def handed_out_too(a: Any, b: Any) -> Any:
    t = a[:, :, None] * b[None]
    return t, t.sum(axis=1), (t + 1).sum(axis=1)


def chosen(a: Any, b: Any) -> Any:
    return np.where(a[:, :, None] > 0, b[None], a[:, :, None] / b[None]).sum(axis=1)


PROGRAMS = [product, in_numpys_way, outer, weighted, of_more, handed_out_too, chosen]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_widths(program: Any, dtype: str) -> None:
    """The bits of a line do not depend on the cut into vectors."""
    for width in WIDTHS:
        a, b = numbers((4, 9), dtype), numbers((9, width), dtype)
        check(program, a, b, backends=["numba"])
    for rows in (1, 2, 3, 4, 5, 600):
        check(program, numbers((3, rows), dtype), numbers((rows, 20), dtype))


@pytest.mark.parametrize("program", PROGRAMS)
def test_layouts(program: Any) -> None:
    """Columns, gaps, and the other order of axes."""
    a, b = numbers((6, 9), "f8"), numbers((9, 40), "f8")
    for one, other in itertools.product((a, np.asfortranarray(a), a[::-1]), (b, every_other(b))):
        check(program, one, other)
    check(program, in_order(a, (1, 0)), in_order(b, (1, 0)))


def convolved(x: Any, w: Any) -> Any:
    k = w.shape[0]
    height, width = x.shape[1] - k + 1, x.shape[2] - k + 1
    out = np.zeros((x.shape[0], height, width, w.shape[3]), dtype=x.dtype)
    for i in range(height):
        for j in range(width):
            window = x[:, i : i + k, j : j + k, :, np.newaxis]
            out[:, i, j, :] = np.sum(window * w[np.newaxis], axis=(1, 2, 3))
    return out


@pytest.mark.parametrize("channels", [2, 3, 6, 16])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_windows(channels: int, dtype: str) -> None:
    """The rows of two axes are one after the other in memory, those of three are not."""
    x, w = numbers((3, 9, 8, 2), dtype), numbers((3, 3, 2, channels), dtype)
    check(convolved, x, w)
    check(convolved, x[:, ::2], w)
    check(convolved, x[..., ::-1], w[:, :, ::-1])


def test_reported_flags() -> None:
    """Overflow in a product or in a sum, and NaN; a lane that is not there reports nothing."""
    for width in (3, 16, 21):
        a, b = np.full((3, 5), np.inf), np.ones((5, width))
        check(product, a, b)
        b[:, -1] = 0.0
        check(product, a, b, calls=3)
        check(product, np.full((3, 5), 1e200), np.full((5, width), 1e200), calls=3)
        check(product, np.full((3, 5), 1.0), np.full((5, width), 8e307), calls=3)
        with np.errstate(all="raise"):
            check(product, a, b)


def test_signs_of_zero() -> None:
    """The sum of negative zeros is zero."""
    check(product, np.full((3, 5), -0.0), np.ones((5, 9)))


@pytest.mark.counts("which code a kernel has")
def test_sums_stay_in_registers() -> None:
    """Neither a block of products nor a call of NumPy's loop for each row."""
    a, b = numbers((20, 30), "f8"), numbers((30, 40), "f8")
    for program in (product, in_numpys_way, outer):
        jitted = framejit.jit(program, backend="numba", compile="now")
        jitted(a, b)
        text = jitted.inspect("numba")
        assert_normally("row_products_float64(" in text)
        assert_normally("inner_loop(" not in text)
