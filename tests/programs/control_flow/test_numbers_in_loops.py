"""Scalar code: numbers that are Python's or NumPy's, their functions, slices of moving length."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from oracle import check, check_script
from whole import Program, Programs, check_whole

X = np.array([1.5, -2.0, 0.25, 4.0, -0.5, 3.0])


N = np.array([3, 1, 4, 1, 5, 9])


A = np.arange(16.0).reshape(4, 4) + 1


PROGRAMS = Programs()


runs = PROGRAMS.runs


# ---- of either kind ------------------------------------------------------------------------------


@runs((X,), (X[:0],), (N,), (N[:0],))
def a_maximum_that_begins_at_zero(x: Any) -> Any:
    best = 0.0
    for k in range(len(x)):
        best = max(best, abs(x[k] - 1.0))
    return best


@runs((N,), (N[:0],))
def an_int_that_may_be_numpys(n: Any) -> Any:
    best = -1
    for k in range(len(n)):
        cost = n[k] * 2
        if best < 0 or cost < best:
            best = cost
    return best, best + 1, -best, best % 3, best // 2, best > 2


@runs((X, 1.0), (X[:0], 1.0))
def arithmetic_of_either_kind(x: Any, c: Any) -> Any:
    s = 0.0
    for value in x:
        s = s * 0.5 + value
    t = s + c
    return t, t * 2, -t, t - 1, t / 3, abs(t), t > 0, not t, int(t), bool(t)


@runs((X,), (X[:0],))
def either_kind_beside_an_array(x: Any) -> Any:
    s = 1.0
    for value in x:
        s = s + value
    out = np.zeros(3)
    out[1] = s
    return x * s + 1, out, np.sqrt(abs(s)), math.floor(s)


@runs((X, 2), (X, -1))
def minimum_of_unlike_numbers(x: Any, n: Any) -> Any:
    return max(0, x[0]), min(n, x[1]), max(x[2], n, 1), min(1.5, n), max(True, x[0]), x * n


def divides_by_either_kind(x: Any, n: Any) -> Any:
    s = 0.0
    for k in range(n):
        s += x[k]
    return 1.0 / s


def overflows_in_either_kind(x: Any, n: Any) -> Any:
    s = 1e308
    for k in range(n):
        s += x[k]
    return s * 10.0


# ---- functions of numbers ------------------------------------------------------------------------


@runs((X,), (X * 0,), (N * 1.0,))
def functions_of_the_math_module(x: Any) -> Any:
    total = 0.0
    for value in x:
        v = abs(value) + 0.5
        total += math.sqrt(v) + math.exp(-v) * math.log(v) + math.sin(v) * math.atan2(v, 2)
        total += math.floor(v) + math.ceil(v) - math.pow(v, 1.5) + math.fmod(v, 0.7)
    return total, math.isnan(total), math.isinf(total), math.trunc(total)


@runs((X,), (N,))
def ufuncs_of_single_elements(x: Any) -> Any:
    total = 0.0
    for value in x:
        total += np.sin(value) * np.exp(-abs(value)) + np.sqrt(abs(value)) + np.arctan2(value, 2.0)
        total += np.maximum(value, 0.5) + np.floor(value) + np.cbrt(value) + np.hypot(value, 1)
    return total


@runs((X,), (N,), (N.astype(np.int8),), (X.astype(np.float32),), (N.astype(np.uint8),))
def conversions(x: Any) -> Any:
    ints = 0
    for value in x:
        ints += int(value) * 2 + int(value > 1) + (value > 2)
        ints = ints ^ (ints >> 1) | 4
    return ints, float(ints), ~ints, ints << 2, ints & 7


@runs((X, 3), (X, 0.5), (N, 3), (N, 2))
def powers(x: Any, exponent: Any) -> Any:
    total = 0.0
    for value in x:
        total += abs(value) ** exponent + (abs(value) + 0.5) ** 0.5
    return total


@runs((5,), (0,))
def bools_are_ints(n: Any) -> Any:
    x = y = 0
    for way in range(n):
        x += (way == 0) - (way == 1)
        y += (way == 2) * 3 + True
    return x, y


def functions_that_raise(x: Any, k: Any) -> Any:
    y = x * 2
    return [math.sqrt, math.log, math.exp, math.acos][k](y[0]), y


def small_ints_overflow(x: Any) -> Any:
    total = x[0]
    for value in x:
        total = total + value
    return total


def an_int_of_more_than_64_bits(n: Any) -> Any:
    total = 1
    for _k in range(n):
        total += total
    return total


# ---- slices --------------------------------------------------------------------------------------


@runs((A.copy(),))
def slices_of_one_length(a: Any) -> Any:
    for k in range(len(a)):
        for i in range(k + 1, len(a)):
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
    return a


@runs((np.tril(A), X[:4]), (np.tril(A)[:2, :2], X[:2]))
def slices_of_two_arrays(lower: Any, b: Any) -> Any:
    x = np.empty_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - (lower[i, :i] * x[:i]).sum()) / lower[i, i]
    return x


@runs((40,), (5,))
def steps_that_are_not_known(n: Any) -> Any:
    prime = np.ones(n, dtype=np.bool_)
    prime[:2] = False
    for p in range(2, int(n**0.5) + 1):
        if prime[p]:
            prime[p * p :: p] = False
    return prime


@runs((1.0, 2.0, 5), (1, 2.5, 0))
def rows_from_numbers(a: Any, b: Any, n: Any) -> Any:
    path = np.zeros((n, 3))
    for k in range(n):
        a, b = b, a + k
        path[k] = a, b, 2
    return path


@runs((6,), (1,))
def what_a_call_gives_is_written_to(n: Any) -> Any:
    order = np.arange(n)
    for k in range(n - 1):
        order[k + 1] += order[k]
    return order


@runs((X, 0.1), (X, 1e-9))
def an_array_that_only_a_break_hands_out(x: Any, tolerance: Any) -> Any:
    for _ in range(8):
        after = x * 0.5
        change = np.abs(after - x).max()
        x = after
        if change < tolerance:
            break
    return x


# ---- indices without checks ----------------------------------------------------------------------


@runs((A, 1), (A, 2))
def neighbours(a: Any, reach: Any) -> Any:
    n, m = a.shape
    out = np.zeros_like(a)
    for i in range(reach, n - reach):
        for j in range(reach, m - reach):
            out[i, j] = a[i - reach, j] + a[i + reach, j] + a[i, j - reach] + a[i, j + reach]
    return out


@runs((A,), (A[:1],))
def neighbours_around_the_edge(a: Any) -> Any:
    n, m = a.shape
    out = np.zeros_like(a)
    for i in range(n):
        for j in range(m):
            out[i, j] = a[i - 1, j - 1] + a[(i + 1) % n, (j + 1) % m] + a[-1, j]
    return out


@runs((X, 2), (X, 5), (X, 0))
def a_range_that_the_caller_knows(x: Any, n: Any) -> Any:
    total = 0.0
    for k in range(n):
        total += x[k] * x[n - k] if k else x[-n]
    return total


def indices_out_of_range(x: Any, n: Any, shift: Any) -> Any:
    x = x.copy()
    for k in range(n):
        x[k] = x[k + shift] + 1
    return x


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_captured_whole(program: Program, args: tuple[Any, ...]) -> None:
    check_whole(program, args)


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (divides_by_either_kind, [(X, 3), (X, 0), (X * 0, 2)]),
        (overflows_in_either_kind, [(X, 3), (X, 0), (X * 1e307, 3)]),
        (functions_that_raise, [(X, 0), (X, 1), (-X, 0), (X * 1000, 2), (X, 3), (-X, 1)]),
        (small_ints_overflow, [(N.astype(np.int8),), (N.astype(np.int8) * 13,)]),
        (small_ints_overflow, [(N.astype(np.uint8),), (N.astype(np.uint8) * 25,)]),
        (an_int_of_more_than_64_bits, [(62,), (63,), (70,)]),
        (indices_out_of_range, [(X, 4, 1), (X, 6, -1), (X, 6, 1), (X, 3, 2**62), (X, 9, -9)]),
    ],
)
def test_eager_goes_on(program: Program, calls: list[tuple[Any, ...]]) -> None:
    """With its exception, its warning or its big int."""
    for args in calls:
        check(program, *args, calls=2)


UFUNCS = ("minimum", "add", "left_shift", "gcd", "less", "logical_and", "hypot", "power")


def of_a_number(ufunc: np.ufunc) -> Any:
    return lambda x, p: (ufunc(x[0], p), ufunc(p, x.max()), x + x)


@pytest.mark.parametrize("name", UFUNCS)
def test_ufuncs_of_numbers_that_a_dtype_does_not_hold(name: str) -> None:
    """Ints out of bounds raise, floats too large warn, and truth is that of the number itself."""
    ufunc = getattr(np, name)
    numbers: tuple[Any, ...] = (2, 2, -1, 0, 256, 2**40, 2**64)
    if name not in ("left_shift", "gcd"):
        numbers += (0.5, 2.0, 1e40, math.nan, -0.0, 1e300, np.float16(-0.0), np.float64(0.5))

    def script(decorate: Any) -> list[Any]:
        found = []
        for dtype in ("u1", "i8", "u8", "i4", "f4", "f8")[: 4 if len(numbers) == 7 else 6]:
            jitted = decorate(of_a_number(ufunc))
            for p in numbers:
                try:
                    found.append(jitted(np.array([3, 1, 2]).astype(dtype), p))
                except (OverflowError, ValueError) as error:
                    found.append((type(error), str(error)))
        return found

    check_script(script)


Z = np.array([1 + 2j, -0.0 - 0.0j, 3 - 1j, complex(np.inf, -1), complex(0.0, np.nan)])


@pytest.mark.parametrize("z", [Z, Z[:1], Z[:0]])
def test_conjugates_of_pythons_numbers(z: Any) -> None:
    """Those of real numbers are the numbers themselves."""

    def dot(z: Any) -> Any:
        total = 0j
        whole = 0
        same = True
        for k in range(len(z)):
            number = complex(z[k])
            total += number.conjugate() * number
            real = float(k) * 0.5
            same = same and real.conjugate() == real
            whole += k.conjugate()
        return total, whole, same, (whole > 100).conjugate(), z.tolist()

    check(dot, z)

    def last(z: Any) -> Any:
        found = 0j
        for k in range(len(z)):
            found = complex(z[k]).conjugate()
        return found

    check_whole(last, (z,))
