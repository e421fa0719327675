"""Recipes: every kind of object that a launch hands back, and errors while it is built."""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from typing import Any

import entries as make
import numpy as np
import pytest
from entries import FIRST, machine_entry, recipe, step

from framejit.jit.native import _core

INT = struct.Struct("=q")


@pytest.fixture(autouse=True)
def _options() -> Iterator[None]:
    with make.options():
        yield


def build(
    *steps: bytes,
    objects: tuple[Any, ...] = (),
    words: bytes = b"",
    live: Any = "x",
    n_slots: int = 1,
) -> Any:
    """Return the object that these steps build; the words behind the launcher's are given."""
    made = machine_entry(
        lambda _: 0,
        objects=objects,
        recipes=recipe(0, len(steps)),
        steps=b"".join(steps),
        words=bytes(8 * FIRST) + words.ljust(8 * 32, b"\0"),
        n_slots=n_slots,
    )
    return make.segment(made)(live)


def packed(*values: int) -> bytes:
    """Words of these values."""
    return b"".join(INT.pack(value) for value in values)


@pytest.mark.parametrize("value", [0, 1, -1, 255, 2**63 - 1, -(2**63)])
def test_ints(value: int) -> None:
    """All of 64 bits."""
    assert build(step("INT", FIRST), words=packed(value)) == value


@pytest.mark.parametrize("bits", [0, 1 << 63, 0x7FF8000000000123, 0x7FF0000000000000, 1])
def test_floats_keep_their_bits(bits: int) -> None:
    """Negative zero and NaN payloads too, alone and in pairs."""
    words = struct.pack("=QQ", bits, bits ^ 1)
    number = build(step("FLOAT", FIRST), words=words)
    pair = build(step("COMPLEX", FIRST), words=words)
    scalar = build(step("SCALAR", FIRST, 0), words=words, objects=(np.dtype("D"),))

    assert struct.pack("=d", number) == words[:8]
    assert struct.pack("=dd", pair.real, pair.imag) == words
    assert type(scalar) is np.complex128
    assert scalar.tobytes() == words


def test_bools_look_at_one_bit() -> None:
    """A bool array's byte may be in front of anything."""
    words = packed(1, 0, 256, 257)
    bools = [build(step("BOOL", FIRST + k), words=words) for k in range(4)]

    assert bools == [True, False, False, True]


@pytest.mark.parametrize("char", "?bBhHiIlLqQefdFD")
def test_numpy_scalars(char: str) -> None:
    """Each type that fits two words, from the first bytes of its word."""
    dtype = np.dtype(char)
    value = np.array([1], dtype)[0]
    result = build(step("SCALAR", FIRST, 0), words=value.tobytes(), objects=(dtype,))

    assert type(result) is type(value)
    assert result == value


def test_containers() -> None:
    """Tuples, lists and dictionaries of each other; empty ones."""
    leaf = step("SLOT")
    nested = (leaf, step("CONST", 0), step("TUPLE", 2), leaf, step("LIST", 1), step("DICT", 1))

    assert build(*nested, objects=("c",)) == {("x", "c"): ["x"]}
    assert build(step("TUPLE")) == ()
    assert (build(step("LIST")), build(step("DICT"))) == ([], {})


@pytest.mark.parametrize("count", [1, 31, 32, 33, 64, 65, 1000])
@pytest.mark.parametrize("op", ["TUPLE", "LIST", "DICT", "CALL"])
def test_containers_of_any_size(op: str, count: int) -> None:
    """However deep the stack gets; each object is owned once."""
    live = object()
    steps = [step("CONST", 0)] * (op == "CALL")
    for k in range(count):
        steps += [step("CONST", k + 1)] * (op == "DICT") + [step("SLOT")]
    objects = ((lambda *a: list(a)), *range(count))
    before = sys.getrefcount(live)
    result = build(*steps, step(op, count), objects=objects, live=live)
    held = sys.getrefcount(live)

    assert list(result.values() if op == "DICT" else result) == [live] * count
    assert held == before + count
    result.clear() if op != "TUPLE" else None
    del result
    after = sys.getrefcount(live)
    assert after == before


def test_calls() -> None:
    """A callable and what it is called with, in the middle of other things."""
    steps = (step("SLOT"), step("CONST"), step("SLOT"), step("CALL", 1), step("TUPLE", 2))

    assert build(*steps, objects=(str.upper,)) == ("x", "X")


@pytest.mark.parametrize("count", [0, 40])
def test_an_error_gives_everything_back(count: int) -> None:
    """Objects on the stack and arguments of the call are released."""

    def fails(*_: Any) -> Any:
        raise KeyError("here")

    live = object()
    steps = [*[step("SLOT")] * count, step("SLOT"), step("SLOT"), step("TUPLE", 2)]
    call = [*steps, step("CONST"), step("SLOT"), step("CALL", 1), step("TUPLE", count + 2)]
    unhashable = [step("LIST"), step("SLOT"), step("DICT", 1)]
    before = sys.getrefcount(live)
    for _ in range(10):
        with pytest.raises(KeyError, match="here"):
            build(*call, objects=(fails,), live=live)
        with pytest.raises(TypeError, match="unhashable"):
            build(*steps, *unhashable, step("TUPLE", count + 2), live=live)

    assert sys.getrefcount(live) == before


def test_constants_are_handed_out_as_they_are() -> None:
    """The very object, which stays the entry's."""
    constant = object()
    before = sys.getrefcount(constant)
    same = [build(step("CONST"), objects=(constant,)) is constant for _ in range(10)]

    assert all(same)
    assert sys.getrefcount(constant) == before


def test_numbers_that_may_be_objects_from_before() -> None:
    """0: the number itself; a full slot: its object; an empty one: the number goes there."""
    number = 1.5
    leaf = (step("FLOAT", FIRST), step("ORIGIN", FIRST + 1))
    words = struct.pack("=d", 1.5)
    before = sys.getrefcount(number)

    assert build(*leaf, words=words + packed(0), live=number) is not number
    assert build(*leaf, words=words + packed(1), live=number) is number
    one, other = build(*leaf, *leaf, step("TUPLE", 2), words=words + packed(3), n_slots=4)
    assert one == 1.5
    assert one is other
    del one, other
    assert sys.getrefcount(number) == before


@pytest.mark.parametrize("origin", [-1, 3, 2**62])
def test_a_number_from_a_slot_that_is_not_there(origin: int) -> None:
    steps = (step("FLOAT", FIRST), step("ORIGIN", FIRST + 1))
    with pytest.raises(SystemError, match="a slot that is not there"):
        build(*steps, words=packed(0, origin), n_slots=2)


def test_operations_have_names() -> None:
    """The order is the ABI; leaves come before those that take operands."""
    assert list(_core.RECIPE_OPS.values()) == list(range(len(_core.RECIPE_OPS)))
    assert _core.RECIPE_OPS["SCALAR"] < _core.RECIPE_OPS["TUPLE"]
