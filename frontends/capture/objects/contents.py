"""Sets, dicts, deques and long lists from outside whose keys or items only running tells.

A launch hands their contents over as arrays (`Listed` in guards/conversions.py). Before the first
loop that uses such a container the graph copies these arrays to lists, and a table or a model with
these lists stands for the container from there on. Each exit does to the container what was done to
them; lists are only read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from functools import partial
from typing import Any, Final

import numpy as np

from ....guards.arrays import IsArray
from ....guards.conversions import Listed
from ....guards.kinds import IsType
from ....guards.sources import Length
from ....jit.frozen import dataclass
from ....jit.ir.graph import Value
from ....jit.ir.ops import COUNT, LIST_OF
from ....jit.ir.types import PY_FLOAT, PY_INT, ArrayType, Layout, ListType, ScalarType
from ..state.heap import MustCarry
from ..state.insertions import has_identity
from ..state.live import realise
from ..state.machine import Machine
from ..values.limits import MAX_UNROLLED
from ..values.models import MODELS
from ..values.symbolic import Dict, Instance, Known, Lazy, List, Object, Symbolic, Tuple
from .dict_tables import kind_in
from .dicts import DictState
from .fields import meet_again
from .grown import Columns, DictTable, Growing, grown_of, items_of_model, table_of
from .list_promotion import Kind, kind_with, start_growing
from .lists import ListState, new_list
from .records import ScalarRecord, TupleRecord

_MOST_COLUMNS: Final = 8
"""Maximum number of ints in a tuple."""
_MOST_ITEMS: Final = 1 << 16
"""Maximum number of items at capture: a launch copies them all."""
_NUMBERS: Final[dict[type | None, ScalarType]] = {
    int: PY_INT,
    float: PY_FLOAT,
    np.int64: ScalarType(np.dtype(np.int64), python=False),
    np.float64: ScalarType(np.dtype(np.float64), python=False),
}
"""Types of numbers by their class."""
MODELLED: Final = (set, deque)
"""Classes of objects from outside for which models stand."""
_LINE: Final = Layout.contiguous(1)


@dataclass(frozen=True, slots=True)
class Items:
    """A description of keys, values or items: Python's or NumPy's numbers, or tuples of ints."""

    item: ScalarType = PY_INT
    width: int = 0
    """Number of ints in each, if they are tuples; 0 for numbers."""


Container = Dict | Instance | List
Held = tuple[Items, Items]
"""Descriptions of the keys, or items, of a container and of its values."""


def of_kind(kind: Kind | None) -> Items | None:
    """Return the description of items of a kind; None for kinds that are not handed over."""
    match kind:
        case ListType() if kind.item in _NUMBERS.values():
            return Items(kind.item)
        case TupleRecord(parts=parts, named=None) if 0 < len(parts) <= _MOST_COLUMNS:
            if all(part == ScalarRecord((PY_INT,)) for part in parts):
                return Items(width=len(parts))
    return None


def _of_objects(objects: list[Any]) -> Items | None:
    """Return the description of objects; None if they are of several kinds, or of others."""
    kinds = set(map(type, objects))
    (kind,) = kinds if len(kinds) == 1 else (None,)
    if kind in _NUMBERS:
        return Items(_NUMBERS[kind]) if kind is not int or all(map(_is_int, objects)) else None
    width = len(objects[0]) if kind is tuple else 0
    rows = (len(one) == width and all(map(_is_int, one)) for one in objects)
    return Items(width=width) if 0 < width <= _MOST_COLUMNS and all(rows) else None


def _is_int(one: object) -> bool:
    return type(one) is int and -(2**63) <= one < 2**63


def _held_in(
    owner: Container, key: Items | None, value: Items | None, changes: bool
) -> Held | None:
    """Return what a container from outside holds; if nothing, what it is used with, or ints.

    None if it cannot be handed over.
    """
    object_: Any = owner.object
    key = _fitting(list(object_), key)
    if not isinstance(owner, Dict) or (not object_ and value is None):
        value = Items()
    else:  # what a look-up gives for a missing key may be of another kind
        value = _fitting([*object_.values()], value if changes or not object_ else None)
    if key is None or value is None or value.width or len(object_) > _MOST_ITEMS:
        return None
    if type(object_) not in (deque, list) and key.item.char != "l":
        return None  # its hash is not in the graph
    return None if type(object_) is deque and key.width else (key, value)


def _fitting(objects: list[Any], used: Items | None) -> Items | None:
    """Return what these objects are; None if they are used in another way, or of several kinds."""
    held = _of_objects(objects) if objects else used
    if held is None or used is None:
        return held
    return held if held.item.char == used.item.char and held.width == used.width else None


def stand_in(
    machine: Machine,
    owner: Container,
    key: Items | None,
    value: Items | None,
    *,
    changes: bool,
    anywhere: bool = False,
) -> None:
    """Let a table or a model stand for a container from outside; nothing is done if none can.

    A single look-up does not pay for that: it is done for loops only, or `anywhere`.

    Raises:
        MustCarry: it has to be made before the region, or has to be made to be changed.
    """
    heap = machine.heap
    outside = owner if owner.source is not None else heap.outside_of(owner)
    if not isinstance(outside, Container) or not (machine.loop_depth or anywhere):
        return
    if outside in machine.not_growing:
        return
    if owner is not outside and (not changes or outside in machine.touched):
        return
    if owner is outside or _was_guessed(machine, owner, outside, value):
        held = _held_in(outside, key, value, changes)
        if held is None:
            return
    else:
        held = None
    if _key_of(outside) in machine.plain_lists | machine.identities.boxed:
        return
    begin = partial(_begin, machine, outside, held, changes)
    raise MustCarry(begin, "it uses a container", reads=not changes, whole=True)


def _was_guessed(
    machine: Machine, made: Container, outside: Container, value: Items | None
) -> bool:
    """True if an empty dict, which was only looked into so far, gets values of another kind."""
    table = table_of(machine, made)
    if table is None or value is None or outside.object:
        return False
    return kind_in(machine, table.values) != ListType(value.item.dtype, value.item.python)


def use(
    machine: Machine, value: Symbolic, *, changes: bool = False, anywhere: bool = False
) -> Symbolic:
    """Return what stands for a deque or a set from outside; other values as they are.

    Raises:
        MustCarry: as `stand_in` does.
    """
    if isinstance(value, Lazy) and type(value.object) in MODELLED:
        value = realise(machine, value)
    if isinstance(value, Instance) and (value.class_ in MODELLED or value in _made_for(machine)):
        anywhere = anywhere and value.class_ is deque  # the items of a set are not gone through
        stand_in(machine, value, None, None, changes=changes, anywhere=anywhere)
    return value


def items_to_read(machine: Machine, value: Symbolic, *, anywhere: bool = False) -> Symbolic:
    """Return what stands for a long list from outside whose items are read; other values as given.

    Short lists are taken apart, so that each item may be of another kind.

    Raises:
        MustCarry: as `stand_in` does.
    """
    realised = realise(machine, value)
    if isinstance(realised, Tuple):
        return (_in_a_list(machine, realised) if anywhere else None) or value
    if not isinstance(realised, List) or realised.source is None or not realised.object:
        return value
    is_long = len(realised.object) > MAX_UNROLLED or str(realised.source) in machine.varying
    if is_long and _is_as_given(machine, realised):
        stand_in(machine, realised, None, None, changes=False, anywhere=anywhere)
    return value


def _in_a_list(machine: Machine, owner: Tuple) -> List | None:
    """Return a list of the graph with the items of a tuple that is too much to take apart.

    None for other tuples, and if a list cannot hold the items.
    """
    if str(owner.source) not in machine.varying or not may_stand_in(machine, owner):
        return None
    made = new_list(machine, owner.items)
    kind = kind_with(machine, owner.items[0])
    if kind is None or machine.identities.key_of(made) in machine.plain_lists:
        return None
    start_growing(machine, made, kind)
    return None if grown_of(machine, made) is None else made


def may_stand_in(machine: Machine, owner: List | Tuple) -> bool:
    """True if a list of the graph can have the items of one from outside, or of a tuple."""
    if isinstance(owner, Tuple):
        kinds = {kind_with(machine, one) for one in owner.items}
        return owner.source is not None and len(kinds) == 1 and None not in kinds
    if owner in machine.not_growing or not _is_as_given(machine, owner):
        return False
    return _held_in(owner, None, None, changes=False) is not None


def length(machine: Machine, value: Symbolic) -> Symbolic | None:
    """Return the length of a deque or a set from outside; None for other values."""
    if not isinstance(value, Instance) or value.class_ not in MODELLED or value.source is None:
        return None
    machine.guard(IsType.exactly(value.source, value.class_))
    return realise(machine, Lazy(Length(value.source), len(value.object)))


def _is_as_given(machine: Machine, owner: List) -> bool:
    """True if nothing was appended to an outside list, and nothing stands for it."""
    state = machine.heap.peek(owner) or ListState(None)
    return isinstance(state, ListState) and not state.tail and not state.extended


def _made_for(machine: Machine) -> Collection[Object]:
    return machine.heap.stood_in.values()


def _key_of(outside: Container) -> tuple[object, ...]:
    return "contents", str(outside.source)


def _begin(machine: Machine, outside: Container, held: Held | None, changes: bool) -> bool:
    heap = machine.heap
    if not heap.may_change(outside):
        return False
    meet_again(machine, outside)
    state = heap.peek(outside)
    is_changed = any(one.arguments[0] is outside for one in heap.effects)
    is_changed |= isinstance(outside, List) and not _is_as_given(machine, outside)
    if is_changed or any(field.owner is outside for field in heap.fields):
        machine.not_growing.add(outside)
        return True
    if isinstance(outside, List):
        heap.learn(outside, ListState(None, extended=True))
    elif changes:
        heap.learn(outside, DictState(whole=False) if isinstance(outside, Dict) else {})
        machine.touch(outside)
    elif state is None and isinstance(outside, Instance):
        heap.learn(outside, {})
    if held is not None:
        assert outside.source is not None
        machine.guard(IsType.exactly(outside.source, type(outside.object)))
        heap.stood_in.pop(outside, None)
        heap.stood_in[outside] = _made(machine, outside, held)
    return True


def _made(machine: Machine, outside: Container, held: Held) -> Container:
    key, value = held
    if isinstance(outside, List):
        return _list(machine, outside, "items", key)
    if isinstance(outside, Dict):
        table = Dict()
        parts = (
            _list(machine, outside, "keys", key),
            _list(machine, outside, "values", value, tracked=True),
            _list(machine, outside, "slots", key),
        )
        machine.heap.make(table, DictTable(*parts))
        return table
    class_ = next(one for one, model in MODELS.items() if model.kind is type(outside.object))
    made = Instance(class_)
    if type(outside.object) is deque:
        longest = Known(outside.object.maxlen)
        items = _list(machine, outside, "items", key, tracked=True)
        machine.heap.make(made, {"items": items, "longest": longest})
        return made
    keys = _list(machine, outside, "items", key)
    slots = _list(machine, outside, "slots", key)
    plain = dict.fromkeys(("function", "left", "right"), Known(None))
    machine.heap.make(made, {"keys": keys, **plain, "slots": slots})
    return made


def _list(
    machine: Machine, outside: Container, part: str, items: Items, *, tracked: bool = False
) -> List:
    """Return a list of the graph with a part of what a container holds."""
    made = List()
    if items.width and part != "slots":
        columns = [_column(machine, outside, part, items, k) for k in range(items.width)]
        item = TupleRecord((ScalarRecord((PY_INT,)),) * items.width, None)
        machine.heap.make(made, Columns(item, tuple(columns), True, None))
    else:
        numbers = _column(machine, outside, part, items, 0)
        origins = _column(machine, outside, "places", Items(), 0) if tracked else None
        machine.heap.make(made, Growing(numbers, origins=origins))
    if part != "slots" and has_identity(items.item):
        machine.identities.contents[made] = _key_of(outside)
    if part != "slots":
        state = machine.heap.peek(made)
        count = machine.builder.typed(COUNT, (state.lists[0],), {}, PY_INT)
        machine.heap.counts[made] = count
    return made


def _column(machine: Machine, outside: Container, part: str, items: Items, column: int) -> Value:
    """Return a list of the graph that is a copy of an array which a launch is given."""
    assert outside.source is not None
    dtype, python = items.item.dtype, items.item.python
    longest = getattr(outside.object, "maxlen", None)
    whole = items.item.char == "l"
    source = Listed(outside.source, whole, part, items.width, column, longest, not python)
    dtype = np.dtype(np.int64) if part in ("slots", "places") else dtype
    machine.guard(IsArray(source, dtype, (3,), "C"))
    array = machine.builder.param(ArrayType(dtype, (machine.builder.fresh_sym(),), _LINE))
    machine.param_sources.append(source)
    python = python or part in ("slots", "places")
    return machine.builder.typed(LIST_OF, (array,), {"python": python}, ListType(dtype, python))


def lists_of_stand_in(machine: Machine, made: Object) -> tuple[List, ...]:
    """Return the lists with keys, values or items of what stands for a container from outside."""
    table = table_of(machine, made)
    if table is not None:
        return table.keys, table.values
    items = items_of_model(machine, made)
    if items is not None:
        return (items,)
    assert isinstance(made, List), "else it is a list"
    return (made,)
