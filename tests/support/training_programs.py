"""Training loops as people write them: a generator of random numbers, a dict of lists, a `print`.

They stand in tests/bench/training, none written for this package. What makes their kernels hard to
find again on disk: each has many breaks (`print`, the generator), numbers that go from epoch to
epoch, and lists that are handed on.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
"""By name: the function and what it is called with."""


def program(*args: Any) -> Callable[[Any], Any]:
    """Registers a function with its arguments."""

    def register(function: Any) -> Any:
        PROGRAMS[function.__name__] = function, args
        return function

    return register


def load() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """All programs, by name."""
    for path in sorted((Path(__file__).parent / "bench" / "training").glob("*.py")):
        importlib.import_module(f"bench.training.{path.stem}")
    return PROGRAMS


def points(classes: int = 3, n: int = 60, features: int = 4) -> tuple[Any, Any]:
    """Clouds around as many centres, and which of them each point is from."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, classes, n)
    x = rng.normal(size=(n, features)) + 2.0 * rng.normal(size=(classes, features))[y]
    return x, y
