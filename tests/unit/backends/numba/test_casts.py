"""Floats that become ints in the kernel, and those that only NumPy can say something of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit
from framejit.backends.numba.clusters import casts

FLOATS = ("f4", "f8")
INTS = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")


def made(x: Any, dtype: Any) -> Any:
    return (x * 0.5).astype(dtype) + np.ones(1, dtype)


def indices(x: Any, table: Any) -> Any:
    """Bins by number."""
    return table[((x - 0.5) * 3.0).astype(int)].sum()


def into(x: Any, out: Any) -> Any:
    """A store that truncates."""
    out[1:] = x[1:] * 2.0
    return out


def near(dtype: Any) -> Any:
    """Floats around the ends of an int, of the ints that are cut, and what is no number."""
    info = np.iinfo(dtype)
    ends = np.array([0, info.min, info.max, -(2**31), 2**31, 2**32, -(2**63), 2**63], "f8")
    steps = np.array([-2.0, -1.0, -0.75, 0.0, 0.25, 1.0, 1.5])
    around = (ends[:, None] + steps).ravel()
    with np.errstate(over="ignore"):
        inner, outer = np.nextafter(ends, 0), np.nextafter(ends, ends * 2 + 1)
    return np.concatenate([around, inner, outer, [np.nan, np.inf, -np.inf, 1e300, -1e30, 5e-324]])


@pytest.mark.parametrize("target", INTS)
@pytest.mark.parametrize("source", FLOATS)
def test_each(source: str, target: str) -> None:
    """One by one among numbers that are like ints, first and last and in between."""
    x = np.linspace(0, 100, 37).astype(source)
    with np.errstate(all="ignore"):
        hostile = (near(target) * 2).astype(source)
        for k, number in enumerate(hostile):
            line = x.copy()
            line[(0, 9, 36)[k % 3]] = number
            check(made, line, np.dtype(target), calls=1)


@pytest.mark.parametrize("target", INTS)
def test_layouts(target: str) -> None:
    """Gaps, turned axes, no items, one item."""
    x = np.arange(60.0).reshape(6, 10)
    for one in (x, x[::2, ::3], x.T, x[::-1], x[:0], x[:1, :1], np.asfortranarray(x), x[0, 0:1]):
        check(made, one, np.dtype(target))


def test_warnings() -> None:
    """NumPy's warning for a float that is no int comes at the line of the user."""
    x = np.array([1.5, 2.5, np.nan, 4.5])
    for mode in ("warn", "raise", "ignore"):
        with np.errstate(all=mode):
            check(made, x, np.dtype(int), calls=4)


def test_uses() -> None:
    """As indices, and where memory from outside is written, which stays as it was until then."""
    check(indices, np.linspace(1, 3, 50), np.arange(10.0))
    check(indices, np.array([1.0, np.nan]), np.arange(10.0))
    for bad in (3.0, np.nan, 1e30):
        x = np.array([0.5, 1.7, bad, -2.5])
        check(into, x, np.zeros(4, "i4"), calls=3)
        check(into, x, np.zeros(4, "u1"), calls=3)


@pytest.mark.counts("what kernels call")
def test_one_loop() -> None:
    """The cast is in the kernel of the arithmetic, and so are its readers."""

    def pixel(image: Any) -> Any:
        return (image * np.float32(0.3) + np.float32(0.5)).astype(np.uint8) + np.uint8(1)

    jitted = framejit.jit(pixel, backend="numba")
    image = np.arange(200, dtype=np.uint8)
    assert np.array_equal(jitted(image), pixel(image))
    text = jitted.inspect("numba")
    assert text.count("for i") == 1
    assert "call(" not in text


@pytest.mark.parametrize("target", INTS[:4])
def test_without_cut_ints(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    """Where NumPy does otherwise, what the int can hold is all that kernels make."""
    monkeypatch.setattr(casts, "is_cut", lambda source, target: False)

    check(made, np.linspace(0, 200, 37), np.dtype(target))
    check(made, np.linspace(-70000, 70000, 37), np.dtype(target))


@pytest.mark.counts("bails")
def test_cut_ints() -> None:
    """An int of 8 bits is one of 32 bits, cut, where NumPy makes it so."""
    dtype = np.dtype(np.uint8)
    jitted = framejit.jit(made, backend="numba")
    x = np.linspace(-1e9, 1e9, 77)

    assert np.array_equal(jitted(x, dtype), made(x, dtype))
    assert (jitted.stats()["bails"] == 0) == casts.is_cut(np.dtype(float), dtype)
