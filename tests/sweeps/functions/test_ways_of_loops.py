"""NumPy's loops go one by one, and round in another way, where memory overlaps or goes backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

from framejit import jit

SIZES = (4, 7, 100)


def reals(n: int) -> Any:
    return np.abs(np.random.default_rng(n).normal(size=n)) + 0.1


def complexes(n: int) -> Any:
    return reals(n) + 1j * reals(n)[::-1]


def root(x: Any) -> Any:
    np.cbrt(x[1:], out=x[:-1])


def power(x: Any) -> Any:
    x[:-1] **= x[1:]


def angle(x: Any) -> Any:
    np.arctan2(x[:-1], x[1:], out=x[:-1])


def half(x: Any) -> Any:
    np.cbrt(x[::2], out=x[: x.size // 2])


def own(x: Any) -> Any:
    c = x * 2
    np.log2(c[1:], out=c[:-1])
    return c


def again(x: Any) -> Any:
    for _ in range(3):
        np.exp(x[1:], out=x[:-1])
        x *= 0.3


def product(z: Any) -> Any:
    z[:-1] *= z[1:]


def square(z: Any) -> Any:
    np.square(z[1:], out=z[:-1])


@pytest.mark.parametrize("n", SIZES)
def test_the_output_begins_before_an_operand(n: int) -> None:
    for program in (root, power, angle, half, own, again):
        x = reals(n + n % 2)
        check(program, x)
        check(program, x.astype("f4"))
    for program in (product, square):
        check(program, complexes(n))
        check(program, complexes(n).astype("F"))


def raised(a: Any, b: Any) -> None:
    a **= b


def rooted(a: Any, b: Any) -> None:
    np.cbrt(b, out=a)


@pytest.mark.parametrize("program", [raised, rooted])
def test_arguments_overlap_at_some_calls(program: Callable[..., None]) -> None:
    jitted = jit(program)
    q = reals(60)
    pairs = [(0, 30), (0, 1), (1, 0), (0, 0), (0, 31), (5, 3)]
    for one, other in (*pairs, *reversed(pairs)):
        expected, actual = q.copy(), q.copy()
        program(expected[one : one + 25], expected[other : other + 25])
        jitted(actual[one : one + 25], actual[other : other + 25])
        assert expected.tobytes() == actual.tobytes(), (one, other)


def squared(w: Any) -> Any:
    return w * w, w * w[:1], np.square(w), w**2, w * w.T if w.shape[0] == 1 else w


def turned(z: Any) -> Any:
    return squared(z[:, None].T), squared(z[None, :, None].T), z.reshape(1, -1).T ** 2


def of_table(b: Any) -> Any:
    w = b.T[:, :1].T
    others = b.T[None].swapaxes(0, 1) * b[0, 0], b.T.reshape(-1, 1)[None, :, None] * 1.5j
    return squared(w), squared(b[..., None]), others, b.reshape(-1, 1).T ** 2


def test_axes_of_one_item_are_no_way_to_go() -> None:
    for n in SIZES:
        check(turned, complexes(n))
        check(of_table, complexes(n * 6).reshape(n, 6))
        check(of_table, complexes(n * 6).reshape(6, n).T)


def backward_rows(x: Any) -> Any:
    w = x[None, ::-1]
    return np.cbrt(w[0]), np.cbrt(x[::-1][None].T[:, 0]), np.exp(x[::-1])


def backward_table(w: Any) -> Any:
    return np.cbrt(w[0]), np.cbrt(w[:, 0]), np.sinh(w)


def growing(x: Any, n: int) -> Any:
    for k in range(1, n):
        np.cbrt(x[:k][::-1], out=x[:k])
    return x


def test_one_item_goes_backward() -> None:
    for k in range(30):
        x = reals(30)[k : k + 1]
        check(backward_rows, x)
        check(backward_table, x[None, ::-1])
        check(backward_table, x[::-1, None])
        check(backward_table, reals(31)[None, k : k + 2][:, ::-1])
    check(growing, reals(40), 6)


def spread(b: Any, e: Any) -> Any:
    return b * np.broadcast_to(e, (3, *e.shape))


def test_broadcast_lines_keep_the_order_of_the_other_axes() -> None:
    table = np.asfortranarray(reals(16).reshape(4, 4))
    for b in (np.ones((1, 4), bool), np.ones((4, 1)), reals(4)):
        check(spread, b, table)
        check(spread, b, table.T)
