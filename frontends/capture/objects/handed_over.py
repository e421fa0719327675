"""Conversion of column lists: to arrays for calls, and to Python lists at exits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from ....jit.ir import graph as ir
from ....jit.ir.types import ObjectsType
from ...runtime import exit_calls
from ..values.symbolic import Array
from .grown import Columns, array_of
from .lists_of_objects import copied
from .records import ArrayRecord, Constant, Item, ScalarRecord, TupleRecord, dtypes, is_mixed

if TYPE_CHECKING:
    from ..state.machine import Machine


def row_length(state: Columns) -> int | None:
    """Return the numbers per item, 0 for plain numbers.

    None if NumPy makes no array of the list.
    """
    parts = state.item.parts if isinstance(state.item, TupleRecord) else (state.item,)
    plain = all(isinstance(part, ScalarRecord) and part.dtype is not None for part in parts)
    if not plain or (is_mixed(state.item) and not state.sure):
        return None
    return len(parts) if isinstance(state.item, TupleRecord) else 0


def dtype_of_array(state: Columns) -> np.dtype[Any]:
    """Return the dtype of the array that NumPy makes of it."""
    return np.result_type(*(dtype for dtype in dtypes(state.item) if dtype is not None))


def arrays(machine: Machine, state: Columns) -> list[Array]:
    """Return the columns as arrays of numbers, at least one."""
    found: list[Array] = []
    lists = iter(state.lists)
    for part in state.item.parts if isinstance(state.item, TupleRecord) else (state.item,):
        assert isinstance(part, ScalarRecord)
        of_part = {type_.char: next(lists) for type_ in part.lists_of_numbers()}
        if part.records_kinds:
            next(lists)
        assert part.dtype is not None
        found.append(array_of(machine, of_part[part.dtype.char], filled=not found))
    return found


def recipe(machine: Machine, state: Columns) -> ir.Recipe:
    """Return the recipe of the list in its present state."""
    return _recipe(machine, state.item, iter(state.lists))


def _recipe(machine: Machine, item: Item, lists: Iterator[ir.Value]) -> ir.Recipe:
    match item:
        case ArrayRecord():
            made = next(lists)
            assert isinstance(made.type, ObjectsType)
            return ir.Leaf(copied(machine, made, made.type))
        case TupleRecord(parts=parts, named=named):
            columns = [_recipe(machine, part, lists) for part in parts]
            return ir.Call(exit_calls.tuples, (ir.Constant(named), *columns))
    numbers = {
        type_.char: ir.Leaf(array_of(machine, next(lists)).value)
        for type_ in item.lists_of_numbers()
    }
    kinds: list[ir.Recipe] = []
    for kind in item.kinds:
        if isinstance(kind, Constant):
            kinds.append(ir.Call(repeat, (ir.Constant(kind.object),)))
        else:
            kinds.append(ir.Call(np.ndarray.tolist if kind.python else list, (numbers[kind.char],)))
    if not item.records_kinds:
        return kinds[0]
    tags = ir.Leaf(array_of(machine, next(lists)).value)
    return ir.Call(exit_calls.of_kinds, (tags, *kinds))
