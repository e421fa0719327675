"""Kernels compute the same as NumPy: each row of the proved list, casts, where, ufuncs.

A sample that is always the same; `tests/campaigns/native.py` goes through all combinations.
"""

from __future__ import annotations

import numpy as np
import pytest
from equality import (
    LAYOUT_PAIRS,
    LAYOUTS,
    LIMIT,
    REALS,
    Array,
    Batch,
    arranged,
    cast_texts,
    elementwise_ufuncs,
    hostile,
    pairs,
    ufunc_texts,
)
from oracle import check

from framejit.backends.numba.native import NATIVE

BORDERS = (511, 512, 513, 1025)
"""Lengths around those of blocks."""
HALF = "f2"
FLAT = ("contiguous", "contiguous")


def proved(dtype: str) -> list[str]:
    """Calls of the ufuncs that the proved list has for operands of this dtype."""
    kind = np.dtype(dtype).kind
    rows = [name for name, row in NATIVE.items() if kind in row.kinds and not row.numbers]
    return ufunc_texts(dtype, dtype, rows)


# ---- the proved list -----------------------------------------------------------------------------


def test_each_row_is_a_ufunc() -> None:
    """A row whose name is no ufunc's would never be tested."""
    rows = {name for name, row in NATIVE.items() if not row.numbers}
    assert rows <= set(elementwise_ufuncs())
    assert set(NATIVE) - rows == {"clip"}, "each of these has a test of its own"
    assert {kind for row in NATIVE.values() for kind in row.kinds} <= set("biuf")


@pytest.mark.parametrize("dtype", [dtype for dtype in REALS if dtype != HALF])
def test_proved_rows(dtype: str) -> None:
    """Every row on all pairs of hostile values, by LLVM's code and not by NumPy's loops."""
    batch = Batch(proved(dtype))
    for length in BORDERS:
        batch.check(*arranged(FLAT, *pairs(dtype, dtype, length)))

    batch.assert_compiled()
    assert "inner_loop(" not in batch.jitted.inspect("numba")


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_flags_of_proved_rows(dtype: str) -> None:
    """Each row warns of each single pair as eager does; a comparison never does."""
    x, y = pairs(dtype, dtype, len(hostile(dtype)) ** 2)
    chosen = np.random.default_rng(0).permutation(len(x))[:200]
    batch = Batch(proved(dtype))

    assert batch.check_flags(x[chosen], y[chosen]) > 100
    batch.assert_compiled()


BOUNDS = {
    "f": (
        "-1.5, 3.0",
        "0.0, -0.0",
        "-0.0, 0.0",
        "2, -2",
        "np.nan, 1",
        "-1, np.nan",
        "-np.inf, 0.5",
    ),
    "i": ("-3, 100", "5, -5", "0, 0"),
    "u": ("3, 100", "5, 2", "1, 1"),
}


@pytest.mark.parametrize("dtype", [dtype for dtype in REALS if dtype not in (HALF, "?")])
def test_clip_between_numbers(dtype: str) -> None:
    """Bounds that are NaN, zeros of either sign, and bounds in the wrong order."""
    batch = Batch([f"np.clip(x, {bounds})" for bounds in BOUNDS[np.dtype(dtype).kind]], "x")
    for length in BORDERS:
        batch.check(np.resize(hostile(dtype), length), flags=True)

    batch.assert_compiled()
    assert "inner_loop(" not in batch.jitted.inspect("numba")


def test_clip_of_one_item() -> None:
    """The stride of a bound decides which of two zeros is given."""
    zero, minus = np.array(0.0), np.array(-0.0)
    for x in (zero, minus, np.array([-0.0])):
        for bound in (np.array([False]), np.array([0.0]), np.array([0], np.int8), minus):
            check(lambda x, y: (np.clip(x, x, y), np.clip(y, x, y), np.clip(x, y, y)), x, bound)


def test_clip_between_arrays() -> None:
    """NumPy compares in another way there: it is NumPy's loop that runs."""
    x, y = pairs("f8", "f8", 1025)
    batch = Batch(["np.clip(x, y, 1.0)", "np.clip(x, -y, y)", "np.clip(x, y[:1], y[1:2])"])
    batch.check(x, y)


@pytest.mark.parametrize("layouts", LAYOUT_PAIRS, ids=" and ".join)
def test_layouts_of_proved_rows(layouts: tuple[str, str]) -> None:
    """Loads and stores of any stride; a row that reports, and a mixture with one that is silent."""
    texts = ["np.add(x, y)", "np.multiply(np.less(y, x), x + y)"]
    batch = Batch(texts)
    for length in (900, 1800):
        batch.check(*arranged(layouts, *pairs("f8", "f8", length)), flags=layouts[0] == layouts[1])


@pytest.mark.parametrize("layouts", [("strided", "reversed"), ("Fortran", "transposed")])
@pytest.mark.parametrize("dtype", ["?", "i1", "u4", "f4"])
def test_layouts_of_other_sizes(dtype: str, layouts: tuple[str, str]) -> None:
    """Elements of one and four bytes."""
    if layouts[0] == "Fortran":
        layouts = ("Fortran", "Fortran")
    Batch(proved(dtype)[:8]).check(*arranged(layouts, *pairs(dtype, dtype, 1500)))


# ---- casts and where -----------------------------------------------------------------------------

CALLED = {HALF: tuple(set(REALS) - {HALF})}
"""By source, the targets whose casts only NumPy does; others call it for float16."""


@pytest.mark.parametrize("source", REALS)
def test_casts(source: str) -> None:
    """Values that the target cannot hold, where C leaves the result open, included."""
    values = hostile(source)
    called = CALLED.get(source, (HALF,))
    for targets, opaque in ((sorted(set(REALS) - set(called)), 0), (called, len(called))):
        batch = Batch([*cast_texts(targets), "x.copy()"], "x")
        batch.check(np.resize(values, 1025))
        batch.check(np.resize(values, 2))
        batch.assert_compiled(opaque)


@pytest.mark.parametrize("layout", ["strided", "reversed", "Fortran", "transposed", "broadcast"])
def test_layouts_of_casts(layout: str) -> None:
    """Operand and result have elements of different sizes."""
    for source, targets in (("f8", ("f4", "?")), ("i1", ("f8", "i4", "u8")), ("?", ("f4", "i2"))):
        batch = Batch([f"x.astype(np.{np.dtype(target).name})" for target in targets], "x")
        batch.check(LAYOUTS[layout](np.resize(hostile(source), 1500)))
        batch.assert_compiled()


def test_narrowing_reports() -> None:
    """A cast to float32 overflows, underflows, or does neither."""
    values = hostile("f8")
    batch = Batch(["x.astype(np.float32)", "y * 2"])

    assert batch.check_flags(values, np.ones_like(values)) > 10


@pytest.mark.parametrize("layouts", [FLAT, ("strided", "reversed"), ("0-d", "contiguous")])
def test_where(layouts: tuple[str, str]) -> None:
    """Selections move bits and report nothing, whatever stands on the side that is not taken."""
    for left, right in (("f8", "f8"), ("?", "u8"), ("i8", "f4")):
        batch = Batch(["np.where(x == 0, 1, y)", "np.where(x > y, x + 2, y * 3)"])
        batch.check(*arranged(layouts, *pairs(left, right, 1025)))


# ---- NumPy's own loops ---------------------------------------------------------------------------


def called(text: str, x: Array, y: Array) -> bool:
    """True if only NumPy itself computes it: integer powers, float16 beside other dtypes."""
    with np.errstate(all="ignore"):
        result = eval(text, {"np": np, "x": x, "y": y}).dtype
    power = text.startswith("np.power") and result.kind in "iu"
    return power or (HALF in (x.dtype, y.dtype, result) and not (x.dtype == y.dtype == result))


def looped(left: str, right: str, only_called: bool = False) -> list[str]:
    """Calls of the ufuncs that are not proved for these dtypes: loops, or the called ones."""
    own = proved(left) if left == right and left != HALF else []
    x, y = np.ones(1, left), np.ones(1, right)
    rest = [text for text in ufunc_texts(left, right) if text not in own]
    return [text for text in rest if called(text, x, y) is only_called]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("part", [0, 1])
def test_all_loops_of_floats(dtype: str, part: int) -> None:
    """Each block of a loop gives the bits and the flags that eager's one run gives."""
    batch = Batch(looped(dtype, dtype)[part::2])
    for length in BORDERS:
        batch.check(*arranged(FLAT, *pairs(dtype, dtype, length)))
    batch.assert_compiled()


def test_all_loops_are_tested() -> None:
    """No batch is cut: each ufunc that takes floats stands in one of the two."""
    for dtype in ("f4", "f8"):
        assert all(0 < len(looped(dtype, dtype)[part::2]) <= LIMIT for part in (0, 1))


@pytest.mark.parametrize("k", range(len(REALS)))
def test_loops_of_other_dtypes(k: int) -> None:
    """Some ufuncs for each dtype, every one for some dtype, one after another."""
    dtype = REALS[k]
    texts = looped(dtype, dtype)
    batch = Batch(texts[k :: max(1, len(texts) // 6)])
    for length in (513, 1025):
        batch.check(*arranged(FLAT, *pairs(dtype, dtype, length)))
    batch.assert_compiled()


@pytest.mark.parametrize(("left", "right"), [("f8", "i4"), ("i4", "f4"), ("u8", "i8"), ("?", "u4")])
def test_loops_of_mixed_dtypes(left: str, right: str) -> None:
    """Operands are cast in blocks first."""
    names = ("arctan2", "fmod", "floor_divide", "power", "ldexp", "maximum", "logaddexp")
    texts = ufunc_texts(left, right, names if left == "f8" else names[:3])
    batch = Batch(texts)
    batch.check(*arranged(FLAT, *pairs(left, right, 1025)))
    batch.assert_compiled()


@pytest.mark.parametrize("dtype", ["?", "i1", "u4", HALF])
def test_ufuncs_that_are_called(dtype: str) -> None:
    """A ufunc that has no form in a kernel is an opaque node of it."""
    texts = looped(dtype, dtype, only_called=True)[:5]
    batch = Batch([*texts, "x.copy()"])
    batch.check(*arranged(FLAT, *pairs(dtype, dtype, 20)))
    batch.assert_compiled(len(texts))


@pytest.mark.parametrize("layouts", LAYOUT_PAIRS, ids=" and ".join)
def test_layouts_of_loops(layouts: tuple[str, str]) -> None:
    """NumPy's loops give other bits on other strides and cuts: they get the ones eager has."""
    x, y = pairs("f4", "f4", 1800)
    order = np.random.default_rng(0).permutation(len(x))
    batch = Batch(["np.exp(x)", "np.fmin(x + 0, y)", "np.power(x, y)"])
    batch.check(*arranged(layouts, x[order], y[order]), flags=False)


@pytest.mark.parametrize("layouts", LAYOUT_PAIRS, ids=" and ".join)
def test_layouts_of_loops_that_cast(layouts: tuple[str, str]) -> None:
    """Eager buffers a cast operand: a single one gets no stride, a broadcast one gets copies."""
    x = np.random.default_rng(0).normal(size=1800) ** 7
    zeros = np.resize([0.0, -0.0], 1800)
    batch = Batch(["np.power(x, y)", "np.fmax(zero, x)"], "x, y, zero")
    base, exponent = arranged(layouts, x, np.full(1800, 2, np.uint8))
    batch.check(base, exponent, LAYOUTS[layouts[0]](zeros), flags=False)


SCALARS = (True, 0, 2, 100, 0.5, -0.0, float("nan"), np.float32(0.25), np.int8(-1), np.uint64(4))


@pytest.mark.parametrize("dtype", ["?", "f4"])
def test_scalars(dtype: str) -> None:
    """A scalar is converted as NumPy converts it: to bool by its truth, not by its bits."""
    texts = ["np.logical_and(x, y)", "np.logical_xor(y, x)", "np.where(x, y, x)", "np.power(x, y)"]
    x = hostile(dtype)
    for number in SCALARS:
        powers = np.dtype(dtype).kind == "f"  # others raise for negative exponents, or are called
        Batch(texts if powers else texts[:3]).check(x, number, flags=False)


def test_flags_of_loops() -> None:
    """A loop may report through MXCSR or through the x87 unit, and it may clear both."""
    x, y = pairs("f4", "f4", 900)
    chosen = np.random.default_rng(0).permutation(len(x))[:150]
    texts = ["x * y", "np.exp(x)", "x + y", "np.floor_divide(x, y)", "np.log(x)", "np.hypot(x, y)"]

    assert Batch(texts).check_flags(x[chosen], y[chosen]) > 50


@pytest.mark.parametrize("mode", ["warn", "raise"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
def test_overflow_of_one_loop(dtype: str, mode: str) -> None:
    """Nothing else in the kernel reports: what the loop itself says must not be lost."""
    texts = {"i4": "np.floor_divide(x, y)"}
    batch = Batch([texts.get(dtype, "np.exp(x)")])
    most = np.iinfo(dtype).min if dtype == "i4" else 1000

    for x in (np.ones(600, dtype), np.full(600, most, dtype)):
        with np.errstate(over=mode):  # type: ignore[arg-type]
            check(batch.function, x, np.full(600, -1, dtype), calls=3)
