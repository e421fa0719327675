"""Loops over rows, whose iterations compute with arrays: threads share them, with eager's bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check
from sharing import jit_that_shares

from framejit.jit.native import parallel_counts

RNG = np.random.default_rng(13)
TABLE = RNG.normal(size=(37, 29))
SQUARE = RNG.normal(size=(31, 31))


@pytest.fixture(params=[1, 3])
def jit(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Any]]:
    """The decorator, for so many threads that share all loops in odd chunks."""
    yield from jit_that_shares(request.param, monkeypatch)


def rank_update(a: Any, out: Any) -> None:
    for i in range(a.shape[0]):
        out[i, : i + 1] *= 1.25
        for k in range(a.shape[1]):
            out[i, : i + 1] += 0.75 * a[i, k] * a[: i + 1, k]


def smoothed(a: Any, out: Any) -> None:
    for i in range(len(a)):
        out[i, 1:-1] = a[i, :-2] + 2.0 * a[i, 1:-1] + a[i, 2:]


def between_rows(a: Any, out: Any) -> None:
    for i in range(1, a.shape[0] - 1):
        out[i, :] = 0.25 * (a[i - 1] + a[i + 1]) + 0.5 * a[i]


def norms(a: Any, out: Any) -> None:
    for i in range(len(a)):
        out[i, 0] = np.sqrt(np.sum(a[i] * a[i]))


def soft_maximum(a: Any, out: Any) -> None:
    for i in range(len(a)):
        e = np.exp(a[i] - a[i].max())
        out[i] = e / e.sum()


def distances(a: Any, out: Any) -> None:
    for i in range(len(a)):
        d = np.sum((a - a[i]) ** 2, axis=1)
        out[i, : len(d)] = np.sqrt(d)[: out.shape[1]]


def columns(a: Any, out: Any) -> None:
    for j in range(a.shape[1]):
        out[:, j] = (a[:, j] - a[:, j].mean()) / a[:, j].std()


def windows(a: Any, out: Any) -> None:
    for i in range(a.shape[0] - 3):
        for j in range(a.shape[1] - 3):
            out[i, j] = np.sum(a[i : i + 3, j : j + 3] * a[:3, :3])


def private(a: Any, out: Any) -> None:
    for i in range(len(a)):
        row = a[i] * 2.0
        row[0] = -1.0
        row[1:] += row[:-1]
        out[i] = row


def picked_rows(a: Any, out: Any) -> None:
    for i in range(len(a)):
        if a[i, 0] > 0:
            out[i] = a[i] * a[i, 1]
        else:
            t = np.abs(a[i]) + 1.0
            out[i, ::2] = t[::2]


def in_place(a: Any, out: Any) -> None:
    for i in range(len(a)):
        a[i] -= out[i].mean()
        a[i] /= 3.0


def in_time(a: Any, out: Any) -> Any:
    for _t in range(3):
        for i in range(1, a.shape[0] - 1):
            out[i, 1:-1] = 0.2 * (a[i, 1:-1] + a[i - 1, 1:-1] + a[i + 1, 1:-1] + a[i, 2:])
        a, out = out, a
    return a


def halves(a: Any, out: Any) -> None:
    for i in range(len(a)):
        low, high = a[i, ::2].astype(np.float32), a[i] > 0.25
        out[i, : len(low)] = low * 2
        out[i, 0] = np.where(high, a[i], 0.0).sum()


def counted(a: Any, out: Any) -> None:
    for i in range(len(a)):
        out[i, 0] = np.count_nonzero(a[i] > 0.5) + (a[i] < 0).sum()


def growing(a: Any, out: Any) -> None:
    for i in range(1, a.shape[0]):
        part = a[:i, 0] * a[i, 0]
        out[i, 0] = (part + part.max()).sum()


ROWS = [
    *(rank_update, smoothed, between_rows, norms, soft_maximum, distances, columns, windows),
    *(private, picked_rows, in_place, in_time, halves, counted, growing),
]


def _shared() -> int:
    return int(parallel_counts()["loops"])


@pytest.mark.parametrize("program", ROWS)
def test_rows(program: Any, jit: Any) -> None:
    """All arrays are as eager leaves them, in both orders of memory, and the loop is shared."""
    before = _shared()
    for table in (TABLE, SQUARE):
        check(program, table, np.zeros(table.shape), backends=["numba"], jit=jit)
    assert_normally(_shared() > before)
    out = np.zeros(SQUARE.shape[::-1]).T
    check(program, np.asfortranarray(SQUARE), out, backends=["numba"], jit=jit)


@pytest.mark.parametrize("program", ROWS)
def test_lengths(program: Any, jit: Any) -> None:
    """Few rows, none, short ones; what raises raises as in eager."""

    def of_a_part(a: Any, out: Any, n: int, m: int) -> Any:
        return program(a[:n, :m], out[:n, :m])

    for n, m in ((37, 29), (29, 5), (2, 2), (1, 29), (0, 3), (3, 0)):
        check(of_a_part, TABLE, np.zeros(TABLE.shape), n, m, backends=["numba"], jit=jit)


@pytest.mark.parametrize("program", ROWS)
@pytest.mark.parametrize("by", [1, 400])
def test_arrays_that_overlap(program: Any, by: int, jit: Any) -> None:
    """One thread runs the iterations in their order."""

    def overlapping(a: Any, out: Any) -> Any:
        return program(a, out)

    def setup() -> Any:
        memory = np.resize(SQUARE, 2_000)
        one, other = memory[:961].reshape(31, 31), memory[by : by + 961].reshape(31, 31)
        return overlapping, (one, other)

    check(setup=setup, backends=["numba"], jit=jit, calls=1)


def reciprocals(a: Any, out: Any) -> None:
    for i in range(len(a)):
        out[i] = 1.0 / a[i]


def logarithms(a: Any, out: Any) -> None:
    for i in range(len(a)):
        out[i] = np.log(a[i]) + np.sqrt(a[i])


def at_places(a: Any, out: Any) -> None:
    for i in range(len(a)):
        out[i] = a[i] * 2
        out[i, int(a[i, 3])] += 1.0


def of_another_length(a: Any, out: Any) -> None:
    for i in range(len(a)):
        out[i, : int(a[i, 3])] = a[i, :2]


@pytest.mark.parametrize("where", [0, 1, 17, 36])
@pytest.mark.parametrize("program", [reciprocals, logarithms, at_places, of_another_length])
def test_exceptions_and_warnings(program: Any, where: int, jit: Any) -> None:
    """Eager's is that of the first iteration; what later ones wrote is not seen."""
    a = np.full((37, 29), 2.0)
    a[where, 3] = {at_places: 1e6, of_another_length: 3.0}.get(program, 0.0 if where else -1.0)
    check(program, a, np.zeros(a.shape), backends=["numba"], jit=jit)
    a[where // 2 :, 3] = a[where, 3]
    check(program, a, np.zeros(a.shape), backends=["numba"], jit=jit)
    with np.errstate(all="raise"):
        check(program, a, np.zeros(a.shape), backends=["numba"], jit=jit)


def running(a: Any, out: Any) -> None:
    for i in range(1, len(a)):
        out[i] = out[i - 1] + a[i]


def from_behind(a: Any, out: Any) -> None:
    for i in range(len(a)):
        out[i - 1] = a[i] + out[i - 2]


def into_one(a: Any, out: Any) -> None:
    for i in range(len(a)):
        out[0] += a[i]


def transposed(a: Any, out: Any) -> None:
    for i in range(min(out.shape)):
        out[i, : min(out.shape)] = out.T[i, : min(out.shape)] + a[i, 0]


def overlapping_blocks(a: Any, out: Any) -> None:
    for i in range(len(a) - 1):
        out[i : i + 2] += a[i]


def handed_on(a: Any, out: Any) -> Any:
    row = a[0]
    for i in range(len(a)):
        out[i] = row
        row = a[i] * 2.0
    return row


def kept(a: Any, out: Any) -> Any:
    rows = []
    for i in range(len(a)):
        rows.append(a[i] * 2.0)
        out[i] = rows[-1]
    return rows


def other_functions(a: Any, out: Any) -> None:
    for i in range(len(a)):
        out[i] = np.sort(a[i] * 2.0)
        out[i, : len(a[i])] += np.convolve(a[i], np.ones(3), "same")


@pytest.mark.parametrize(
    "program",
    [
        *(running, from_behind, into_one, transposed, overlapping_blocks, handed_on, kept),
        other_functions,
    ],
)
def test_iterations_that_may_not_be_shared(program: Any, jit: Any) -> None:
    """They depend on each other, hand arrays on, or call functions: answers stay eager's."""
    for table in (TABLE, SQUARE):
        check(program, table, np.ones(table.shape), backends=["numba"], jit=jit)


def test_large_arrays_of_iterations(jit: Any) -> None:
    """Each thread has memory of its own for them, whatever their sizes."""

    def triangles(a: Any, out: Any) -> None:
        for i in range(1, a.shape[0]):
            part = a[:i] * a[i]
            out[i] = part.sum() + (part - part.mean()).max()

    line = RNG.normal(size=1_000)
    check(triangles, line, np.zeros(1_000), backends=["numba"], jit=jit)


def test_without_memory(jit: Any) -> None:
    """Where an iteration's array finds no memory the kernel bails, and eager says so."""

    def products(x: Any, out: Any) -> None:
        for i in range(len(out)):
            t = x[:, None] * x[None, :] + out[i]
            out[i] = (t - t.max()).sum()

    line = RNG.normal(size=60)
    check(products, line, np.zeros(9), backends=["numba"], jit=jit)
    jitted = jit(products)
    jitted(line, np.zeros(9))
    jitted(line, np.zeros(9))
    assert_normally("room(" in jitted.inspect("numba"))
    out = np.arange(9.0)
    with pytest.raises(MemoryError):
        jitted(np.ones(4_000_000), out)
    assert out.tolist() == list(range(9))
    assert_normally(jitted.stats()["bails"] == 1)
