"""Loops that append rows of numbers, or numbers that are Python's or NumPy's, for an array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Program, Programs, check_whole

U = np.random.default_rng(0).random(20)

PROGRAMS = Programs()
runs = PROGRAMS.runs


@runs((U,), (U[:3],))
def begins_with_pythons_number(u: Any) -> Any:
    t = 0.0
    times = [t]
    for a in u:
        t += a
        times.append(t)
    return np.asarray(times)


@runs((U,), (np.arange(5),))
def pairs(z: Any) -> Any:
    estimates = []
    x = 0.0
    for zi in z:
        x = x + 0.3 * (zi - x)
        estimates.append((x, zi))
    return np.array(estimates)


@runs((U,), (U * 0.1,))
def of_either_kind(u: Any) -> Any:
    x = 0.0
    chain = []
    for a in u:
        if a < 0.5:
            x = x + a
        chain.append(x)
    return np.array(chain), len(chain)


@runs((30,), (400,))
def ints_beside_floats(n: int) -> Any:
    rows = []
    x = 0.1
    for k in range(n):
        x = 3.9 * x * (1 - x)
        rows.append((k, x, k * k))
    made = np.array(rows)
    return made, made[:, 1].sum(), len(rows)


@runs((7,))
def of_ints(n: int) -> Any:
    rows = [(1, 2)]
    for k in range(n):
        rows.append((k, 3 * k))
    return np.array(rows), np.array(rows).T.copy(), np.mean(rows, axis=0), np.mean(rows)


@runs((U,), (U[:2],))
def left_early(u: Any) -> Any:
    rows = []
    for a in u:
        rows.append((a, a * 2))
        if len(rows) > 3:
            break
    return len(rows), np.array(rows)


@runs((0.5, 10), (0.25, 100))
def pendulum(dt: float, n: int) -> Any:
    theta, omega, t = 1.0, 0.0, 0.0
    states = [(t, theta, omega)]
    while len(states) <= n:
        omega -= dt * np.sin(theta)
        theta += dt * omega
        t += dt
        states.append((t, theta, omega))
    return np.array(states)


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_captured_whole(program: Program, args: tuple[Any, ...]) -> None:
    """Each is one segment."""
    check_whole(program, args)


SEEN = """
return rows
return rows, np.array(rows)
return rows[-1], np.array(rows)
return rows[0][1], len(rows)
return [p for p, q in rows]
return sum(p for p, q in rows)
return rows[1:], rows == rows[:], (0.5, 1.0) in rows
return list(rows), tuple(rows)
return {'rows': rows}['rows']
return [*rows, 3]
return np.vstack(rows), np.stack(rows, axis=1)
return np.array(rows, dtype='f4'), np.array(rows, dtype=int)
return np.asarray(rows, order='F'), np.array(rows, ndmin=3)
return str(rows)
return np.max(rows), np.max(rows, axis=0), np.sort(rows, axis=0), np.array(rows)[:, 0]
rows.append((1.0,)); return rows
rows.append((1.0, 2.0)); return np.array(rows)
rows.append((1, 2)); return rows, np.array(rows)
rows.append([1, 2]); return np.array(rows)
rows.append(5.0); return len(rows)
rows.extend(rows); return np.array(rows)
rows.pop(); return np.array(rows)
rows[0] = (9.0, 9.0); return np.array(rows)
rows.sort(); return np.array(rows)
rows.reverse(); return np.array(rows)
del rows[0]; return np.array(rows)
rows += [(3.0, 4.0)]; return np.array(rows)
a = np.array(rows); rows.append((1.0, 1.0)); return a, np.array(rows)
if rows: return np.array(rows)
return rows is rows, bool(rows), not rows, np.array(rows)
return np.polyfit(*np.array(rows).T, 1), np.array(rows).shape
"""


@pytest.mark.parametrize("end", SEEN.strip().splitlines())
@pytest.mark.parametrize("item", ["(a, a * 2)", "(k, float(a))", "(k, k)", "(a, k)"])
def test_whatever_is_done_with_them(end: str, item: str) -> None:
    """Rows that the program can see are eager's objects."""
    source = (
        "def program(u):\n    rows = []\n    for k, a in enumerate(u):\n"
        f"        rows.append({item})\n    {end}\n"
    )
    scope: dict[str, Any] = {"np": np}
    exec(source, scope)
    check(scope["program"], U[:5])
    check(scope["program"], U[:0])


NUMBERS = """
return times
return times[-1], np.array(times)
return sum(times), max(times)
return [type(t) for t in times]
return np.array(times), np.diff(times), np.mean(times)
return np.array(times, dtype='f4'), np.interp(0.3, times, times)
times.append(3); return np.array(times)
times.append(True); return np.array(times)
times.append(np.float32(1)); return np.array(times)
times.append('x'); return len(times)
return times.index(0.0), times.count(0.0)
"""


@pytest.mark.parametrize("end", NUMBERS.strip().splitlines())
@pytest.mark.parametrize("body", ["t += a", "t = t + a if k % 2 else t", "t = float(t + a)"])
def test_numbers_of_either_kind(end: str, body: str) -> None:
    """Each number is a float or a np.float64 as in eager."""
    source = (
        "def program(u):\n    t = 0.0\n    times = [t]\n    for k, a in enumerate(u):\n"
        f"        {body}\n        times.append(t)\n    {end}\n"
    )
    scope: dict[str, Any] = {"np": np}
    exec(source, scope)
    check(scope["program"], U[:5])
    check(scope["program"], U[:0])


def test_an_exception_in_the_middle() -> None:
    """The handler of an exception sees the rows appended so far."""

    def program(u: Any, n: int) -> Any:
        rows: list[Any] = []
        try:
            for k in range(n):
                rows.append((k, u[k]))
        except IndexError as error:
            return str(error), rows
        return np.array(rows)

    check(program, U, 4)
    check(program, U, 25)


def test_writes_beside_rows() -> None:
    """An exit after a write hands the rows over."""

    def program(u: Any, v: Any) -> Any:
        rows = []
        for k in range(len(v)):
            v[k] = u[k] * 2
            rows.append((k, v[k]))
        return np.array(rows), v

    check(program, U, np.zeros(20))
    check(program, U[:4], np.zeros(6))
