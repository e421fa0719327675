"""Steps that go over the same rows run strip by strip, with the bits of eager."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from oracle import check
from sharing import jit_that_shares

import framejit

RNG = np.random.default_rng(11)


@pytest.fixture(params=[1, 2, 3, 7])
def jit(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The decorator for so many threads, and all loops are shared, in chunks of a few rows."""
    yield from jit_that_shares(request.param, monkeypatch)


def layer_norm(x: Any) -> Any:
    y = x - x.mean(axis=-1, keepdims=True)
    return y / np.sqrt((y * y).mean(axis=-1, keepdims=True) + x.dtype.type(1e-5))


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def log_softmax(x: Any) -> Any:
    y = x - np.max(x, axis=-1, keepdims=True)
    return y - np.log(np.sum(np.exp(y), axis=-1, keepdims=True))


def standardised(x: Any) -> Any:
    return (x - x.mean(axis=-1)[..., None]) / x.std(axis=-1)[..., None]


def unit_rows(x: Any) -> Any:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def scaled_to_range(x: Any) -> Any:
    low, high = x.min(axis=-1, keepdims=True), x.max(axis=-1, keepdims=True)
    return (x - low) / (high - low), low, high


def of_ints(x: Any) -> Any:
    n = (np.abs(x) * 1000).astype(np.int64)
    return n - n.sum(axis=-1, keepdims=True), n.max(axis=-1), (n % 7 == 0).sum(axis=-1)


def several_results(x: Any) -> Any:
    y = x * 2.0 + 1.0
    total = y.sum(axis=-1)
    return y, total, total * 0.5, y * total.reshape(*total.shape, 1)


def of_middle_axes(x: Any) -> Any:
    return x - x.sum(axis=1, keepdims=True) * 0.5, x * x.max(axis=1, keepdims=True)


def written_in_place(x: Any) -> Any:
    y = x * 1.0
    y -= y.mean(axis=-1, keepdims=True)
    y /= np.sqrt((y * y).sum(axis=-1, keepdims=True))
    y[1:] += y[:-1].sum(axis=-1, keepdims=True)
    return y


def with_dead_arrays(x: Any) -> Any:
    """The memory of each array goes to another one while rows of others are still to be read."""
    a = np.exp(x) + 1.0
    b = a.sum(axis=-1, keepdims=True)
    c = np.log(a) * b
    d = c.max(axis=-1, keepdims=True)
    e = np.exp(c - d)
    return e * b + d


PROGRAMS = [
    *(layer_norm, softmax, log_softmax, standardised, unit_rows, scaled_to_range, of_ints),
    *(several_results, of_middle_axes, written_in_place, with_dead_arrays),
]
SHAPES = [(70, 33), (3, 1100), (130, 8), (257, 2), (64, 64), (5, 6, 40), (30, 4, 129)]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("program", PROGRAMS)
def test_bits(program: Any, dtype: Any, jit: Callable[..., Any]) -> None:
    for shape in SHAPES:
        check(program, RNG.normal(size=shape).astype(dtype), backends=["numba"], jit=jit)


@pytest.mark.parametrize("program", [layer_norm, softmax, standardised, with_dead_arrays])
def test_other_layouts(program: Any, jit: Callable[..., Any]) -> None:
    wide, deep = RNG.normal(size=(80, 60)), RNG.normal(size=(9, 20, 34))
    for x in (wide.T, wide[:, ::2], wide[::3], np.asfortranarray(wide), deep.transpose(1, 0, 2)):
        check(program, x, backends=["numba"], jit=jit)


@pytest.mark.parametrize("program", PROGRAMS)
def test_special_numbers(program: Any, jit: Callable[..., Any]) -> None:
    """With warnings of eager, whichever strip raises the flag."""
    x = RNG.normal(size=(90, 40))
    for place, number in ((3, np.inf), (50, np.nan), (89, -0.0), (70, 1e308), (20, 0.0)):
        special = x.copy()
        special[place] = number
        check(program, special, backends=["numba"], jit=jit)


def columns_of_a_square(x: Any) -> Any:
    y = x * 2.0
    total = y.sum(axis=1)
    return y * total + y.sum(axis=1, keepdims=True)


def transposed_square(x: Any) -> Any:
    y = x + 1.0
    z = y - y.sum(axis=1, keepdims=True)
    return z * y.T - z.sum(axis=1, keepdims=True)


def read_through_a_view(x: Any) -> Any:
    y = np.exp(x)
    z = y[::-1] * y.sum(axis=1, keepdims=True)
    return z - z.sum(axis=1, keepdims=True), z.T.sum(axis=1)


def neighbours(x: Any) -> Any:
    y = x - x.mean(axis=1, keepdims=True)
    z = y[1:] - y[:-1]
    return z * z.max(axis=1, keepdims=True)


def memory_read_by_columns(x: Any) -> Any:
    """The first loop reads an array transposed, and the second one overwrites that array."""
    a = np.exp(x)
    b = a.T.copy()
    c = np.sqrt(b).sum(axis=1, keepdims=True) + (a.T * 2.0).sum(axis=1, keepdims=True)
    return a * c


def total_between(x: Any) -> Any:
    y = x - x.mean(axis=1, keepdims=True)
    return (y * y).sum(axis=1), y / np.abs(y).max(), y.sum()


@pytest.mark.parametrize(
    "program",
    [
        *(columns_of_a_square, transposed_square, read_through_a_view, neighbours),
        *(memory_read_by_columns, total_between),
    ],
)
def test_rows_of_others(program: Any, jit: Callable[..., Any]) -> None:
    """A step that reads other rows than its own waits for all of them."""
    check(program, RNG.normal(size=(96, 96)), backends=["numba"], jit=jit)


def in_branches(x: Any, n: int) -> Any:
    if n > 2:
        y = x - x.mean(axis=1, keepdims=True)
        return y / y.max(axis=1, keepdims=True)
    total = x.sum(axis=1, keepdims=True)
    for _ in range(n):
        x = x / total
        total = x.sum(axis=1, keepdims=True) + total
    return x * total


def test_in_regions(jit: Callable[..., Any]) -> None:
    for n in (0, 1, 2, 5):
        check(in_branches, RNG.uniform(1.0, 2.0, (80, 50)), n, backends=["numba"], jit=jit)


@pytest.mark.parametrize(
    ("program", "loops"),
    [(layer_norm, 5), (softmax, 3), (standardised, 5), (unit_rows, 2), (columns_of_a_square, 0)],
)
def test_one_loop_over_rows(program: Any, loops: int) -> None:
    """One loop over strips calls those of all steps; each would wake the threads by itself."""
    jitted = framejit.jit(program, backend="numba", compile="now")
    x = RNG.normal(size=(400, 400))
    jitted(x), jitted(x)
    text = jitted.inspect("numba")
    assert text.count("@chunk") >= loops
    assert bool(loops) == ("strip" in text)
    if loops:
        assert text.count("@parallel") == 1


def test_few_rows_stay_apart() -> None:
    """There threads may share columns."""
    jitted = framejit.jit(layer_norm, backend="numba", compile="now")
    x = RNG.normal(size=(4, 200_000))
    jitted(x), jitted(x)
    assert "@chunk" not in jitted.inspect("numba")
    check(layer_norm, x, backends=["numba"])
