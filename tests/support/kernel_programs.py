"""Scientific kernels as people write them with NumPy: what `kernel_table.py` measures.

Each file in tests/bench/kernels has one family. A kernel is registered with what makes its
arguments from a size, and with two sizes: S takes eager a millisecond or less, M some hundreds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Kernel:
    """One program, and what it is called with."""

    function: Callable[..., Any]
    family: str
    make: Callable[..., tuple[Any, ...]]
    sizes: dict[str, tuple[int, ...]]

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    def arguments(self, size: str) -> tuple[Any, ...]:
        """Fresh ones, the same each time."""
        return self.make(np.random.default_rng(7), *self.sizes[size])


KERNELS: dict[str, Kernel] = {}


def kernel(
    make: Callable[..., tuple[Any, ...]], s: int | tuple[int, ...], m: int | tuple[int, ...]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a program: `make(rng, *size)` gives its arguments."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        sizes = {"S": s if isinstance(s, tuple) else (s,), "M": m if isinstance(m, tuple) else (m,)}
        family = function.__module__.rpartition(".")[2]
        KERNELS[function.__name__] = Kernel(function, family, make, sizes)
        return function

    return register


def load() -> dict[str, Kernel]:
    """All kernels by name."""
    for path in sorted((Path(__file__).parents[1] / "bench" / "kernels").glob("*.py")):
        import_module(f"bench.kernels.{path.stem}")
    return KERNELS
