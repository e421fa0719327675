"""Classes of a user's simulation: attributes in a dict, and in slots."""

from __future__ import annotations

from typing import Any

import numpy as np


class Sim:
    """The state of a user's simulation."""

    def __init__(self) -> None:
        self.t = float("0.0")
        self.n = 0
        self.best: Any = None
        self.on = True
        self.x = np.linspace(0, 1, 5)
        self.seen = {"n": 0, "total": float("0.0"), "last": None}
        self.items = [0, None, 1.5, "a"]

    def step(self, dt: float) -> None:
        self.x = self.x + dt * np.sin(self.x)
        self.t += dt
        self.n += 1
        if self.n % 3 == 0:
            self.seen["n"] += 1
        self.seen["total"] += self.t

    def run(self, dt: float, n: int) -> Any:
        for _ in range(n):
            self.step(dt)
        return self.x.sum()


class Slotted:
    """Attributes in slots."""

    __slots__ = ("a", "x")

    def __init__(self) -> None:
        self.a = 1
        self.x = np.ones(3)
