"""Sources of items for loops over positions."""

from __future__ import annotations

from typing import Any

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from .symbolic import Array, Instance, List, Symbolic


@dataclass(frozen=True, eq=False, slots=True)
class WalkedArray:
    """The rows of an array, or its elements."""

    array: Array
    backward: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class WalkedRange:
    """The numbers of a range: start, stop, step."""

    parts: tuple[Symbolic, ...]


@dataclass(frozen=True, eq=False, slots=True)
class WalkedCount:
    """`enumerate(..., start)`."""

    way: Way
    start: Symbolic


@dataclass(frozen=True, eq=False, slots=True)
class WalkedTogether:
    """`zip(...)`."""

    ways: tuple[Way, ...]


@dataclass(frozen=True, eq=False, slots=True)
class WalkedList:
    """The items of a list, or of a model's object, that has grown; the loop keeps its length."""

    owner: List | Instance
    value: ir.Value


@dataclass(frozen=True, eq=False, slots=True)
class WalkedIndices:
    """`np.ndindex(...)`; with an array `np.ndenumerate(array)`."""

    lengths: tuple[Symbolic, ...]
    array: Array | None = None


@dataclass(frozen=True, eq=False, slots=True)
class WalkedMap:
    """`map(function, ...)`."""

    function: Symbolic
    ways: tuple[Way, ...]


@dataclass(frozen=True, eq=False, slots=True)
class WalkedGenerator:
    """A generator expression with one loop, which yields in all or some of its iterations."""

    function: Symbolic
    cells: tuple[Symbolic, ...]
    way: Way
    frame: Any
    """The frame before its first iteration; never changed in place."""
    header: int
    """The instruction that takes the next item of `way`."""
    gives: int
    """The instruction that yields."""


Way = (
    WalkedArray
    | WalkedRange
    | WalkedCount
    | WalkedTogether
    | WalkedList
    | WalkedIndices
    | WalkedMap
    | WalkedGenerator
)
