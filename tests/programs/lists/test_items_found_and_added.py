"""`index`, `count`, `sum`, `min` and `max` of short lists, and of those that loops make."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
X = np.linspace(0.5, 2.0, 7)
NAMES = ["north", "east", "south"]


class Shape:
    """Objects that are equal only to themselves."""

    def __init__(self, size: Any) -> None:
        self.size = size

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.size})"


class Equal(Shape):
    """Objects that are equal if their sizes are."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shape) and bool(self.size == other.size)

    __hash__ = None  # type: ignore[assignment]


SHAPES = [Shape(1.0), Shape(2.0), Shape(2.0)]


@PROGRAMS.runs((X, NAMES, "east"), (X, ("a", None, 3, "a"), "a"), (X, [1, 2.0, True], 1))
def of_texts(x: Any, names: Any, name: Any) -> Any:
    return x * names.index(name), names.count(name)


@PROGRAMS.runs((X, SHAPES, 1), (X, SHAPES, 2))
def of_objects(x: Any, shapes: Any, k: int) -> Any:
    shape = shapes[k] if k == 1 else shapes[2]
    return x * shape.size, shapes.index(shape), shapes.count(shape)


@PROGRAMS.runs((X, 2.5), (X * 3, -1.0))
def of_computed(x: Any, least: float) -> Any:
    costs = [abs(x[k] - least) for k in range(3)]
    best = costs.index(min(costs))
    return best, costs.count(costs[1]), x * best


@PROGRAMS.runs((X, 1.0), (X, 2.0))
def in_grown(x: Any, wanted: float) -> Any:
    made = []
    for k in range(len(x)):
        made.append(x[k] * 4 // 1)
    return made.index(wanted * 4), made.count(wanted * 4)


@PROGRAMS.runs((X, [1.0, 2.5, 0.1]), (X, [1e100, 1.0, -1e100]), (X, [1, 2.5, True]))
def sums(x: Any, items: Any) -> Any:
    total = sum(items)
    squares = sum(item * item for item in items)
    return x * total, total, squares, sum(items, 0.5), sum([x[0].item(), 1.5, 2]), sum([1, 0.5])


@PROGRAMS.runs((X, [1.0, -2.5, 0.1]))
def sums_of_attributes(x: Any, sizes: Any) -> Any:
    shapes = [Shape(size) for size in sizes]
    total = sum(shape.size for shape in shapes)
    for shape in shapes:
        shape.size /= total
    return x * sum(shape.size**2 for shape in shapes)


@PROGRAMS.runs((X, [1.0, -2.5, 0.1]), (X, [3, -4, 4]))
def extremes(x: Any, items: Any) -> Any:
    return x * max(items, key=abs), min(items, key=lambda item: -item), max(items, default=2)


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS, ids=PROGRAMS.names)
def test_is_captured_whole(program: Any, arguments: tuple[Any, ...]) -> None:
    """No break is left of the search."""
    check_whole(program, arguments)


def looked_for(items: Any, value: Any, x: Any) -> Any:
    y = x * 2
    return items.count(value), items.index(value), y


NAN = math.nan
ODD = [3, 2.5, NAN, np.float64(NAN), "a", None, b"a", (1, 2), X, [1], 1j, Shape(1), Equal(1.0)]


@pytest.mark.parametrize("value", [*ODD, float("nan"), True, np.int64(3), np.bool_(True)], ids=repr)
def test_all_kinds(value: Any) -> None:
    """Items are found by identity, by equality, by a method, or not at all."""
    for items in ([1, 2, 3], [value], [1.0, value], (value, 3), [], ODD[:7], [Equal(1), value]):
        check(looked_for, items, value, X)


def test_computed_values() -> None:
    """A NaN that is computed anew equals no item, in eager and here."""

    def computed(x: Any, k: int) -> Any:
        items = [x[0] * 2, x[1] * 2, x[2] * 2]
        return items.index(x[k] * 2), items.count(x[k] * 2)

    for k in (0, 2, 3):
        check(computed, X, k)
        check(computed, np.where(X > 0.7, np.nan, X), k)


def test_generators_that_write() -> None:
    """An item is added before the next one is made."""

    def writing(x: Any) -> Any:
        def items() -> Any:
            for k in range(3):
                x[0] += k
                yield x

        def numbers() -> Any:
            for k in range(3):
                x[0] += k
                yield x[0].item()

        return sum(items()), sum(numbers()), x

    check(writing, X)


def test_empty() -> None:
    """Defaults and errors."""
    check(lambda x, items: (x * 2, max(items, default=3)), X, [])
    check(lambda x, items: (x * 2, max(items, key=abs)), X, [])
    check(lambda x, items: (x * 2, sum(items, 1.5)), X, [])
    check(lambda x, items: (x * 2, sum(items, 1.5)), X, ["a"])
