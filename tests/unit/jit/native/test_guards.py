"""Guard programs: what each operation lets through, and that it keeps nothing."""

from __future__ import annotations

import abc
import struct
import sys
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from entries import entry, guard

from framejit.jit.native import _core

ALIGNED, C, F = 0x100, 0x1, 0x2


def holds(rows: bytes, *live: Any, objects: tuple[Any, ...] = (), n_slots: int = 0) -> bool:
    """True if all of these guards hold."""
    made = entry(
        guards=rows, objects=objects, n_live=len(live), n_slots=max(n_slots, len(live)), kernel=1
    )
    # Everyone has references to small ints and None, and CPython's cache of attributes to names.
    others = (int, str, type(None))
    watched = [one for one in (*live, *objects) if not isinstance(one, others)]
    counts = [sys.getrefcount(one) for one in watched]
    answer = made.failed_guard(live)
    assert counts == [sys.getrefcount(one) for one in watched]
    return answer is None


def array(dtype: str = "d", *codes: int, required: int = ALIGNED, forbidden: int = 0) -> bytes:
    """The ARRAY guard; codes: per axis 0, 1 or 2 for longer."""
    axes = sum(code << 8 * axis for axis, code in enumerate(codes))
    number = np.dtype(dtype).num
    return guard("ARRAY", 0, a=number, b=len(codes), c=axes, object=required, extra=forbidden)


class Sub(np.ndarray):  # type: ignore[type-arg]
    """A class of the user's."""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.ones((3, 1)), True),
        (np.ones((2, 1)), True),
        (np.ones((3, 1), order="F"), True),
        (np.ones((3, 2)), False),
        (np.ones((0, 1)), False),
        (np.ones((1, 1)), False),
        (np.ones(3), False),
        (np.ones((3, 1, 1)), False),
        (np.ones((3, 1), "f4"), False),
        (np.ones((3, 1), ">f8"), False),
        (np.ones((3, 1), np.dtype("f8", metadata={"a": 1})), False),
        (np.ones((3, 1)).view(Sub), False),
        (np.ma.ones((3, 1)), False),
        (np.frombuffer(bytes(25), "f8", 3, 1).reshape(3, 1), False),
        (np.float64(1), False),
        ([[1.0], [2.0]], False),
        (None, False),
    ],
)
def test_arrays(value: Any, expected: bool) -> None:
    """Exactly ndarray, of this dtype, rank, byte order, flags, dims of 0 and 1."""
    assert holds(array("d", 2, 1), value) == expected


def test_flags_of_arrays() -> None:
    """Those that must be set and those that must not."""
    square = np.ones((3, 3))
    for value, order in ((square, "C"), (square.T, "F"), (square[::2, ::2], "")):
        required = {"C": C, "F": F, "": 0}
        for wanted in "C", "F":
            assert holds(array("d", 2, 2, required=required[wanted]), value) == (wanted == order)
        assert holds(array("d", 2, 2, forbidden=C | F), value) == (order == "")


def test_arrays_of_eight_axes() -> None:
    """The last axis is looked at as well."""
    rows = array("d", *[2] * 7, 1)

    assert holds(rows, np.ones((2,) * 7 + (1,)))
    assert not holds(rows, np.ones((2,) * 8))


@pytest.mark.parametrize(
    ("value", "order", "unit"),
    [
        (np.ones((4, 5, 6))[:, ::2], ((0, 1), (1, 1), (2, 1)), 1),
        (np.ones((4, 5, 6)).transpose(1, 2, 0), ((2, 1), (0, 1), (1, 1)), 1),
        (np.ones((4, 5))[::-1, ::-2], ((0, 2), (1, 2)), 0),
        (np.ones((4, 5))[:, ::-1], ((0, 1), (1, 2)), 1),
        (np.broadcast_to(np.ones(5), (4, 5)), ((0, 0), (1, 1)), 1),
        (np.ones((4, 1, 5))[::2], ((1, 3), (0, 1), (2, 1)), 1),
    ],
)
def test_order(value: Any, order: tuple[tuple[int, int], ...], unit: int) -> None:
    """Axes from slowest to fastest with their signs; any other order or sign does not hold."""

    def rows(axes: tuple[tuple[int, int], ...], step: int) -> bytes:
        code = sum((axis | sign << 4) << 8 * k for k, (axis, sign) in enumerate(axes))
        lengths = [min(n, 2) for n in value.shape]
        return array("d", *lengths) + guard("ORDER", 0, a=step, c=code)

    free = [k for k, (_, sign) in enumerate(order) if sign == 3]

    assert holds(rows(order, unit | 2), value)
    assert not holds(rows(order, 1 - unit | 2), value)
    assert not holds(rows(order, unit), value)
    for k, (axis, sign) in enumerate(order):
        if k not in free:
            other = (*order[:k], (axis, 2 - sign if sign != 1 else 2), *order[k + 1 :])
            assert not holds(rows(other, unit | 2), value)
    if not free and all(sign for _, sign in order):
        assert not holds(rows(order[::-1], unit | 2), value)


@pytest.mark.parametrize(
    ("strides", "shape", "nested"),
    [((16, 16), (3, 3), 0), ((16, 8), (3, 3), 0), ((24, 8), (3, 3), 2), ((24, 8), (2, 4), 0)],
)
def test_axes_that_overlap(strides: tuple[int, int], shape: tuple[int, int], nested: int) -> None:
    """The first of axes with one stride is the slower one."""
    value = np.lib.stride_tricks.as_strided(np.ones(12), shape, strides)
    unit = int(strides[1] == 8)
    assert holds(array("d", 2, 2) + guard("ORDER", 0, a=unit | nested, c=0x1110), value)
    assert not holds(array("d", 2, 2) + guard("ORDER", 0, a=unit | 2 - nested, c=0x1110), value)
    assert not holds(array("d", 2, 2) + guard("ORDER", 0, a=unit | nested, c=0x1011), value)


def test_two_arrays() -> None:
    """Equal lengths, shared memory."""
    memory = np.arange(12.0)

    second = guard("ARRAY", 1, a=12, b=1, c=2, object=ALIGNED, extra=0)
    known = array("d", 2) + second
    equal, disjoint = guard("DIM_EQ", 0, a=0, b=1, c=0), guard("DISJOINT", 0, a=1)

    assert holds(known + equal, memory[:3], memory[5:8])
    assert not holds(known + equal, memory[:3], memory[5:9])
    assert holds(known + disjoint, memory[:3], memory[3:])
    assert holds(known + disjoint, memory[6::-1], memory[7:])
    assert not holds(known + disjoint, memory[:4], memory[3:])
    assert not holds(known + disjoint, memory[8:2:-1], memory[:4])
    empty = array("d", 0) + second
    assert holds(empty + disjoint, memory[4:4], memory)


def test_writeable() -> None:
    """Read-only arrays do not hold."""
    rows = array("d", 2) + guard("WRITEABLE", 0)
    value = np.ones(3)

    assert holds(rows, value)
    value.flags.writeable = False
    assert not holds(rows, value)


def bits(value: float) -> int:
    """A float as the int64 of the same bits."""
    return int(struct.unpack("=q", struct.pack("=d", value))[0])


class Int(int):
    """Not exactly int."""


@pytest.mark.parametrize(
    ("rows", "good", "bad"),
    [
        (guard("INT64"), [0, 2**63 - 1, -(2**63)], [2**63, -(2**63) - 1, True, 1.0, Int(1), None]),
        (guard("INT_IS", c=-5), [-5], [5, -5.0, 2**64 - 5, Int(-5)]),
        (guard("INT_IS", c=1), [1], [True, 1.0, 2**64 + 1]),
        (guard("INT_SIGN", a=-1), [-1, -(2**63)], [0, 1, -(2**64), -1.0]),
        (guard("INT_SIGN", a=0), [0], [1, -1, False]),
        (guard("INT_BELOW", c=8), [0, 7, -7], [8, -8, 2**63 - 1, -(2**63), 2**64, True, 1.0]),
        (guard("FLOAT_BITS", c=bits(-0.0)), [-0.0], [0.0, 0, np.float64(-0.0)]),
        (guard("FLOAT_BITS", c=bits(float("nan"))), [float("nan")], [1.0, None]),
        (guard("LENGTH", c=2), [(1, 2), [1, 2]], [(1,), [], "ab", {1: 1, 2: 2}, None]),
        (guard("IS", object=0), [None], [0, False]),
        (guard("TYPE", object=1), [1, 2**70], [True, Int(1), 1.0]),
        (guard("EQUAL", object=2), ["abc", "".join(["ab", "c"])], ["abd", b"abc", 3]),
    ],
)
def test_scalars(rows: bytes, good: list[Any], bad: list[Any]) -> None:
    """Objects for which the guard holds, and others that look like them."""
    objects = (None, int, "abc")

    assert [holds(rows, one, objects=objects) for one in good] == [True] * len(good)
    assert [holds(rows, one, objects=objects) for one in bad] == [False] * len(bad)


def test_functions() -> None:
    """The same code, the very same defaults and globals, and keyword defaults only where asked."""

    def f(a: Any = 1, *, b: Any = 2) -> None:
        return None

    rows = guard("FUNCTION", 0, a=1, b=2, object=0, extra=1)
    objects = (f.__code__, f.__defaults__, f.__globals__)
    elsewhere = FunctionType(f.__code__, {}, "f", f.__defaults__)
    elsewhere.__kwdefaults__ = f.__kwdefaults__

    assert holds(rows, f, objects=objects)
    assert not holds(rows, len, objects=objects)
    assert not holds(rows, elsewhere, objects=objects)
    assert holds(guard("FUNCTION", 0, a=1, b=-1, object=0, extra=1), elsewhere, objects=objects)
    f.__defaults__ = (2,)
    assert not holds(rows, f, objects=objects)
    assert holds(guard("FUNCTION", 0, a=1, b=2, c=1, object=0, extra=-1), f, objects=objects)
    f.__defaults__ = None
    assert holds(guard("FUNCTION", 0, a=1, b=2, object=0, extra=-1), f, objects=objects)
    assert not holds(guard("FUNCTION", 0, a=0, b=2, object=0, extra=-1), f, objects=objects)
    f.__kwdefaults__ = None  # type: ignore[assignment]
    assert holds(guard("FUNCTION", 0, a=0, b=2, object=0, extra=-1), f, objects=objects)


@pytest.mark.parametrize(("name", "keywords"), [("__defaults__", 0), ("__kwdefaults__", 1)])
def test_defaults_are_fetched_as_they_stand(name: str, keywords: int) -> None:
    """A function without them, or something else than a function, is a miss."""

    def f(a: Any = 1, *, b: Any = 2) -> None:
        return None

    rows = guard("FETCH_DEFAULTS", 1, a=0, c=keywords) + guard("IS", 1, object=0)
    defaults = getattr(f, name)
    assert holds(rows, f, objects=(defaults,), n_slots=2)
    assert not holds(rows, len, objects=(defaults,), n_slots=2)
    setattr(f, name, None)
    assert not holds(rows, f, objects=(defaults,), n_slots=2)


def test_what_a_class_holds() -> None:
    """Names that are there and names that are not, before and after the class changes."""

    class A:
        k = 1

        def __len__(self) -> int:
            return 0

    class B(A):
        pass

    length = A.__len__
    objects = (B, ("__bool__",), {"__len__": length})
    rows = guard("CLASS_HOLDS", 0, a=1, object=0, extra=2)
    assert holds(rows, None, objects=objects)
    A.k = 2
    assert holds(rows, None, objects=objects)
    A.__bool__ = lambda self: False  # type: ignore[attr-defined]
    assert not holds(rows, None, objects=objects)
    del A.__bool__  # type: ignore[attr-defined]
    assert holds(rows, None, objects=objects)
    B.__len__ = lambda self: 1  # type: ignore[method-assign]
    assert not holds(rows, None, objects=objects)


def test_the_version_of_a_class_is_seen() -> None:
    """One entry that is launched again notices a change since the last launch."""

    class A:
        pass

    rows = guard("CLASS_HOLDS", 0, a=1, object=0, extra=2)
    made = entry(guards=rows, objects=(A, ("__bool__",), {}), n_live=1, n_slots=1, kernel=1)
    assert [made.failed_guard((None,)) for _ in range(2)] == [None, None]
    A.__bool__ = lambda self: False  # type: ignore[attr-defined]
    assert made.failed_guard((None,)) == 0


def test_bases_and_registrations() -> None:
    """Guards for bases of a class, and for registrations with abstract classes."""

    class A:
        pass

    class B(A):
        pass

    class C:
        pass

    rows = guard("SUBCLASS", 0, a=1, object=0, extra=1)
    assert holds(rows, None, objects=(B, A))
    assert not holds(rows, None, objects=(B, C))
    B.__bases__ = (C,)
    assert not holds(rows, None, objects=(B, A))

    rows = guard("REGISTERED", 0, object=0, extra=1)
    token = abc.get_cache_token()
    assert holds(rows, None, objects=(abc.get_cache_token, token))
    abc.ABCMeta("Abstract", (), {}).register(C)
    assert not holds(rows, None, objects=(abc.get_cache_token, token))


def test_who_holds_the_dict_of_an_object() -> None:
    """Nobody while its attributes are bare values, one object alone, or others as well."""

    class A:
        pass

    class Slots:
        __slots__ = ("a",)

    rows = guard("OWN_NAMES", 0)
    a = A()
    a.k = 1  # type: ignore[attr-defined]
    assert holds(rows, a)
    assert holds(rows, Slots())
    assert holds(rows, A())
    held = vars(a)
    assert not holds(rows, a)
    del held
    assert holds(rows, a)
    fetched = guard("FETCH_ATTR", 1, a=0, object=0) + rows
    assert holds(fetched, a, objects=("__dict__",), n_slots=2)
    b = A()
    b.__dict__ = a.__dict__
    assert not holds(fetched, a, objects=("__dict__",), n_slots=2)
    assert not holds(rows, a)
    assert not holds(rows, b)


def test_globals_and_builtins() -> None:
    """A name is looked up as Python does; what is missing does not hold."""
    space: dict[str, Any] = {"x": 1}
    behind = {"x": 2, "y": 3}

    def is_(name: str, expected: Any, b: int = 1) -> bool:
        row = guard("GLOBAL_IS", 0, b=b, c=3, object=2, extra=0)
        fetch = guard("FETCH_GLOBAL", 0, b=b, object=2, extra=0) + guard("IS", 0, object=3)
        objects = (space, behind, name, expected)
        answers = {holds(row, objects=objects), holds(fetch, objects=objects, n_slots=1)}
        assert len(answers) == 1
        return answers.pop()

    assert is_("x", 1)
    assert is_("y", 3)
    assert not is_("x", 2)
    assert not is_("z", None)
    assert not is_("y", 3, b=-1)


def test_attributes_cells_and_items() -> None:
    """Guards on objects that a fetch reaches; they do not hold if it finds none for any reason."""
    value = "reached"

    def closure() -> str:
        return value

    cell = closure.__closure__[0]  # type: ignore[index]
    is_value = guard("IS", 1, object=0)
    attribute = guard("FETCH_ATTR", 1, a=0, object=1) + is_value
    item = guard("FETCH_ITEM", 1, a=0, c=1) + is_value
    in_slot = guard("FETCH_CELL", 1, a=0, object=-1) + is_value
    known = guard("FETCH_CELL", 1, object=2) + is_value
    objects = (value, "name", cell)

    def reaches(rows: bytes, owner: Any) -> bool:
        return holds(rows, owner, objects=objects, n_slots=2)

    assert reaches(attribute, SimpleNamespace(name=value))
    assert not reaches(attribute, SimpleNamespace())
    assert reaches(item, [0, value])
    assert reaches(item, (0, value))
    for owner in ([value], (), "ab", {1: value}):
        assert not reaches(item, owner)
    assert reaches(in_slot, cell)
    assert not reaches(in_slot, type(cell)())
    assert not reaches(in_slot, value)
    assert reaches(known, None)


def test_an_error_in_a_look_up_comes_out() -> None:
    """An attribute that raises anything but AttributeError is the call's error."""

    class Raises:
        @property
        def name(self) -> Any:
            raise OSError("look-up")

    made = entry(guards=guard("FETCH_ATTR", 1, a=0, object=0), objects=("name",), n_slots=2)
    live = Raises()
    before = sys.getrefcount(live)
    for _ in range(10):
        with pytest.raises(OSError, match="look-up"):
            made.failed_guard((live,))

    assert sys.getrefcount(live) == before


def test_operations_are_numbered_in_order() -> None:
    """The order is the ABI between guards/program.py and guard.c."""
    assert list(_core.GUARD_OPS.values()) == list(range(len(_core.GUARD_OPS)))
