"""Loops with an error at some turn, compared with eager: arrays, results, locals of the frames."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from compare import portrait

from framejit import jit

SIZE = 32
"""Items of the arrays that are written."""


def items(x: Any, index: Any, n: int) -> None:
    for i in range(n):
        x[index[i]] += 1


def counted(x: Any, index: Any, n: int) -> Any:
    k, s = 0, 0.0
    while k < n:
        s = s * 0.5 + x[index[k]]
        x[index[k]] = s
        k += 1
    return k, s


def caught(x: Any, index: Any, n: int) -> Any:
    k = 0
    try:
        for i in range(n):
            x[index[i]] += 1
            k += 2
    except IndexError:
        x[0] = -1
    for j in range(3):
        x[j] += k
    return k, i


def caught_within(x: Any, index: Any, n: int) -> Any:
    wrong = 0
    for i in range(n):
        try:
            x[index[i]] += 1
        except IndexError:
            wrong += i
    return wrong


def divided(x: Any, index: Any, n: int) -> int:
    s = 0
    for i in range(n):
        s += 1000 // (SIZE - int(index[i]))
        x[i % SIZE] = s
    return s


def asserted(x: Any, index: Any, n: int) -> None:
    for i, k in enumerate(index):
        assert k < SIZE, f"{i} of {n}"
        x[k] -= i


def raised(x: Any, index: Any, n: int) -> int:
    for i in range(0, 3 * n, 3):
        last = index[i // 3]
        if last == SIZE:
            raise ValueError(i)
        x[last] = x[last - 1] + 1.0
    return i


def whole_arrays(x: Any, index: Any, n: int) -> None:
    y = x.copy()
    for i in range(n):
        y += x
        x[index[i]] = y[i % SIZE] * 1e-9
        y[:] = x[::-1]


def swapped(x: Any, index: Any, n: int) -> Any:
    y = x + 1.0
    for i in range(n):
        x, y = y, x
        x[index[i]] += i
    return x, y


def nested(x: Any, index: Any, n: int) -> None:
    for i in range(n // 8):
        for j in range(8):
            t = x[j] + 1.0
            x[index[8 * i + j]] = t


def rows(x: Any, index: Any, n: int) -> None:
    for i in range(n // 8):
        for j in range(i % 3):
            t = x[j] + 1.0
            x[index[8 * i + j]] = t
        x[index[8 * i + 7]] += 1


def sometimes(x: Any, index: Any, n: int) -> None:
    for i in range(n):
        if index[i] == 7:
            t = i * 0.5
            x[7] = t
        x[index[i]] += 1


def two_loops(x: Any, index: Any, n: int) -> Any:
    for i in range(n):
        x[i % SIZE] += i
        a = i + 1
    for k in range(n):
        x[index[k]] += a
    return i, k


def grown(x: Any, index: Any, n: int) -> Any:
    found = []
    for i in range(n):
        x[index[i]] += 1
        if i % 5 == 0:
            found.append(x[i % SIZE])
    return found


def drawn(x: Any, index: Any, n: int) -> float:
    rng = np.random.default_rng(n)
    s = 0.0
    for i in range(n):
        s += rng.random()
        x[index[i]] = s
    return s


def checkpointed(x: Any, index: Any, n: int) -> None:
    x[:] = 1.0
    for i in range(n):
        x[index[i]] *= 1.5
        x[index[i]] -= 1.0


def reported(x: Any, index: Any, n: int) -> float:
    s = 1.0
    for i in range(n):
        s = s * 0.5 + 1.0 / (x[0] + SIZE - index[i])
        x[1 + i % 9] = s
    return s


def reported_of_arrays(x: Any, index: Any, n: int) -> None:
    for i in range(n):
        x *= 0.5
        x += 1.0 / np.float64(SIZE - index[i])


@dataclass(frozen=True, slots=True)
class Program:
    """A loop over indices, of which one may be out of range."""

    function: Callable[..., Any]
    kept: bool = True
    """Whether its kernel bails at the error and keeps the turns before."""


_OTHERS = (
    *(asserted, raised),  # an exit of the graph leads to what raises
    *(rows, sometimes),  # an exit at the header would lack a local that only some turns assign
    checkpointed,  # the kernel cannot begin at its checkpoint
)
PROGRAMS = {
    function.__name__: Program(function, function not in _OTHERS)
    for function in (
        *(items, counted, caught, caught_within, divided, whole_arrays, swapped, nested),
        *(two_loops, grown, drawn, reported, reported_of_arrays, *_OTHERS),
    )
}


class Case:
    """One call: at the turn `wrong` the index is SIZE, which no array has."""

    def __init__(self, program: Program, turns: int, wrong: int | None, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.program, self.turns = program, turns
        self.index = rng.integers(0, SIZE, turns)
        if wrong is not None:
            self.index[wrong] = SIZE
        self.dtype = "f8" if seed % 3 else "f4"

    def run(self, function: Callable[..., Any]) -> Any:
        """What eager or a kernel leaves of it, as facts."""
        x = np.zeros(SIZE, self.dtype)
        arguments = (x, self.index.copy(), self.turns)
        error, result, frames = None, None, []
        try:
            with np.errstate(all="raise", under="ignore"):
                result = function(*arguments)
        except (ArithmeticError, AssertionError, IndexError, ValueError) as one:
            error = type(one).__name__, str(one)
            link = one.__traceback__
            while link is not None:
                if link.tb_frame.f_code is self.program.function.__code__ or link.tb_next is None:
                    frames.append((link.tb_lineno, dict(link.tb_frame.f_locals)))
                link = link.tb_next
        return portrait(arguments=arguments, error=error, result=result, frames=frames)


def late_bails(jitted: Any) -> int:
    """How many launches have kept the turns before a bail."""
    return sum(entry.bails.get("late", 0) for entry in jitted._manager.entries)


def differing(name: str, count: int, seed: int, turns: int = 400) -> tuple[list[str], int]:
    """Cases of a program that leave something else than eager, in words, and its late bails.

    One case in ten has no error.
    """
    program, rng = PROGRAMS[name], random.Random(f"{name} {seed}")
    jitted = {"f4": jit(program.function), "f8": jit(program.function)}
    found = []
    for one in range(count):
        n = rng.randrange(turns // 2, turns)
        wrong = None if rng.random() < 0.1 else rng.randrange(n)
        case = Case(program, n, wrong, rng.randrange(2**20))
        function = jitted[case.dtype]
        Case(program, turns, None, 0 if case.dtype == "f4" else 1).run(function)
        expected, actual = case.run(program.function), case.run(function)
        if expected != actual:
            facts = [key for key in {*expected, *actual} if expected.get(key) != actual.get(key)]
            found.append(f"{name}, case {one}: {n} turns, error in {wrong}: {facts[:4]}")
    return found, sum(map(late_bails, jitted.values()))
