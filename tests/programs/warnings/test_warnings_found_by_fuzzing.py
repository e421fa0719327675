"""Programs in which the fuzzer found other warnings than eager's, each reduced."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check


def by_zero(a: Any, s: Any, t: Any) -> Any:
    return np.absolute(a) + s / t, s / -0.0


def behind_a_call(a: Any, b: Any, s: Any) -> Any:
    np.add(a + b, s / 0, out=a)
    return s


NUMBERS = [np.bool_(False), np.int8(0), np.int64(1), np.float32(0), np.float64(1), 1j * 0, 0.0]


@pytest.mark.parametrize("s", NUMBERS, ids=repr)
def test_divisions_by_zero_are_told_at_each_call(s: Any) -> None:
    """Two kinds that do not go together are divided as arrays are, and called so."""
    with np.errstate(all="warn"):
        for t in (np.int64(0), np.float32(0), np.complex128(0)):
            check(by_zero, np.zeros(3), s, t, filters=("always",))
        check(by_zero, np.zeros(3, bool), s, np.float64(0), filters=("always",))
        if not isinstance(s, complex):
            check(behind_a_call, np.ones(3), np.ones(3, "f2"), s, filters=("always",))


def behind_a_silent_number(a: Any, t: Any) -> Any:
    a[0] += t / 1
    return a + a


def test_a_sum_behind_a_silent_division() -> None:
    """Python's division reports nothing: what stands behind it may not be computed before."""
    check(behind_a_silent_number, np.full(3, np.inf), -np.inf, filters=("always",))


def one_way_of_eager(a: Any, s: Any) -> Any:
    if a.ndim > 1:
        y = a
    for _ in range(a.shape[0]):
        a[1:] *= a[1:] + s
        x = a + 1 + a
        if s < s:
            if s < len(y):
                break
        else:
            a, y = y, a
    return x


def test_a_bail_at_a_checkpoint_behind_what_is_told() -> None:
    """Eager runs the line of `x` again, and tells it again: the kernel does not."""
    with np.errstate(all="warn"):
        a = np.array([-1.7e308, 1e-200, 3.0])
        check(one_way_of_eager, a, np.float64(1.5e-323), filters=("always",))


def parts_of_complex_numbers(a: Any) -> Any:
    a[1:] = a.astype(complex)[1:]
    return a


def test_a_store_that_drops_imaginary_parts() -> None:
    """The warning is issued in C, and tells the line of the store."""
    for a in (np.zeros(3, int), np.zeros(3), np.zeros(3, "u1")):
        check(parts_of_complex_numbers, a, filters=("always",))


def one_way_writes_for_good(a: Any, s: Any) -> Any:
    if s:
        a //= a
    else:
        a[::-1] = a < a
    return s


def test_flags_on_a_way_without_a_checkpoint() -> None:
    """The other way has one: flags of the whole kernel are not asked for at its end."""
    check(one_way_writes_for_good, np.array([1, 1, 0], "u4"), 1, calls=3, filters=("always",))


def computed_before_a_cast(a: Any, b: Any, c: Any) -> Any:
    x = np.absolute(c) + a
    c[::-1] = b
    return x


def test_a_cast_that_warns_when_it_has_written() -> None:
    """Eager starts anew, and finds the array as it was."""
    a, b, c = np.ones(3), np.array([1.7e308, 1.0, 1.0]), np.ones(3, int)
    check(computed_before_a_cast, a, b, c, calls=3, filters=("always",))


def imaginary_parts_at(a: Any, n: Any, c: Any) -> Any:
    a += 1
    np.add.at(a, n, c)
    return a


def one_imaginary_part_at(a: Any, n: Any, c: Any) -> Any:
    a += 1
    np.subtract.at(a, n, 2j)
    np.multiply.at(a, n[:1], c[0])
    return a


def imaginary_parts_under_a_mask(a: Any, n: Any, c: Any) -> Any:
    a += 1
    np.copyto(a, c, "unsafe", a > 0)
    return a


def real_parts_at(a: Any, n: Any, c: Any) -> Any:
    c *= 2
    np.add.at(c, n, a)
    np.add.at(a, n, c.real)
    return a


@pytest.mark.parametrize(
    "program",
    [imaginary_parts_at, one_imaginary_part_at, imaginary_parts_under_a_mask, real_parts_at],
)
def test_imaginary_parts_that_a_call_drops(program: Any) -> None:
    """NumPy warns at the line of the call, not at that of the function's caller."""
    check(program, np.ones(3), np.array([0, 2, 0]), np.arange(3.0) + 1j, filters=("always",))
