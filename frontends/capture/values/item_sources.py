"""Sources of a loop's items by position: the read or call that gives the item at position `i`."""

from __future__ import annotations

from typing import Any

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from .dict_views import View
from .inner_lists import InnerList
from .symbolic import Array, Dict, Instance, List, Symbolic


@dataclass(frozen=True, eq=False, slots=True)
class ArrayItems:
    """The rows of an array, or its elements."""

    array: Array
    backward: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class RangeItems:
    """The numbers of a range: start, stop, step."""

    parts: tuple[Symbolic, ...]


@dataclass(frozen=True, eq=False, slots=True)
class EnumeratedItems:
    """`enumerate(..., start)`."""

    item_source: ItemSource
    start: Symbolic


@dataclass(frozen=True, eq=False, slots=True)
class ZippedItems:
    """`zip(...)`."""

    item_sources: tuple[ItemSource, ...]


@dataclass(frozen=True, eq=False, slots=True)
class ListItems:
    """The items of a list, a dict or a model's object that has grown; the loop keeps its length."""

    owner: List | Instance | Dict | View
    value: ir.Value


@dataclass(frozen=True, eq=False, slots=True)
class InnerListItems:
    """The lists of numbers in a list from outside."""

    owner: List


@dataclass(frozen=True, eq=False, slots=True)
class InnerNumbers:
    """The numbers of one of these."""

    row: InnerList


@dataclass(frozen=True, eq=False, slots=True)
class IndexItems:
    """`np.ndindex(...)`; with an array `np.ndenumerate(array)`."""

    lengths: tuple[Symbolic, ...]
    array: Array | None = None


@dataclass(frozen=True, eq=False, slots=True)
class MappedItems:
    """`map(function, ...)`."""

    function: Symbolic
    item_sources: tuple[ItemSource, ...]


@dataclass(frozen=True, eq=False, slots=True)
class GeneratedItems:
    """A generator expression with one loop, which yields in all or some of its iterations."""

    function: Symbolic
    cells: tuple[Symbolic, ...]
    item_source: ItemSource
    frame: Any
    """The frame before its first iteration; never changed in place."""
    header: int
    """The instruction that takes the next item of `item_source`."""
    gives: int
    """The instruction that yields."""


ItemSource = (
    ArrayItems
    | RangeItems
    | EnumeratedItems
    | ZippedItems
    | ListItems
    | InnerListItems
    | InnerNumbers
    | IndexItems
    | MappedItems
    | GeneratedItems
)
