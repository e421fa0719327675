"""Stores into an array that a bail makes again are computed in its memory, without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from rooms import rooms

X = np.sin(np.arange(9.0) * 1.3)
Y = np.cos(np.arange(9.0))
T = np.sin(np.arange(30.0)).reshape(5, 6)


def whole(x: Any, y: Any) -> Any:
    total = np.zeros_like(x)
    for k in range(3):
        total += x * k + y
    return total


def windows(x: Any, y: Any) -> Any:
    r = x * 2
    r[1:] -= y[:-1]
    r[:-1] -= y[1:]
    return r


def two_at_once(x: Any, y: Any) -> Any:
    a, b = x * 1, y * 1
    for _ in range(3):
        c = a * 0.5
        a += b
        b += c
    return a, b


def every_other(x: Any, y: Any) -> Any:
    r = x * 1
    r[::2] = r[::2] * y[::2] + 1
    return r


def assigned(x: Any, y: Any) -> Any:
    r = np.empty_like(x)
    r[:4] = x[:4] + y[:4]
    r[4:] = x[4:] - y[4:]
    return r


@pytest.mark.counts("which arrays kernels allocate")
@pytest.mark.parametrize(
    ("program", "count"),
    [(whole, 1), (windows, 1), (two_at_once, 3), (every_other, 1), (assigned, 1)],
)
def test_nothing_is_computed_aside(program: Any, count: int) -> None:
    assert rooms(program, X, Y) == count
    check(program, X[::-1], Y)
    check(program, X.astype(np.float32), Y.astype(np.float32))


def shifted(x: Any, y: Any) -> Any:
    r = x * 1
    r[1:] += r[:-1]
    r[:-1] = r[1:] * r[:-1]
    return r


def reversed_onto_itself(x: Any, y: Any) -> Any:
    r = x * 1
    r += r[::-1]
    r *= r[::-1] - y
    return r


def held_by_a_name(x: Any, y: Any) -> Any:
    r = x * 1
    p = r
    for k in range(4):
        r += 1
        r *= p
        if k > 1:
            p = p * y
    return r, p


def window_in_a_loop(x: Any, y: Any) -> Any:
    r = x * 1
    p = r[::-1]
    for k in range(4):
        r += p
        if k > 1:
            p = p * y
    return r, p


def changing_places(x: Any, y: Any) -> Any:
    a, b = x * 1, y * 1
    for _ in range(5):
        a += b
        a *= b - 0.5
        a, b = b, a
    return a, b


def one_of_two(x: Any, y: Any) -> Any:
    a, b = x * 1, y * 1
    c = a if x[0] > y[0] else b
    c += a
    c *= b
    a -= c
    return a, b, c


def read_behind(x: Any, y: Any) -> Any:
    a = x * 1
    b = a + y
    a[:] = b * 2
    return a, b, a + b


def summed(x: Any, y: Any) -> Any:
    r = x * 1
    old = (r * y).sum()
    r += y
    return r, old, (r * r).sum()


def through_numpys_loops(x: Any, y: Any) -> Any:
    r = x * 1
    r[2:] = np.exp(r[2:]) + r[2:]
    r[:-2] = np.exp(r[:-2] * y[2:])
    return r


def copied_on(x: Any, y: Any) -> Any:
    r = x * 1
    s = r + 0
    r += y
    s[:] = r
    r -= s[0]
    return r, s


@pytest.mark.parametrize(
    "program",
    [
        *(shifted, reversed_onto_itself, held_by_a_name, window_in_a_loop, changing_places),
        *(one_of_two, read_behind, summed, through_numpys_loops, copied_on),
    ],
)
def test_what_else_is_read(program: Any) -> None:
    """Where it may be the memory that is written, it is read before."""
    for x, y in ((X, Y), (Y, X), (X[::-1], Y), (X[:1], Y[:1]), (X[:2], Y[:2]), (X[:0], Y[:0])):
        if len(x) or program is not one_of_two:
            check(program, x, y)


def summed_on_the_way(x: Any, y: Any) -> Any:
    room = np.zeros(2 * len(x))
    v = x + 1.0
    s = v.sum()
    room[::2] = v
    w = y * 3
    t = (w * w).sum()
    room[1::2][::-1] = w
    return s, t, room


def called_on_the_way(x: Any, y: Any) -> Any:
    room = np.empty_like(x)
    v = x + 1.0
    p = np.arctan2(v, y), np.power(abs(v), y), np.sin(v)
    room[::-1] = v
    return p, room


def read_by_a_list(x: Any, y: Any) -> Any:
    a = x * 1.0
    held = []
    for _ in range(3):
        held.append(a)
    t = x + 5.0
    s = np.inner(held, y * 3.0)
    a[:] = t
    return s, a


@pytest.mark.parametrize("program", [summed_on_the_way, called_on_the_way, read_by_a_list])
def test_who_reads_it_on_the_way(program: Any) -> None:
    """Sums and NumPy's loops in the layout of eager, and calls what was there before."""
    rng = np.random.default_rng(0)
    for n in (1, 2, 5, 9, 40, 1001):
        check(program, rng.normal(size=n), rng.normal(size=n))


def inner(u: Any) -> Any:
    v = u * 1
    v[1:-1, 1:-1] += v[1:-1, 1:-1] * 0.5 + u[:-2, 1:-1]
    v[0] = v[1] * 2
    v[:, 0] = v[:, 1] + v[:, 2]
    v.T[3:] -= u.T[3:]
    v[::-1, ::2] *= u[::-1, ::2]
    return v


def lines_of_columns(u: Any) -> Any:
    v = np.asfortranarray(u) * 1
    v[1:] += u[1:] * u[:-1]
    v += u.sum(axis=0)
    v[:, :] = v + v[:, ::-1]
    return v, v.sum()


@pytest.mark.parametrize("program", [inner, lines_of_columns])
def test_tables(program: Any) -> None:
    for u in (T, T.T, T[::-1], T[:4, :4], np.asfortranarray(T), T.astype(np.float32)):
        check(program, u)


def of_the_callers(x: Any, y: Any) -> Any:
    for _ in range(3):
        x += y * 0.5
        x[1:] -= y[:-1]
        y[:] = x * 2
    return x.sum()


def fails_in_the_end(x: Any, y: Any) -> Any:
    r = x * 1
    for k in range(4):
        r += y
        x *= 2
        if k == 3:
            y = y / (k - 3)
    return r, x, y


def leaves_in_the_middle(x: Any, y: Any) -> Any:
    r = x * 1
    seen = []
    for _ in range(3):
        r += y
        r[1:] *= x[1:]
        seen.append(object())
    return r, len(seen)


@pytest.mark.parametrize("program", [of_the_callers, fails_in_the_end, leaves_in_the_middle])
@pytest.mark.parametrize("mode", ["warn", "raise"])
def test_what_a_bail_finds(program: Any, mode: str) -> None:
    """Arrays of the caller overlap, numbers overflow, eager goes on from the start."""
    memory = np.arange(12.0)
    for x, y in ((X, Y), (memory[:9], memory[2:11]), (memory[2:11], memory[:9]), (X * 1e308, Y)):
        with np.errstate(all=mode):  # type: ignore[call-overload]
            check(program, x, y)
            check(program, x, np.where(y > 0.9, np.inf, y))
