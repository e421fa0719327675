"""Dicts with keys that only running tells: lists of their keys and values, and a hash table.

A dict that the segment makes becomes one where such a key first changes it, or reads it if it has
entries by then. Until then its entries are known: `DictState` in dicts.py.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Final

from ....jit.ir.types import PY_INT, ListType, ScalarType
from ..state.heap import MustCarry
from ..state.machine import Machine
from ..values.symbolic import Dict, Known, List, Scalar, Symbolic, Tuple
from . import growing
from .dicts import DictState
from .grown import Columns, DictTable, grown_of
from .list_promotion import Kind, kind_with, must_grow, start_growing
from .lists import new_list
from .records import ScalarRecord, TupleRecord

_MOST_BEGUN: Final = 256
"""Maximum number of known entries that a table begins with."""


Hashed = Callable[[tuple[Any, ...]], list[int]]
"""Returns the hash table of known keys."""
PLACES: Final = ListType(PY_INT.dtype, True)
"""Kind of a list of Python's ints."""


def are_ints(kind: Kind | None) -> bool:
    """True for ints of 64 bits, and for plain tuples of them."""
    match kind:
        case ListType():
            return kind.dtype.char == "l"
        case ScalarRecord(kinds=(ScalarType() as number,)):
            return number.char == "l"
        case TupleRecord(parts=parts, named=None):
            return all(map(are_ints, parts))
    return False


def shape_of_keys(kind: Kind | None) -> Any:
    """Return how ints are nested in tuples; ints may be Python's or NumPy's."""
    parts = getattr(kind, "parts", None)
    return are_ints(kind) if parts is None else tuple(map(shape_of_keys, parts))


def kind_in(machine: Machine, owner: List) -> Kind | None:
    """Return the kind of the items of a list that has grown; None for other lists."""
    state = grown_of(machine, owner)
    return state.item if isinstance(state, Columns) else getattr(state, "type", None)


def kind_of_key(machine: Machine, key: Symbolic) -> Kind | None:
    """Return the kind of a key that a table may have; None for other keys."""
    if not isinstance(key, Scalar | Tuple | Known):
        return None
    kind = kind_with(machine, key)
    return kind if are_ints(kind) else None


def promote(
    machine: Machine, owner: Dict, key: Kind, hashed: Hashed, value: Symbolic | None = None
) -> None:
    """Make a table of a dict that the segment has made; nothing is done if there can be none.

    `hashed` returns the hash table of the keys that the dict has, and `value` is what it is to hold
    under the key, if it is to be changed.

    Raises:
        MustCarry: it is from outside of the region.
    """
    state = machine.heap.state(owner)
    if owner.source is not None or owner in machine.not_growing:
        return
    if not isinstance(state, DictState) or not 0 <= len(state.entries) <= _MOST_BEGUN:
        return
    example = value if value is not None else next(iter(state.entries.values()), None)
    kind = None if example is None else kind_with(machine, example)
    if kind is None:
        return
    if not all(map(_is_int, state.entries)):
        return
    slots = hashed(tuple(state.entries))
    begin = partial(_begin, machine, owner, slots, key, kind)
    if not machine.heap.may_change(owner):
        raise MustCarry(begin, "it changes a dict")
    begin()


def _begin(machine: Machine, owner: Dict, hashed: list[int], key: Kind, value: Kind) -> bool:
    if not machine.heap.may_change(owner):
        return False
    state = machine.heap.state(owner)
    changes = any(field.owner is owner for field in machine.heap.fields)
    made = None if changes else _made(machine, state.entries, hashed, key, value)
    if made is None:
        machine.not_growing.add(owner)
    else:
        machine.heap.change(owner, made)
    return True


def _made(
    machine: Machine, entries: dict[Any, Symbolic], hashed: list[int], key: Kind, value: Kind
) -> DictTable | None:
    """Return the table of these entries; None if the graph cannot hold them."""
    keys = new_list(machine, tuple(map(Known, entries)))
    values = new_list(machine, tuple(entries.values()))
    slots = new_list(machine, tuple(map(Known, hashed)))
    for one, kind in ((keys, key), (values, value), (slots, PLACES)):
        if machine.identities.key_of(one) in machine.plain_lists:
            return None
        start_growing(machine, one, kind)
        if grown_of(machine, one) is None:
            return None
    return DictTable(keys, values, slots) if kind_in(machine, keys) == key else None


def _is_int(key: object) -> bool:
    if type(key) is tuple:
        return all(map(_is_int, key))
    return type(key) is int and -(2**63) <= key < 2**63


def begin_table(machine: Machine, table: DictTable, key: Kind, value: Kind) -> None:
    """Make the lists of an empty table lists of the graph.

    Raises:
        MustCarry: it is from outside of the region.
    """

    def begin() -> bool:
        if machine.heap.may_change(table.keys):
            begin_list(machine, table.keys, key)
            begin_list(machine, table.values, value)
            begin_list(machine, table.slots, PLACES)
            return True
        return False

    known = grown_of(machine, table.slots) is not None or table.slots in machine.not_growing
    if not known and not begin():
        raise MustCarry(begin, "it changes a dict")


def begin_list(machine: Machine, owner: List, kind: Kind) -> None:
    """Make a list one of the graph.

    Raises:
        MustCarry: it is from outside of the region.
    """
    if grown_of(machine, owner) is not None or owner in machine.not_growing:
        return
    if machine.identities.key_of(owner) in machine.plain_lists:
        return
    if not machine.heap.may_change(owner):
        raise must_grow(machine, owner, kind)
    start_growing(machine, owner, kind)


def additions(machine: Machine, table: DictTable) -> Hashable:
    """Return what differs once a key has been added: iterators made before end with an error."""
    grown = grown_of(machine, table.keys)
    keys = set() if grown is None else set(grown.lists)
    block = machine.builder.block
    added = sum(one.op.resizes and one.inputs[0] in keys for one in block.every_node())
    return block, added


def entry_at(machine: Machine, table: DictTable, part: str, position: Symbolic) -> Symbolic:
    """Return the key, the value or both at a position, as a loop over that part finds them."""
    if part == "items":
        both = (entry_at(machine, table, one, position) for one in ("keys", "values"))
        return Tuple(tuple(both))
    found = growing.item_at(machine, table.values if part == "values" else table.keys, position)
    assert found is not None
    return found
