"""Guards on arrays: what they let pass, and their words when they do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from guarding import X, Y, refusal

from framejit.guards.arrays import IsArray, IsWriteable, SameLength

F8 = np.dtype(np.float64)
VECTOR = IsArray(X, F8, (2,), "C")
TABLE = IsArray(X, F8, (2, 2), "C")
FORTRAN = IsArray(X, F8, (2, 2), "F")
STRIDED = IsArray(X, F8, (2, 2), "", ((0, 1), (1, 1)), unit=False)


@pytest.mark.parametrize("length", [2, 3, 300])
def test_any_length_above_one_passes(length: int) -> None:
    """Lengths are symbolic; so are values, alignment to more than the item, and read-only."""
    locked = np.ones(length)
    locked.flags.writeable = False

    assert refusal(VECTOR, np.ones(length)) is None
    assert refusal(VECTOR, np.ones(length + 1)[1:]) is None
    assert refusal(VECTOR, locked) is None


FAILURES = [
    (VECTOR, np.ones(3, np.float32), "dtype was float64, now float32"),
    (VECTOR, np.ones(3, ">f8"), "dtype was float64, now >f8"),
    (VECTOR, np.ones((3, 3)), "number of axes was 1, now 2"),
    (VECTOR, np.array(1.0), "number of axes was 1, now 0"),
    (VECTOR, np.ones(0), "axes of length 0 and 1 was (n), now (0)"),
    (TABLE, np.ones((3, 1)), "axes of length 0 and 1 was (n, m), now (n, 1)"),
    (VECTOR, np.ones(6)[::2], "memory order was C, now strided"),
    (TABLE, np.ones((3, 3)).T, "memory order was C, now Fortran"),
    (FORTRAN, np.ones((3, 3)), "memory order was Fortran, now C"),
    (STRIDED, np.ones((3, 3)), "memory order was strided, now C"),
    (STRIDED, np.ones((6, 6))[::-2, ::2], "its strides run another way now"),
    (STRIDED, np.ones((6, 6))[::2, ::2].T, "its strides run another way now"),
    (STRIDED, np.ones((6, 6))[::2, :3], "its strides run another way now"),
    (VECTOR, [1.0, 2.0], "was an array, now a list"),
    (VECTOR, 1, "was an array, now an int"),
    (VECTOR, np.float64(1), "was an array, now a float64"),
    (VECTOR, np.ma.ones(3), "was an array, now a MaskedArray"),
]


@pytest.mark.parametrize(("guard", "value", "words"), FAILURES, ids=[w for *_, w in FAILURES])
def test_what_does_not_pass(guard: IsArray, value: Any, words: str) -> None:
    """One difference each, told in the user's words."""
    assert refusal(guard, value) == f"argument `x`: {words}"


def test_dtypes_that_compare_equal() -> None:
    """Two of C's integers of one size are one dtype by ==; capture and C tell them apart."""
    expected = IsArray(X, np.dtype(np.int64), (2,), "C")

    assert refusal(expected, np.ones(3, "l")) is None
    assert refusal(expected, np.ones(3, "q")) == "argument `x`: dtype was int64, now longlong"


def test_dtype_with_metadata() -> None:
    """Metadata travels to results: such an array is none of ours, though == does not see it."""
    tagged = np.ones(3, np.dtype(np.float64, metadata={"unit": "m"}))

    assert refusal(VECTOR, tagged) == "argument `x`: its dtype has metadata now"


def test_unaligned_memory() -> None:
    """Kernels read whole items."""
    shifted = np.zeros(25, np.uint8)[1:].view(np.float64)

    assert refusal(VECTOR, shifted) == "argument `x`: was aligned, now unaligned"


def test_short_axes_have_no_order() -> None:
    """The stride of an axis of one item means nothing, but to some loops if it is negative."""
    column = IsArray(X, F8, (2, 1), "", ((1, 1), (0, 1)))
    wide = np.ones((6, 9))

    assert refusal(column, wide[::2, :1]) is None
    assert refusal(column, wide[::2, 1::20]) is None
    assert refusal(column, wide[::2, -1:0:-20]) == "argument `x`: its strides run another way now"


def test_broadcast_axes() -> None:
    """A stride of zero is a layout of its own."""
    rows = IsArray(X, F8, (2, 2), "", ((1, 1), (0, 0)), unit=True)
    table = np.broadcast_to(np.ones(3), (4, 3))

    assert refusal(rows, table) is None
    assert refusal(rows, np.ones((4, 6))[:, :3]) == "argument `x`: its strides run another way now"


def test_equal_lengths() -> None:
    """Two axes that the graph takes to be one."""
    guard = (VECTOR, IsArray(Y, F8, (2, 2), "C"), SameLength(X, 0, Y, 1))

    assert refusal(guard, np.ones(4), np.ones((3, 4))) is None
    words = "argument `x`.shape[0] == argument `y`.shape[1] no longer holds: 3 and 4"
    assert refusal(guard, np.ones(3), np.ones((3, 4))) == words


def test_writeable() -> None:
    """A segment that writes into an argument."""
    locked = np.ones(3)
    locked.flags.writeable = False

    assert refusal((VECTOR, IsWriteable(X)), np.ones(3)) is None
    assert refusal((VECTOR, IsWriteable(X)), locked) == (
        "argument `x`: was writeable, now read-only"
    )


def test_texts() -> None:
    """The texts that `inspect("guards")` shows."""
    assert str(VECTOR) == "argument `x`: float64[n]"
    assert str(FORTRAN) == "argument `x`: float64[n, m], Fortran order"
    assert str(IsArray(X, F8, (0, 1), "")) == "argument `x`: float64[0, 1], strided"
    assert str(IsWriteable(X)) == "argument `x` is writeable"
