"""Operations on two sets of ints that the function makes: `&`, `|`, `-`, `<=` and `==`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
RNG = np.random.default_rng(0)
FEW = RNG.integers(-6, 6, 40)
MANY = RNG.integers(-(2**62), 2**62, 300)
FAR_APART = np.arange(200) * 2**40
X = RNG.normal(size=12)


@PROGRAMS.runs((FEW, FEW[:9]), (MANY, MANY[100:] * 2), (FAR_APART, FAR_APART[::3]))
def jaccard(x: Any, y: Any) -> Any:
    one, other = set(x.tolist()), set(y.tolist())
    return len(one & other) / len(one | other)


@PROGRAMS.runs((FEW,), (MANY,), (FAR_APART,))
def built_at_the_exit(x: Any) -> Any:
    one: set[int] = set()
    other = set()
    for k in range(len(x)):
        one.add(int(x[k]))
        other.add(int(x[k]) // 3 % 101)
    return one & other, one | other, one - other, (one | other) - one, one


@PROGRAMS.runs((FEW,), (FAR_APART,))
def changed_afterwards(x: Any) -> Any:
    one = set(x.tolist())
    other = {int(v) // 2 for v in x}
    common = one & other
    more = one.union(other).difference(common)
    for k in range(30):
        one.add(k * 1000)
    found = 0
    for k in range(-9, 9):
        found += k in common
    return common, more, found, sorted(more), len(one), one


@PROGRAMS.runs((FEW, FEW[:5]), (FEW[:5], FEW), (FEW, FEW[::-1]), (MANY, FEW))
def compared(x: Any, y: Any) -> Any:
    one, other = set(x.tolist()), set(y.tolist())
    return (
        (one <= other, one < other, one >= other, one > other, one == other, one != other),
        (one.issubset(other), one.issuperset(other), one.isdisjoint(other), not one & other),
    )


@PROGRAMS.runs(
    (X,),
)
def cells(x: Any) -> Any:
    one, other = set(), set()
    for k in range(len(x) - 1):
        one.add((int(x[k] * 2), int(x[k + 1] * 2)))
        other.add((int(x[k + 1] * 2), int(x[k] * 2)))
    return len(one & other), len(one - other), one <= one | other, (0, 0) in one & other


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_operations_are_captured_whole(program: Any, args: Any) -> None:
    check_whole(program, args)


def most_alike(x: Any) -> Any:
    rows = (x * 5).astype(int).reshape(4, 3)
    best, at = -1.0, (0, 0)
    for i in range(len(rows)):
        one = {int(v) for v in rows[i]}
        for j in range(i):
            other = {int(v) for v in rows[j]}
            alike = len(one & other) / len(one | other)
            if alike > best:
                best, at = alike, (i, j)
    return best, at


def of_other_operands(x: Any) -> Any:
    y = x * 2
    one = set()
    for k in range(len(x)):
        one.add(k % 7)
    both = one & {1, 2}, one | {70}, {70, 1} - one, one == {1}, one == 3, one != {*range(7)}
    lists = one.union([1, 99]), one.intersection((1, 2)), one.issubset(range(10))
    try:
        one & [1]  # type: ignore[operator]
    except TypeError as error:
        return both, lists, error.args, y
    return None


def changed_in_place(x: Any) -> Any:
    one, other = set(), set()
    for k in range(len(x)):
        one.add(k * 37 % 101)
        other.add(k * 31 % 103)
    common = one | other
    common.add(-5)
    one |= other
    one -= {4, 9}
    one &= common
    return one, common, list(one | other), x * 2


def of_two_kinds(x: Any) -> Any:
    one, other, pairs = set(), set(), set()
    for k in range(len(x)):
        one.add(k % 5)
        other.add(np.int64(k % 7))
        pairs.add((k % 3, k % 2))
    return (
        one & other,
        one ^ other,
        other & one,
        one | other,
        one <= other,
        one & pairs,
        one == pairs,
        x * 2,
    )


def of_numpys_numbers(x: Any) -> Any:
    whole = (x * 3).astype(int)
    one, other = set(), set()
    for v in whole:
        one.add(v)
        other.add(v // 2)
    more = one | other
    return one & other, more, one - other, one, one <= more, x * 2


def of_empty_ones(x: Any) -> Any:
    one, none = set(), set()
    for k in range(len(x)):
        one.add(k * 7 % 11)
        if x[k] > 100:
            none.add(k)
    never = set()
    y = x * 2
    return one & none, none | one, one - none, none < one, one & never, never | never, y


def of_branches(x: Any) -> Any:
    one, other = set(), set()
    for k in range(len(x)):
        one.add(k * 7 % 11)
        other.add(k * 5 % 13)
    made = one & other if x[0] > 0 else one | other
    for k in range(3):
        made = made | one if x[k] > 0 else made
    return made, x * 2


MARKED = {k * 37 % 101 for k in range(20)}


def of_the_surroundings(x: Any) -> Any:
    one = set()
    found = 0
    for k in range(len(x) * 9):
        one.add(k * 37 % 97)
        found += k in MARKED
    return one & MARKED, MARKED - one, one | MARKED, one <= MARKED, found, x * 2


def given(held: Any, x: Any) -> Any:
    found = 0
    for k in range(len(x) * 9):
        found += k in held
        held.add(k * 53 % 1009)
    more = {k * 7 for k in range(len(x))}
    return found, held & more, held | more, held >= more, held, x * 2


@pytest.mark.parametrize(
    "program",
    [
        changed_in_place,
        most_alike,
        of_branches,
        of_empty_ones,
        of_numpys_numbers,
        of_other_operands,
        of_the_surroundings,
        of_two_kinds,
    ],
)
def test_what_else_sets_do_is_as_in_eager(program: Any) -> None:
    check(program, X)


def test_sets_that_are_given() -> None:
    check(given, {k * 5 for k in range(50)}, X)


def of_a_set_and_itself(x: Any) -> Any:
    one: set[int] = set()
    for v in x:
        one.add(int(v))
    same, more = one & one, one | one
    return same, more, one - one, more | more, same & more, one


@pytest.mark.parametrize("x", [FEW, MANY, np.array([0, 64, 96, 31, 32, 128, 160])])
def test_the_order_of_a_set_and_itself(x: Any) -> None:
    """Eager copies the set: a loop goes through another order than that of two equal sets."""
    check(of_a_set_and_itself, x, use=lambda sets: [list(one) for one in sets])
