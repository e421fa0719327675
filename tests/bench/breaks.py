"""Programs that leave their graphs behind loops and branches, or rely on much that may change.

    python tests/bench/breaks.py [NAME ...]

For each: microseconds of a call, eager and jitted (the least of the rounds, by turns), their ratio,
and how often the program was captured. At every exit all bound names are stored, and each thing
that a capture read is guarded: this measures the cost.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from framejit import jit

ROUNDS, CALLS = 25, 40
seen: list[object] = []


def note(value: object) -> None:
    """A callee that no graph takes in."""
    seen[:] = [value]
    exec("")


def diffusion(u: np.ndarray) -> np.ndarray:
    """Each stage ends in a break: four loops, each with locals that nothing reads afterwards."""
    dt, dx = 0.1, 0.5
    for _ in range(4):
        left = u[:-2] - u[1:-1]
        right = u[2:] - u[1:-1]
        u[1:-1] += dt / dx * (left + right) * 0.1
    note("first")
    for _ in range(4):
        slope = (u[1:] - u[:-1]) / dx
        u[1:] -= 0.01 * slope
    note("second")
    for k in range(4):
        flux = u * u * 0.5
        u[1:] -= 0.001 * k * (flux[1:] - flux[:-1])
    note("third")
    return u


def epochs(x: np.ndarray, y: np.ndarray) -> list[float]:
    """Gradient descent that tells of each epoch."""
    w = np.zeros(x.shape[1])
    losses = []
    for _ in range(8):
        error = x @ w - y
        gradient = x.T @ error / len(y)
        w -= 0.01 * gradient
        loss = float((error**2).mean())
        losses.append(loss)
        note(loss)
    return losses


def branches(x: np.ndarray) -> float:
    """A branch that depends on numbers, with other locals on each side, and a break behind it."""
    total = 0.0
    for k in range(6):
        if x[k] > 0.5:
            high = x * 2
            total += high.sum()
        else:
            low = x - 1
            total -= low.sum()
        note(total)
    return total


def counting(n: int) -> int:
    """Numbers only: what an exit stores is a large part of it."""
    found = 0
    for i in range(n):
        square = i * i
        rest = square % 7
        if rest == 3:
            found += 1
    note(found)
    for i in range(n):
        cube = i * i * i
        found += cube % 5
    note(found)
    return found


@dataclass
class Layer:
    weight: np.ndarray
    bias: np.ndarray
    slope: float = 0.1
    inputs: list[np.ndarray] = field(default_factory=list)

    def forward(self, x: np.ndarray, *, keep: bool = False) -> np.ndarray:
        z = x * self.weight + self.bias
        if keep:
            self.inputs[:] = [x]
        return np.where(z > 0, z, z * self.slope)


LAYERS = [Layer(np.full(64, 0.1 * k), np.full(64, 0.01 * k)) for k in range(6)]


def network(x: np.ndarray) -> np.ndarray:
    """Methods of many objects: classes, keyword defaults and attributes are guarded."""
    for layer in LAYERS:
        x = layer.forward(x)
    return x


def scaled(x: np.ndarray, *, scale: float, shift: float = 0.5) -> np.ndarray:
    return x * scale + shift


STEPS = [partial(scaled, scale=0.1 * k) for k in range(8)]


def partials(x: np.ndarray) -> np.ndarray:
    """Partials and keyword defaults, whose contents are guarded."""
    for step in STEPS:
        x = step(x)
    return x


RANDOM = np.random.default_rng(0)
PROGRAMS: dict[Callable[..., Any], tuple[Any, ...]] = {
    diffusion: (RANDOM.random(200),),
    epochs: (RANDOM.random((50, 4)), RANDOM.random(50)),
    branches: (RANDOM.random(100),),
    counting: (30,),
    network: (RANDOM.random(64),),
    partials: (RANDOM.random(64),),
}


def seconds(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    start = perf_counter()
    for _ in range(CALLS):
        function(*arguments)
    return (perf_counter() - start) / CALLS


def main(names: list[str]) -> None:
    print(f"{'program':12}{'eager us':>10}{'jitted us':>11}{'ratio':>7}{'captures':>10}")
    for function, arguments in PROGRAMS.items():
        if names and function.__name__ not in names:
            continue
        jitted = jit(function, compile="now")
        for _ in range(60):
            jitted(*arguments)
        times = [(seconds(function, arguments), seconds(jitted, arguments)) for _ in range(ROUNDS)]
        eager, fast = (min(each) for each in zip(*times, strict=True))
        captures = jitted.stats()["captures"]
        print(
            f"{function.__name__:12}{eager * 1e6:10.1f}{fast * 1e6:11.1f}{eager / fast:7.2f}"
            f"{captures:10}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
