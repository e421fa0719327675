"""Indices that are arrays: what they read is a copy; masks choose where to write."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ....jit.ir import graph as ir
from ....jit.ir.ops import CAST, PUT, WHERE
from ....jit.ir.types import ScalarType, Type
from ..arrays.picking import compress, distributes, gather, scatter
from ..arrays.steps import keep_apart_in_memory
from ..arrays.stores import assign, finished
from ..breaks import INDEXING, GraphBreak
from ..frame import Frame
from ..functions.arguments import opaque
from ..limits import MAX_DEPTH
from ..live import look
from ..machine import Machine
from ..nodes import add, graph_value, opaque_call
from ..objects.grown import state_of
from ..objects.listed import listed
from ..objects.lists import items_of
from ..twins import as_numpy
from ..values import Array, Known, List, Range, Scalar, Symbolic, Tuple


def is_advanced(machine: Machine, key: Symbolic) -> bool:
    """Whether an index has an array in it, or what NumPy makes one of: a list or a range."""
    key = look(machine, key)
    if isinstance(key, Tuple):
        return any(is_advanced(machine, item) for item in key.items)
    if isinstance(key, Known):
        return type(key.object) is range
    return isinstance(key, List | Range) or (isinstance(key, Array) and key.type.ndim > 0)


def take(machine: Machine, frame: Frame, owner: Array, key: Symbolic) -> Symbolic:
    """`owner[key]`, a copy.

    Raises:
        GraphBreak: the key is one that NumPy refuses, or that is no array of bools or ints.
    """
    _check_dtypes(machine, key)
    made = compress(machine, owner, key) or gather(machine, frame, owner, key)
    if made is not None:
        return made
    made = opaque_call(machine, frame, operator.getitem, (owner, key), {})
    if isinstance(made, Array):
        machine.memory.fresh(made.value)  # a copy, whatever its strides are
    return made


def _check_dtypes(machine: Machine, key: Symbolic, depth: int = 0) -> None:
    """Arrays and lists that have grown are indices of bools or ints; no list is in itself."""
    if depth > MAX_DEPTH:
        raise GraphBreak(INDEXING, "an index of lists in too many others")
    key = look(machine, key)
    if listed(machine, key) is not None:
        return
    grown = state_of(machine, key)
    if grown is None and not isinstance(key, Array):
        items = items_of(machine, key) if isinstance(key, Tuple | List) else None
        for item in items or ():
            _check_dtypes(machine, item, depth + 1)
        return
    dtype = key.type.dtype if isinstance(key, Array) else grown.item.dtype if grown else None
    if dtype is None or dtype.kind not in "biu":
        raise GraphBreak(INDEXING, f"an index of {dtype}")


def put(machine: Machine, frame: Frame, owner: Array, key: Symbolic, value: Symbolic) -> None:
    """`owner[key] = value`.

    A number that a mask of the owner's shape distributes is a selection, which fuses; the elements
    that are not chosen are written as they are, which nobody can tell.

    Raises:
        GraphBreak: NumPy would convert what is written, and may complain when some is written.
    """
    value = look(machine, as_numpy(machine.one_of(value) or value))
    _check_dtypes(machine, key)
    if isinstance(value, Array) and _is_silent(value.type.dtype, owner.type.dtype):
        attrs = {"dtype": owner.type.dtype}
        value = add(machine, frame, CAST, (value.value,), attrs, "a write")
    if not isinstance(value, Known | Scalar | Array) or not _is_taken(
        graph_value(machine, value).type, owner.type.dtype
    ):
        raise GraphBreak(INDEXING, "a write of other numbers to where an array says")
    mask = look(machine, key)
    aliases = _reads_as_it_writes(machine, frame, owner, mask, value)
    if (
        not aliases
        and isinstance(mask, Array)
        and not isinstance(value, Array)
        and distributes(machine, mask, owner)
    ):
        written = _as_element(machine, frame, owner, value)
        masked = (graph_value(machine, mask), written, graph_value(machine, owner))
        chosen = add(machine, frame, WHERE, masked, {}, "where")
        if isinstance(chosen, Array) and chosen.type.dtype == owner.type.dtype:
            assign(machine, frame, owner, chosen)
            return
    if not aliases and scatter(machine, frame, owner, key, value):
        return
    inputs, call = opaque(machine, operator.setitem, (owner, key, value), {})
    location = frame.location()
    machine.change_memory(PUT, owner.value, inputs, {"call": call}, location)


def _reads_as_it_writes(
    machine: Machine, frame: Frame, owner: Array, mask: Symbolic, value: Known | Scalar | Array
) -> bool:
    """Whether NumPy may read what it has written by then: by a mask it copies nothing before.

    By indices it does. Where only the run tells whether memory is shared, eager goes on if it is.
    """
    if not isinstance(mask, Array) or not distributes(machine, mask, owner):
        return False
    beside = [one.value for one in (mask, value) if isinstance(one, Array)]
    root = machine.memory.root(owner.value)
    if any(machine.memory.root(one) is root for one in beside):
        return True
    keep_apart_in_memory(machine, frame, owner, beside)
    return False


def _as_element(machine: Machine, frame: Frame, owner: Array, number: Known | Scalar) -> ir.Value:
    """A number as `np.where` has to find it, so that it gives what a store writes.

    An int of Python's that the dtype has no room for is refused by a store, whether an element is
    chosen or not; `np.where` wraps it.
    """
    value = graph_value(machine, number)
    weak = isinstance(value.type, ScalarType) and value.type.python and value.type.dtype.kind == "i"
    if weak and owner.type.dtype.kind in "iu":
        return finished(machine, frame, owner, number)
    return value


_WEAK = {"?": True, "l": 1, "d": 1.0, "D": 1j}
"""Python's numbers, of which NumPy takes no notice beside an array of their kind."""


def _is_silent(given: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    """Whether numbers become others without a word: ints wrap, and floats have room for them."""
    return given != wanted and given.kind in "biu" and wanted.char in "bBhHiIlLqQfd"


def _is_taken(number: Type, dtype: np.dtype[Any]) -> bool:
    """Whether an array takes a number as it is."""
    weak = isinstance(number, ScalarType) and number.python
    one = _WEAK[number.dtype.char] if weak else number.dtype
    return bool(np.result_type(one, dtype) == dtype)
