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
    """Return the object in the slot after a fetch; None if the fetch finds nothing."""
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
    """Ints that a double cannot hold are accepted only where eager rounds, too."""
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


def fetched_of_two(op: str, value: Any, other: Any, **fields: Any) -> Any:
    """Return the object that a fetch from two live-ins puts into its slot; None: it finds none."""
    seen: list[Any] = []
    made = entry(
        guards=guard(op, 2, a=0, b=1, **fields),
        n_live=2,
        n_slots=3,
        python_kernel=lambda *slots: seen.append(slots),
    )
    made.launch((value, other))
    return seen[0][2] if seen else None


class _Plain:
    """An object whose `==` is that of `object`."""


class _Equal:
    """An object that equals everything."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise AssertionError("C runs no code of the user")


def test_the_place_of_an_object() -> None:
    items: list[object] = [_Plain() for _ in range(4)]
    for place, item in enumerate(items):
        assert fetched_of_two("FETCH_INDEX_OF", [*items, items[0], _Equal()], item) == place
    assert fetched_of_two("FETCH_INDEX_OF", items, _Plain()) is None
    assert fetched_of_two("FETCH_INDEX_OF", [], _Plain()) is None
    assert fetched_of_two("FETCH_INDEX_OF", tuple(items), items[0]) is None
    assert fetched_of_two("FETCH_INDEX_OF", [_Equal(), items[0]], items[0]) is None
    assert fetched_of_two("FETCH_INDEX_OF", [1, items[0]], items[0]) is None
    equal = _Equal()
    assert fetched_of_two("FETCH_INDEX_OF", [equal], equal) is None


def test_a_number_as_an_array() -> None:
    like = np.arange(5.0)
    for number in (2, 2.5, True, np.float32(0.5), np.int64(-3), -0.0):
        made = fetched_of_two("FETCH_SPREAD", number, like, c=EVERY)
        expected = np.full(5, number, np.float64)
        assert (made.tobytes(), made.strides) == (expected.tobytes(), (8,))
    assert fetched_of_two("FETCH_SPREAD", like + 1.0, like, c=0).tolist() == [1, 2, 3, 4, 5]
    held = like[1:]
    assert fetched_of_two("FETCH_SPREAD", held, held.astype("f4"), c=0) is held
    assert fetched_of_two("FETCH_SPREAD", 2, np.ones(0), c=EVERY).shape == (0,)
    assert fetched_of_two("FETCH_SPREAD", np.ones(1), np.ones(1), c=EVERY).tolist() == [1.0]


@pytest.mark.parametrize(
    "value",
    [
        *(np.arange(4.0), np.ones((5, 1)), np.arange(5.0)[::-1], np.arange(10.0)[::2], "2", None),
        *(np.arange(5), np.arange(5.0).astype(">f8"), float("nan"), np.float64("nan"), 2**63, 2j),
        np.lib.stride_tricks.as_strided(np.ones(5), strides=(0,)),
        np.frombuffer(bytes(41), np.uint8)[1:].view(np.float64),
    ],
)
def test_what_is_not_as_long(value: Any) -> None:
    assert fetched_of_two("FETCH_SPREAD", value, np.arange(5.0), c=EVERY) is None
    assert fetched_of_two("FETCH_SPREAD", 2.0, value, c=EVERY) is None or np.ndim(value) == 1
