"""Advanced indexing: reads are copies, masks select where to write."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ....jit.ir import graph as ir
from ....jit.ir.ops import CAST, PUT, WHERE
from ....jit.ir.types import ScalarType, Type
from ...numpy.picking import compress, distributes, gather, scatter
from ..arrays.arguments import opaque
from ..arrays.nodes import add, opaque_call
from ..arrays.steps import require_disjoint
from ..arrays.stores import assign, cast_for_store
from ..objects.grown import state_of
from ..objects.listed import listed
from ..objects.lists import items_of
from ..state.frame import Frame
from ..state.graph_values import graph_value
from ..state.live import realise
from ..state.machine import Machine
from ..values.breaks import INDEXING, GraphBreak
from ..values.either_number import as_numpy
from ..values.limits import MAX_NESTING
from ..values.ranges import Range
from ..values.symbolic import Array, Known, List, Scalar, Symbolic, Tuple
from ..values.wording import in_words


def is_advanced(machine: Machine, key: Symbolic) -> bool:
    """True if an index contains an array, or a list or range that NumPy converts to one."""
    key = realise(machine, key)
    if isinstance(key, Tuple):
        return any(is_advanced(machine, item) for item in key.items)
    if isinstance(key, Known):
        return type(key.object) is range
    return isinstance(key, List | Range) or (isinstance(key, Array) and key.type.ndim > 0)


def take(machine: Machine, frame: Frame, owner: Array, key: Symbolic) -> Symbolic:
    """Return `owner[key]`, a copy.

    Raises:
        GraphBreak: NumPy rejects the key, or it is no array of bools or ints.
    """
    _check_dtypes(machine, key)
    made = compress(machine, owner, key) or gather(machine, frame, owner, key)
    if made is not None:
        return made
    made = opaque_call(machine, frame, operator.getitem, (owner, key), {})
    if isinstance(made, Array):
        machine.memory.fresh(made.value)  # a copy, whatever its strides
    return made


def _check_dtypes(machine: Machine, key: Symbolic, depth: int = 0) -> None:
    """Check that arrays and grown lists in an index hold bools or ints and no list holds itself."""
    if depth > MAX_NESTING:
        raise GraphBreak(INDEXING, "an index of lists in too many others")
    key = realise(machine, key)
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
    """Capture `owner[key] = value`.

    A scalar assigned by a mask of the owner's shape is a selection, which fuses; unselected
    elements are rewritten with their own value, which is not observable.

    Raises:
        GraphBreak: NumPy would convert the values, and may raise after writing some.
    """
    value = realise(machine, as_numpy(machine.one_of(value) or value))
    _check_dtypes(machine, key)
    if not isinstance(value, Known | Scalar | Array):
        raise GraphBreak(INDEXING, f"a write of {in_words(value)} to where an array says")
    if _is_cast_to_ints(value, owner):
        _call_setitem(machine, frame, owner, key, value, may_stop_midway=True)
        return
    value = _cast(machine, frame, owner, value)
    mask = realise(machine, key)
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
    _call_setitem(machine, frame, owner, key, value)


def _call_setitem(
    machine: Machine,
    frame: Frame,
    owner: Array,
    key: Symbolic,
    value: Symbolic,
    *,
    may_stop_midway: bool = False,
) -> None:
    inputs, call = opaque(machine, operator.setitem, (owner, key, value), {})
    attrs, where = {"call": call}, frame.location()
    machine.change_memory(PUT, owner.value, inputs, attrs, where, may_stop_midway=may_stop_midway)


def _is_cast_to_ints(value: Known | Scalar | Array, owner: Array) -> bool:
    """Return True if NumPy must do the cast: it decides what numbers beyond the int range become.

    It warns when all is written. Numbers alone are converted as single elements are.
    """
    if not isinstance(value, Array):
        return False
    return value.type.dtype.kind == "f" and owner.type.dtype.kind in "iu"


def _cast(
    machine: Machine, frame: Frame, owner: Array, value: Known | Scalar | Array
) -> Known | Scalar | Array:
    """A value in the dtype that it is written in.

    Raises:
        GraphBreak: NumPy converts it in a way that graphs do not know, or refuses to.
    """
    given, wanted = graph_value(machine, value).type, owner.type.dtype
    if _is_taken(given, wanted):
        return value
    if given.dtype.kind not in "biuf" or wanted.kind not in "biuf":
        raise GraphBreak(INDEXING, f"a write of {given.dtype} to where an array says")
    if isinstance(value, Array):
        made = add(machine, frame, CAST, (value.value,), {"dtype": wanted}, "a write")
        assert isinstance(made, Array)
        return made
    return Scalar(cast_for_store(machine, frame, owner, value))


def _reads_as_it_writes(
    machine: Machine, frame: Frame, owner: Array, mask: Symbolic, value: Known | Scalar | Array
) -> bool:
    """True if NumPy may read what it has just written: with a mask it makes no copy first.

    With indices it does. If sharing of memory is known only at run time, the kernel bails if so.
    """
    if not isinstance(mask, Array) or not distributes(machine, mask, owner):
        return False
    beside = [one.value for one in (mask, value) if isinstance(one, Array)]
    root = machine.memory.root(owner.value)
    if any(machine.memory.root(one) is root for one in beside):
        return True
    require_disjoint(machine, frame, owner, beside)
    return False


def _as_element(machine: Machine, frame: Frame, owner: Array, number: Known | Scalar) -> ir.Value:
    """Return a number converted so that `np.where` gives what a store writes.

    A store rejects a Python int that does not fit the dtype, even if no element is selected;
    `np.where` wraps it.
    """
    value = graph_value(machine, number)
    weak = isinstance(value.type, ScalarType) and value.type.python and value.type.dtype.kind == "i"
    if weak and owner.type.dtype.kind in "iu":
        return cast_for_store(machine, frame, owner, number)
    return value


_WEAK = {"?": True, "l": 1, "d": 1.0, "D": 1j}
"""Python numbers of each kind, which do not promote an array of that kind."""


def _is_taken(number: Type, dtype: np.dtype[Any]) -> bool:
    """True if an array takes a number without changing its own dtype."""
    weak = isinstance(number, ScalarType) and number.python
    one = _WEAK[number.dtype.char] if weak else number.dtype
    return bool(np.result_type(one, dtype) == dtype)
