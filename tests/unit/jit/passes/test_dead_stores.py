"""Dead stores: arrays from outside are written once where nothing between tells the difference."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit

A = np.array([1.0, -2.0, np.nan, 3.0, 2.0])
B = np.array([0.5, 2.0, 1.0, -0.0, 7.0])

pytestmark = pytest.mark.counts("which stores kernels have")


def writes(program: Any, *args: Any) -> int:
    """Return the number of full writes to the argument `a` in its kernel, with eager's answers."""
    check(program, *args)
    jitted = framejit.jit(program, backend="numba")
    jitted(*map(np.array, args))
    return len(re.findall(r"float64_at\(+a\b.*\)\[\w+\] = ", jitted.inspect("numba")))


def in_place(a: Any, b: Any) -> Any:
    a += b * 2.0
    a *= 0.5
    a -= 1.0
    return a


def test_statements_in_place() -> None:
    """The last of them writes."""
    assert writes(in_place, A, B) == 1


def whole(a: Any, b: Any) -> float:
    a[:] = b
    a[...] = a * a
    return float(a.sum())


def test_copies() -> None:
    """A copy of another argument is written over as well."""
    assert writes(whole, A, B) == 1


def other_memory(a: Any, b: Any, c: Any) -> None:
    a *= 0.9
    a += b[::2] * c


def test_what_else_is_read_is_other_memory() -> None:
    """If the memory is not another, eager goes on."""
    assert writes(other_memory, A, np.arange(9.0), B) == 1
    jitted = framejit.jit(other_memory, backend="numba")
    jitted(A.copy(), np.arange(9.0), B)
    expected, actual = np.arange(9.0), np.arange(9.0)
    other_memory(expected[:5], expected, B)
    jitted(actual[:5], actual, B)
    assert actual.tolist() == expected.tolist()


def one_item(a: Any, b: Any) -> Any:
    a += 1.0
    s = b[0]
    a *= s
    return a, b.shape


def of_a_list(a: Any, b: Any) -> Any:
    y = a * 1.0
    held = []
    for _ in range(3):
        held.append(y)
    it = held[2]
    y += b
    s = it[0]
    y *= s
    return y


def test_one_item_of_other_memory() -> None:
    for first, second in (("[:5]", "[4:9]"), ("[:5]", "[:5]"), ("[1:5]", "[1:5]")):

        def program(memory: Any, first: str = first, second: str = second) -> Any:
            index = {"[:5]": slice(5), "[4:9]": slice(4, 9), "[1:5]": slice(1, 5)}
            return one_item(memory[index[first]], memory[index[second]])

        check(program, np.arange(1.0, 10.0))
    check(of_a_list, A, B)


def carried_by_a_loop(a: Any, b: Any) -> Any:
    x = a * 2
    p = x
    for _ in range(3):
        x += 1
        x *= p
        p = p * b
    return x, p


def test_what_a_loop_carries_by_another_name() -> None:
    check(carried_by_a_loop, A, B)


def above(a: Any, b: Any) -> None:
    a *= 0.5
    a += b


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("[:5]", "[4:9]"),
        ("[4:9]", "[:5]"),
        ("[4:9]", "[4::-1]"),
        ("[8:3:-1]", "[:5]"),
        ("[::2]", "[1:6]"),
        ("[:5]", "[5:10]"),
        ("[9:4:-1]", "[4::-1]"),
        ("[:5]", "[6:7]"),
        ("[:1]", "[:1]"),
        ("[:0]", "[:0]"),
    ],
)
def test_windows_of_one_array(first: str, second: str) -> None:
    """Whichever way they lie."""

    def setup() -> Any:
        memory = np.arange(10.0)
        one, other = eval(f"(x{first}, x{second})", {"x": memory})
        return above, (one, other)

    check(setup=setup)
    check(above, *eval(f"(x{first}, y{second})", {"x": np.arange(10.0), "y": np.arange(10.0)}))


def an_own_window(a: Any) -> None:
    w = a[::-1]
    a *= 2.0
    a += w


def read_by_others(a: Any, b: Any) -> Any:
    a *= 2.0
    c = np.sort(a)
    a += b
    return c


def another_is_written(a: Any, b: Any) -> None:
    a *= 2.0
    b += a
    a += 1.0


def only_a_part(a: Any, b: Any) -> None:
    a *= 2.0
    a[1:] += b[1:]


def of_a_number(a: Any) -> None:
    a[:] = 3.0
    a += 1.0


@pytest.mark.parametrize(
    ("program", "count"),
    [
        (an_own_window, 2),
        (read_by_others, 2),
        (another_is_written, 2),
        (of_a_number, 2),
    ],
)
def test_both_are_made(program: Any, count: int) -> None:
    """Somebody sees the first, or may."""
    args = (A, B)[: program.__code__.co_argcount]
    assert writes(program, *args) == count


def test_a_part_is_written() -> None:
    """It leaves some of the old items."""
    check(only_a_part, A, B)


def warned(a: Any, b: Any) -> Any:
    a *= b
    a /= b
    return a


def test_warnings_come_in_their_iteration() -> None:
    """The first of two statements overflows, the second divides by zero; handlers see the array."""
    large = np.array([1e300, 1.0, -1e300, 0.0, 2.0])
    check(warned, large, np.array([1e300, 0.0, 1.0, 2.0, 3.0]), calls=12)
    for mode in ("raise", "call"):
        check(handled, mode, large, np.array([1e300, 0.0, 1.0, 2.0, 3.0]), calls=12)


def handled(mode: str, a: Any, b: Any) -> Any:
    seen: list[Any] = []
    with np.errstate(all=mode, call=lambda kind, flag: seen.append((kind, flag, a.copy()))):
        try:
            warned(a, b)
        except FloatingPointError as error:
            seen.append(str(error))
    return seen, a


def of_a_loop(a: Any, b: Any) -> Any:
    for k in range(3):
        a += b
        a *= k
    return a


def test_in_a_loop() -> None:
    """They are taken back there where the segment bails."""
    check(of_a_loop, A, B)
    check(of_a_loop, np.array([1e308, 1.0]), np.array([1e308, 2.0]), calls=6)
