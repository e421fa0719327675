"""`sorted` and `list.sort` of items known only at run time, and operations on grown lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
X = np.random.default_rng(0).normal(size=25)
TIES = np.round(X)


@PROGRAMS.runs((X,), (TIES,), (X[:1],), (X[:0],))
def of_a_list(x: Any) -> Any:
    values = []
    for v in x:
        if v < 1.5:
            values.append(3.0 - v)
    ordered = sorted(values)
    total = 0.0
    for v in ordered:
        total = total * 0.5 + v
    return total, len(ordered)


@PROGRAMS.runs((X,), (TIES,), (np.array([0.0, -0.0, 0.0, -0.0]),))
def in_place(x: Any) -> Any:
    values = []
    for v in x:
        values.append(float(v))
    values.sort()
    middle = values[len(values) // 2] * 2
    values.sort(reverse=True)
    return middle, values


@PROGRAMS.runs((X,), (TIES,))
def by_a_key(x: Any) -> Any:
    pairs = [(float(v), k) for k, v in enumerate(x)]
    up = sorted(pairs, key=lambda pair: pair[0])
    down = sorted(pairs, key=lambda pair: pair[0], reverse=True)
    return [k for _, k in up], [k for _, k in down]


@PROGRAMS.runs((X,), (TIES,))
def of_tuples(x: Any) -> Any:
    pairs = []
    for k in range(len(x)):
        pairs.append((x[k] * 0.5, -k))
    pairs.sort()
    order = np.zeros(len(x), int)
    for k, (_, place) in enumerate(pairs):
        order[k] = -place
    return order


@PROGRAMS.runs((X,), (TIES,))
def of_an_array(x: Any) -> Any:
    ordered = sorted(x)
    return ordered[0], ordered[-1], sorted(x * 2, reverse=True)[3]


@PROGRAMS.runs((X,), (TIES,))
def of_places(x: Any) -> Any:
    return sorted(range(len(x)), key=lambda k: x[k])


class Window:
    def __getitem__(self, key: slice) -> Any:
        return key.start, key.stop, key.step


@PROGRAMS.runs((X,), (X[:1],), (X[:0],))
def constant_parts(x: Any) -> Any:
    """From 3.14 on these slices are constants."""
    values = []
    for v in x:
        values.append(v * 2)
    start, stop, step = Window()[2:7]
    total = sum(values[2:5]) * start + len(sorted(values)[3:9]) * stop
    for v in values[1:6]:
        total = total * 0.5 + v
    return total, step, [x, x + 1][1:], (1, 2, 3)[0:2]


@PROGRAMS.runs((X, 2, -3), (X, 0, -1), (X, 50, -50))
def parts(x: Any, a: int, b: int) -> Any:
    values = []
    for v in x:
        values.append(v * 2)
    total = 0.0
    for k in range(len(x)):
        total = total * 0.5 + sum(values[k : k + a]) + len(values[b:]) + len(values[k::3])
    return total, len(values[::-1]), len(values[-1:0:-4]), sum(values[5:2]), sum(values[100:])


@PROGRAMS.runs((X,))
def a_part(x: Any) -> Any:
    values = []
    for v in x:
        values.append(v * 2)
    return values[2:-3:2]


@PROGRAMS.runs((40,))
def way_back(n: int) -> Any:
    before = [-1] * n
    for k in range(1, n):
        before[k] = k // 2
    way = []
    place = n - 1
    while place != -1:
        way.append(place)
        place = before[place]
    return way[::-1]


@PROGRAMS.runs((X,), (X[:4],))
def turned_around(x: Any) -> Any:
    values = []
    for v in x:
        values.append(v * 2)
    values.reverse()
    return values


@PROGRAMS.runs((X,))
def put_in_and_taken_out(x: Any) -> Any:
    values: list[Any] = []
    for k in range(len(x)):
        values.insert(k // 2, x[k])
        values.insert(-1, x[k] * 2)
    total = 0.0
    while len(values) > 4:
        total = total * 0.5 + values.pop(len(values) // 2) + values.pop(-2) + values.pop(1)
        del values[-2]
    return total, sum(values)


@PROGRAMS.runs((X,))
def emptied(x: Any) -> Any:
    values: list[Any] = []
    total = np.float64(0.0)
    for v in x:
        values.append(v)
        if len(values) == 4:
            total += sum(values)
            values.clear()
    return total, len(values)


@PROGRAMS.runs((X,))
def extended(x: Any) -> Any:
    values: list[Any] = []
    for k in range(5):
        values.extend([x[k], x[k] * 2])
        values += [x[k] * 3]
    others: list[Any] = []
    others.extend(x)
    others.extend(values)
    both = others + values
    copy = both.copy()
    return sum(values), sum(others), len(both), len(copy)


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_are_captured_whole(program: Any, args: Any) -> None:
    check_whole(program, args)


def with_a_nan(x: Any) -> Any:
    values = []
    for v in x:
        values.append(v if v < 1 else v * np.nan)
    pairs = [(v, 1) for v in values]
    return sorted(values), sorted(pairs), sorted(values, reverse=True)


def the_very_objects(x: Any) -> Any:
    values = []
    for v in x:
        values.append(v)
    ordered = sorted(values)
    return values, ordered


def the_very_objects_in_place(x: Any) -> Any:
    values = []
    for v in x:
        values.append(v)
    first, part = values[0], values[:3]
    values.sort()
    values.insert(2, first)
    return values, first, part


def out_of_range(x: Any) -> Any:
    values = []
    for v in x:
        values.append(v)
    caught = 0
    for place in (100, -100):
        try:
            values.pop(place)
        except IndexError:
            caught += 1
    values.insert(100, 1.0)
    values.insert(-100, 2.0)
    return caught, values


def of_other_things(x: Any) -> Any:
    names = []
    for v in x:
        names.append("a" if v > 0 else "b")
    mixed = [x[0], 1, x[1], 0.5]
    caught = 0
    try:
        sorted([x[0], "a"])
    except TypeError:
        caught = 1
    return sorted(names), sorted(mixed), caught, sorted([]), sorted(mixed, key=lambda v: -v)


def by_itself(x: Any) -> Any:
    values = []
    for v in x:
        values.append(v)
    values.extend(values)
    values += values
    return len(values), sum(values)


@pytest.mark.parametrize(
    "program",
    [
        with_a_nan,
        the_very_objects,
        the_very_objects_in_place,
        out_of_range,
        of_other_things,
        by_itself,
    ],
)
def test_the_rest_is_as_in_eager(program: Any) -> None:
    check(program, X)
