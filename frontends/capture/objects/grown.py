"""States of lists that regions change, see growing.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.ops import LISTED
from ....jit.ir.types import ArrayType, Layout, ListType, ObjectsType, Type
from ..values.dict_views import View
from ..values.models import MODELS
from ..values.symbolic import Array, Dict, Instance, List, Symbolic
from .records import Item

if TYPE_CHECKING:
    from ..state.machine import Machine


@dataclass(frozen=True, slots=True)
class Growing:
    """State of a list that is a list of the graph."""

    value: ir.Value
    nested: bool = False
    """True if it is an item of another list: it is handed over with that, not remade."""
    begun: tuple[Symbolic, ...] | None = None
    """Its initial items, if it may be remade because nothing has changed it."""
    places: ir.Value | None = None
    """List with the places of its items' objects, if identity matters: see number_identity.py."""
    origins: ir.Value | None = None
    """List with the place that each item has in a container from outside, -1 for those that the
    segment has put there; None if the items are not those of one. See contents.py."""

    @property
    def lists(self) -> tuple[ir.Value, ...]:
        """Return the list of the graph, like `Columns.lists`."""
        return (self.value,)

    @property
    def type(self) -> ListType | ObjectsType:
        """Return the type of the list."""
        assert isinstance(self.value.type, ListType | ObjectsType)
        return self.value.type

    @property
    def item(self) -> Type:
        """Return the type of its items."""
        return self.type.item


@dataclass(frozen=True, slots=True)
class Columns:
    """State of a list that has a list of the graph for each component of its items."""

    item: Item
    lists: tuple[ir.Value, ...]
    sure: bool
    """True if one of the first items, which stay, has the common dtype."""
    begun: tuple[Symbolic, ...] | None
    """As for Growing."""
    places: ir.Value | None = None
    """As for Growing."""


@dataclass(frozen=True, slots=True)
class DictTable:
    """State of a dict whose keys only running tells, see dict_tables.py."""

    keys: List
    values: List
    slots: List


def table_of(machine: Machine, value: Symbolic) -> DictTable | None:
    """Return the table of a dict, or of the dict that a view shows; None for other values."""
    owner = value.owner if isinstance(value, View) else value
    if isinstance(owner, Instance) and owner.class_ in MODELS and MODELS[owner.class_].maps:
        parts = machine.heap.state(owner)
        return DictTable(parts["keys"], parts["values"], parts["slots"])
    state = machine.heap.state(owner) if isinstance(owner, Dict) else None
    return state if isinstance(state, DictTable) else None


def sized_list(machine: Machine, value: Symbolic) -> List | None:
    """Return the list that is as long as an object; None for one whose items are known."""
    table = table_of(machine, value)
    return items_of_model(machine, value) if table is None else table.keys


def items_of_model(machine: Machine, value: Symbolic) -> List | None:
    """Return the list of the items of an object that a model stands for; None for other values."""
    if not isinstance(value, Instance) or value.class_ not in MODELS:
        return None
    first = next(iter(machine.heap.state(value).values()))
    assert isinstance(first, List), "models name it first"
    return first


def sequence_of_model(machine: Machine, value: Symbolic) -> List | None:
    """Return the list of the items of a model's object that loops go through in its order."""
    ordered = (
        isinstance(value, Instance) and value.class_ in MODELS and MODELS[value.class_].ordered
    )
    return items_of_model(machine, value) if ordered else None


def grown_of(machine: Machine, owner: Symbolic) -> Growing | Columns | None:
    """Return the state of a growing list; None for other values."""
    state = machine.heap.state(owner) if isinstance(owner, List) else None
    return state if isinstance(state, Growing | Columns) else None


def state_of(machine: Machine, owner: Symbolic) -> Growing | None:
    """Return the state of a list that is a list of the graph; None for other values."""
    state = grown_of(machine, owner)
    return state if isinstance(state, Growing) else None


def as_array(machine: Machine, state: Growing, *, filled: bool = False) -> Array:
    """Return its numbers as an array; with `filled` the kernel bails if it is empty."""
    return array_of(machine, state.value, filled=filled)


def array_of(machine: Machine, value: ir.Value, *, filled: bool = False) -> Array:
    """Return the numbers of a list of the graph as an array."""
    assert isinstance(value.type, ListType), "a list of arrays is an argument as it is"
    dtype = value.type.dtype
    type_ = ArrayType(dtype, (machine.builder.fresh_sym(),), Layout.contiguous(1))
    made = machine.builder.typed(LISTED, (value,), {"dtype": dtype, "filled": filled}, type_)
    machine.memory.fresh(made)
    return Array(made)


def as_numpy_makes_it(machine: Machine, state: Growing) -> Array:
    """Return the array that NumPy makes of the list; for an empty one that is float64."""
    return as_array(machine, state, filled=state.item.dtype != np.float64)
