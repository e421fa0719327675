"""Pairwise summation: a line of numbers is halved until blocks are left, as NumPy halves it.

NumPy adds up a line by parts, which keeps rounding errors small (Higham, SIAM J. Sci. Comput. 14,
1993), and its bits depend on where it parts the line. Whether it does so as sums.py does is asked
of NumPy itself, see `adds_pairwise`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from ....jit.ir.graph import Node
from ....jit.native import WORDS
from ..library.parting import LANES, MOST
from ..source import Source
from ..words import Tables
from .items import BLOCK
from .leaves import Leaves

LENGTHS = (*range(1, 26), 64, 65, 127, 128, 129, 137, 257, BLOCK + 1, 2 * BLOCK + 9, 5000)
"""Lines that are tried."""
DEPTH = 256
"""Parts that wait: three for each halving of a line that is as long as memory."""


def is_pairwise(node: Node) -> bool:
    """Whether a reduction adds up floats, and sums.py knows how."""
    dtype = node.outputs[0].type.dtype
    same = node.inputs[0].type.dtype == dtype
    return node.attrs["ufunc"] is np.add and same and adds_pairwise(dtype)


@cache
def adds_pairwise(dtype: np.dtype[Any]) -> bool:
    """Whether this NumPy, on this machine, adds up lines of floats as sums.py does."""
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
    """The sum of a line, as sums.py makes it."""
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
    """The loop over the blocks of a line, and the sums of the blocks that it joins.

    While lines are shorter than a block, several are taken at a time, each with a sum of its own.
    """

    def __init__(self, source: Source, tables: Tables) -> None:
        self.source = source
        self._tables = tables
        self._scratch = f"w[{WORDS['SCRATCH']}]"
        self._parts = source.name("parts")
        self.top = ""
        """Variable: how many sums wait to be joined."""
        self._sums: list[tuple[str, str]] = []
        source.scratch_line(self._parts, self._room(8 * DEPTH), "lengths, and -1 for a join")

    def _room(self, size: int) -> str:
        return f"{self._scratch} + {self._tables.new_scratch(size)}"

    def new_sums(self, kind: str, itemsize: int) -> str:
        """Room for the sums of one reduction: the variable of its address."""
        name = self.source.name("sums")
        self.source.scratch_line(name, self._room(BLOCK * itemsize), f"{kind}[{BLOCK}]")
        self._sums.append((name, kind))
        return name

    @contextmanager
    def of_leaves(self, leaves: Leaves) -> Iterator[Callable[[str], None]]:
        """Around the parts of one long line, whose sums are joined behind them.

        Gives what is to be called behind each part, with its number.
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
        """Around what is done with a block of a line: its first index and its length.

        The line begins at an index and has a length.
        """
        source = self.source
        top = self.top = source.name("top")
        depth, low, size, part = (source.name(name) for name in ("depth", "low", "m", "part"))
        parts = f"int64_at({self._parts})"
        source.line(f"{parts}[0] = {length}")
        source.line(f"{depth} = 1")
        source.line(f"{top} = 0")
        source.line(f"{low} = {begin}")
        source.line(f"while {depth} > 0:")
        source.depth += 1
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
        source.depth -= 1
