"""In-place operators of dicts, sets and user classes change the object that everybody holds."""

from __future__ import annotations

import array
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from functools import partialmethod
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

A = np.array([7.0, 3.0])


class Holder:
    def __init__(self, **held: Any) -> None:
        vars(self).update(held)


# ---- lists -----------------------------------------------------------------------------------
# ---- dicts and other containers --------------------------------------------------------------


def dicts(known: Any, a: Any) -> Any:
    other = known
    known |= {"b": a}
    known |= [("c", 2), ("a", 5)]
    both = known | {"d": a * 3}
    return other is known, both, a * len(known)


def test_dicts() -> None:
    """`|=` changes the dict, `|` makes one."""
    assert_counts(check(dicts, {"a": 1}, A), captures=1, breaks=0)
    check(dicts, OrderedDict(a=1), A)
    check(dicts, defaultdict(list, a=1), A)


def sets(known: Any, a: Any) -> Any:
    other = known
    known |= {3}
    known &= {1, 3}
    known -= {1}
    known ^= {7}
    return other is known, other, a * len(known)


def sequences(items: Any, a: Any, more: Any) -> Any:
    other = items
    items += more
    items *= 2
    return other is items, other, a * len(items)


def counters(counts: Any, a: Any) -> Any:
    other = counts
    counts += Counter("b")
    counts |= Counter("ccc")
    counts -= Counter("a")
    counts &= Counter("abc")
    return other is counts, other, a * 2


def lists_in_a_dict(known: Any, a: Any) -> Any:
    known["a"] += [3]
    known["z"] += [4]
    known["a"] *= 2
    return a * 2


def test_other_containers() -> None:
    """Sets, byte strings, deques, arrays of the standard library; what cannot change is rebound."""
    check(sets, {1, 2}, A)
    check(sets, frozenset({1, 2}), A)
    check(sequences, bytearray(b"ab"), A, b"cd")
    check(sequences, b"ab", A, b"cd")
    check(sequences, "ab", A, "cd")
    check(sequences, (1, 2), A, (3,))
    check(sequences, deque([1, 2], 5), A, [3])
    check(sequences, array.array("d", [1, 2]), A, array.array("d", [3]))
    check(counters, Counter("aab"), A)
    check(lists_in_a_dict, defaultdict(list, a=[1]), A)


class Extended(list[Any]):
    def __iadd__(self, other: Any) -> Any:
        list.extend(self, other)
        self.count_of_calls = 1
        return self

    def __mul__(self, other: Any) -> Any:
        return "multiplied"


class Row(namedtuple("Row", "a b")):  # noqa: PYI024
    def __add__(self, other: Any) -> Any:
        return "added", other

    def __radd__(self, other: Any) -> Any:
        return "added to", other

    def __iter__(self) -> Any:
        return iter((5, 6))


class Compared(namedtuple("Compared", "a b")):  # noqa: PYI024
    def __eq__(self, other: object) -> bool:
        return True

    def __len__(self) -> int:
        return 7

    def __contains__(self, item: Any) -> bool:
        return False

    def __getitem__(self, place: Any) -> Any:
        return "item"


def of_a_row(row: Any, items: Any, a: Any) -> Any:
    other = items
    items += row
    first, second = row
    return items, other, row + (1,), [*row], first, second, a * 2  # noqa: RUF005


def of_rows_made_here(a: Any) -> Any:
    row = Row(1, 2)
    first, second = row
    row += (1,)
    odd = Compared(1, 2)
    return row, first, second, odd == (3,), len(odd), 1 in odd, odd[0], a * 2


def test_subclasses() -> None:
    """Operators that a subclass overrides are called."""
    check(sequences, Extended([1, 2]), A, [3])
    check(of_a_row, Row(1, 2), [1], A)
    check(of_rows_made_here, A)


# ---- classes of the user's -------------------------------------------------------------------


class Number:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __iadd__(self, other: Any) -> Any:
        self.value = self.value + other
        return self

    def __imul__(self, other: Any) -> Any:
        self.value = self.value * other
        return self.value

    def __isub__(self, other: Any) -> Any:
        return NotImplemented

    def __sub__(self, other: Any) -> Any:
        return Number(self.value - other)

    def __iand__(self, other: Any) -> Any:
        self.value = self.value + 1
        return NotImplemented

    def __and__(self, other: Any) -> Any:
        return "and", self.value, other

    def __or__(self, other: Any) -> Any:
        return Number(self.value + other * 2)

    def __imatmul__(self, other: Any) -> Any:
        self.value = self.value + other

    def __itruediv__(self, other: Any) -> Any:
        return NotImplemented

    def __ipow__(self, other: Any) -> Any:
        self.value **= other
        return self

    def __ixor__(self, other: Any) -> Any:
        self.value = -self.value
        return self


def itself(number: Any, a: Any) -> Any:
    other = number
    number += a
    number **= 2
    number ^= 1
    return other is number, a * 2


def something_else(number: Any, a: Any) -> Any:
    other = number
    number *= a
    return number, other


def a_new_one(number: Any, a: Any) -> Any:
    other = number
    number -= a
    return number, other, other is number


def a_new_one_of_arrays(number: Any, a: Any) -> Any:
    other = number
    number |= a
    return number, other


def something_else_after_all(number: Any, a: Any) -> Any:
    other = number
    number &= 5
    return number, other, a * 2


def nothing(number: Any, a: Any) -> Any:
    other = number
    number @= a
    return number, other


def no_answer(number: Any, a: Any) -> Any:
    try:
        number /= 2.0
    except TypeError as error:
        return str(error), a * 2
    return number


def of_an_attribute(number: Any, a: Any) -> Any:
    holder = Holder(items=[number])
    holder.items[0] += a
    holder.number = number
    holder.number += a
    return holder.items[0] is number, holder.number is number, a


@pytest.mark.parametrize(
    "program",
    [itself, something_else, a_new_one, a_new_one_of_arrays, something_else_after_all, nothing],
)
def test_methods(program: Any) -> None:
    """The method's answer is bound, whatever it is."""
    assert_counts(check(program, Number(np.ones(2)), A), captures=1, breaks=0)


def test_methods_without_an_answer() -> None:
    """Eager raises if no method has an answer."""
    check(no_answer, Number(np.ones(2)), A)
    check(of_an_attribute, Number(np.ones(2)), A)


class Called:
    def __call__(self, *others: Any) -> Any:
        return ("called", *others)


class Plain:
    def __add__(self, other: Any) -> Any:
        return "added", other


class ByAnObject(Plain):
    __iadd__ = Called()


class ByNone(Plain):
    __iadd__ = None


class ByAStaticMethod(Plain):
    __iadd__ = staticmethod(lambda other: ("static", other))


class ByAClassMethod(Plain):
    __iadd__ = classmethod(lambda cls, other: (cls.__name__, other))


class ByAPartialMethod(Plain):
    __iadd__ = partialmethod(lambda self, k, other: (k, other), 5)


class AddsByAnObject:
    __add__ = Called()

    def __radd__(self, other: Any) -> Any:
        return "added to", other


class AddsNothing:
    __add__ = None


class IsAddedTo:
    def __radd__(self, other: Any) -> Any:
        return "added to", other


def adds(left: Any, right: Any, a: Any) -> Any:
    try:
        plain = left + right
    except TypeError as error:
        plain = str(error)
    try:
        left += right
    except TypeError as error:
        return plain, str(error), a * 2
    return plain, left, a * 2


@pytest.mark.parametrize(
    "kind",
    [
        ByAnObject,
        ByNone,
        ByAStaticMethod,
        ByAClassMethod,
        ByAPartialMethod,
        AddsByAnObject,
        AddsNothing,
    ],
)
def test_methods_that_are_no_functions(kind: Any) -> None:
    """Eager calls special methods that are no plain functions; they are not captured."""
    check(adds, kind(), 2, A)
    check(adds, kind(), IsAddedTo(), A)
