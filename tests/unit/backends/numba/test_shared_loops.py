"""Loops of the program that threads share: what eager does, in any number of threads."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check
from sharing import jit_that_shares

from framejit.jit.native import parallel_counts, share_everywhere
from framejit.jit.threads import EVERYWHERE

RNG = np.random.default_rng(11)
LINE = RNG.normal(size=2003)
TABLE = RNG.normal(size=(23, 31))


@pytest.fixture(params=[1, 2, 3, 7])
def jit(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Any]]:
    """The decorator, for so many threads that share all loops in odd chunks."""
    yield from jit_that_shares(request.param, monkeypatch)


def squares(x: Any, out: Any) -> None:
    for i in range(len(x)):
        out[i] = x[i] * x[i] + 1.0


def stencil(x: Any, out: Any) -> None:
    for i in range(1, len(x) - 1):
        out[i] = x[i - 1] + x[i + 1] - 2 * x[i]


def in_place(x: Any, out: Any) -> None:
    for i in range(len(x)):
        x[i] = x[i] * 2.0 - out[i]


def moved(x: Any, out: Any) -> None:
    for i in range(len(x) - 2):
        out[i + 2] = x[i] * 3.0


def backward(x: Any, out: Any) -> None:
    for i in range(len(x) - 1, -1, -1):
        out[i] = np.sqrt(np.abs(x[i]))


def thirds(x: Any, out: Any) -> None:
    for i in range(len(x) - 1, 2, -3):
        out[i] = np.exp(x[i]) - x[0]


def picked(x: Any, out: Any) -> None:
    for i in range(len(x)):
        if x[i] > 0.5:
            out[i] = x[i]
        elif x[i] < 0:
            out[i] = -1.0


def gathered(x: Any, out: Any) -> None:
    for i in range(len(x)):
        out[i] = x[int(x[i] * 100)] + x[-(i % 7)]


def noted(x: Any, out: Any) -> Any:
    found = 0
    for i in range(len(x)):
        out[i] = x[i] + 1.0
        if x[i] > 2.5:
            found = 1
    return found


def ints(x: Any, out: Any) -> Any:
    n = np.zeros(len(x), dtype=np.int64)
    for i in range(len(x)):
        n[i] = (i * 7) // 3 - i % 5 + int(x[i] * 10)
    return n


def two_results(x: Any, out: Any) -> Any:
    other = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] * 2
        other[i] = out[i] + x[i]
    return other


def line_by_line(x: Any, out: Any) -> Any:
    for _t in range(3):
        for i in range(1, len(x) - 1):
            out[i] = 0.5 * (x[i - 1] + x[i + 1])
        x, out = out, x
    return x


LINES = [
    *(squares, stencil, in_place, moved, backward, thirds, picked, gathered, noted, ints),
    *(two_results, line_by_line),
]


def products(a: Any, out: Any) -> None:
    n, m = out.shape
    for i in range(n):
        for j in range(m):
            out[i, j] = a[i, j] * a[0, j] + a[i, 0]


def of_columns(a: Any, out: Any) -> None:
    for j in range(out.shape[1]):
        for i in range(out.shape[0]):
            out[i, j] = a[i, j] - a[i, 0]


def rows(a: Any, out: Any) -> None:
    for i in range(len(a)):
        row, into = a[i], out[i]
        for j in range(len(row)):
            into[j] = row[j] * row[0]


def matrix_product(a: Any, out: Any) -> None:
    for i in range(len(a)):
        for j in range(len(a)):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * a[j, k]
            out[i, j] = s


def triangle(a: Any, out: Any) -> None:
    for i in range(len(a)):
        s = 0.0
        for j in range(i):
            s += a[i, j]
        out[i, 0] = s


def escapes(a: Any, out: Any) -> None:
    for i in range(len(a)):
        for j in range(a.shape[1]):
            z = 0.0
            for k in range(20):
                z = z * z + a[i, j]
                if z > 4.0:
                    break
                out[i, j] = k


def heat(a: Any, out: Any) -> Any:
    for _t in range(4):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                out[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
        a, out = out, a
    return a


TABLES = [products, of_columns, rows, matrix_product, triangle, escapes, heat]


def _shared() -> int:
    return int(parallel_counts()["loops"])


@pytest.mark.parametrize("program", LINES)
def test_lines(program: Any, jit: Any) -> None:
    """The loop is shared, and all arrays are as eager leaves them."""
    before = _shared()
    check(program, LINE, np.zeros(len(LINE)), backends=["numba"], jit=jit)
    assert_normally(_shared() > before)
    check(program, LINE[::2].copy()[::2], np.zeros(2 * len(LINE))[::2], backends=["numba"], jit=jit)


@pytest.mark.parametrize("program", TABLES)
def test_tables(program: Any, jit: Any) -> None:
    """So it is with loops in loops, in both orders of memory."""
    before = _shared()
    check(program, TABLE, np.zeros((23, 31)), backends=["numba"], jit=jit)
    assert_normally(_shared() > before)
    out = np.zeros((31, 23)).T
    check(program, np.asfortranarray(TABLE), out, backends=["numba"], jit=jit)


@pytest.mark.parametrize("program", LINES)
def test_lengths(program: Any, jit: Any) -> None:
    """A kernel that shares loops has few iterations, or none."""

    def after_a_long_line(x: Any, out: Any, n: int) -> Any:
        return program(x[:n], out[:n])

    for n in (2003, 5, 4, 3, 2, 1, 0):
        check(after_a_long_line, LINE, np.zeros(len(LINE)), n, backends=["numba"], jit=jit)
    jitted = jit(program)
    for n in (2003, 40, 3, 2, 1, 0):
        ours, eager = (LINE[:n].copy(), np.zeros(n)), (LINE[:n].copy(), np.zeros(n))
        if program in (moved, gathered, thirds) and n < 2003:
            continue  # indices that are out of bounds raise
        assert_same(jitted(*ours), program(*eager))
        assert_same(ours, eager)


def assert_same(actual: Any, expected: Any) -> None:
    """The bits are the same."""
    assert np.asarray(actual).tobytes() == np.asarray(expected).tobytes()


@pytest.mark.parametrize("program", LINES)
@pytest.mark.parametrize("by", [0, 1, 2, 1500])
def test_arrays_that_overlap(program: Any, by: int, jit: Any) -> None:
    """One thread runs the iterations in their order."""

    def overlapping(x: Any, out: Any) -> Any:
        return program(x, out)

    def setup() -> Any:
        memory = np.resize(LINE, 7_000)
        return overlapping, (memory[:2003], memory[by : by + 2003])

    def the_other_way() -> Any:
        memory = np.resize(LINE, 7_000)
        return overlapping, (memory[by : by + 2003], memory[:2003])

    check(setup=setup, backends=["numba"], jit=jit, calls=1)
    check(setup=the_other_way, backends=["numba"], jit=jit, calls=1)


def dependent(x: Any, out: Any) -> None:
    for i in range(1, len(x)):
        x[i] = x[i - 1] * 0.5 + x[i]


def mirrored(x: Any, out: Any) -> None:
    for i in range(len(x)):
        out[len(x) - 1 - i] = out[i] + x[i]


def wrapped(x: Any, out: Any) -> None:
    for i in range(len(x)):
        out[i - 1] = out[i - 1] + out[i - 2] + x[i]


def to_one(x: Any, out: Any) -> None:
    for i in range(len(x)):
        out[0] = out[0] + x[i]


def scattered(x: Any, out: Any) -> None:
    for i in range(len(x)):
        out[i // 2] = x[i]


def carried(x: Any, out: Any) -> Any:
    last = 0.0
    for i in range(len(x)):
        out[i] = last
        last = x[i]
    return last


def counted(x: Any, out: Any) -> Any:
    n = 0
    for i in range(len(x)):
        out[i] = n
        if x[i] > 0:
            n = 5
    return n


def ended(x: Any, out: Any) -> None:
    for i in range(len(x)):
        if x[i] > 3.0:
            break
        out[i] = x[i]


def symmetric(x: Any, out: Any) -> Any:
    a = np.zeros((40, 40))
    for i in range(40):
        for j in range(40):
            a[i, j] = a[j, i] + x[i * 40 + j]
    return a


def of_unknown_length(x: Any, out: Any) -> None:
    for i in range(len(x)):
        s = 0.0
        for k in range(int(x[i] * x[i])):
            s += x[k]
        out[i] = s


@pytest.mark.counts("which code a kernel has")
def test_iterations_of_unknown_length(jit: Any) -> None:
    """A round of these could last for seconds without a poll: they run in order."""
    check(of_unknown_length, LINE, np.zeros(len(LINE)), backends=["numba"], jit=jit)
    jitted = jit(of_unknown_length)
    jitted(LINE, np.zeros(len(LINE)))
    assert_normally("@parallel" not in jitted.inspect("numba"))


@pytest.mark.parametrize(
    "program",
    [dependent, mirrored, wrapped, to_one, scattered, carried, counted, ended, symmetric],
)
def test_iterations_that_depend_on_each_other(program: Any, jit: Any) -> None:
    """They run in their order."""
    check(program, LINE, np.zeros(len(LINE)), backends=["numba"], jit=jit)


def inverse(x: Any, out: Any) -> None:
    for i in range(len(x)):
        out[i] = 1.0 / x[i]


def looked_up(x: Any, out: Any) -> None:
    for i in range(len(x)):
        out[i] = x[int(x[i])]


def divided(x: Any, out: Any) -> None:
    for i in range(len(x)):
        out[i] = i // int(x[i])


@pytest.mark.parametrize("where", [0, 1, 900, 2002])
@pytest.mark.parametrize("program", [inverse, looked_up, divided])
def test_exceptions_and_warnings(program: Any, where: int, jit: Any) -> None:
    """Eager's is that of the first iteration; what later ones wrote is not seen."""
    x = np.full(2003, 2.0)
    x[where] = 0.0 if program is not looked_up else 1e6
    check(program, x, np.zeros(len(x)), backends=["numba"], jit=jit)
    x[where // 2 :] = x[where]
    check(program, x, np.zeros(len(x)), backends=["numba"], jit=jit)
    with np.errstate(all="raise"):
        check(program, x, np.zeros(len(x)), backends=["numba"], jit=jit)


@pytest.mark.parametrize("order", ["C", "F"])
def test_large_arrays_are_put_back(order: Any, jit: Any) -> None:
    """Threads share the copy of an array that a bail restores."""

    def last_is_out_of_bounds(x: Any, out: Any) -> None:
        for i in range(len(x)):
            out[i, 0] = out[i, 1] + x[i]
            out[i, 1] = x[int(x[i])]

    x = np.ones(40_000)
    x[-1] = 1e9
    out = np.asarray(RNG.normal(size=(40_000, 4)), order=order)
    check(last_is_out_of_bounds, x, out, backends=["numba"], jit=jit)
    check(last_is_out_of_bounds, x, np.repeat(out, 2, axis=1)[:, ::2], backends=["numba"], jit=jit)


def slow(x: Any, out: Any, n: int) -> None:
    for i in range(len(x)):
        s = 0.0
        for _k in range(n):
            s = s * 0.5 + x[i]
        out[i] = s


class WaitedError(Exception):
    """The signal handler of a test raises it."""


def test_signals(jit: Any) -> None:
    """A handler runs between two rounds, and its exception ends the loop."""
    share_everywhere(EVERYWHERE)
    jitted, out = jit(slow), np.zeros(len(LINE))
    jitted(LINE, out, 20)
    jitted(LINE, out, 20)

    def handler(*_: Any) -> None:
        raise WaitedError

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    begun = time.monotonic()
    try:
        with pytest.raises(WaitedError):
            jitted(LINE, out, 10_000_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert_normally(time.monotonic() - begun < 20.0)
