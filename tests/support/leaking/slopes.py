"""The memory that one step leaves, measured over many."""

from __future__ import annotations

import gc
import itertools
import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Step = Callable[[int], Any]


@dataclass(frozen=True, slots=True)
class Slope:
    """The memory that one step leaves, on average over each of some windows."""

    blocks: list[float]
    """Allocated blocks."""
    bytes: list[float]
    """Bytes of resident memory."""
    kinds: dict[str, int]
    """Objects that the collector knows, in all windows together, by type."""
    references: list[float]
    """Reference counts of a debug build; else nothing."""


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def _kinds() -> Counter[str]:
    return Counter(type(one).__qualname__ for one in gc.get_objects())


def _now() -> tuple[int, int, int]:
    for _ in range(3):
        gc.collect()
    return sys.getallocatedblocks(), resident(), getattr(sys, "gettotalrefcount", int)()


def slope(step: Step, number: int, windows: int = 3, warm: int | None = None) -> Slope:
    """Runs windows of `number` steps each and looks at what they leave."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()
        gc.freeze()  # collections walk through what the steps make, not through all of Numba
        try:
            for k in range(number if warm is None else warm):
                step(k)
            kinds = _kinds()
            found = [_now()]
            for _ in range(windows):
                for k in range(number):
                    step(k)
                found.append(_now())
            left = _kinds() - kinds
        finally:
            gc.unfreeze()
    steps = [
        [(after - before) / number for before, after in zip(*pair, strict=True)]
        for pair in itertools.pairwise(found)
    ]
    blocks, size, references = (list(column) for column in zip(*steps, strict=True))
    left.subtract(Counter(list=3, tuple=3))
    return Slope(blocks, size, dict(+left), references)
