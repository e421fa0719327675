"""Pairwise summation of lines, with NumPy's way of halving.

NumPy sums a line by parts, which keeps rounding errors small (Higham, SIAM J. Sci. Comput. 14,
1993); its bits depend on where the line is split. `adds_pairwise` tests that NumPy splits as
sums.py does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from ....jit.ir.graph import Node
from ....jit.ir.primitives import ufunc_of
from ....jit.native import WORDS
from ..library.pairwise_blocks import LANES, MOST
from ..source import Source
from ..words import Tables
from .items import BLOCK
from .leaves import Leaves

LENGTHS = (*range(1, 26), 64, 65, 127, 128, 129, 137, 257, BLOCK + 1, 2 * BLOCK + 9, 5000)
"""Lengths of lines on which NumPy is tested."""
DEPTH = 256
"""Size of the stack of pending parts: three for each halving of the longest possible line."""


def is_pairwise(node: Node) -> bool:
    """True if a reduction sums floats in the way that sums.py does."""
    dtype = node.outputs[0].type.dtype
    same = node.inputs[0].type.dtype == dtype
    return ufunc_of(node).adds and same and adds_pairwise(dtype)


@cache
def adds_pairwise(dtype: np.dtype[Any]) -> bool:
    """True if NumPy, on this machine, sums lines of floats as sums.py does."""
    if dtype not in (np.float64, np.float32):
        return False
    rng = np.random.default_rng(7)
    for length in LENGTHS:
        spread = rng.normal(size=length) * 10.0 ** rng.integers(-6, 6, length)
        line: np.ndarray[Any, Any] = spread.astype(dtype)
        if _added(line).tobytes() != line.sum().tobytes():
            return False
    return True


def _added(items: np.ndarray[Any, Any]) -> Any:
    """Return the sum of a line, computed like sums.py."""
    if len(items) > MOST:
        middle = len(items) // 2 & -LANES
        return _added(items[:middle]) + _added(items[middle:])
    whole = len(items) & -LANES
    total, rest = items.dtype.type(0), items
    if whole:
        lanes, rest = items[:LANES].copy(), items[whole:]
        for place in range(LANES, whole, LANES):
            lanes += items[place : place + LANES]
        while len(lanes) > 1:
            lanes = lanes[::2] + lanes[1::2]
        total = lanes[0]
    for item in rest:
        total = total + item
    return total


class Halves:
    """The loop over blocks of a line, whose sums it joins in NumPy's order.

    Lines shorter than a block are taken several at a time, each with a sum of its own.
    """

    def __init__(self, source: Source, tables: Tables) -> None:
        self.source = source
        self._tables = tables
        self._scratch = f"w[{WORDS['SCRATCH']}]"
        self._parts = source.name("parts")
        self.top = ""
        """Variable: number of sums that wait to be joined."""
        self._sums: list[tuple[str, str]] = []
        source.scratch_line(self._parts, self._room(8 * DEPTH), "lengths, and -1 for a join")

    def _room(self, size: int) -> str:
        return f"{self._scratch} + {self._tables.new_scratch(size)}"

    def new_sums(self, kind: str, itemsize: int) -> str:
        """Reserve memory for the sums of one reduction; return the variable with its address."""
        name = self.source.name("sums")
        self.source.scratch_line(name, self._room(BLOCK * itemsize), f"{kind}[{BLOCK}]")
        self._sums.append((name, kind))
        return name

    @contextmanager
    def of_leaves(self, leaves: Leaves) -> Iterator[Callable[[str], None]]:
        """Write code around the parts of one long line, and join their sums after them.

        Yields a function to call after each part with its number.
        """
        totals = [(leaves.room(kind), sums, kind) for sums, kind in self._sums]

        def keep(leaf: str) -> None:
            for name, sums, kind in totals:
                self.source.line(f"{kind}_at({name})[{leaf}] = {kind}_at({sums})[0]")

        yield keep
        leaves.join([(name, kind) for name, _, kind in totals])
        for name, sums, kind in totals:
            self.source.line(f"{kind}_at({sums})[0] = {kind}_at({name})[0]")

    @contextmanager
    def blocks(self, begin: str, length: str) -> Iterator[Sequence[str]]:
        """Write the loop over the blocks of a line; yields first index and length of a block.

        `begin` and `length` are those of the line.
        """
        source = self.source
        top = self.top = source.name("top")
        depth, low, size, part = (source.name(name) for name in ("depth", "low", "m", "part"))
        parts = f"int64_at({self._parts})"
        source.line(f"{parts}[0] = {length}")
        source.line(f"{depth} = 1")
        source.line(f"{top} = 0")
        source.line(f"{low} = {begin}")
        with source.indented(f"while {depth} > 0:"):
            source.line(f"{depth} -= 1")
            source.line(f"{size} = {parts}[{depth}]")
            with source.indented(f"if {size} < 0:"):
                source.line(f"{top} -= 1")
                for sums, kind in self._sums:
                    source.line(f"{kind}_at({sums})[{top} - 1] += {kind}_at({sums})[{top}]")
            with source.indented(f"elif {size} > {BLOCK}:"):
                source.line(f"{part} = {size} // 2 & -8")
                for place, text in enumerate(("-1", f"{size} - {part}", part)):
                    source.line(f"{parts}[{depth} + {place}] = {text}")
                source.line(f"{depth} += 3")
            with source.indented("else:"):
                yield low, size
                source.line(f"{top} += 1")
                source.line(f"{low} += {size}")
