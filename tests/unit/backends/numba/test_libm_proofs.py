"""Sines, cosines, exponentials and logarithms of kernels have the bits and the flags of NumPy's.

`tests/campaigns/libm_proofs.py` compares as many points as one likes.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding
import numpy as np
import pytest
from equality import LAYOUTS, hostile
from oracle import assert_normally, check
from sweep import every_other, in_order, sweep, text_of

import framejit
from framejit.backends.numba.clusters.items import BLOCK
from framejit.backends.numba.library import (
    exponentials,
    libm_proofs,
    logarithms,
    loop_points,
    patched,
    sines,
)
from framejit.backends.numba.numbers.libm import address_of_function

Array = np.ndarray[Any, Any]
LOOPS = {ufunc: libm_proofs.loop_of_doubles(ufunc) for ufunc in libm_proofs.NAMES}
LENGTHS = (0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 511, 512, 513, 520, 1023, 1025, 4097)


def waves(x: Any) -> Any:
    return np.sin(x), np.cos(x)


def logs(x: Any) -> Any:
    return np.exp(x), np.log(x)


def powers(x: Any) -> Any:
    return x**0.45, np.power(x, -1.7), x**12.0


def of(ufunc: np.ufunc) -> Any:
    """A function of one array: powers have an exponent."""
    rest = loop_points.OTHERS.get(ufunc, loop_points.NO_OTHERS)[0]

    def program(x: Any) -> Any:
        return ufunc(x, *rest)

    return program


def known(*ufuncs: np.ufunc) -> pytest.MarkDecorator:
    """Only where NumPy's are the library's: with AVX-512 it has exponentials of its own."""
    are_known = all(libm_proofs.is_known(ufunc, LOOPS[ufunc]) for ufunc in ufuncs)
    return pytest.mark.skipif(not are_known, reason="NumPy's are not glibc's, or no FMA")


PROGRAMS = [
    pytest.param(waves, marks=known(np.sin, np.cos)),
    pytest.param(logs, marks=known(np.exp, np.log)),
    pytest.param(powers, marks=known(np.power)),
]
each = pytest.mark.parametrize("program", PROGRAMS)
each_ufunc = pytest.mark.parametrize("ufunc", [pytest.param(u, marks=known(u)) for u in LOOPS])


def points(count: int, seed: int = 0) -> Array:
    """Uniform in the exponent, near multiples of pi/2 and near one, anything at all."""
    rng = np.random.default_rng(seed)
    part = rng.uniform(-1, 1, count)
    multiples = np.round(rng.uniform(-5e6, 5e6, count)) * (np.pi / 2)
    near = (multiples.view(np.int64) + rng.integers(-9, 10, count)).view(np.float64)
    bits = rng.integers(-(1 << 63), 1 << 63, count, dtype=np.int64).view(np.float64)
    beside_one = 1 + part * 2.0 ** rng.integers(-53, 0, count)
    made = [part * 10, part * 2.0 ** rng.integers(-30, 30, count), near, bits, beside_one]
    return np.choose(rng.choice(5, count, p=[0.3, 0.3, 0.15, 0.1, 0.15]), made)


# ---- who computes them ---------------------------------------------------------------------------


@each_ufunc
def test_kernels_compute_them(ufunc: np.ufunc) -> None:
    """By one call a block, in which NumPy's loop is called for what is in doubt."""
    text = text_of(of(ufunc), np.ones(10))

    assert_normally(f"    {libm_proofs.NAMES[ufunc]}(" in text)
    assert_normally("inner_loop(" not in text)
    assert patched.CHUNK == BLOCK


@each_ufunc
@pytest.mark.parametrize("dtype", ["f4", "c16", "i8"])
def test_of_other_dtypes(dtype: str, ufunc: np.ufunc) -> None:
    """Single and complex ones are NumPy's; ints are doubles first."""
    x = np.arange(-400, 400).astype(dtype)

    text = text_of(of(ufunc), np.ones_like(x))
    assert_normally((f"    {libm_proofs.NAMES[ufunc]}(" in text) == (dtype == "i8"))
    check(of(ufunc), x)


@each_ufunc
def test_numpys_that_are_not_the_librarys(ufunc: np.ufunc) -> None:
    """A single bit that differs is enough for kernels to call NumPy for each item."""
    library = libm_proofs._library_function(ufunc)
    chosen = loop_points.NEAR[ufunc][-1]
    assert library is not None

    def other(x: float, *rest: float) -> float:
        result = library(x, *rest)
        return math.nextafter(result, math.inf) if x == chosen else result

    assert libm_proofs.agrees(ufunc, library)
    assert not libm_proofs.agrees(ufunc, other)
    assert not libm_proofs.agrees(ufunc, None)


@pytest.mark.parametrize(
    ("version", "recent"),
    [("glibc 2.28", True), ("glibc 3.0", True), ("glibc 2.27", False), ("musl 2.40", False)],
)
def test_versions_of_the_library(version: str, recent: bool) -> None:
    """Older ones promise nothing, other libraries another thing."""
    assert libm_proofs._is_recent(version) is recent
    assert not libm_proofs._is_recent("")


@pytest.mark.parametrize(
    ("variable", "value"),
    [("NUMBA_CPU_NAME", "generic"), ("NUMBA_CPU_FEATURES", "+avx2,-fma")],
)
def test_fused_products_are_the_processors(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    """Kernels are made for this processor, whatever Numba is told to compile for."""
    monkeypatch.setenv(variable, value)

    assert libm_proofs.fuses() is llvmlite.binding.get_host_cpu_features()["fma"]


@each
def test_numpys_loop_alone(monkeypatch: pytest.MonkeyPatch, program: Any) -> None:
    """Where it is not known, all is as with other ufuncs."""
    monkeypatch.setattr("framejit.backends.numba.clusters.faster.is_known", lambda *loop: False)

    assert_normally("inner_loop(" in text_of(program, np.ones(10)))
    check(program, points(600))


# ---- bits ----------------------------------------------------------------------------------------


@each
def test_two_million_points(program: Any) -> None:
    """Each kind of points, in each of some orders of memory."""
    x = points(1_000_000)
    y = x[: 40 * 500].reshape(40, 500)
    sweep(program, [(x,), (points(999_999, 1),)])
    sweep(program, [(x[:100_000][::-1],), (x[:5][::-1],)])
    sweep(program, [(x[:100_000][::2],), (every_other(x[:700]),)])
    sweep(program, [(y,), (y[:, :9].copy(),), (y[:, :3].copy(),)])
    sweep(program, [(in_order(y, (1, 0)),)])
    sweep(program, [(np.broadcast_to(x[7], (600,)),), (np.broadcast_to(x[8], (3,)),)])


@pytest.mark.parametrize(
    "program",
    [
        *PROGRAMS,
        pytest.param(lambda x: np.cos(np.sin(x) * 3) + x, marks=known(np.sin, np.cos)),
        pytest.param(lambda x: np.log(np.exp(x) + 1) - x, marks=known(np.exp, np.log)),
    ],
)
def test_lengths(program: Any) -> None:
    """Groups of eight that are not full, lines that are too short for one."""
    sweep(program, ((points(n, n),) for n in LENGTHS))
    sweep(program, ((every_other(points(n, n)),) for n in LENGTHS[2:]))


OF_POWERS = (exponentials.MOST, 709.782712893384, 745.1332191019412, 708.3964185322641)
"""The bounds beyond which results are not computed, not finite, zero, or subnormal."""


@each
@pytest.mark.parametrize("layout", LAYOUTS)
def test_hostile_values(layout: str, program: Any) -> None:
    """Zeros with their signs, infinities, NaN with its payload, subnormal and huge numbers."""
    strange = np.array([0x7FF8_0000_0000_1234, -0x0007_FFFF_FFFF_FFFF], np.int64).view(np.float64)
    bounds = np.array([sines.LEAST, sines.LOWEST, 1.0, sines.MOST, logarithms.LEAST, *OF_POWERS])
    around = [np.nextafter(bounds, 0), bounds, np.nextafter(bounds, np.inf)]
    x = np.concatenate([hostile("f8"), strange, *around, -bounds, np.arange(9) * np.pi / 2])

    check(program, LAYOUTS[layout](x), nan="bits")
    check(program, LAYOUTS[layout](np.tile(x, 40)), nan="bits")


@each_ufunc
def test_in_place_and_on_itself(ufunc: np.ufunc) -> None:
    """Results over operands, within a kernel and without."""
    rest = loop_points.OTHERS.get(ufunc, loop_points.NO_OTHERS)[0]

    def in_place(x: Any) -> Any:
        ufunc(x, *rest, out=x)
        y = ufunc(x, *rest)
        return ufunc(y, *rest, out=y)

    check(in_place, points(3000))
    check(in_place, points(3000)[::-3])


@each_ufunc
def test_items_of_loops(ufunc: np.ufunc) -> None:
    """Rows and single numbers in loops of the kernel."""
    rest = loop_points.OTHERS.get(ufunc, loop_points.NO_OTHERS)[0]

    def program(a: Any) -> Any:
        total = 0.0
        out = np.zeros(a.shape)
        for k in range(len(a)):
            out[k] = ufunc(a[k], *rest) * ufunc(a[k] * 0.5, *rest)
            total += ufunc(a[k, 0], *rest)
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


def several_waves(x: Any) -> Any:
    y = x * 2
    z = np.sin(y)
    return np.cos(x) + z


def several_logs(x: Any) -> Any:
    y = x * 2
    z = np.exp(y)
    return np.log(x) + z


FLAGGED = [
    *PROGRAMS,
    pytest.param(several_waves, marks=known(np.sin, np.cos)),
    pytest.param(several_logs, marks=known(np.exp, np.log)),
]
NUMBERS = [np.inf, -np.inf, np.nan, 5e-324, 1e-310, 0.0, -0.0, 1e300, 710.0, -746.0, -709.0]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("program", FLAGGED)
def test_warnings(program: Any, number: float) -> None:
    """Those of eager, at the user's lines: numbers that are invalid, overflow or divide."""
    for place in (0, 700, 1299):
        check(program, with_one(number, place))
        check(program, abs(with_one(number, place)))
    check(program, np.array([number]))
    check(program, np.full(20, number))


@each_ufunc
def test_nothing_is_raised_but_by_numpy(ufunc: np.ufunc) -> None:
    """Items that a kernel leaves out of a computation raise nothing under `raise` modes."""
    rest = loop_points.OTHERS.get(ufunc, loop_points.NO_OTHERS)[0]

    def raising(x: Any) -> Any:
        with np.errstate(all="raise"):
            return ufunc(x, *rest)

    x = points(3000, 4)
    check(raising, x[np.isfinite(x)])
    check(raising, abs(x[abs(x) < 700]))
    check(raising, -abs(x[abs(x) < 700]))
    check(raising, 1.7 * 2.0 ** np.arange(-1020, 20))
    check(raising, np.nextafter(-sines.LEAST, [-1, 0, 1] * 9))
    for number in (np.inf, 5e-324, -2.2e-308):
        check(raising, with_one(number))


@each
def test_underflow(program: Any) -> None:
    """If the caller asks for underflow, it is NumPy's, which is that of subnormal numbers."""
    with np.errstate(all="warn"):
        check(program, 1.7 * 2.0 ** np.arange(-1020, 20))
        check(program, np.nextafter(-sines.LEAST, [-1, 0, 1] * 9))
        check(program, np.nextafter(sines.LEAST, [-1, 0, 1] * 9))
        check(program, with_one(5e-324))
        check(program, with_one(-730.0))


@known(np.sin, np.cos)
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


@each
@pytest.mark.parametrize("direction", [0x400, 0x800, 0xC00])
def test_other_roundings(direction: int, program: Any) -> None:
    """A program that sets the processor to round upwards gets NumPy's results for that."""
    x = points(2000)[:1500]
    jitted = framejit.jit(program, backend="numba")
    with np.errstate(all="ignore"):
        jitted(x)
        with rounding(direction):
            expected = program(x)
            found = jitted(x)
    for one, other in zip(expected, found, strict=True):
        assert one.tobytes() == other.tobytes()


@each_ufunc
def test_the_library_is_that_of_math(ufunc: np.ufunc) -> None:
    """Numbers of loops and arrays have the same values."""
    name, x = libm_proofs.IN_C.get(ufunc, ufunc.__name__), abs(QUIET)
    rest = loop_points.OTHERS.get(ufunc, loop_points.NO_OTHERS)[0]
    assert address_of_function(name) is not None
    assert [getattr(math, name)(one, *rest) for one in x.tolist()] == ufunc(x, *rest).tolist()


@each_ufunc
def test_points_that_others_would_miss(ufunc: np.ufunc) -> None:
    """At the points that tell NumPy's loops apart, kernels compute the nearest double."""
    x, results = map(list, zip(*loop_points.BOUND[ufunc], strict=True))
    jitted = framejit.jit(of(ufunc), backend="numba")

    assert jitted(np.array(x)).tolist() == results


# ---- exponents -----------------------------------------------------------------------------------

EXPONENTS = (0.0, 1.0, 2.0, 3.0, -2.0, 0.5, -0.5, 1 / 3, 63.99, 64.0, 65.0, 2.0**-199, 2.0**-201)


@known(np.power)
def test_exponents() -> None:
    """All that may be computed, and others; exact powers, and those halfway between two doubles."""

    def program(x: Any, y: Any) -> Any:
        return np.power(x, y)

    x = np.concatenate([points(1500), np.arange(1000.0), np.sqrt(np.arange(300.0)), QUIET])
    exponents = (*EXPONENTS, np.inf, -np.inf, np.nan, 5e-324, -1e300)
    sweep(program, ((x, np.float64(exponent)) for exponent in exponents))
    sweep(program, ((x, np.array([exponent])) for exponent in exponents))
    sweep(program, ((x[None, :700] * np.ones((13, 1)), np.array(EXPONENTS)[:, None]),))
    sweep(program, ((x, x[::-1].copy()), (x, np.full(x.shape, 0.5))))


@known(np.power)
def test_an_exponent_that_is_written_to() -> None:
    """Among the results themselves."""

    def program(x: Any) -> Any:
        np.power(x, x[3:4], out=x)
        return x

    check(program, abs(points(1000)))
    check(program, np.full(1000, 1.25))
