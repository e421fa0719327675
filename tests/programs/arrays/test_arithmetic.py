"""Straight-line arithmetic in one fused kernel: dtypes, shapes, layouts in memory, operators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import (
    BINARY,
    BITS,
    COMPARISONS,
    Array,
    captured,
    decided,
    eager,
    madd,
    operator_function,
    sample,
)

# ---- dtypes --------------------------------------------------------------------------------------

DTYPES = ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16")
SCALARS = (True, 3, -3, 2.5, -0.0, float("inf"), 1j, np.True_, np.int8(3), np.uint64(3))
FLOATS = (np.float16(2.5), np.float32(0.1), np.float64(0.1), np.complex64(1j), np.longlong(2))


@pytest.mark.parametrize("dtype", DTYPES)
def test_one_dtype(dtype: str) -> None:
    """Arrays of each dtype that a graph holds."""
    captured(madd, sample(dtype), sample(dtype)[::-1].copy(), sample(dtype))


@pytest.mark.parametrize("left", ["?", "i1", "u4", "i8", "u8", "f4", "c8"])
@pytest.mark.parametrize("right", ["u1", "i4", "u8", "f2", "f8", "c16"])
def test_two_dtypes(left: str, right: str) -> None:
    """NumPy's promotion of two array dtypes."""
    run = (
        decided if right == "f2" and left in ("?", "i1") else captured
    )  # casts to float16: NumPy's
    run(madd, sample(left), sample(right), sample(left))


@pytest.mark.parametrize("dtype", ["i1", "i8", "u8", "f2", "f4", "f8", "c8"])
def test_scalars_promote_as_nep_50_says(dtype: str) -> None:
    """Python scalars are weak, NumPy scalars are not, on both sides of an operator."""

    def both(x: Any, s: Any) -> Any:
        return s * x + s, x * s + s

    with np.errstate(all="ignore"):
        for scalar in (*SCALARS, *FLOATS):
            if type(scalar) is not int or scalar > 0 or dtype != "u8":  # -3: out of bounds
                half = dtype == "f2" or type(scalar) is np.float16  # no scalars of it in kernels
                run = decided if half else captured
                run(both, sample(dtype), scalar)


@pytest.mark.parametrize("dtype", ["i1", "i8", "f4", "f8", "c8"])
def test_constants_in_the_code(dtype: str) -> None:
    """Constants promote as the same Python scalars do."""

    def constants(x: Any) -> Any:
        return x * 2 + 0.5, 1j * x, x + True, -x, +x, x - 1 + (3 - 1) * 2

    captured(constants, sample(dtype))


def test_scalars_alone() -> None:
    """Without an array: Python's arithmetic on Python numbers, NumPy's on NumPy scalars."""
    check(madd, 2, 3, 4)
    check(madd, 2.5, True, 4)
    check(madd, np.float32(0.1), 3, 2.5)
    check(madd, np.int8(100), np.int8(1), np.int8(27))
    check(madd, np.int8(100), np.int8(2), np.int8(27))  # overflow: warns, as scalars do
    check(madd, np.float32(3e38), np.float32(10), 1)
    check(madd, "ab", 2, "c")
    check(madd, [1], 2, [3])


def test_integers_wrap() -> None:
    """Integer arrays overflow without a word."""
    for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"):
        info = np.iinfo(dtype)
        extremes = np.array([info.min, info.max, info.max - 1, 1], dtype)
        captured(madd, extremes, extremes, extremes)


def test_special_values() -> None:
    """Signed zeros, infinities, NaN and subnormals, where eager does not warn."""
    for dtype in ("f4", "f8"):
        tiny = np.finfo(dtype).smallest_subnormal
        values = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, tiny, -tiny, 1.0], dtype)
        captured(madd, values, np.ones_like(values), -np.zeros_like(values))


def test_float32_stays_float32() -> None:
    """No step is rounded at another precision: no FMA, no excess bits."""
    rng = np.random.default_rng(0)
    for dtype in ("f4", "f8"):
        x, y, z = (rng.normal(size=1000).astype(dtype) for _ in range(3))
        captured(madd, x, y, z)
        captured(madd, x, y, -(x * y))


def test_nan_bits_of_a_moved_value() -> None:
    """A NaN that is only negated keeps its payload."""
    values = np.array([0x7FF8000000000123, 0xFFF8000000000001], np.uint64).view(np.float64)
    captured(operator_function("neg"), values, nan="bits")


# ---- shapes --------------------------------------------------------------------------------------

SHAPES = {
    "0-d and rows": ((), (5,), ()),
    "one": ((1,), (1,), (1,)),
    "one and many": ((1,), (5,), (5,)),
    "empty": ((0,), (0,), (0,)),
    "empty and one": ((0,), (1,), ()),
    "empty rows": ((0, 3), (3,), (1, 3)),
    "table": ((3, 4), (3, 4), (3, 4)),
    "row": ((3, 4), (4,), (1, 4)),
    "column": ((3, 4), (3, 1), (3, 4)),
    "outer": ((3, 1), (1, 4), (4,)),
    "three axes": ((2, 3, 4), (3, 1), (4,)),
    "five axes": ((2, 1, 3, 1, 2), (2, 1, 3, 1), (1, 1, 1, 1, 1)),
    "ones": ((1, 1), (1,), (1, 1, 1)),
    "long": ((100_003,), (100_003,), (1,)),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name: str) -> None:
    """Operands of different shapes broadcast, 0-d arrays too."""
    captured(madd, *[sample("f8", shape) for shape in SHAPES[name]])


@pytest.mark.parametrize("z", [2, 2.5, np.float32(2.5), np.array(2.5)])
def test_0d_arrays_become_scalars(z: Any) -> None:
    """Arithmetic on 0-d arrays gives NumPy scalars."""
    decided(madd, np.array(3.0), np.array(2.0), z)
    decided(madd, np.array(3, "i1"), 2, z)


def test_many_axes() -> None:
    """Eager computes with arrays that have more axes than a kernel takes."""
    check(madd, *[np.ones((1,) * 40 + (2, 3)) for _ in range(3)])


# ---- memory --------------------------------------------------------------------------------------


def layouts() -> dict[str, Array]:
    """Views of shape (4, 6)."""
    table = sample("f8", (4, 6))
    wide, tall = sample("f8", (8, 12)), sample("f8", (6, 4))
    locked = table.copy()
    locked.flags.writeable = False
    return {
        "C": table,
        "Fortran": np.asfortranarray(table),
        "transposed": tall.T,
        "strided": wide[::2, ::2],
        "strided rows": wide[::2, :6],
        "reversed": table[::-1, ::-1],
        "reversed rows": table[::-1],
        "reversed columns": table[:, ::-1],
        "reversed transposed": tall.T[::-1],
        "broadcast rows": np.broadcast_to(sample("f8", (6,)), (4, 6)),
        "broadcast columns": np.broadcast_to(sample("f8", (4, 1)), (4, 6)),
        "read-only": locked,
        "slice of three axes": sample("f8", (4, 2, 6))[:, 1],
        "axes swapped in memory": sample("f8", (6, 3, 4))[:, 1].T,
    }


@pytest.mark.parametrize("name", layouts())
def test_layouts(name: str) -> None:
    """The result has eager's strides, for operands of one layout and of several."""
    view = layouts()[name]
    for x, y, z in (
        (view, view, view),
        (view, 2.0, 1.0),
        (view, layouts()["C"], layouts()["C"]),
        (layouts()["Fortran"], view, 1),
        (view, sample("f8", (6,)), sample("f8", (4, 1))),
    ):
        captured(madd, x, y, z)


def test_permuted_axes() -> None:
    """The axes of the result have eager's order in memory, even if those of the operands differ."""
    a = sample("f8", (2, 3, 4)).transpose(1, 2, 0)
    b = sample("f8", (4, 3, 2)).transpose(1, 0, 2)
    for x, y, z in ((a, a, a), (a, b, 1.0), (b, a, b), (a, b, sample("f8", (3, 4, 2)))):
        captured(madd, x, y, z)


def test_axes_of_one() -> None:
    """Axes of length one have NumPy's strides, although these lead to no other item."""
    a = sample("f8", (5, 1, 3))
    for x in (a, a.T, a[::2], np.asfortranarray(a), a[:1, :, :1]):
        captured(madd, x, 2.0, x)
    check(madd, a[:, ::-1], 2.0, a)  # the loops of some ufuncs are told of that stride


def test_axes_of_equal_stride() -> None:
    """NumPy documents no order for such axes, so the test compares with eager."""
    diagonal = np.lib.stride_tricks.as_strided(sample("f8", (9,)), (4, 6), (8, 8))
    check(madd, diagonal, 2.0, diagonal)
    check(madd, diagonal, sample("f8", (4, 6)), 1.0)


def test_overlapping_arguments() -> None:
    """Arguments that share memory are only read."""
    x = sample("f8", (10,))
    captured(madd, x, x, x)
    captured(madd, x[1:], x[:-1], x[:0:-1])


def test_unaligned_and_swapped_memory() -> None:
    """Eager computes with unaligned and byte-swapped memory, which no kernel reads."""
    packed = np.zeros(5, [("a", "i1"), ("b", "f8")])
    packed["b"] = sample("f8")
    for swapped in (packed["b"], sample(">f8"), sample(">i4")):
        eager(operator_function("mul"), swapped, 2.0)
        check(madd, swapped, 2.0, 1.0)
        check(madd, sample("f8"), swapped, swapped)


# ---- operators -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BINARY + COMPARISONS)
@pytest.mark.parametrize("dtype", ["i4", "u8", "f4", "f8", "c16"])
def test_operators(name: str, dtype: str) -> None:
    """Each operator on two arrays, and on an array and a number from both sides."""
    function = operator_function(name)
    if dtype == "c16" and name in ("floordiv", "mod"):
        check(function, sample(dtype), sample(dtype))
        return
    # An integer power may raise in the middle of NumPy's loop: it is called, not fused.
    run = decided if name == "pow" and dtype in ("i4", "u8") else captured
    run(function, sample(dtype), sample(dtype)[::-1].copy())
    run(function, sample(dtype), 3)
    run(function, 3, sample(dtype))


@pytest.mark.parametrize("name", BITS)
@pytest.mark.parametrize("dtype", ["?", "i1", "u4", "i8"])
def test_bit_operators(name: str, dtype: str) -> None:
    """Bit operators on integers; shifts of bool promote."""
    captured(operator_function(name), sample(dtype), sample(dtype))
    captured(operator_function(name), sample(dtype), True)


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f4", "c16"])
def test_unary_operators(dtype: str) -> None:
    """NumPy's TypeError is raised, with its text, if it has no loop for a dtype."""
    for name in ("neg", "pos", "invert"):
        check(operator_function(name), sample(dtype))


def test_no_loop_for_the_dtypes() -> None:
    """The user sees NumPy's TypeError, with its text, at their line."""
    check(operator_function("sub"), sample("?"), sample("?"))
    check(operator_function("and"), sample("f8"), sample("f8"))
    check(operator_function("lt"), sample("f8"), "a")


@pytest.mark.parametrize("exponent", [-1, 0, 0.5, 1, 2, 3, 2.0, -2, True, np.float32(2)])
def test_powers(exponent: Any) -> None:
    """For some exponents NumPy calls another function, such as `square`; kernels do the same."""
    for dtype in ("i4", "f4", "f8"):
        check(operator_function("pow"), sample(dtype), exponent)


def test_comparison_of_mixed_signs() -> None:
    """uint64 against int64, and against a negative Python int."""
    for name in COMPARISONS:
        captured(operator_function(name), sample("u8"), -sample("i8"))
        check(operator_function(name), sample("u8"), -1)
        check(operator_function(name), sample("u1"), 300)


def test_ufuncs_by_name() -> None:
    """A ufunc called as a global's attribute is the operator of the same name."""

    def by_name(x: Any, y: Any) -> Any:
        return np.add(np.multiply(x, y), 1), np.subtract(x, 2.5), np.sqrt(x), np.negative(y)

    captured(by_name, sample("f8"), sample("f4"))
    captured(by_name, sample("f8"), 2)


def neutral(x: Any) -> Any:
    return x * 1.0, x - 0.0, x / 1, x + (-0.0), -1.0 * x


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_signalling_nans(dtype: str) -> None:
    """Arithmetic makes a signalling NaN quiet and reports it, even `x * 1` and `x + 0`."""
    x = np.ones(6, dtype)
    bits = x.view(x.dtype.str.replace("f", "u"))
    bits[::2] = (np.array(np.inf, dtype).view(bits.dtype) + np.uint8(1)).astype(bits.dtype)
    check(neutral, x, nan="bits")
