"""The workloads of the benchmark of arrays: plain NumPy functions, with arguments of any size.

They stand in tests/bench/arrays, none written for this package. A workload may bring what a peer
needs that cannot run it as it is: an expression for numexpr, a loop for numba.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

Function = Callable[..., Any]
Arguments = tuple[Any, ...]
Maker = Callable[[np.random.Generator, int], Arguments]


@dataclass(slots=True)
class Workload:
    """A function and what it is called with."""

    function: Function
    make: Maker
    """Takes a random generator and the approximate number of elements."""
    expression: str = ""
    """The same for numexpr, in the names of the parameters."""
    element: Function | None = None
    """The same for one element of each array: numba loops over it."""
    written: Function | None = None
    """The same as a loop for numba that is more than one over elements."""
    blas: bool = False
    """True if a library of linear algebra takes most of the time."""
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        code = self.function.__code__
        self.names = code.co_varnames[: code.co_argcount]

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.function.__name__

    def arguments(self, n: int, dtype: str) -> Arguments:
        """Fresh ones of about `n` elements, the same each time."""
        made = self.make(np.random.default_rng(20), n)
        return tuple(
            argument.astype(dtype)
            if isinstance(argument, np.ndarray) and argument.dtype == np.float64
            else argument
            for argument in made
        )


WORKLOADS: dict[str, Workload] = {}
"""All workloads by name."""


def workload(make: Maker, **facts: Any) -> Callable[[Function], Function]:
    """Registers a function with its arguments."""

    def register(function: Function) -> Function:
        WORKLOADS[function.__name__] = Workload(function, make, **facts)
        return function

    return register


def element_of(function: Function) -> Callable[[Function], Function]:
    """Registers the function of a workload for one element of each of its arrays."""

    def register(element: Function) -> Function:
        WORKLOADS[function.__name__].element = element
        return element

    return register


def loop_of(function: Function) -> Callable[[Function], Function]:
    """Registers the loop of a workload for numba; `prange` marks what may be parallel."""

    def register(loop: Function) -> Function:
        WORKLOADS[function.__name__].written = loop
        return loop

    return register


def load() -> dict[str, Workload]:
    """All workloads, by name."""
    for path in sorted((Path(__file__).parent / "arrays").glob("*.py")):
        importlib.import_module(f"bench.arrays.{path.stem}")
    return WORKLOADS


def vectors(count: int, low: float = 0.0, high: float = 1.0) -> Maker:
    """Return a maker of so many arrays of one axis."""
    return lambda rng, n: tuple(rng.uniform(low, high, n) for _ in range(count))


def rows(width: int = 100, low: float = -1.0, high: float = 1.0) -> Maker:
    """One array of rows of a length, or of shorter ones where there would be fewer than ten."""

    def make(rng: np.random.Generator, n: int) -> Arguments:
        length = min(width, max(n // 10, 1))
        return (rng.uniform(low, high, (max(n // length, 1), length)),)

    return make


def side(n: int) -> int:
    """Rows of a square of about so many elements."""
    return max(round(n**0.5), 3)


def square(rng: np.random.Generator, n: int) -> Arguments:
    """One square matrix."""
    return (rng.random((side(n), side(n))),)
