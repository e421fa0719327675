"""Elements of small, unsigned and single precision arrays: stored, used as indices, unpacked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compare import differences, portrait
from oracle import check
from whole import Program, Programs, check_whole

import framejit

DTYPES = ("?", "i1", "u1", "i2", "i4", "u4", "i8", "u8", "f4", "f8")
PLAIN = [3, 100, True, 2.0, -0.0]
ODD = [300, -1, 2**40, 2.7, -2.7, 1e300, float("nan"), float("inf"), 16777217, 1e-40]
NUMPY = ["i1", "u1", "i4", "i8", "u8", "f4", "f8", "?"]

PROGRAMS = Programs()
runs = PROGRAMS.runs


@runs((np.arange(12.0).reshape(6, 2),), (np.arange(12).reshape(6, 2)[:, ::-1],))
def pairs_unpacked(a: Any) -> Any:
    total = 0.0
    for k in range(len(a)):
        x, y = a[k]
        total = total * 0.5 + x * y
    for x, y in a:
        total += x - y
    for k, (x, y) in enumerate(a):
        total += x * k - y
    return total


@runs((np.arange(24, dtype=np.uint8).reshape(2, 4, 3),))
def pixels(image: Any) -> Any:
    gray = np.zeros(image.shape[:2], np.uint8)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            r, g, b = image[i, j]
            gray[i, j] = 0.3 * r + 0.6 * g + 0.1 * b
    return gray


@runs((np.array([3, 1, 4, 1, 5, 250], np.uint8),), (np.array([3, 1, 4, 1, 5, 0], np.int16),))
def histogram(values: Any) -> Any:
    counts = np.zeros(256, np.int32)
    for value in values:
        counts[value] += 1
    for k in range(len(values)):
        counts[values[k]] += k
    return counts


@runs((np.arange(10, dtype=np.uint32),), (np.arange(10, dtype=np.uint64),))
def table(x: Any) -> Any:
    out = np.zeros(16, np.uint32)
    for k in range(len(x)):
        c = x[k]
        for _ in range(3):
            if c & 1:
                c = (c >> 1) ^ 0xEDB8
            else:
                c >>= 1
        out[c & 15] = c
    return out


@runs((np.zeros((5, 6), bool), 3), (np.ones((5, 6), bool), 1))
def labels(image: Any, start: Any) -> Any:
    found = np.zeros(image.shape, np.int32)
    number = start
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            if image[i, j] or (i + j) % 3 == 0:
                found[i, j] = number
                number += 1
    return found, number


@runs((np.array([40, 41, 91, 7], np.uint8),), (np.array([40.0, np.nan, 93, -0.0]),))
def among_constants(x: Any) -> Any:
    opened = closed = 0
    for value in x:
        if value in (40, 91):
            opened += 1
        elif value not in {41, 93, 0}:
            closed += 1
        if int(value if value == value else 1) in (7, 40):
            opened += 10
    return opened, closed


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_captured_whole(program: Program, args: tuple[Any, ...]) -> None:
    check_whole(program, args)


def fill(a: Any, value: Any) -> Any:
    for k in range(len(a)):
        a[k] = value
    return a


@pytest.mark.parametrize("dtype", DTYPES)
def test_stores_of_pythons_numbers(dtype: str) -> None:
    for value in (*PLAIN, *ODD):
        check(fill, np.zeros(3, dtype), value)


@pytest.mark.parametrize("dtype", DTYPES)
def test_stores_of_numpys_numbers(dtype: str) -> None:
    for kind in NUMPY:
        for value in (*PLAIN, *ODD):
            with np.errstate(all="ignore"):
                number = np.array(value).astype(kind)[()]
            check(fill, np.zeros(3, dtype), number)


def of_two(a: Any) -> Any:
    total = 0.0
    for k in range(len(a)):
        x, y = a[k]
        total += x * y
    return total


def one_line(a: Any) -> Any:
    x, y = a
    return x * 2.0 + y


def of_windows(a: Any) -> Any:
    total = 0.0
    for k in range(4):
        x, y = a[k : k + 2]
        total += x.sum() * y.sum()
    return total


def three_into_a_row(a: Any) -> Any:
    for k in range(len(a)):
        a[k] = k, 2.0, 3.0
    return a


def three_into_a_window(a: Any) -> Any:
    for k in range(4):
        a[k : k + 3] = k, 2.0, 3.0
    return a


SHAPES = {
    of_two: [(4, 2), (4, 3), (4, 1)],
    one_line: [(2, 4), (3, 4), (2,), (1, 2)],
    of_windows: [(6, 2), (4, 2), (3, 2)],
    three_into_a_row: [(4, 3), (4, 4), (4, 2), (4, 1)],
    three_into_a_window: [(7,), (6,), (5,), (3,)],
}


@pytest.mark.parametrize("program", SHAPES)
def test_what_is_taken_apart_has_as_many_items(program: Program) -> None:
    """Other lengths are eager's: an error, after a capture for the right one."""
    arrays = [np.arange(float(np.prod(shape))).reshape(shape) for shape in SHAPES[program]]
    for array in arrays:
        check(program, array)
    jitted = framejit.jit(program)
    for array in (*arrays, *arrays[::-1]):
        expected, made = (_result(one, array.copy()) for one in (program, jitted))
        assert differences(portrait(result=expected), portrait(result=made)) == []


def _result(program: Program, array: Any) -> Any:
    try:
        return program(array)
    except ValueError as error:
        return str(error)


def beside_a_known_length(a: Any, x: Any) -> Any:
    p, q, r, s, t = a
    return a[:, None] * x[None, :] + p, np.outer(x, a) - q, a * r + s + t


@pytest.mark.parametrize("length", [1, 5, 7, 9])
def test_a_known_length_is_no_example_of_another(length: int) -> None:
    check(beside_a_known_length, np.arange(5.0), np.arange(float(length)))


def filled_with_a_sum(a: Any, total: Any) -> Any:
    a[1:] = total + total
    return a, a - 1


@pytest.mark.parametrize("dtype", DTYPES[1:])
@pytest.mark.parametrize("number", ["i8", "u8", "i4"])
def test_numbers_of_numpys_that_elements_do_not_hold(dtype: str, number: str) -> None:
    """They wrap in unsigned elements and are errors in signed ones."""
    for exact in (60, -60, 64, -(2**14), 2**30, -(2**31), 2**62):
        total = np.array(exact).astype(number)[()]
        with np.errstate(all="ignore"):
            check(filled_with_a_sum, np.arange(4).astype(dtype), total)
