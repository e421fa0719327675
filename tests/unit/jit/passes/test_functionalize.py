"""Functionalising: which writes into arrays of the segment's own are gone from its graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit

X = np.array([1.0, -2.0, np.nan, 3.0, 2.0])
K = np.array([7, -3, 2**62, 0, 12345])

pytestmark = pytest.mark.counts("which nodes there are")


def stores(program: Any, *args: Any) -> int:
    """Return the number of stores left in the graph; the answers are eager's."""
    check(program, *args)
    jitted = framejit.jit(program, backend="numpy")
    jitted(*args)
    text: str = jitted.inspect("graph")
    assert "leave(" in text
    return text.count(" store(")


def mixed(k: Any) -> Any:
    h = k * 31 + 7
    h ^= h >> 15
    h *= 2246822519
    h ^= h >> 13
    return h & 1023


def test_a_chain_of_statements_in_place() -> None:
    """Each of them is one op of a chain."""
    assert stores(mixed, K) == 0


def filled(x: Any) -> Any:
    out = np.empty_like(x)
    out[:] = x * 2
    out += 1
    return out


def test_an_empty_array_that_is_filled_at_once() -> None:
    """A window of all its items is the array."""
    assert stores(filled, X) == 0
    jitted = framejit.jit(filled, backend="numba")
    jitted(X)
    assert "fill(" not in jitted.inspect("graph")


def copied_and_read_on(x: Any) -> Any:
    r = x * 1
    s = r + 0
    r += 1
    s[:] = r
    r -= s[0]
    return r, s


def test_what_stands_for_another_is_still_read() -> None:
    assert stores(copied_and_read_on, X) == 2


def all_at_once(x: Any) -> Any:
    out = np.zeros(x.shape)
    out[...] = x * 2
    return out, out.sum()


def test_a_value_takes_the_place_of_zeros() -> None:
    """The exit hands out what was computed."""
    assert stores(all_at_once, X) == 0


def of_a_length(x: Any, n: Any) -> Any:
    out = np.zeros(n)
    out[:] = x * 2
    return out


def test_lengths_are_compared() -> None:
    """Another length than that of the value is still an error."""
    check(of_a_length, X, 5)
    check(of_a_length, X, 4)
    check(of_a_length, X, -5)
    jitted = framejit.jit(of_a_length, backend="numba")
    jitted(X, 5)
    for n in (4, -5, 1):
        with pytest.raises(ValueError, match=r"dimensions|could not broadcast"):
            jitted(X, n)


def named_twice(x: Any) -> Any:
    a = x + 1
    b = x * 2
    a[...] = b
    b += 1
    return a, b


def also_handed_out(x: Any) -> Any:
    a = x + 1
    b = x * 2
    a[...] = b
    return a, b


def window_before(x: Any) -> Any:
    a = x + 1
    w = a[1:]
    a *= 2
    return w, a


def window_behind(x: Any) -> Any:
    a = x + 1
    a *= 2
    w = a[1:]
    w += 1
    return w, a


def in_a_list(x: Any) -> Any:
    a = x + 1
    kept = [a]
    a *= 2
    return kept, a


def the_old_one_is_read(x: Any) -> Any:
    a = x + 1
    b = a * 3
    a *= 2
    return a + b, a


def of_an_argument(x: Any) -> Any:
    x += 1
    x *= 2
    return x * 3


def of_a_loop(x: Any) -> Any:
    a = x * 2
    for _ in range(3):
        a += 1
        b = a - x
        b *= 2
    return a, b


def on_one_side(x: Any) -> Any:
    a = x * 2
    if x[0] > 0:
        a += 1
        c = a * 2
        c -= x
        a -= c
    return a


def wider(x: Any) -> Any:
    a = np.ones((3, 5))
    a[...] = x
    a += x
    return a


def narrower(x: Any) -> Any:
    a = np.ones(5, np.float32)
    a += x
    return a


@pytest.mark.parametrize(
    "program",
    [
        *(named_twice, also_handed_out, window_before, window_behind, in_a_list),
        *(the_old_one_is_read, of_an_argument, of_a_loop, on_one_side, wider, narrower),
    ],
)
def test_who_may_hold_an_array(program: Any) -> None:
    """Others see the writes, or see that two arrays are two."""
    check(program, X)
    check(program, X, calls=3)


def test_what_two_names_tell() -> None:
    """A write stays where somebody could tell that it did not happen."""
    assert stores(also_handed_out, X) == 1
    assert stores(window_before, X) == 1
    assert stores(in_a_list, X) == 0  # the list is made where the segment is left
    assert stores(the_old_one_is_read, X) == 0


def reported(x: Any) -> Any:
    a = x * 2
    a /= x - x
    a += 1
    return a


def test_warnings_are_those_of_the_statements() -> None:
    """Results and warnings are the same."""
    check(reported, X, calls=3)
    with np.errstate(all="raise"):
        check(reported, X)
