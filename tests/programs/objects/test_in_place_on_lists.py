"""`items += ...` and `items *= ...` change the list that everybody holds."""

from __future__ import annotations

import operator
from collections import deque
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

A = np.array([7.0, 3.0])


class Holder:
    def __init__(self, **held: Any) -> None:
        vars(self).update(held)


def repeated(items: Any, a: Any) -> Any:
    items *= 2
    return a * 2


def under_another_name(items: Any, a: Any) -> Any:
    other = items
    items *= 3
    items += (a, 1)
    return other is items, a * len(other), items


def to_nothing(items: Any, a: Any) -> Any:
    other = items
    items *= 0
    return a * len(other)


def by_bools_and_lengths(items: Any, a: Any) -> Any:
    items *= True
    items *= len(items)
    items *= -1
    return a * len(items)


def then_changed(items: Any, a: Any) -> Any:
    items.append(3.5)
    items *= 2
    items.append(4)
    items[0] = 9
    items *= 2
    del items[1]
    items += items
    return a * len(items)


def by_iterables(items: Any, a: Any) -> Any:
    known = {"k": 1, "m": a}
    items += "ab"
    items += range(3)
    items += known
    items += known.values()
    items += (a * k for k in (1, 2))
    items += enumerate("ab")
    return a * len(items)


def by_functions(items: Any, a: Any) -> Any:
    one, two = operator.iadd(items, [3]), operator.imul(items, 2)
    a = operator.imul(a, 2.0)
    return one is items, two is items, a


@pytest.mark.parametrize(
    "program",
    [
        repeated,
        under_another_name,
        to_nothing,
        by_bools_and_lengths,
        then_changed,
        by_iterables,
        by_functions,
    ],
)
def test_lists(program: Any) -> None:
    """The argument itself gets other items."""
    assert_counts(check(program, [1, 2.5], A), captures=1, breaks=0)
    check(program, [], A)


def by_an_argument(items: Any, a: Any, n: Any) -> Any:
    other = items
    items *= n
    return items is other, items, a * 2


@pytest.mark.parametrize("n", [0, 1, 3, -2, True, np.int64(2), np.float64(2.0), 2.0, "a", None])
def test_factors(n: Any) -> None:
    """Python's ints repeat the list itself; NumPy's make another one."""
    check(by_an_argument, [1, 2.5], A, n)


def by_an_array(items: Any, a: Any) -> Any:
    first = second = third = items
    first += a
    second *= a
    third += a[0]
    return first, second, third, items


class Answers:
    """An operand whose reflected methods answer before the list's own."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __radd__(self, other: Any) -> Any:
        return "added", other

    def __rmul__(self, other: Any) -> Any:
        return "multiplied", other

    def __iter__(self) -> Any:
        return iter([self.value])

    def __index__(self) -> int:
        return 2


def by_what_answers(items: Any, a: Any, other: Any) -> Any:
    first = second = items
    first += other
    second *= other
    return first, second, items, a * 2


def wrong_operands(items: Any, a: Any) -> Any:
    said = []
    for wrong in (1.5, None):
        try:
            items += wrong
        except TypeError as error:
            said.append(str(error))
        try:
            items *= wrong
        except TypeError as error:
            said.append(str(error))
    return said, a * 2


def an_array_to_a_deque(items: Any, a: Any) -> Any:
    first = second = deque([float(x) for x in items])
    first += a
    return first, second


def an_array_to_a_grown_list(items: Any, a: Any) -> Any:
    made: list[Any] = []
    for x in a:
        made.append(float(x))
    first = second = made
    first += a
    second.extend(a)
    return first, second, items


def test_right_operands() -> None:
    """The right operand answers before the list is changed."""
    check(an_array_to_a_deque, [1.0, 2.5], A)
    check(an_array_to_a_grown_list, [1.0, 2.5], A)
    check(by_an_array, [1.0, 2.5], A)
    check(by_what_answers, [1, 2.5], A, Answers(1.0))
    check(wrong_operands, [1, 2.5], A)


def in_items(rows: Any, a: Any) -> Any:
    first = rows[0]
    rows[0] += [a]
    rows[0] *= 2
    rows[1] *= 2
    return first is rows[0], a * len(first)


def in_an_attribute(holder: Any, a: Any) -> Any:
    items = holder.items
    holder.items *= 2
    holder.items += [a]
    return items is holder.items, a * len(items)


def in_a_tuple(items: Any, a: Any) -> Any:
    fixed = (items,)
    said = []
    try:
        fixed[0] += [3]
    except TypeError as error:
        said.append(str(error))
    try:
        fixed[0] *= 2
    except TypeError as error:
        said.append(str(error))
    return said, a * len(items)


def shared_rows(rows: Any, a: Any) -> Any:
    rows *= 3
    rows[0][0] = 5.0
    return rows[2][0] * a, rows[0] is rows[2]


def test_where_they_are() -> None:
    """Items of lists and dicts, attributes, and tuples, which refuse only after the effect."""
    assert_counts(check(in_items, [[1], [2]], A), captures=1, breaks=0)
    check(in_items, {0: [1], 1: [2]}, A)
    assert_counts(check(in_an_attribute, Holder(items=[1, 2]), A), captures=1, breaks=0)
    check(in_a_tuple, [1, 2], A)
    assert_counts(check(shared_rows, [[0.0] * 3], A), captures=1, breaks=0)


ITEMS: Any = []


def in_a_global(a: Any) -> Any:
    global ITEMS
    other = ITEMS
    ITEMS *= 2
    ITEMS += [3]
    return other is ITEMS, a * len(ITEMS)


def test_variables_of_others() -> None:
    """Globals and closures; each call changes the same list again."""

    def of_a_global() -> Any:
        ITEMS[:] = [1, 2]
        return in_a_global, (A.copy(),)

    def of_a_closure() -> Any:
        items = [1, 2]
        other = items

        def program(a: Any) -> Any:
            nonlocal items
            items *= 2
            items += [len(items)]
            return other is items, a * len(other)

        return program, (A.copy(),)

    def of_one_list() -> Any:
        items = [1, 2]

        def program(one: Any, other: Any, a: Any) -> Any:
            one *= 2
            other += [7]
            return one is other, a * len(other)

        return program, (items, items, A.copy())

    for setup in (of_a_global, of_a_closure, of_one_list):
        check(setup=setup, calls=3)


def made_here(a: Any) -> Any:
    items = [a]
    other = items
    items *= 3
    other += [a * 2]
    row = (a,)
    before = row
    row += (1,)
    row *= 2
    return items, items is other, row, before


def made_by_loops(a: Any, n: int) -> Any:
    items = [1.0]
    other = items
    for _ in range(3):
        items *= 2
    for k in range(n):
        items += [a[0] * k]
    items *= 2
    return items, other is items, a * len(items)


def on_one_way(items: Any, a: Any) -> Any:
    other = items
    if a[0] > 5:
        items *= 2
    else:
        items += [3.0]
    return other is items, a * len(items)


def test_lists_made_here() -> None:
    """Lists of the program's own, in loops and branches too."""
    assert_counts(check(made_here, A), captures=1, breaks=0)
    check(made_by_loops, A, 7)
    check(made_by_loops, A, 70)
    for a in (A, -A):
        check(on_one_way, [1.0], a)
