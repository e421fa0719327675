"""Ints of loops near the ends of 64 bits, and loops of unusual lengths.

Kernels leave out the look for a bigger int where a number cannot come that far; these are the ones
that do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from copies import deep_copy
from oracle import BACKENDS, check
from whole import Program, Programs, check_whole

import framejit

BIG = 2**63 - 1
FAR = 2**62
PROGRAMS = Programs()
runs = PROGRAMS.runs


# ---- branches ------------------------------------------------------------------------------------


@runs((27,), (2**40 + 1,), (2**60 + 1,), (FAR + 3,), (BIG // 3,), (BIG // 3 + 1,), (-7,), (-FAR,))
def collatz_of_anything(k: Any) -> Any:
    seen = []
    for _ in range(60):
        if k % 2 == 0:
            k //= 2
        else:
            k = 3 * k + 1
        seen.append(k)
    return k, seen[-1], len(seen)


@runs((5, 3), (BIG - 40, 3), (-BIG + 40, -3), (FAR, FAR), (BIG, 1), (-BIG - 1, 2), (-BIG - 1, -1))
def linear_branches(a: Any, b: Any) -> Any:
    for i in range(30):
        if i % 3 == 0:
            a = a + 7
        elif i % 3 == 1:
            a = 5 - a
        else:
            a = a - b
    return a


@runs((np.array([3, -4, BIG - 2]), 2), (np.array([1, FAR, FAR]), 1), (np.arange(9), 4))
def sums_in_branches(x: Any, n: Any) -> Any:
    total = 0
    for k in range(len(x)):
        if k % n:
            total += int(x[k])
        else:
            total -= 1
    return total


@runs((np.array([FAR - 1, FAR, FAR + 1]),), (np.array([BIG, 1, -BIG]),), (np.array([0, 1, 2]),))
def factors_in_branches(x: Any) -> Any:
    out = []
    for k in range(len(x)):
        v = int(x[k])
        if v > 1:
            out.append(v * 2 - 3)
        else:
            out.append(-v)
    return out[0], out[1], out[2]


# ---- counters ------------------------------------------------------------------------------------


@runs((5,), (BIG - 3,), (-BIG,), (FAR,))
def counts_on(start: Any) -> Any:
    k = start
    for _ in range(10):
        k += 1
    return k


@runs((40,), (61,), (62,), (63,), (64,), (70,))
def doubles(n: Any) -> Any:
    x = 1
    for _ in range(n):
        x = x + x
    return x


@runs((40,), (80,), (95,), (120,))
def fibonacci(n: Any) -> Any:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@runs((30,), (64,), (90,))
def grows_through_an_array(n: Any) -> Any:
    cell = np.zeros(2, dtype=np.int64)
    cell[0] = 1
    for _ in range(n):
        cell[1] = cell[0] + cell[0]
        cell[0] = cell[1]
    return cell


@runs((30,), (64,), (90,))
def grows_through_a_window(n: Any) -> Any:
    cells = np.ones((2, 3), dtype=np.int64)
    row = cells[1]
    for k in range(n):
        row[k % 3] = cells[1, 0] + cells[1, 1] + cells[1, 2]
    return cells


@runs((np.array([BIG - 1, 5]),), (np.array([1, 2]),))
def filled_from_outside(x: Any) -> Any:
    cells = np.zeros(2, dtype=np.int64)
    for k in range(2):
        cells[k] = x[k]
    for _ in range(3):
        for k in range(2):
            cells[k] += 1
    return cells


@runs((np.array([0, 1, 1]),), (np.array([1, 1, 1, 0]),))
def counts_of_items(x: Any) -> Any:
    counts = np.zeros(2, dtype=np.int64)
    for k in range(len(x)):
        counts[x[k]] += 1
    return counts, int(counts[0]) - 5


@runs((np.array([1, 2], dtype=np.uint64),))
def below_zero_without_a_sign(x: Any) -> Any:
    cells = np.zeros(2, dtype=np.uint64)
    for k in range(2):
        cells[k] = cells[k] + x[k]
    return int(cells[0]) + 1, int(cells[1]) * 3


@runs((np.arange(9, dtype=np.uint8),), (np.array([255, 0], dtype=np.uint8),))
def chosen_without_a_sign(x: Any) -> Any:
    crc = np.uint32(0xFFFFFFFF)
    for k in range(len(x)):
        c = crc ^ x[k]
        for _ in range(8):
            c = (
                np.uint32(0xEDB88320) ^ (c >> np.uint32(1))
                if c & np.uint32(1)
                else c >> np.uint32(1)
            )
        crc = c
    return ~crc


@runs((np.arange(5.0), 4, 9), (np.arange(5.0), 2, 3), (np.arange(5.0), 4, 12))
def handed_on_asked_for_or_not(x: Any, j: Any, n: Any) -> Any:
    total = 0.0
    k = 0
    j = 4 if j > 4 else j
    while k < n:
        total = total * 2 + x[j]
        k += 1
        j -= 1
        if j >= 0:
            continue
        if j < -4:
            break
        total += 100
    return total, j


@runs((np.arange(5.0), -2), (np.arange(5.0), 2))
def asked_for_what_it_began_with(x: Any, j: Any) -> Any:
    total = 0.0
    k = 0
    first = j - 1
    i = first
    while k < 6:
        total = total * 2 + x[i]
        k += 1
        i = first if first >= 0 else 1
    return total, i


# ---- lengths -------------------------------------------------------------------------------------


@runs(
    (0, 50, 1),
    (50, 0, -1),
    (0, 0, 1),
    (10, 0, 3),
    (BIG - 10, BIG, 3),
    (-BIG, -BIG - 1, -1),
    (-BIG + 20, -BIG - 1, -7),
    (0, 300, 7),
    (0, 10, 0),
)
def iterations_of_a_range(start: Any, stop: Any, step: Any) -> Any:
    count = total = 0
    last = None
    for i in range(start, stop, step):
        count += 1
        total ^= i
        last = i
    return count, total, last


@runs((90, 81), (90, 0), (90, 200), (-3, 1))
def leaves_in_the_middle(n: Any, at: Any) -> Any:
    total = 0
    for i in range(n):
        if i == at:
            total = -total
            break
        total += i
    else:
        total = 7
    return total


@runs((90,), (1,), (0,))
def counts_down(n: Any) -> Any:
    total = 0
    while n > 0:
        n -= 1
        if n % 3 == 0:
            continue
        total += n
    return total, n


@runs((np.zeros((3, 4)), 3), (np.ones((30, 40)), 2), (np.ones((2, 0)), 1))
def nest_of_many_iterations(x: Any, n: Any) -> Any:
    for k in range(n):
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                x[i, j] += 0.5 * k
    return x


@runs((np.arange(64.0).reshape(8, 8),), (np.arange(9.0).reshape(3, 3),), (np.ones((2, 2)),))
def short_loops_around_each_place(x: Any) -> Any:
    out = np.zeros_like(x)
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            for a in range(i - 1, i + 2):
                for b in range(j - 1, j + 2):
                    k = b
                    while k > 0 and x[a, k - 1] > 3:
                        k -= 1
                    out[i, j] += x[a, b] + k
    return out


# ---- floats as ints ------------------------------------------------------------------------------


@runs(
    (np.array([1.5, -1.5, 0.0, 9.2e18]),),
    (np.array([1.0, 2.0**63]),),
    (np.array([1.0, -(2.0**63)]),),
    (np.array([1.0, np.nan]),),
    (np.array([1.0, -np.inf]),),
)
def floats_as_ints(x: Any) -> Any:
    total = 0
    for k in range(len(x)):
        total += int(x[k])
    return total


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_as_eager(program: Program, args: tuple[Any, ...]) -> None:
    """Some of the calls bail, and eager has the bigger int."""
    check(program, *args, calls=2)


def outcome(function: Any, args: tuple[Any, ...]) -> str:
    """Return the result of a call, or its exception."""
    mine = deep_copy(args)
    try:
        with np.errstate(all="ignore"):
            return repr((function(*mine), mine))
    except Exception as error:
        return repr(error)


@pytest.mark.parametrize("program", dict.fromkeys(program for program, _ in PROGRAMS))
@pytest.mark.parametrize("backend", BACKENDS)
def test_one_after_another(program: Program, backend: str) -> None:
    """Captures for small ints are called with big ones, and the other way round."""
    calls = [args for other, args in PROGRAMS if other is program]
    for order in (calls, calls[::-1]):
        jitted = framejit.jit(program, backend=backend)
        for args in order:
            assert outcome(jitted, args) == outcome(program, args)


RUN = 2**16
"""Turns between two looks of a loop that is cut into runs."""


@pytest.mark.counts("kernels, of loops that are long for stubs")
def test_more_iterations_than_a_run() -> None:
    """Up to the last iteration of a run, one more, and several runs; both ways, with a way out.

    Only kernels cut loops into runs.
    """
    for start, stop, step in (
        (0, RUN, 1),
        (0, RUN + 1, 1),
        (3 * RUN, 5, -1),
        (-7, 2 * RUN + 3, 2),
        (BIG - 3 * RUN, BIG, 2),
    ):
        check(iterations_of_a_range, start, stop, step, backends=["numba"])
    for n, at in ((2 * RUN, RUN), (2 * RUN, RUN - 1), (2 * RUN, 2 * RUN - 1), (RUN, RUN)):
        check(leaves_in_the_middle, n, at, backends=["numba"])
    for n in (RUN, RUN + 1, 2 * RUN):
        check(counts_down, n, backends=["numba"])
    check(nest_of_many_iterations, np.ones((300, 300)), 2, backends=["numba"])


def test_state_that_nobody_reads() -> None:
    """Variables that no exit stores are no state of the loop, whatever they would come to."""

    def forgets(n: int) -> int:
        unused = 1
        total = 0
        for i in range(n):
            unused = unused * 3 + i
            if i % 2:
                total += i
        return total

    check_whole(forgets, (1000,))
