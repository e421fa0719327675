"""Programs in loops that are interrupted by an alarm, and what eager may have left of them.

Each keeps a promise between any two of its instructions, as it does when it runs eagerly. An alarm
that rings at a random moment raises KeyboardInterrupt in it; the promise is looked at then, and how
many iterations were finished.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Callable
from time import thread_time
from typing import Any

import numpy as np

from framejit import jit

LOST = 0.05
"""Seconds of work that an interrupt may cost."""
MOST = 0.03
"""Seconds until the alarm rings, at most."""
ENDLESS = 2**31 - 1  # as few bits as at capture: a guard tells bigger ints apart


def in_place(x: Any, n: int) -> int:
    for _ in range(n):
        x += 1.0
    return n


def two(x: Any, n: int) -> int:
    y, z = x[0], x[1]
    for _ in range(n):
        y += 1.0
        z += y
    return n


def items(x: Any, n: int) -> int:
    y = x[0]
    for i in range(n):
        y[i % 64] = i
        y[64] += 1.0
    return n


def nested(x: Any, n: int) -> int:
    y = x[0]
    for i in range(n):
        for j in range(64):
            y[j] += 1.0
        y[64] = i + 1
    return n


def waiting(x: Any, n: int) -> int:
    y, k = x[0], 0
    while k < n:
        if k % 3 == 0:
            y[0] += 2.0
        y[1] += 1.0
        k += 1
    return k


def swapped(x: Any, n: int) -> int:
    y, z = x[0].copy(), x[1].copy()
    for i in range(n):
        y, z = z, y + 1.0
        x[2, 0] = i + 1
        x[3] = y
    return n


class Body:
    """Keeps what it has done in itself."""

    def __init__(self) -> None:
        self.steps = 0
        self.place = np.zeros(65)
        self.speed = np.ones(65)

    def step(self) -> None:
        self.place += self.speed
        self.steps += 1


def of_object(x: Any, n: int) -> int:
    body = x
    for _ in range(n):
        body.step()
    return n


def _iterations_in_place(x: Any) -> int | None:
    return int(x[0, 0]) if (x == x[0, 0]).all() else None


def _iterations_two(x: Any) -> int | None:
    k = int(x[0, 0])
    sums = (k * (k + 1) // 2, k * (k - 1) // 2)
    return k if (x[0] == k).all() and any((x[1] == one).all() for one in sums) else None


def _iterations_items(x: Any) -> int | None:
    k = int(x[0, 64])
    j = np.arange(64)
    for done in (k, k + 1):  # iterations whose first statement has run
        last = done - 1 - (done - 1 - j) % 64
        if (x[0, :64] == np.maximum(last, 0)).all():
            return k
    return None


def _iterations_nested(x: Any) -> int | None:
    k = int(x[0, 64])
    ahead = x[0, :64] - k
    return k if set(ahead) <= {0.0, 1.0} and (np.diff(ahead) <= 0).all() else None


def _iterations_waiting(x: Any) -> int | None:
    k = int(x[0, 1])
    return k if x[0, 0] in (2 * -(-k // 3), 2 * -(-(k + 1) // 3)) else None


def _iterations_swapped(x: Any) -> int | None:
    k = int(x[2, 0])
    return k if (x[3] == x[3, 0]).all() and x[3, 0] in (k // 2, (k - 1) // 2) else None


def _iterations_of_object(body: Body) -> int | None:
    steps = float(body.steps)
    held = (body.place == steps).all() or (body.place == steps + 1).all()
    return body.steps if held else None


def _array() -> Any:
    return np.zeros((4, 65))


Check = Callable[[Any], int | None]
"""Returns the number of iterations in a state; None if eager cannot have left it."""
PROGRAMS: dict[str, tuple[Callable[[Any, int], int], Callable[[], Any], Check]] = {
    "in_place": (in_place, _array, _iterations_in_place),
    "two": (two, _array, _iterations_two),
    "items": (items, _array, _iterations_items),
    "nested": (nested, _array, _iterations_nested),
    "waiting": (waiting, _array, _iterations_waiting),
    "swapped": (swapped, _array, _iterations_swapped),
    "of_object": (of_object, Body, _iterations_of_object),
}


class Interrupted:
    """One program, called and interrupted."""

    def __init__(self, name: str, backend: str = "numba") -> None:
        program, self.make, self.check = PROGRAMS[name]
        self.run = jit(program, backend=backend)
        self.rung = 0.0
        iterations, seconds = 10**6, 0.0  # a loop that is short when it is captured is not halted
        self.run(self.make(), iterations)
        while seconds < 0.1:
            iterations *= 4
            begun = thread_time()
            self.run(self.make(), iterations)
            seconds = thread_time() - begun
        self.rate = iterations / seconds
        """Turns a second."""

    def ring(self, number: int, frame: Any) -> None:
        """The handler of the alarm."""
        self.rung = thread_time()
        raise KeyboardInterrupt

    def once(self, after: float) -> tuple[int | None, float]:
        """The iterations in what is left, and the seconds of work that are not."""
        given = self.make()
        begun = thread_time()
        try:
            # It rings again: Python drops what is raised in a finaliser.
            signal.setitimer(signal.ITIMER_REAL, after, 0.5)
            self.run(given, ENDLESS)
        except KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, 0)
            iterations = self.check(given)
            return iterations, self.rung - begun - (iterations or 0) / self.rate
        raise AssertionError("it came to its end")


def interrupted(count: int, seed: int, names: list[str]) -> tuple[int, int]:
    """Count states, of `count`, that eager cannot have left, and those that lost much work."""
    rng = random.Random(seed)
    wrong = late = 0
    before = signal.getsignal(signal.SIGALRM)
    try:
        for name in names:
            one = Interrupted(name)
            signal.signal(signal.SIGALRM, one.ring)
            most, n = 0.0, -(-count // len(names))
            for _ in range(n):
                iterations, lost = one.once(rng.uniform(1e-5, MOST))
                wrong += iterations is None
                late += lost > LOST
                most = max(most, lost)
            print(
                f"{name:10} {n} interrupts, {wrong} wrong so far, at most {most * 1e3:.0f} ms lost"
            )
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return wrong, late
