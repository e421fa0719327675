"""What the machine knows of a list that a region changes, see growing.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.ops import LISTED
from ....jit.ir.types import ArrayType, Layout, ListType, ObjectsType, ScalarType, Type
from ..values import Array, List, Symbolic
from .same_objects import SameObject

if TYPE_CHECKING:
    from ..machine import Machine


@dataclass(frozen=True, slots=True)
class Growing:
    """The state of such a list."""

    value: ir.Value
    held: bool = False
    """Whether it is an item of another list: that one is handed over, and it is not made anew."""
    row: int | None = None
    """How many numbers of the graph's list an item is, see rows.py; 0: a number of either kind."""

    @property
    def type(self) -> ListType | ObjectsType:
        """The type of the list."""
        assert isinstance(self.value.type, ListType | ObjectsType)
        return self.value.type

    @property
    def item(self) -> Type:
        """The type of its items."""
        return self.type.item


def state_of(machine: Machine, owner: Symbolic, *, apart: bool = False) -> Growing | None:
    """The state of a list that grows; None for every other value.

    `apart`: who asks for it can do without the objects in the list.

    Raises:
        SameObject: others cannot.
    """
    state = machine.heap.state(owner) if isinstance(owner, List) else None
    if not isinstance(state, Growing):
        return None
    if state.row is not None and not apart:
        assert isinstance(owner, List)
        raise SameObject({machine.same_objects.told(owner)})
    return state


def as_array(machine: Machine, state: Growing, *, filled: bool = False) -> Array:
    """The numbers as they are here; with `filled` eager goes on where there is none."""
    assert isinstance(state.item, ScalarType), "a list of arrays is an argument as it is"
    dtype = state.item.dtype
    inner = (state.row,) if state.row else ()
    dims = (machine.builder.fresh_sym(), *inner)
    type_ = ArrayType(dtype, dims, Layout.contiguous(len(dims)))
    attrs = {"dtype": dtype, "filled": filled, "inner": inner}
    made = machine.builder.typed(LISTED, (state.value,), attrs, type_)
    machine.memory.fresh(made)
    return Array(made)


def as_numpy_makes_it(machine: Machine, state: Growing) -> Array:
    """The array that NumPy makes of such a list; of no item at all it makes one of doubles."""
    return as_array(machine, state, filled=state.item.dtype != np.float64 or bool(state.row))
