"""Types: which layout class an array is of, which dtypes graphs hold, and how both read."""

from __future__ import annotations

import numpy as np
import pytest
from samples import Array

from framejit.jit.ir.types import (
    PY_FLOAT,
    ArrayType,
    Layout,
    ScalarType,
    Sym,
    captured_dtype,
    layout_of,
)

F8 = np.dtype(np.float64)


def table(rows: int = 4, columns: int = 6) -> Array:
    return np.ones((rows, columns))


C, F = Layout.contiguous(2), Layout.contiguous(2, "F")
LAYOUTS = {
    "C": (table(), C),
    "Fortran": (table().T, F),
    "rows of a wider table": (table()[:, :3], Layout((0, 1), (1, 1), False, True)),
    "every other column": (table()[:, ::2], Layout((0, 1), (1, 1), False, False)),
    "columns of a taller one": (table().T[:3], Layout((1, 0), (1, 1), False, True)),
    "rows reversed": (table()[::-1], Layout((0, 1), (-1, 1), False, True)),
    "both reversed": (table()[::-1, ::-1], Layout((0, 1), (-1, -1), False, True)),
    "one row, many times": (
        np.broadcast_to(np.ones(6), (4, 6)),
        Layout((1, 0), (0, 1), False, True),
    ),
    "one column, many times": (
        np.broadcast_to(np.ones((4, 1)), (4, 6)),
        Layout((0, 1), (1, 0), False, True),
    ),
    "one number, many times": (np.broadcast_to(1.0, (4, 6)), Layout((0, 1), (0, 0), False, False)),
    "axes swapped": (np.ones((2, 3, 4)).swapaxes(0, 1), Layout((1, 0, 2), (1, 1, 1), True, True)),
    "an axis of one between gaps": (
        np.ones((4, 6))[::2, None, ::2],
        Layout((1, 0, 2), (1, 1, 1), False, False),
    ),
    "nothing in it": (np.ones((4, 0))[::2], C),
    "one item": (np.ones((4, 6))[1:2, 2:3], C),
    "no axes": (np.ones(()), Layout.contiguous(0)),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layout_of(name: str) -> None:
    """Axes from slow to fast, signs, gaps, the step of the fastest axis."""
    array, expected = LAYOUTS[name]

    assert layout_of(array) == expected


@pytest.mark.parametrize("strides", [(8, 8), (16, 8), (8, -8)])
def test_axes_that_overlap(strides: tuple[int, int]) -> None:
    """NumPy takes the first of axes with one stride for the slower one."""
    memory = np.ones(99)[30:]
    overlapping = np.lib.stride_tricks.as_strided(memory, (4, 6), strides)

    signs = tuple(1 if stride > 0 else -1 for stride in strides)
    assert layout_of(overlapping) == Layout((0, 1), signs, False, True, nested=False)


def test_contiguous_both_ways() -> None:
    """An array that is C and Fortran contiguous is called C, as NumPy's results are."""
    for shape in ((5,), (5, 1), (1, 5), (1, 1)):
        layout = layout_of(np.ones(shape, order="F"))
        assert layout is not None
        assert layout.is_c


@pytest.mark.parametrize("char", "?bhilqBHILQefdFD")
def test_captured_dtypes(char: str) -> None:
    """Plain numbers in native order."""
    assert captured_dtype(np.dtype(char))


@pytest.mark.parametrize("dtype", [">f8", ">i2", "g", "G", "O", "S3", "U3", "M8[s]", "m8[s]", "V8"])
def test_dtypes_that_are_not_captured(dtype: str) -> None:
    """The others stay eager."""
    assert not captured_dtype(np.dtype(dtype))


def test_dtypes_with_fields_or_metadata() -> None:
    """Nor these, though their kinds are plain."""
    assert not captured_dtype(np.dtype([("a", "f8")]))
    assert not captured_dtype(np.dtype("f8", metadata={"unit": "m"}))


def test_types_as_text() -> None:
    """Shown in graphs; the layout only where it is not C contiguous."""
    rows = (Sym(0), Sym(1))

    assert str(ArrayType(F8, (), Layout.contiguous(0))) == "float64[]"
    assert str(ArrayType(F8, (Sym(0), 1), C)) == "float64[s0, 1]"
    assert str(ArrayType(F8, rows, F)) == "float64[s0, s1] +1+0"
    assert str(ArrayType(F8, rows, Layout((0, 1), (-1, 1), False, True))) == (
        "float64[s0, s1] -0+1 gaps"
    )
    assert str(ArrayType(F8, rows, Layout((1, 0), (0, 1), False, False))) == (
        "float64[s0, s1] +100 gaps strided"
    )
    assert (str(PY_FLOAT), str(ScalarType(F8, python=False))) == ("float", "np.float64")
