"""Lists whose items no single list of the graph can hold: each component has its own list.

Items are numbers of either kind, ints or floats, one of a few constants, or tuples of these and of
arrays: `path.append((row, column))`, `history.append((x.copy(), f))`, `losses.append(best)` after
`best = float("inf")`. Numbers of several kinds have one list per dtype, and one for the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from ....jit.ir import graph as ir
from ....jit.ir.ops import APPEND, ITEM, LIST, OPERATOR, POP, SET_ITEM
from ....jit.ir.types import (
    ListType,
    ObjectsType,
    ObjectType,
    ScalarType,
    is_graph_number,
    scalar_type,
)
from ..state.graph_values import graph_value
from ..state.live import realise
from ..state.machine import Machine
from ..state.union_tags import renumbered
from ..values.components import graph_values
from ..values.either_number import (
    CLASSES_WITH_COMPLEX,
    NUMPY,
    PYTHON,
    as_numpy,
    is_either_number,
    with_box,
)
from ..values.symbolic import Array, Known, List, Scalar, Symbolic, Tuple, Union
from . import lists_of_objects
from .grown import Columns
from .records import (
    CONSTANTS,
    MAX_PARTS,
    ArrayRecord,
    Constant,
    Item,
    ScalarRecord,
    TupleRecord,
    dtypes,
    joined,
    of_list,
    scalar_type_of,
)

# ---- what an item is -----------------------------------------------------------------------------


def item_of(machine: Machine, value: Symbolic) -> Item | None:
    """Return the item description of a value; None if no columns can hold it."""
    value = machine.one_of(value) or value
    if is_either_number(value):
        dtype = type_of_number(as_numpy(value)).dtype
        return ScalarRecord((ScalarType(dtype, True), ScalarType(dtype, False)))
    if isinstance(value, Union):
        return None
    match realise(machine, value):
        case Scalar(value=number):
            is_object = isinstance(number.type, ObjectType)
            return None if is_object else ScalarRecord((scalar_type_of(number.type),))
        case Known(object=known) if type(known) is tuple:
            return _several(machine, tuple(map(Known, known)), None)
        case Known(object=known) if is_graph_number(known):
            return ScalarRecord((scalar_type(known),))
        case Known(object=known) if type(known) in CONSTANTS:
            return ScalarRecord((Constant(known),))
        case Tuple(items=items, named=named, source=source):
            keeps_more = named is not None and source is not None and named.__dictoffset__
            return None if keeps_more else _several(machine, items, named)
        case Array() as array:
            ours = not machine.memory.others(array.value)
            return ArrayRecord(ObjectsType.of_items(array.type, ours=ours))
    return None


def _several(
    machine: Machine, values: tuple[Symbolic, ...], named: type | None
) -> TupleRecord | None:
    parts = tuple(part for one in values if (part := item_of(machine, one)) is not None)
    if len(parts) < len(values) or not 1 <= len(parts) <= MAX_PARTS:
        return None
    made = TupleRecord(parts, named)
    return made if len(list(made.lists())) <= MAX_PARTS else None


def with_item(machine: Machine, type_: ListType | ObjectsType, value: Symbolic) -> Item | None:
    """Return the item description of a list that also gets this value."""
    one, other = of_list(type_), item_of(machine, value)
    return None if one is None or other is None else joined(machine, one, other)


def type_of_number(value: Symbolic) -> ScalarType:
    """Return the type of a number in the graph without details of its class."""
    assert isinstance(value, Scalar)
    return scalar_type(value.value.type)


# ---- from values to the lists and back -----------------------------------------------------------


def _given(machine: Machine, value: Symbolic, item: Item) -> Iterator[ir.Value]:
    """Yield what each list gets for a value."""
    value = machine.one_of(value) or value
    match item:
        case ScalarRecord():
            yield from _given_kinds(machine, value, item)
        case ArrayRecord():
            yield graph_value(machine, value)
        case TupleRecord(parts=parts):
            for one, part in zip(_parts(machine, value), parts, strict=True):
                yield from _given(machine, one, part)


def _parts(machine: Machine, value: Symbolic) -> tuple[Symbolic, ...]:
    realised = realise(machine, value)
    if isinstance(realised, Known):
        return tuple(map(Known, realised.object))
    assert isinstance(realised, Tuple)
    return realised.items


def _given_kinds(machine: Machine, value: Symbolic, item: ScalarRecord) -> Iterator[ir.Value]:
    realised = as_numpy(value) if is_either_number(value) else realise(machine, value)
    known = isinstance(realised, Known) and type(realised.object) in CONSTANTS
    number = None if known else graph_value(machine, realised)
    for list_ in item.lists_of_numbers():
        yield _converted(machine, number, list_.item)
    if not item.records_kinds:
        return
    if isinstance(value, Union):
        char = type_of_number(realised).char
        places = {k: _place(item, char, python) for k, python in ((PYTHON, True), (NUMPY, False))}
        yield renumbered(machine, value.tag, places)
    elif number is None:
        assert isinstance(realised, Known)
        yield machine.builder.const(item.kinds.index(Constant(realised.object)))
    else:
        type_ = scalar_type_of(number.type)
        yield machine.builder.const(_place(item, type_.char, type_.python))


def _place(item: ScalarRecord, char: str, python: bool) -> int:
    """Return the index of a kind of numbers."""
    kinds = item.kinds
    found = (k for k, one in enumerate(kinds) if isinstance(one, ScalarType) and one.char == char)
    return next(k for k in found if kinds[k].python is python)  # type: ignore[union-attr]


def _converted(machine: Machine, number: ir.Value | None, type_: ScalarType) -> ir.Value:
    """Return a number converted to this type; zero if it cannot be."""
    given = None if number is None else scalar_type_of(number.type)
    if number is None or given is None or not np.can_cast(given.dtype, type_.dtype):
        zero = type_.dtype.type(0)
        return machine.builder.const(zero.item() if type_.python else zero)
    if given == type_:
        return number
    function = CLASSES_WITH_COMPLEX[type_.char][PYTHON if type_.python else NUMPY]
    return machine.builder.add(OPERATOR, (number,), {"function": function})


def _stand_in(machine: Machine, item: Item, values: Iterator[ir.Value]) -> Symbolic:
    """Return the value for an item read from the lists."""
    match item:
        case TupleRecord(parts=parts, named=named):
            return Tuple(tuple(_stand_in(machine, one, values) for one in parts), named=named)
        case ArrayRecord():
            return Array(next(values))
    numbers = {list_.char: next(values) for list_ in item.lists_of_numbers()}
    found: list[Symbolic] = []
    for kind in item.kinds:
        if isinstance(kind, Constant):
            found.append(Known(kind.object))
        else:
            found.append(Scalar(_converted(machine, numbers[kind.char], kind)))
    if not item.records_kinds:
        return found[0]
    tag = next(values)
    if len(found) == 1:
        return found[0]
    either_number = len(item.numbers) == len(found) == 2 and len(numbers) == 1
    return Union(tag, tuple(enumerate(found)), either_number=either_number)


# ---- what is done with a list --------------------------------------------------------------------


def start(
    machine: Machine, owner: List, values: tuple[Symbolic, ...], item: Item, *, noted: bool = False
) -> bool:
    """Make a list one of columns, here; return False if its items are of other kinds.

    `item` also covers future items; `noted`: the identity of its items is known.
    """
    found: Item | None = None
    for value in values:
        one = item_of(machine, value)
        found = one if found is None or one is None else joined(machine, found, one)
        if found is None:
            return False
    whole = item if found is None else joined(machine, item, found)
    if whole is None:
        return False
    rows = [tuple(_given(machine, value, whole)) for value in values]
    for value in () if noted else values:
        _note(machine, owner, value)
    columns = zip(*rows, strict=True) if rows else ((),) * len(list(whole.lists()))
    lists = tuple(
        _list(machine, column, type_) for column, type_ in zip(columns, whole.lists(), strict=True)
    )
    sure = found is not None and dtypes(found) == dtypes(whole)
    machine.heap.change(owner, Columns(whole, lists, sure, values))
    return True


def _list(machine: Machine, column: Iterable[ir.Value], type_: ListType | ObjectsType) -> ir.Value:
    if isinstance(type_, ObjectsType):
        return lists_of_objects.make(machine, list(column), type_)
    return machine.builder.typed(LIST, tuple(column), {}, type_)


def more(machine: Machine, state: Columns, value: Symbolic) -> Item | None:
    """Return the item description of a list that also gets this value; None if it cannot."""
    found = item_of(machine, value)
    return None if found is None else joined(machine, state.item, found)


def append(
    machine: Machine, owner: List, state: Columns, value: Symbolic, *, noted: bool = False
) -> None:
    """Capture `owner.append(value)` for a value that fits."""
    if not noted:
        _note(machine, owner, value)
    for made, part in zip(state.lists, tuple(_given(machine, value, state.item)), strict=True):
        if isinstance(made.type, ObjectsType):
            lists_of_objects.append(machine, made, part)
        else:
            machine.builder.effect(APPEND, (made, part), {})


def set_item(
    machine: Machine,
    owner: List,
    state: Columns,
    place: ir.Value,
    value: Symbolic,
    *,
    noted: bool = False,
) -> None:
    """Capture `owner[place] = value` for a value that fits."""
    if not noted:
        _note(machine, owner, value)
    for made, part in zip(state.lists, tuple(_given(machine, value, state.item)), strict=True):
        if isinstance(made.type, ObjectsType):
            lists_of_objects.set_item(machine, made, place, part)
        else:
            machine.builder.effect(SET_ITEM, (made, place, part), {})


def item_at(machine: Machine, owner: List, state: Columns, place: ir.Value) -> Symbolic:
    """Return `owner[place]`."""

    def read(made: ir.Value) -> ir.Value:
        if isinstance(made.type, ObjectsType):
            return lists_of_objects.item_at(machine, made, place)
        return machine.builder.typed(ITEM, (made, place), {}, _item_type(made))

    return _taken(machine, owner, state, read)


def pop(machine: Machine, owner: List, state: Columns, *, first: bool) -> Symbolic:
    """Capture `owner.pop()`, or with `first` `owner.pop(0)`."""

    def read(made: ir.Value) -> ir.Value:
        if isinstance(made.type, ObjectsType):
            return lists_of_objects.pop(machine, made, first=first)
        return machine.builder.typed(POP, (made,), {"first": first}, _item_type(made))

    return _taken(machine, owner, state, read)


def _item_type(made: ir.Value) -> ScalarType:
    assert isinstance(made.type, ListType)
    return made.type.item


def _taken(
    machine: Machine, owner: List, state: Columns, read: Callable[[ir.Value], ir.Value]
) -> Symbolic:
    made = _stand_in(machine, state.item, iter([read(made) for made in state.lists]))
    if state.places is not None:
        assert isinstance(made, Scalar | Union)
        place = read(state.places)
        machine.identities.placed.add(place)
        return with_box(made, place)
    for value in graph_values(made):
        if isinstance(value.type, ScalarType):
            machine.identities.note_item(value, owner)
    if isinstance(made, Tuple):
        machine.identities.note_row(made, owner)
    return made


def _note(machine: Machine, owner: List, value: Symbolic) -> None:
    """Record the identity of the objects that the list gets."""
    value = machine.one_of(value) or value
    identities = machine.identities
    if isinstance(value, Scalar | Union) and value.box is not None:
        identities.note_of_table(owner)
    if isinstance(value, Union):
        for _, number in value.alternatives:
            assert isinstance(number, Scalar)
            identities.note_insertion(number.value, owner)
        return
    match realise(machine, value):
        case Scalar(value=made):
            identities.note_insertion(made, owner)
        case Known(object=known) if type(known) is tuple:
            identities.note_row_insertion(Tuple(tuple(map(Known, known))), owner)
            identities.note_constant(known, owner)
        case Known(object=known) if is_graph_number(known):
            identities.note_constant(known, owner)
        case Tuple(items=items) as row:
            identities.note_row_insertion(row, owner)
            for one in items:
                _note(machine, owner, one)
