"""Branches and loops stay in the graph: one segment, no break, whatever way a call takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from whole import Program, Programs, check_whole

X = np.arange(6.0)


A = np.arange(12.0).reshape(3, 4)


PROGRAMS = Programs()


runs = PROGRAMS.runs


# ---- branches ------------------------------------------------------------------------------------


@runs((3, X), (0, X), (-2, X))
def merged(n: Any, x: Any) -> Any:
    if n > 0:
        y = x + 1
        n += 1
    else:
        y = x - 1
    return y * n


@runs((3, X), (0, X), (-2, X))
def early_returns(n: Any, x: Any) -> Any:
    if n > 0:
        return x + 1
    if n == 0:
        return x * 2, n
    return x - 1


@runs((X, 1.5), (X, -1.5), (X, 0.0), (X, float("nan")))
def conditional_expressions(x: Any, t: Any) -> Any:
    y = x * (t if t > 0 else -t)
    return y + (1 if (t > 1 and y[0] == 0) or t < -1 else 2.5), not t > 0


@runs((X, 2), (X, 20))
def two_kinds_behind_a_branch(x: Any, n: Any) -> Any:
    limit = None
    if n > 10:
        limit = x.sum()
    if limit is None:
        return x * n
    return x - limit


@runs((X, 1), (X, -1))
def unbound_on_one_way(x: Any, n: Any) -> Any:
    if n > 0:
        y = x * 2
    if n > 0:
        return y
    return x


@runs((X, 2), (X, 12))
def a_tuple_behind_a_branch(x: Any, n: Any) -> Any:
    pair = (x, n) if n > 10 else (x * 2, -n)
    y, k = pair
    return y + k, pair


@runs((X, X + 1, 1), (X, X + 1, -1))
def memory_of_what_a_branch_gives(x: Any, w: Any, n: Any) -> Any:
    y, u = x * 2, w * 3
    z = y if n > 0 else u
    v = np.exp(x + 1)
    return z, v, np.exp(v * 0.5)


# ---- loops over ranges ---------------------------------------------------------------------------


@runs((X,), (X[:1],), (X[:0],))
def a_sum_that_begins_with_a_python_float(x: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s


@runs((X,), (X * 0,), (X[:0],))
def an_int_that_may_become_a_float(x: Any) -> Any:
    m = 0
    for i in range(len(x)):
        if x[i] > m:
            m = x[i]
    return m


@runs((X,), (X - 3,), (X[:0],))
def nothing_found_yet(x: Any) -> Any:
    best = None
    for i in range(len(x)):
        if best is None or x[i] < best:
            best = x[i]
    return best


@runs((X, 2.5), (X, 100.0))
def returns_from_the_loop(x: Any, v: Any) -> Any:
    for i in range(len(x)):
        if x[i] > v:
            return i, x * 2
    return -1, x


@runs((X, 2.5), (X, 100.0), (X, 0.0))
def breaks_and_else(x: Any, v: Any) -> Any:
    for i in range(1, len(x)):
        if x[i] < v:
            continue
        if x[i] > 4:
            break
        if v == 0:
            return x
    else:
        return x + 1
    return x + i


@runs((X,))
def short_circuits(x: Any) -> Any:
    c = 0
    for i in range(len(x)):
        if (x[i] > 1 and x[i] < 4) or x[i] == 0:
            c += 1
        else:
            c -= 1
    return x + c


@runs((A,), (A[:0],), (A[:, :1],))
def nested(a: Any) -> Any:
    s = 0.0
    for i in range(a.shape[0]):
        r = 0.0
        for j in range(a.shape[1]):
            if (i + j) % 2:
                continue
            r += a[i, j]
        s = s + r * r
    return s


@runs((A, 5.5), (A, 50.0))
def out_of_two_loops(a: Any, v: Any) -> Any:
    where = -1, -1
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > v:
                where = i, j
                break
        else:
            continue
        break
    return where


@runs((X, 0, 6, 1), (X, 5, -1, -1), (X, 0, 6, 4), (X, 5, 0, 1))
def steps(x: Any, start: Any, stop: Any, step: Any) -> Any:
    s = x[0]
    for i in range(start, stop, step):
        s = s * 2 + x[i]
    return s


@runs((X, 0), (X, 3))
def the_last_iteration_stays(x: Any, n: Any) -> Any:
    i = -1
    for i in range(n):
        y = x * i
    if i < 0:
        return x
    return y, i


@runs((X, 5), (X, 0))
def fibonacci(x: Any, n: Any) -> Any:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return x * a, a, b


# ---- while ---------------------------------------------------------------------------------------


@runs((X, 27), (X, 1), (X, 97))
def collatz(x: Any, n: Any) -> Any:
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1
    return x + steps


@runs((X, 1e-3), (X, 1e-12))
def until_it_converges(x: Any, tolerance: Any) -> Any:
    while True:
        y = np.sqrt(x + 1)
        if np.abs(y - x).max() < tolerance:
            return y
        x = y


@runs((X,), (X + 1,))
def newton(x: Any) -> Any:
    s = x.sum()
    g, k = s, 0
    while abs(g * g - s) > 1e-9 and k < 100:
        g = 0.5 * (g + s / g) if g else 1.0
        k += 1
    return g, k


# ---- writes --------------------------------------------------------------------------------------


@runs((X,), (X - 3,), (X[::2],), (X[:1],))
def prefix_sums_in_place(x: Any) -> Any:
    for i in range(1, len(x)):
        x[i] = x[i] + x[i - 1]
    return x.sum()


@runs((A,))
def writes_on_some_ways(a: Any) -> Any:
    b = np.zeros(a.shape)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] % 3 == 0:
                b[i, j] = -a[i, j]
            elif a[i, j] > 6:
                a[i, j] = 0.5
    return a + b


@runs((X, A[0], 3), (X, A[0], 0))
def arguments_updated_in_place(x: Any, v: Any, n: Any) -> Any:
    for _ in range(n):
        v += 0.5 * v[::-1]
        x[: len(v)] -= v
        x *= 2
    return x.sum() + v.sum()


def clamp(v: Any, low: Any, high: Any) -> Any:
    if v < low:
        return low
    if v > high:
        return high
    return v


def store(a: Any, i: Any, v: Any) -> None:
    a[i] = v


@runs((X,))
def functions_with_branches_of_their_own(x: Any) -> Any:
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = clamp(x[i], 1.5, 3.5)
        store(x, i, out[i] * 2)
    return out


# ---- arrays that a loop carries ------------------------------------------------------------------


@runs((X, 4), (X, 0), (X, 1))
def arrays_change_places(x: Any, n: Any) -> Any:
    a, b = x, x * 2
    for i in range(n):
        if i % 2:
            a, b = b, a
        else:
            a, b = b, a + b * 0.5
    return a, b


@runs((X, 4), (X, 0))
def an_array_that_gets_longer(x: Any, n: Any) -> Any:
    y = x[:1]
    for i in range(n):
        y = np.concatenate([y, x[i : i + 2]])
    return y


@runs((X, 3))
def rows_of_other_lengths(x: Any, n: Any) -> Any:
    s = x[0]
    for i in range(n):
        s = s + (x[: i + 1] * 2).sum() + x[i:].max()
    return s


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_captured_whole(program: Program, args: tuple[Any, ...]) -> None:
    check_whole(program, args)
