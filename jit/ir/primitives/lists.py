"""Rows of lists of numbers, which ops change in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import attributes as has
from .. import references as run
from .. import type_rules as typed
from ..intervals import LENGTH
from ..schema import AxisOrder, Effect, Kind, Op, TypeRule, Writes, row
from ..silence import if_not_filled

__all__ = ["APPEND", "COUNT", "ITEM", "LIST", "LISTED", "LIST_OF", "POP", "SET_ITEM"]


def _change(
    name: str, reference: Callable[..., Any], signature: str, types: TypeRule, /, **more: Any
) -> Op:
    """Add an op that changes the list that is input 0."""
    more = {"effect": Effect.LIST, "writes": Writes.FIRST, "moves": True, **more}
    return row(name, Kind.STORE, reference, signature, types, **more)


LIST = row(
    *("list", Kind.CREATE, run.new_list, "number* -> list", typed.new_list),
    moves=True,
    lacks={"silent": "a list has an identity", "axis_order": "it is no array"},
)
"""A list of numbers of one type, which the list ops below change in place."""

LIST_OF = row(
    *("list_of", Kind.CREATE, run.list_of, "array -> list", typed.list_of),
    python=has.A_BOOL,
    moves=True,
    lacks={"silent": "a list has an identity", "axis_order": "it is no array"},
)
"""A list of the numbers of a contiguous array with one axis; with `attrs["python"]` Python's."""

APPEND = _change("append", run.append, "list, number ->", typed.put_in_list, resizes=True)

SET_ITEM = _change("set_item", run.set_item, "list, int, number ->", typed.put_in_list)

POP = _change(
    *("pop", run.pop, "list -> number", typed.item_of_list), first=has.A_BOOL, resizes=True
)
"""Removes the last item, or with `attrs["first"]` the first one, and returns it."""

COUNT = row(
    *("count", Kind.SCALAR, run.count, "list -> number", typed.count_of_list),
    interval=lambda attrs: LENGTH,
    silent=True,
)

ITEM = row(
    *("item", Kind.SCALAR, run.item, "list, int -> number", typed.item_of_list),
    lacks={
        "silent": "an index may be out of bounds",
        "interval": "its type tells all that is known",
    },
)

LISTED = row(
    "listed",
    Kind.CREATE,
    run.listed,
    "list -> array",
    typed.listed,
    dtype=has.A_DTYPE,
    filled=has.A_BOOL,
    silent_if=if_not_filled,
    axis_order=AxisOrder.C,
)
"""The items of a list as a new array; with `attrs["filled"]` an empty list is an error."""
