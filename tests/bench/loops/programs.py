"""The list of programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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
    """Whether exp, log, sin and the like of single elements take most of the time."""

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.function.__name__

    def arguments(self) -> Arguments:
        """Fresh ones, the same each time."""
        return self.make(np.random.default_rng(20))


PROGRAMS: dict[str, Program] = {}
"""By name."""


def program(make: Maker, *, transcendental: bool = False) -> Callable[[Any], Any]:
    """Registers a function with its arguments."""

    def register(function: Any) -> Any:
        family = function.__module__.rpartition(".")[2]
        PROGRAMS[function.__name__] = Program(function, make, family, transcendental)
        return function

    return register
