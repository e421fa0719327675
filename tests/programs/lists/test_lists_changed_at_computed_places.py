"""Lists from outside of which loops change items at places that only running tells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
FLOATS = [1.3, 5.6, -34.4, 34.4, 32.0, 1.2, 0.5, 0.0, 3.4, 1.3]
INTS = [5, 3, 8, 1, 9, 2, 1000, 2000, 3000]
PLACES = np.array([2, 0, 4, 1, 3, 2])


@PROGRAMS.runs((FLOATS,), (FLOATS * 3,))
def sorted_by_insertion(items: Any) -> None:
    for k in range(1, len(items)):
        saved = items[k]
        place = k
        while place > 0 and items[place - 1] > saved:
            items[place] = items[place - 1]
            place -= 1
        items[place] = saved


@PROGRAMS.runs((INTS,), (INTS[:2],))
def sorted_by_exchange(items: Any) -> Any:
    n = len(items)
    for i in range(n):
        for j in range(n - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items


@PROGRAMS.runs((FLOATS, PLACES))
def changed_and_appended(items: Any, places: Any) -> Any:
    for k in range(len(places)):
        items[places[k]] = items[places[k]] * 2.0
    items.append(3.0)
    return items, len(items)


class Counts:
    def __init__(self) -> None:
        self.counts = [0] * 5


@PROGRAMS.runs((Counts(), PLACES))
def of_an_object(counts: Any, places: Any) -> Any:
    for k in range(len(places)):
        counts.counts[places[k]] += 1
    return counts.counts, counts.counts is counts.counts


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_are_captured_whole(program: Any, args: Any) -> None:
    check_whole(program, args)


def of_two_lists(one: Any, other: Any) -> Any:
    first = one[0]
    for k in range(len(other)):
        place = PLACES[k % 5]
        one[place], other[k] = other[place], one[k]
    return first, one, other, one is other


def an_item_beside(one: Any, other: Any) -> Any:
    kept = []
    for k in range(len(one)):
        kept.append(one[k])
        one[PLACES[k % 5]] = other[k % 3]
    return kept, one


def shown_on_the_way(one: Any, other: Any) -> Any:
    for k in range(len(other)):
        one[PLACES[k % 5]] = other[k]
        if k == 2:
            print(one)
    return one


def of_another_kind(one: Any, other: Any) -> Any:
    for k in range(len(other)):
        one[PLACES[k % 5]] = k
    return one


def out_of_range(one: Any, other: Any) -> Any:
    for k in range(len(other)):
        try:
            one[PLACES[k % 5] + len(one) - 2] = 7.0
        except IndexError:
            one[0] += 1.0
    return one


@pytest.mark.parametrize(
    "program", [of_two_lists, an_item_beside, shown_on_the_way, of_another_kind, out_of_range]
)
@pytest.mark.parametrize("args", [(FLOATS, FLOATS[::-1]), (FLOATS, INTS), ([1.5] * 10, FLOATS)])
def test_the_very_objects_are_put_back(program: Any, args: Any) -> None:
    check(program, *args)


def test_a_list_given_twice() -> None:
    def program(items: Any) -> Any:
        return of_two_lists(items, items)

    check(program, FLOATS)
