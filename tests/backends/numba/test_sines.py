"""Sines and cosines that kernels compute have the bits and the flags of NumPy's.

`tests/campaigns/sines.py` compares as many points as one likes.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from equality import LAYOUTS, hostile
from oracle import assert_normally, check
from sweep import every_other, in_order, sweep

import framejit
from framejit.backends.numba.clusters.items import BLOCK
from framejit.backends.numba.library import patched, sines, sines_of_numpy
from framejit.backends.numba.numbers.libm import address_of_function

Array = np.ndarray[Any, Any]
LOOPS = {ufunc: ufunc.types.index("d->d") for ufunc in (np.sin, np.cos)}
KNOWN = all(sines_of_numpy.is_known(ufunc, number) for ufunc, number in LOOPS.items())
LENGTHS = (0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 511, 512, 513, 520, 1023, 1025, 4097)

pytestmark = pytest.mark.skipif(not KNOWN, reason="NumPy's sines are not glibc's, or no FMA")


def both(x: Any) -> Any:
    return np.sin(x), np.cos(x)


def text_of(f: Any, *args: Any) -> str:
    """The kernel of a function."""
    jitted = framejit.jit(f, backend="numba")
    jitted(*args)
    text: str = jitted.inspect("numba")
    return text


def points(count: int, seed: int = 0) -> Array:
    """Uniform in the exponent, near multiples of pi/2, anything at all."""
    rng = np.random.default_rng(seed)
    part = rng.uniform(-1, 1, count)
    multiples = np.round(rng.uniform(-5e6, 5e6, count)) * (np.pi / 2)
    near = (multiples.view(np.int64) + rng.integers(-9, 10, count)).view(np.float64)
    bits = rng.integers(-(1 << 63), 1 << 63, count, dtype=np.int64).view(np.float64)
    made = [part * 10, part * 2.0 ** rng.integers(-30, 30, count), near, bits]
    return np.choose(rng.choice(4, count, p=[0.3, 0.4, 0.2, 0.1]), made)


# ---- who computes them ---------------------------------------------------------------------------


def test_kernels_compute_them() -> None:
    """By one call a block, in which NumPy's loop is called for what is in doubt."""
    text = text_of(both, np.ones(10))

    assert_normally("    sines(" in text)
    assert_normally("    cosines(" in text)
    assert_normally("inner_loop(" not in text)
    assert patched.CHUNK == BLOCK


@pytest.mark.parametrize("dtype", ["f4", "c16", "i8"])
def test_of_other_dtypes(dtype: str) -> None:
    """Single and complex ones are NumPy's; ints are doubles first."""
    x = np.arange(-400, 400).astype(dtype)

    assert_normally(("    sines(" in text_of(both, x)) == (dtype == "i8"))
    check(both, x)


@pytest.mark.parametrize("ufunc", LOOPS)
def test_numpys_that_are_not_the_librarys(ufunc: np.ufunc) -> None:
    """A single bit that differs is enough for kernels to call NumPy for each item."""
    library: Callable[[float], float] = getattr(ctypes.CDLL("libm.so.6"), ufunc.__name__)
    library.restype, library.argtypes = ctypes.c_double, [ctypes.c_double]  # type: ignore[attr-defined]
    chosen = sines_of_numpy._points(ufunc)[-8]

    def other(x: float) -> float:
        return math.nextafter(library(x), 2.0) if x == chosen else library(x)

    assert sines_of_numpy.agrees(ufunc, library)
    assert not sines_of_numpy.agrees(ufunc, other)
    assert not sines_of_numpy.agrees(ufunc, None)


@pytest.mark.parametrize(
    ("version", "recent"),
    [("glibc 2.28", True), ("glibc 3.0", True), ("glibc 2.27", False), ("musl 2.40", False)],
)
def test_versions_of_the_library(version: str, recent: bool) -> None:
    """Older ones promise nothing, other libraries another thing."""
    assert sines_of_numpy._is_recent(version) is recent
    assert not sines_of_numpy._is_recent("")


@pytest.mark.parametrize(
    ("name", "features", "fuses"),
    [
        *((None, "+avx2,+fma", True), ("haswell", "+avx2,+fma", True)),
        *((None, "+avx2,-fma", False), ("generic", None, False)),
    ],
)
def test_without_fma(
    monkeypatch: pytest.MonkeyPatch, name: str | None, features: str | None, fuses: bool
) -> None:
    """What Numba is told to compile for counts."""
    for variable, value in (("NUMBA_CPU_NAME", name), ("NUMBA_CPU_FEATURES", features)):
        monkeypatch.delenv(variable, raising=False)
        if value is not None:
            monkeypatch.setenv(variable, value)

    assert sines_of_numpy.fuses() is fuses


def test_numpys_loop_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is not known, all is as with other ufuncs."""
    monkeypatch.setattr("framejit.backends.numba.clusters.faster.is_known", lambda *loop: False)

    assert_normally("inner_loop(" in text_of(both, np.ones(10)))
    check(both, points(600))


# ---- bits ----------------------------------------------------------------------------------------


def test_two_million_points() -> None:
    """Each kind of points, in each of some orders of memory."""
    x = points(1_000_000)
    y = x[: 40 * 500].reshape(40, 500)
    sweep(both, [(x,), (points(999_999, 1),)])
    sweep(both, [(x[:100_000][::-1],), (x[:5][::-1],)])
    sweep(both, [(x[:100_000][::2],), (every_other(x[:700]),)])
    sweep(both, [(y,), (y[:, :9].copy(),), (y[:, :3].copy(),)])
    sweep(both, [(in_order(y, (1, 0)),)])
    sweep(both, [(np.broadcast_to(x[7], (600,)),), (np.broadcast_to(x[8], (3,)),)])


@pytest.mark.parametrize("program", [both, lambda x: np.cos(np.sin(x) * 3) + x])
def test_lengths(program: Any) -> None:
    """Groups of eight that are not full, lines that are too short for one."""
    sweep(program, ((points(n, n),) for n in LENGTHS))
    sweep(program, ((every_other(points(n, n)),) for n in LENGTHS[2:]))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_hostile_values(layout: str) -> None:
    """Zeros with their signs, infinities, NaN with its payload, subnormal and huge numbers."""
    strange = np.array([0x7FF8_0000_0000_1234, -0x0007_FFFF_FFFF_FFFF], np.int64).view(np.float64)
    bounds = np.array([sines.LEAST, sines.LOWEST, 1.0, sines.MOST])
    around = [np.nextafter(bounds, 0), bounds, np.nextafter(bounds, np.inf)]
    x = np.concatenate([hostile("f8"), strange, *around, -bounds, np.arange(9) * np.pi / 2])

    check(both, LAYOUTS[layout](x), nan="bits")
    check(both, LAYOUTS[layout](np.tile(x, 40)), nan="bits")


def test_in_place_and_on_itself() -> None:
    """Results over operands, within a kernel and without."""

    def in_place(x: Any) -> Any:
        np.sin(x, out=x)
        y = np.cos(x)
        return np.sin(y, out=y)

    check(in_place, points(3000))
    check(in_place, points(3000)[::-3])


def test_items_of_loops() -> None:
    """Rows and single numbers in loops of the kernel."""

    def program(a: Any) -> Any:
        total = 0.0
        out = np.zeros(a.shape)
        for k in range(len(a)):
            out[k] = np.sin(a[k]) * np.cos(a[k])
            total += np.sin(a[k, 0])
        return out, total

    check(program, points(6 * 700).reshape(6, 700))
    check(program, points(6 * 5).reshape(6, 5))


# ---- flags ---------------------------------------------------------------------------------------

QUIET = np.linspace(-20, 20, 1300)


def with_one(number: float, place: int = 700) -> Array:
    """Plain numbers and another one."""
    x = QUIET.copy()
    x[place] = number
    return x


def several_lines(x: Any) -> Any:
    y = x * 2
    z = np.sin(y)
    return np.cos(x) + z


@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan, 5e-324, 1e-310, 0.0, -0.0, 1e300])
@pytest.mark.parametrize("program", [both, several_lines])
def test_warnings(program: Any, number: float) -> None:
    """Those of eager, at the user's lines: only infinities are invalid."""
    for place in (0, 700, 1299):
        check(program, with_one(number, place))
    check(program, np.array([number]))
    check(program, np.full(20, number))


def test_nothing_is_raised_but_by_numpy() -> None:
    """What is left out of a computation raises nothing, all modes being those that raise."""

    def raising(x: Any) -> Any:
        with np.errstate(all="raise"):
            return np.sin(x) * np.cos(x)

    check(raising, points(3000, 4)[np.isfinite(points(3000, 4))])
    check(raising, 1.7 * 2.0 ** np.arange(-1020, 20))
    check(raising, np.nextafter(-sines.LEAST, [-1, 0, 1] * 9))
    for number in (np.inf, 5e-324, -2.2e-308):
        check(raising, with_one(number))


def test_underflow() -> None:
    """Where the caller wants to be told of it: NumPy's is that of subnormal numbers."""
    with np.errstate(all="warn"):
        check(both, 1.7 * 2.0 ** np.arange(-1020, 20))
        check(both, np.nextafter(-sines.LEAST, [-1, 0, 1] * 9))
        check(both, with_one(5e-324))


def test_invalid_in_a_loop() -> None:
    """An iteration that warns does so on its line."""

    def program(x: Any, n: int) -> Any:
        for _ in range(n):
            x = np.sin(x) + 1
            x = np.cos(x) * 2
        return x

    check(program, with_one(np.inf), 3)
    check(program, QUIET, 3)


@contextmanager
def rounding(direction: int) -> Iterator[None]:
    """Results of floating point operations are rounded that way."""
    library = ctypes.CDLL("libm.so.6")
    before = library.fegetround()
    library.fesetround(direction)
    try:
        yield
    finally:
        library.fesetround(before)


@pytest.mark.parametrize("direction", [0x400, 0x800, 0xC00])
def test_other_roundings(direction: int) -> None:
    """Who has the processor round upwards gets what NumPy gives him."""
    x = points(2000)[:1500]
    jitted = framejit.jit(both, backend="numba")
    with np.errstate(all="ignore"):
        jitted(x)
        with rounding(direction):
            expected = both(x)
            found = jitted(x)
    for one, other in zip(expected, found, strict=True):
        assert one.tobytes() == other.tobytes()


def test_the_library_is_that_of_math() -> None:
    """Numbers of loops and arrays have the same sines."""
    assert address_of_function("sin") is not None
    assert [math.sin(x) for x in QUIET.tolist()] == np.sin(QUIET).tolist()
