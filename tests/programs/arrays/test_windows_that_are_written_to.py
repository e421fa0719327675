"""Assignments through `flat`, `real`, `imag` and `view()`, of tuples, and `ufunc.at`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

A = np.arange(12.0).reshape(3, 4)
C = A.astype(complex)
N = np.array([3, 1, 2])


def flat_read(a: Any, n: Any) -> Any:
    return a.flat[3] + 1, a.flat[n] * 2, a.flat[1:5] + a[0], a.T.flat[n]


def flat_written(a: Any, n: Any) -> Any:
    a.flat[::5] = 0
    a.flat[n[0]] = a[0, 2]
    a.flat[n] = [1, 2, 3]
    a.T.flat[1:3] = 7.0
    return a + 1


def flat_assigned(a: Any, n: Any) -> Any:
    a.T.flat = n
    return a + 1


def flat_walked(a: Any, n: Any) -> Any:
    total = 0.0
    for item in a.flat:
        total += item
    return total, a.flat


def parts_of_complex(c: Any, n: Any) -> Any:
    c.real[:] = 7
    c.imag[1] = n[0]
    d = c * 2
    d.imag = n[1]
    d.real += 1
    total = d.sum()
    d.imag[0] = 5
    return c, d, total


def parts_of_one_memory(c: Any, n: Any) -> Any:
    real, imag = c.real, c.imag
    real[:] = imag
    imag += real
    for k in range(3):
        c.real[k] = k
        c.imag[:, k] += c.real[:, k]
    return c


def views(c: Any, n: Any) -> Any:
    unsigned = n.view("u8")
    before = n * 2
    unsigned[0] = 5
    bits = (n * 1.5).view("i8")
    bits &= 0x7FFFFFFFFFFFFFFF
    return n + 1, before, unsigned, bits.view("f8") + 1


def tuples(a: Any, n: Any) -> Any:
    a[0, :3] = (1, 2, 3)
    a[1:] = [[1, 2, 3, n[0]], (4, 5.0, n[0], a[0, 0])]
    a[:2] = (a[1], a[1] * 2)
    small = a.astype("i2")
    small[0] = (1.5, 2.5, -3.5, n[1])
    small[:, 0] = a[0, 0], 7, 8
    return a * 2, small * 2


def at(a: Any, n: Any) -> Any:
    np.add.at(a[0], n, 1.0)
    np.subtract.at(a, (n - 1, n), a[0, 0])
    np.maximum.at(n, [0, 0, 1], 2)
    return a * 2, n


def strides(a: Any, n: Any) -> Any:
    windows = np.lib.stride_tricks.as_strided(a, (2, 2), a.strides)
    return windows + 1, a.strides, a.T.strides[0]


def made_by_the_class(a: Any, n: Any) -> Any:
    y, z = np.ndarray(3), np.ndarray((2, 2), dtype=np.int32)
    y[:] = n
    z.fill(3)
    return y + z[0, 0]


WHOLE: list[tuple[Any, ...]] = [
    (flat_read, A, N),
    (flat_written, A, N),
    (flat_assigned, A, N),
    (flat_walked, A, N),
    (parts_of_complex, C, N),
    (parts_of_one_memory, C, N),
    (views, C, N),
    (tuples, A, N),
    (at, A, N),
    (strides, A, N),
    (made_by_the_class, A, N),
]


@pytest.mark.parametrize("call", WHOLE, ids=lambda call: call[0].__name__)
def test_whole(call: Any) -> None:
    assert_counts(check(*call, calls=3), segments=1, breaks=0, bails=0)


def flat_repeats(a: Any, n: Any) -> Any:
    a.flat[:] = (1.0, 2.0)
    a.flat[-1] = np.nan
    n.flat[1] = np.float64(2.7)
    n.flat[0] = np.float64("nan")
    return a + 1, n + 1


def flat_out_of_range(a: Any, n: Any) -> Any:
    a[0] = 5
    return a.flat[n[0] + 9]


def flat_backwards(a: Any, n: Any) -> Any:
    for item in a.T.flat:
        n = n + item
    return n


def at_warns(a: Any, n: Any) -> Any:
    np.add.at(a[0], n, np.full(3, 1.7e308))
    np.add.at(a[0], n, np.full(3, 1.7e308))
    return a + 1


def at_out_of_range(a: Any, n: Any) -> Any:
    np.add.at(a[0], [0, 5], 1.0)
    return a


def items_do_not_fit(a: Any, n: Any) -> Any:
    a[0] = 9
    a[1] = (1.0, 2.0)
    return a


def complex_among_them(a: Any, n: Any) -> Any:
    a[0] = (1.0, 2j, 3, 4)
    return a


def overflow(a: Any, n: Any) -> Any:
    small = a.astype("f4")
    small[0] = 1e300, 2, 3, 4
    return small * 2


def read_only(a: Any, n: Any) -> Any:
    n.flags.writeable = False
    n.view("u8")[0] = 1
    return n


OTHERS = [
    flat_repeats,
    flat_out_of_range,
    flat_backwards,
    at_warns,
    at_out_of_range,
    items_do_not_fit,
    complex_among_them,
    overflow,
    read_only,
]


@pytest.mark.parametrize("function", OTHERS)
def test_the_same(function: Any) -> None:
    check(function, A, N, calls=3)
