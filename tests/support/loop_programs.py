"""Programs that are loops, as people write them: what the benchmark of control flow runs.

They stand in tests/bench/loops: plain Python and NumPy, none written for this package. Each says
what it is called with, at the size that it is timed at.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Arguments = tuple[Any, ...]
Maker = Callable[[np.random.Generator], Arguments]


@dataclass(frozen=True, slots=True)
class Program:
    """A function and what it is called with."""

    function: Callable[..., Any]
    make: Maker
    family: str
    transcendental: bool = False
    """True if exp, log, sin and the like of single elements take most of the time."""

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.function.__name__

    def arguments(self) -> Arguments:
        """Fresh ones, the same each time."""
        return self.make(np.random.default_rng(20))


PROGRAMS: dict[str, Program] = {}
"""All programs by name."""


def program(make: Maker, *, transcendental: bool = False) -> Callable[[Any], Any]:
    """Registers a function with its arguments."""

    def register(function: Any) -> Any:
        family = function.__module__.rpartition(".")[2]
        PROGRAMS[function.__name__] = Program(function, make, family, transcendental)
        return function

    return register


def load() -> dict[str, Program]:
    """All programs, by name."""
    for path in sorted((Path(__file__).parents[1] / "bench" / "loops").glob("*.py")):
        importlib.import_module(f"bench.loops.{path.stem}")
    return PROGRAMS


def dominant(rng: np.random.Generator, n: int) -> Any:
    """A matrix that every method here can take: symmetric and positive definite."""
    a = rng.random((n, n))
    return a @ a.T + n * np.eye(n)
