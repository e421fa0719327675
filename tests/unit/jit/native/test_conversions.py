"""Fetches that convert: numbers of several types as one, lists of numbers as arrays."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from entries import entry, guard

from framejit.guards.numbers import SAMPLES, bit_of, is_number

WHOLE, EXACT = 1, 2
EVERY = (1 << 62) - 1


def fetched(op: str, value: Any, **fields: Any) -> Any:
    """What stands in the slot; None where the fetch finds nothing."""
    seen: list[Any] = []
    made = entry(
        guards=guard(op, 1, a=0, **fields),
        n_slots=2,
        python_kernel=lambda *slots: seen.append(slots),
    )
    made.launch((value,))
    return seen[0][1] if seen else None


@pytest.mark.parametrize("bit", SAMPLES)
def test_each_type_has_its_bit(bit: int) -> None:
    sample = SAMPLES[bit]
    assert bit_of(sample) == bit
    assert is_number(type(sample)) == (type(sample) is not np.ndarray)
    assert fetched("FETCH_NUMBER", sample, c=1 << bit) == float(sample)
    assert type(fetched("FETCH_NUMBER", sample, c=EVERY)) is float
    assert fetched("FETCH_NUMBER", sample, c=EVERY & ~(1 << bit)) is None
    as_int = fetched("FETCH_NUMBER", sample, b=WHOLE, c=1 << bit)
    whole = np.asarray(sample).dtype.kind in "biu"
    assert as_int == (int(sample) if whole else None)
    assert type(as_int) is (int if whole else type(None))


@pytest.mark.parametrize(
    "value",
    [
        *(2**63, -(2**63) - 1, 10**30, 2j, "2", None, [2], np.array([2.0]), np.array(2.0, ">f8")),
        *(np.float16(2), np.longdouble(2), np.complex128(2), np.float32("nan")),
        *(np.array(np.nan, "f4"), np.datetime64(2, "s"), np.timedelta64(2), np.str_("2")),
        type("Own", (float,), {})(2.0),
        type("Own", (np.float64,), {})(2.0),
        type("Own", (int,), {})(2),
    ],
)
def test_what_is_no_such_number(value: Any) -> None:
    assert fetched("FETCH_NUMBER", value, c=EVERY) is None
    assert fetched("FETCH_NUMBER", value, b=WHOLE, c=EVERY) is None


@pytest.mark.parametrize("number", [2**53 - 1, 2**53 + 1, -(2**63), 2**63 - 1, 0, -5])
def test_ints_are_rounded_as_numpy_does(number: int) -> None:
    """Those that a double does not hold only where rounding is what eager does, too."""
    for one in (number, np.int64(number), np.array(number)):
        assert fetched("FETCH_NUMBER", one, c=EVERY) == np.float64(number)
        exact = fetched("FETCH_NUMBER", one, b=EXACT, c=EVERY)
        assert exact == (float(number) if abs(number) < 2**53 else None)
    unsigned = np.uint64(2**64 - 1025)
    assert fetched("FETCH_NUMBER", unsigned, c=EVERY) == unsigned.astype(np.float64)
    assert fetched("FETCH_NUMBER", unsigned, b=WHOLE, c=EVERY) is None


@pytest.mark.parametrize(
    ("items", "whole"),
    [
        ([1, 2, -3], True),
        ([0.5, float("inf"), -0.0], False),
        ([2**63 - 1], True),
        ([7] * 999, True),
    ],
)
def test_a_list_of_numbers(items: Any, whole: bool) -> None:
    before = sys.getrefcount(items[0])
    made = fetched("FETCH_LISTED", items, b=int(whole))
    expected = np.array(items)
    assert made.dtype == expected.dtype
    assert made.tobytes() == expected.tobytes()
    assert made.flags.owndata
    assert fetched("FETCH_LISTED", items, b=int(not whole)) is None
    after = sys.getrefcount(items[0])  # not in the assertion, which holds it as well
    assert after == before


@pytest.mark.parametrize(
    "items",
    [[1, 2.0], [True], [2**63], [np.float64(1)], ["a"], (1, 2), np.ones(2), None, [[1]], [None]],
)
def test_what_is_no_list_of_numbers(items: Any) -> None:
    assert fetched("FETCH_LISTED", items, b=0) is None
    assert fetched("FETCH_LISTED", items, b=1) is None


def test_a_list_of_nothing() -> None:
    """Another guard looks at the length."""
    assert fetched("FETCH_LISTED", [], b=1).shape == (0,)
