"""Temporary elision: `x * (y + 1)` computes into the memory of `y + 1` if it is large.

An operand to which nothing else refers becomes the result, which then has its memory order. If it
is the right operand, the operands are swapped, which changes the last bits of complex products.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from math import prod
from typing import Any

import numpy as np

from ....guards.sources import Live
from ....jit.ir.primitives import primitive
from ....jit.ir.references import ELIDED_FROM
from ....jit.ir.schema import Applies
from ....jit.ir.types import ArrayType, is_graph_number
from ..objects.dicts import DictState
from ..objects.grown import DictTable
from ..objects.lists import ListState
from ..state.frame import Frame
from ..state.graph_values import sample_value
from ..state.live import realise
from ..state.machine import Machine
from ..values.breaks import INSTRUCTION, GraphBreak
from ..values.components import graph_values
from ..values.symbolic import Array, Known, Lazy, Object, Scalar, Symbolic, Tuple, Union

_Held = list[Symbolic | None]


class Hold(enum.Enum):
    """Answer to the question if NumPy may compute into an array."""

    HELD = enum.auto()
    """No: it has other references, or is a view."""
    FREE = enum.auto()
    UNKNOWN = enum.auto()
    """It came from outside, and this is its last reference in the segment."""


def as_eager_computes(
    machine: Machine,
    frame: Frame,
    function: Callable[..., Any],
    operands: tuple[Symbolic, Symbolic],
    result: Symbolic,
) -> None:
    """Let an operator just captured compute into a temporary where eager does so.

    If the result's memory order depends on its size, the segment relies on its being small.

    Raises:
        GraphBreak: it is large.
    """
    nodes = machine.builder.block.nodes
    row = primitive(function)
    if not row.elides or not isinstance(result, Array) or not nodes or not elides():
        return
    if nodes[-1].op.applies is not Applies.ITEMS or result.value not in nodes[-1].outputs:
        return
    left, right = (realise(machine, operand) for operand in operands)
    if not (_is_number_or_array(left) and _is_number_or_array(right)):
        return  # no elision with a list operand
    into_left, into_right = _may_hold(machine, left, right, result), None
    if row.commutes:
        into_right = _may_hold(machine, right, left, result)
    left_tells = into_left is not None and into_left.type.layout != result.type.layout
    swaps = function is operator.mul and result.type.dtype.kind == "c"
    turned = into_right is not None and into_right.type.layout != result.type.layout
    if not (left_tells or (into_right is not None and (swaps or turned))):
        return
    left_hold = _hold(machine, frame, into_left)
    if left_tells and left_hold is not Hold.HELD:
        _keep_small(machine, function, result)
        return
    right_hold = _hold(machine, frame, into_right)
    if left_hold is Hold.FREE or right_hold is Hold.HELD or not (swaps or turned):
        return
    if turned or Hold.UNKNOWN in (left_hold, right_hold):
        _keep_small(machine, function, result)
    else:
        _note(machine, "swaps")


@cache
def elides() -> bool:
    """True if NumPy elides temporaries in this process.

    It searches the C stack for the interpreter, and does not find it in some builds of Python.
    """
    rows, lines = np.zeros((512, 64)), np.zeros((64, 512)).T
    assert rows.nbytes == ELIDED_FROM
    return (rows + (lines + 1.0)).flags.f_contiguous


def _is_number_or_array(value: Symbolic) -> bool:
    """True for a number or an array, but not for a list that NumPy would convert."""
    return isinstance(value, Array | Scalar) or (
        isinstance(value, Known) and is_graph_number(value.object)
    )


def _note(machine: Machine, what: str) -> None:
    nodes = machine.builder.block.nodes
    nodes[-1] = replace(nodes[-1], attrs={**nodes[-1].attrs, what: True})


def _keep_small(machine: Machine, function: Callable[..., Any], result: Array) -> None:
    """Make the kernel bail if the result is large enough for elision."""
    builder, type_ = machine.builder, result.type
    lengths = [builder.length_at_capture(builder.resolve(dim)) for dim in type_.dims]
    if prod(length or 0 for length in lengths) * type_.dtype.itemsize >= ELIDED_FROM:
        detail = f"`{function.__name__}` of large arrays, which NumPy may compute into one of them"
        raise GraphBreak(INSTRUCTION, detail)
    _note(machine, "small")


def _may_hold(machine: Machine, own: Symbolic, other: Symbolic, result: Array) -> Array | None:
    """Return the operand if its memory may be large enough and it has the result's type."""
    if not isinstance(own, Array):
        return None
    resolve, type_ = machine.builder.resolve, own.type
    dims = [resolve(dim) for dim in type_.dims]
    if not type_.layout.packed or any(sign < 0 for sign in type_.layout.signs):
        return None  # a view
    if type_.dtype != result.type.dtype or dims != [resolve(dim) for dim in result.type.dims]:
        return None
    known = [dim for dim in dims if isinstance(dim, int)]
    if len(known) == len(dims) and prod(known) * type_.dtype.itemsize < ELIDED_FROM:
        return None
    given = sample_value(machine, other).type
    fits = np.can_cast(given.dtype, type_.dtype)
    if isinstance(given, ArrayType) and given.ndim:
        fits = fits and [resolve(dim) for dim in given.dims] == dims
    return own if fits else None


def _hold(machine: Machine, frame: Frame, array: Array | None) -> Hold:
    if array is None or machine.memory.root(array.value) is not array.value:
        return Hold.HELD
    if array.source is not None and not isinstance(array.source, Live):
        return Hold.HELD
    reached, others = _holders(machine, frame)
    if _is_in(array, reached):
        return Hold.HELD
    if machine.depth and _is_in(array, others):
        return Hold.UNKNOWN  # a caller may hold the object
    return Hold.FREE if machine.memory.is_fresh(array.value) else Hold.UNKNOWN


def _is_in(array: Array, holders: Iterable[Symbolic | None]) -> bool:
    for holder in holders:
        if isinstance(holder, Lazy) and holder.source == array.source:
            return True
        if any(value is array.value for value in graph_values(holder)):
            return True
    return False


def _holders(machine: Machine, frame: Frame) -> tuple[_Held, _Held]:
    """Return (values reachable from variables and the stack, contents of unreachable objects)."""
    states = {of: _items(state) for of, state in machine.heap.states()}
    reached = [*frame.locals, *frame.cells.values(), *frame.stack]
    for of in list(states):
        if getattr(of, "source", None) is not None:
            reached += states.pop(of)
    k = 0
    while k < len(reached):
        for part in _objects_in(reached[k]):
            reached += states.pop(part, [])
        k += 1
    return reached, [item for items in states.values() for item in items]


def _objects_in(value: Symbolic | None) -> Iterator[Any]:
    if isinstance(value, Tuple):
        for item in value.items:
            yield from _objects_in(item)
    elif isinstance(value, Union):
        for _, alternative in value.alternatives:
            yield from _objects_in(alternative)
    elif isinstance(value, Object):
        yield value


def _items(state: Any) -> _Held:
    """Return the contents of an object in this state."""
    match state:
        case ListState(items=items, tail=tail):
            return [*(items or ()), *tail]
        case DictState(entries=entries):
            return list(entries.values())
        case DictTable(keys=keys, values=values):
            return [keys, values]
        case dict():
            return list(state.values())
    return [state]
