"""What the machine knows of a list that a region changes, see growing.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.ops import LISTED
from ....jit.ir.types import ArrayType, Layout, ListType, ObjectsType, Type
from ..values import Array, List, Symbolic
from .records import Item

if TYPE_CHECKING:
    from ..machine import Machine


@dataclass(frozen=True, slots=True)
class Growing:
    """The state of such a list."""

    value: ir.Value
    held: bool = False
    """Whether it is an item of another list: that one is handed over, and it is not made anew."""
    begun: tuple[Symbolic, ...] | None = None
    """The items that it was made of, where it may be made anew while nothing has changed it."""
    places: ir.Value | None = None
    """The list of the places of its items' objects, where they are told apart: see boxes.py."""

    @property
    def lists(self) -> tuple[ir.Value, ...]:
        """The list of the graph, as one of columns."""
        return (self.value,)

    @property
    def type(self) -> ListType | ObjectsType:
        """The type of the list."""
        assert isinstance(self.value.type, ListType | ObjectsType)
        return self.value.type

    @property
    def item(self) -> Type:
        """The type of its items."""
        return self.type.item


@dataclass(frozen=True, slots=True)
class Columns:
    """The state of a list whose items have a list for each of their parts."""

    item: Item
    lists: tuple[ir.Value, ...]
    sure: bool
    """Whether one of the first items, which stay, is of the dtype that all have in common."""
    begun: tuple[Symbolic, ...]
    """The items that the lists were made of: they may be made anew while nothing changes them."""
    places: ir.Value | None = None
    """As of Growing."""


def grown_of(machine: Machine, owner: Symbolic) -> Growing | Columns | None:
    """The state of a list that grows; None for every other value."""
    state = machine.heap.state(owner) if isinstance(owner, List) else None
    return state if isinstance(state, Growing | Columns) else None


def state_of(machine: Machine, owner: Symbolic) -> Growing | None:
    """The same of one that is no more than a list of the graph."""
    state = grown_of(machine, owner)
    return state if isinstance(state, Growing) else None


def as_array(machine: Machine, state: Growing, *, filled: bool = False) -> Array:
    """The numbers as they are here; with `filled` eager goes on where there is none."""
    return array_of(machine, state.value, filled=filled)


def array_of(machine: Machine, value: ir.Value, *, filled: bool = False) -> Array:
    """The same of the list of the graph."""
    assert isinstance(value.type, ListType), "a list of arrays is an argument as it is"
    dtype = value.type.dtype
    type_ = ArrayType(dtype, (machine.builder.fresh_sym(),), Layout.contiguous(1))
    made = machine.builder.typed(LISTED, (value,), {"dtype": dtype, "filled": filled}, type_)
    machine.memory.fresh(made)
    return Array(made)


def as_numpy_makes_it(machine: Machine, state: Growing) -> Array:
    """The array that NumPy makes of such a list; of no item at all it makes one of doubles."""
    return as_array(machine, state, filled=state.item.dtype != np.float64)
