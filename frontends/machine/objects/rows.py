"""Lists that only arrays are made of: rows of numbers, and numbers that are Python's or NumPy's.

`states.append((t, x))` and `times = [0.0]; times.append(t)` in a loop, `np.array(states)` behind
it.
The graph has one list of numbers of one dtype for all of it, and no way back to the objects: who
asks for one of them, or for the list, gets it in a new capture, in which the list does not grow.
"""

from __future__ import annotations

import numpy as np

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.ops import APPEND, LIST, OPERATOR
from ....jit.ir.types import ListType, ScalarType, is_held, scalar_type
from ..live import look
from ..machine import Machine
from ..nodes import graph_value
from ..twins import as_numpy, is_twins
from ..values import Known, Scalar, Symbolic, Tuple, Union
from .grown import Growing

MAX_ROW = 16
"""Numbers of a row; longer ones are arrays with other names."""
_DTYPES = "ld"
"""Dtypes of Python's numbers, and of NumPy's beside which they make no difference."""


@dataclass(frozen=True, slots=True)
class Row:
    """What the items of such a list are."""

    dtype: np.dtype[np.generic]
    """Of the array that NumPy makes of the list."""
    length: int
    """0: items are numbers, not rows of numbers."""

    @property
    def type(self) -> ListType:
        """The list in the graph."""
        return ListType(self.dtype, False)

    def holds(self, other: Row) -> bool:
        """Whether it still is the dtype of the array where items are like others too."""
        return self.length == other.length and np.result_type(self.dtype, other.dtype) == self.dtype


def row_of(machine: Machine, value: Symbolic) -> Row | None:
    """What kind of row a value is; None where it is none."""
    items = _items(machine, value)
    numbers = (value,) if items is None else items
    if not 1 <= len(numbers) <= MAX_ROW:
        return None
    dtypes = [_dtype(machine, one) for one in numbers]
    found = [dtype for dtype in dtypes if dtype is not None]
    if len(found) < len(dtypes):
        return None
    return Row(np.result_type(*found), 0 if items is None else len(items))


def _items(machine: Machine, value: Symbolic) -> tuple[Symbolic, ...] | None:
    """The items of a tuple; None for any other value."""
    value = machine.one_of(value) or value
    looked = value if isinstance(value, Union) else look(machine, value)
    if isinstance(looked, Known) and type(looked.object) is tuple:
        return tuple(map(Known, looked.object))
    return looked.items if isinstance(looked, Tuple) and looked.named is None else None


def _dtype(machine: Machine, value: Symbolic) -> np.dtype[np.generic] | None:
    value = machine.one_of(value) or value
    number = as_numpy(value) if is_twins(value) else None
    if number is None:
        number = None if isinstance(value, Union) else look(machine, value)
    type_ = None
    if isinstance(number, Scalar):
        type_ = number.type
    elif isinstance(number, Known) and is_held(number.object):
        type_ = scalar_type(number.object)
    known = isinstance(type_, ScalarType) and type_.dtype.char in _DTYPES
    return type_.dtype if known else None  # type: ignore[union-attr]


def numbers_of(machine: Machine, value: Symbolic, row: Row) -> list[ir.Value]:
    """The numbers of an item, each of the list's dtype."""
    items = _items(machine, value)
    return [_number(machine, one, row.dtype) for one in ((value,) if items is None else items)]


def _number(machine: Machine, value: Symbolic, dtype: np.dtype[np.generic]) -> ir.Value:
    value = machine.one_of(value) or value
    number = graph_value(machine, as_numpy(value) if is_twins(value) else look(machine, value))
    if number.type.dtype == dtype:
        return number
    return machine.builder.add(OPERATOR, (number,), {"function": np.float64})


def start_apart(machine: Machine, items: tuple[Symbolic, ...], row: Row) -> Growing | None:
    """The list of these items in the graph; None where one of them is of another kind."""
    rows = [row_of(machine, one) for one in items]
    if not all(one is not None and row.holds(one) for one in rows):
        return None
    numbers = [number for one in items for number in numbers_of(machine, one, row)]
    return Growing(machine.builder.typed(LIST, numbers, {}, row.type), row=row.length)


def append_apart(machine: Machine, state: Growing, value: Symbolic) -> bool:
    """Appends; False where the value is of another kind."""
    assert isinstance(state.type, ListType)
    assert state.row is not None
    row, found = Row(state.type.item.dtype, state.row), row_of(machine, value)
    if found is None or not row.holds(found):
        return False
    for number in numbers_of(machine, value, row):
        machine.builder.effect(APPEND, (state.value, number), {})
    return True
