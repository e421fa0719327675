"""Hyperbolic tangents of kernels have the bits of NumPy's, and raise no flags.

`tests/campaigns/libm_proofs.py` compares as many points as one likes.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from equality import LAYOUTS, hostile
from oracle import assert_normally, check
from sweep import every_other, in_order, sweep, text_of

from framejit.backends.numba.library import numpys_tanh, tangents
from framejit.backends.numba.library.numpys_tanh import FIRST, PARTS, SHIFT

Array = np.ndarray[Any, Any]
LENGTHS = (0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 511, 512, 513, 520, 1025, 4097)
known = pytest.mark.skipif(
    not numpys_tanh.is_known(), reason="NumPy has another loop, or one that is fast enough"
)


def program(x: Any) -> Any:
    return np.tanh(x)


def points(count: int, seed: int = 0) -> Array:
    """Draw numbers of the usual sizes, in each part of the table and at its edges, and any bits."""
    rng = np.random.default_rng(seed)
    inside = FIRST - (2 << SHIFT) + rng.integers(0, (PARTS + 3) << SHIFT, count)
    edges = FIRST + (rng.integers(-1, PARTS + 2, count) << SHIFT) + rng.integers(-2, 3, count)
    bits = rng.integers(-(1 << 63), 1 << 63, count, dtype=np.int64)
    usual = rng.normal(size=count) * 3
    made = [usual, *(each.view(np.float64) for each in (inside, edges, bits))]
    chosen: Array = np.choose(rng.choice(4, count), made)
    return np.copysign(chosen, rng.integers(0, 2, count) - 0.5)


# ---- who computes them ---------------------------------------------------------------------------


@known
def test_kernels_compute_them() -> None:
    """By one call a block; single numbers are NumPy's."""
    text = text_of(program, np.ones(10))

    assert_normally("    tangents(" in text)
    assert_normally("inner_loop(" not in text)


@pytest.mark.parametrize("dtype", ["f4", "f2", "c16", "i8"])
def test_of_other_dtypes(dtype: str) -> None:
    """Ints are doubles first, the others have loops of their own."""
    x = np.arange(-400, 400).astype(dtype)

    is_computed = dtype == "i8" and numpys_tanh.is_known()
    assert_normally(("    tangents(" in text_of(program, x)) == is_computed)
    check(program, x)


@known
def test_a_loop_that_is_another() -> None:
    """A single bit is enough, and so is a path for lines with gaps."""

    def one_off(x: Array) -> Array:
        y = np.tanh(x)
        y[5] = np.nextafter(y[5], 2)
        return y

    def with_gaps(x: Array) -> Array:
        return np.tanh(x) if x.strides == (8,) else np.tanh(x) * (1 + 1e-15)

    assert numpys_tanh._agrees(np.tanh)
    assert not numpys_tanh._agrees(one_off)  # type: ignore[arg-type]
    assert not numpys_tanh._agrees(with_gaps)  # type: ignore[arg-type]


def test_tables_that_are_others(tmp_path: Any) -> None:
    """The row of the middles may stand in other tables too: it takes the digest."""
    numbers = numpys_tanh.table()
    row = struct.pack(f"{PARTS}d", *numpys_tanh._middles())
    whole = struct.pack(f"{PARTS * numpys_tanh.ROWS}d", *numbers) if numbers else b""

    assert numpys_tanh._found(b"") is None  # type: ignore[arg-type]
    assert numpys_tanh._found(row) is None  # type: ignore[arg-type]
    assert numpys_tanh._found(b"abc" + row * 30) is None  # type: ignore[arg-type]
    assert numpys_tanh._found(row + b"abc" + whole) == numbers  # type: ignore[arg-type]


@known
def test_without_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no file to look into, nothing is known."""
    numpys_tanh.table.cache_clear()
    try:
        with monkeypatch.context() as changed:
            changed.setitem(numpys_tanh.sys.modules, "numpy._core._multiarray_umath", None)
            assert numpys_tanh.table() is None
    finally:
        numpys_tanh.table.cache_clear()
    assert numpys_tanh.table() is not None


def test_numpys_loop_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is not known, all is as with other ufuncs."""
    monkeypatch.setattr(numpys_tanh, "is_known", lambda: False)

    assert_normally("inner_loop(" in text_of(program, np.ones(10)))
    check(program, points(600))


# ---- bits ----------------------------------------------------------------------------------------


def test_a_million_points() -> None:
    """A million points of each kind, in each of some orders of memory."""
    x = points(1_000_000)
    y = x[: 40 * 500].reshape(40, 500)
    sweep(program, [(x,), (x[:100_000][::-1],), (x[:5][::-1],)])
    sweep(program, [(x[:100_000][::2],), (every_other(x[:700]),)])
    sweep(program, [(y,), (y[:, :9].copy(),), (y[:, :3].copy(),), (in_order(y, (1, 0)),)])
    sweep(program, [(np.broadcast_to(x[7], (600,)),), (np.broadcast_to(x[8], (3,)),)])


def test_lengths() -> None:
    """Groups of eight that are not full, lines that are too short for one."""
    sweep(program, ((points(n, n),) for n in LENGTHS))
    sweep(program, ((every_other(points(n, n)),) for n in LENGTHS[2:]))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_hostile_values(layout: str) -> None:
    """Zeros with their signs, infinities, NaN with its payload, subnormal and huge numbers."""
    strange = np.array([0x7FF8_0000_0000_1234, -0x0007_FFFF_FFFF_FFFF], np.int64).view(np.float64)
    bounds = np.array([tangents.LEAST, tangents.MOST, 2.0**1023, 1.5 * 2.0**1023])
    around = [np.nextafter(bounds, 0), bounds, np.nextafter(bounds, np.inf)]
    x = np.concatenate([hostile("f8"), strange, *around, *(-each for each in around)])

    check(program, LAYOUTS[layout](x), nan="bits")
    check(program, LAYOUTS[layout](np.tile(x, 40)), nan="bits")


def test_in_place_and_in_loops() -> None:
    """Results over operands, rows and single numbers in loops of the kernel."""

    def in_place(x: Any) -> Any:
        np.tanh(x, out=x)
        y = np.tanh(x)
        return np.tanh(y, out=y)

    def in_loops(a: Any) -> Any:
        total, out = 0.0, np.zeros(a.shape)
        for k in range(len(a)):
            out[k] = np.tanh(a[k]) * np.tanh(a[k] * 0.5)
            total += np.tanh(a[k, 0])
        return out, total

    check(in_place, points(3000))
    check(in_place, points(3000)[::-3])
    check(in_loops, points(6 * 700).reshape(6, 700))
    check(in_loops, points(6 * 5).reshape(6, 5))


# ---- flags ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan, 5e-324, 1e-310, 0.0, -0.0, 1.7e308])
def test_no_warnings_of_its_own(number: float) -> None:
    """All modes being those that raise."""

    def raising(x: Any) -> Any:
        with np.errstate(all="raise"):
            return np.tanh(x)

    x = points(1300)
    x[700] = number
    check(raising, x)
    check(raising, np.full(20, number))


def test_warnings_of_others() -> None:
    """NumPy's loop takes down flags that are up: those of operations before it are kept."""

    def with_others(x: Any) -> Any:
        y = np.tanh(1 / x)
        return np.sqrt(y) + np.tanh(np.log(x))

    check(with_others, np.linspace(-3, 3, 1301))
    check(with_others, np.linspace(1, 3, 1301))
    check(with_others, np.array([0.0, 1.0, -1.0]))
