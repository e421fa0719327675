"""Builtins that ask a method of an object: its body goes into the segment of the caller."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check
from whole import Programs, check_whole


class Vector:
    """Arithmetic as programs about space have it."""

    def __init__(self, x: Any, y: Any, z: Any) -> None:
        self.x, self.y, self.z = x, y, z

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __mul__(self, factor: Any) -> Vector:
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    __rmul__ = __mul__

    def __neg__(self) -> Vector:
        return self * -1.0

    def __abs__(self) -> Any:
        return math.sqrt(self.x * self.x + self.y * self.y + self.z * self.z)

    def __round__(self, digits: int = 1) -> Vector:
        return Vector(round(self.x, digits), round(self.y, digits), round(self.z, digits))

    def __float__(self) -> float:
        return self.x + 0.5

    def __int__(self) -> int:
        return int(self.x) + 1

    def __complex__(self) -> complex:
        return complex(self.x, self.y)

    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Any:
        return iter((self.x, self.y, self.z))


class Row:
    """A length that only running tells, and items one by one."""

    def __init__(self, items: Any) -> None:
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Any:
        for k in range(3):
            yield self.items[k] * 2


class Odd:
    """Answers that builtins refuse, or warn of."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __len__(self) -> Any:
        return self.value

    def __float__(self) -> Any:
        return self.value

    def __int__(self) -> Any:
        return self.value

    def __complex__(self) -> Any:
        return self.value

    def __abs__(self) -> Any:
        return self.value

    def __iter__(self) -> Any:
        return self.value


class Inherits(Vector):
    """A class whose `__abs__` calls that of its base."""

    def __abs__(self) -> Any:
        return super().__abs__() * 2.0


PROGRAMS = Programs()
A, B = Vector(1.0, 2.0, 3.0), Vector(-3.5, 2.25, 1.0)
X = np.linspace(0.5, 2.0, 7)


@PROGRAMS.runs((A, B, X), (Inherits(0.5, 1.0, 2.0), B, X))
def sizes(a: Vector, b: Vector, x: Any) -> Any:
    return abs(a + b * 2.0) + abs(-b), x * len(a)


@PROGRAMS.runs((A, B, X))
def conversions(a: Vector, b: Vector, x: Any) -> Any:
    return float(a + b) * x, int(a * 3.0), float(b)


@PROGRAMS.runs((A, B, X))
def rounded(a: Vector, b: Vector, x: Any) -> Any:
    c = round(a * 1.23456, 2)
    d = round(b * 1.23456)
    return c.x, c.y, d.x * x, round(b, None).z


@PROGRAMS.runs((A, B, 5))
def in_a_loop(a: Vector, b: Vector, n: int) -> Any:
    total = 0.0
    for k in range(n):
        total += abs(a + b * (0.1 * k))
    return total


@PROGRAMS.runs((A, B, X))
def unpacked(a: Vector, b: Vector, array: Any) -> Any:
    x, y, z = a + b
    total = 0.0
    for item in a:
        total += item * x
    for number, item in zip(b, enumerate(a), strict=True):
        total += number * item[1]
    return total, y * array, next(iter(b)), z


@PROGRAMS.runs((Row(X),), (Row(X[:3]),))
def of_its_items(row: Row) -> Any:
    total = 0.0
    for item in row:
        total = total + item * row.items
    return total * len(row)


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS, ids=PROGRAMS.names)
def test_is_captured_whole(program: Any, arguments: tuple[Any, ...]) -> None:
    """No break is left of the builtin."""
    check_whole(program, arguments)


def of_all(odd: Odd, x: Any, which: int) -> Any:
    y = x * 2.0
    if which == 0:
        return len(odd), y
    if which == 1:
        return float(odd), y  # type: ignore[arg-type]
    if which == 2:
        return int(odd), y  # type: ignore[call-overload]
    if which == 3:
        return complex(odd), y  # type: ignore[call-overload]
    if which == 4:
        return abs(odd), y  # type: ignore[arg-type]
    return [*odd], y  # type: ignore[misc]


@pytest.mark.parametrize("which", range(6))
@pytest.mark.parametrize(
    "value",
    [-1, 2**70, 3, 2.5, 1j, True, np.float64(2.5), np.int64(3), "a", None, NotImplemented, X],
    ids=str,
)
def test_answers_of_other_kinds(value: Any, which: int) -> None:
    """The builtin raises for results of other types, as in eager."""
    check(of_all, Odd(value), X, which)


def test_negative_lengths_come_from_data() -> None:
    """A kernel bails for a negative length, for which `len` raises."""

    def length(odd: Odd, by: int) -> Any:
        return len(odd), odd.value * by

    for first, second in ((3, -3), (0, -1)):
        jitted = check(lambda a, b: (length(a, 2), length(b, 3)), Odd(first), Odd(second))
        assert_counts(jitted, failures=0)


def test_classes_that_change() -> None:
    """A method that is replaced is met by the next call."""

    def asks(v: Vector) -> Any:
        return abs(v) * 2.0

    class Changing(Vector):
        pass

    def script(jit: Any) -> Any:
        jitted = jit(asks)
        first = jitted(Changing(1.0, 2.0, 3.0))
        Changing.__abs__ = lambda self: self.x  # type: ignore[method-assign]
        second = jitted(Changing(1.0, 2.0, 3.0))
        del Changing.__abs__
        return first, second, jitted(Changing(1.0, 2.0, 3.0))

    from oracle import check_script

    check_script(script)
