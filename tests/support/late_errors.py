"""Compares loops that fail in some iteration with eager: arrays, results, locals of frames."""

# ruff: noqa: F841
# Most programs here are about locals that nothing reads.

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


def compressed(x: Any, index: Any, n: int) -> float:
    """The rows of a sparse matrix: each iteration computes the bounds of the loop within."""
    begins = np.minimum(np.arange(n // 3 + 2) * 3 + index[: n // 3 + 2] % 3, n)
    y = np.zeros(n // 3 + 1)
    for r in range(n // 3 + 1):
        s = 0.0
        for k in range(begins[r], begins[r + 1]):
            s += 0.5 * x[index[k]]
        y[r] = s
        x[r % SIZE] = s
    return y.sum()


def mostly_empty(x: Any, index: Any, n: int) -> None:
    for i in range(n):
        for j in range(index[i] // 30):
            x[j] += 1.0
        x[index[i]] += 1


def bound_before(x: Any, index: Any, n: int) -> None:
    t = "before"
    for i in range(n):
        if index[i] < 3:
            t = x[i % SIZE]
        x[index[i]] += 1


def never_bound(x: Any, index: Any, n: int) -> None:
    for i in range(n):
        if index[i] < 0:
            worst = i
        x[index[i]] += 1


def once_bound(x: Any, index: Any, n: int) -> None:
    for i in range(n):
        if i == n // 3:
            here = i
        x[index[i]] += 1


def two_of_them(x: Any, index: Any, n: int) -> int:
    k = 0
    while k < n:
        if index[k] & 1:
            odd, half = k, k * 0.5
        elif index[k] < 9:
            low = x[k % SIZE]
        x[index[k]] += 1
        k += 1
    return k


def unbound_again(x: Any, index: Any, n: int) -> None:
    for i in range(n):
        if index[i] & 1:
            t = i
        elif index[i] & 2:
            t = None
            del t
        x[index[i]] += 1


def arrays_of_some_iterations(x: Any, index: Any, n: int) -> None:
    y = x.copy()
    for i in range(n):
        if index[i] < 9:
            row = y[: index[i]]
            twice = y * 2.0
            x += twice * 1e-3
        x[index[i]] += 1


def next_iteration(x: Any, index: Any, n: int) -> float:
    s = 0.0
    for i, k in enumerate(index):
        if k & 3:
            continue
        t = x[k] if k & 4 else i
        for j in range(k % 5):
            u = j + t
            if u > 3:
                break
        else:
            whole = i
        s += x[index[i]]
    return s


def within_while(x: Any, index: Any, n: int) -> None:
    for i in range(n):
        k = index[i] % 4
        while k > 0:
            last = x[k]
            k -= 1
        x[index[i]] += 1


def on_the_way_out(x: Any, index: Any, n: int) -> Any:
    for i in range(n):
        if index[i] == 5:
            five = i
        if i > n:
            break
        x[index[i]] += 1
    print(end="")
    return i


def maybe_read(x: Any, index: Any, n: int) -> None:
    for i in range(n // 8):
        if i > n:
            for j in range(30):
                x[1] = j
            if j:
                x[0] += j
    for k in range(n):
        x[index[k]] += 1


def compared_ints(x: Any, index: Any, n: int) -> None:
    for i in range(n):
        if i * i > n:
            big = i
        x[index[i]] += 1


@dataclass(frozen=True, slots=True)
class Program:
    """A loop over indices, of which one may be out of range."""

    function: Callable[..., Any]
    kept: bool = True
    """True if its kernel bails at the error and keeps the iterations before."""


_OTHERS = (
    *(asserted, raised),  # an exit of the graph leads to what raises
    compared_ints,  # to note when the local is assigned would take an int that may be big
    checkpointed,  # the kernel cannot begin at its checkpoint
)
PROGRAMS = {
    function.__name__: Program(function, function not in _OTHERS)
    for function in (
        *(items, counted, caught, caught_within, divided, whole_arrays, swapped, nested),
        *(two_loops, grown, drawn, reported, reported_of_arrays, rows, sometimes, compressed),
        *(mostly_empty, bound_before, never_bound, once_bound, two_of_them, unbound_again),
        *(
            arrays_of_some_iterations,
            next_iteration,
            within_while,
            on_the_way_out,
            maybe_read,
            *_OTHERS,
        ),
    )
}


class Case:
    """One call: at the iteration `wrong` the index is SIZE, which no array has."""

    def __init__(self, program: Program, iterations: int, wrong: int | None, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.program, self.iterations = program, iterations
        self.index = rng.integers(0, SIZE, iterations)
        if wrong is not None:
            self.index[wrong] = SIZE
        self.dtype = "f8" if seed % 3 else "f4"

    def run(self, function: Callable[..., Any]) -> Any:
        """Return the state that eager or a kernel leaves, as facts."""
        x = np.zeros(SIZE, self.dtype)
        arguments = (x, self.index.copy(), self.iterations)
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
    """Return the number of launches that have kept the iterations before a bail."""
    return sum(entry.bails.get("late", 0) for entry in jitted._manager.entries)


def differing(name: str, count: int, seed: int, iterations: int = 400) -> tuple[list[str], int]:
    """Cases of a program that leave something else than eager, in words, and its late bails.

    One case in ten has no error.
    """
    return differing_of(PROGRAMS[name], name, count, seed, iterations)


def differing_of(
    program: Program, name: str, count: int, seed: int, iterations: int
) -> tuple[list[str], int]:
    """The same of any program."""
    rng = random.Random(f"{name} {seed}")
    jitted = {"f4": jit(program.function), "f8": jit(program.function)}
    found = []
    for one in range(count):
        n = rng.randrange(iterations // 2, iterations)
        wrong = None if rng.random() < 0.1 else rng.randrange(n)
        case = Case(program, n, wrong, rng.randrange(2**20))
        function = jitted[case.dtype]
        Case(program, iterations, None, 0 if case.dtype == "f4" else 1).run(function)
        expected, actual = case.run(program.function), case.run(function)
        if expected != actual:
            facts = [key for key in {*expected, *actual} if expected.get(key) != actual.get(key)]
            found.append(f"{name}, case {one}: {n} iterations, error in {wrong}: {facts[:4]}")
    return found, sum(map(late_bails, jitted.values()))
