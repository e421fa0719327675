"""Operations on dicts with a key that only running tells, see objects/dict_tables.py."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ....jit.ir.types import ListType
from ...numpy.decompositions import hashed_dicts, sets
from ..arrays.nodes import operator_call
from ..flow.positional_iters import lists_of
from ..objects import dicts, growing
from ..objects.contents import of_kind, stand_in
from ..objects.dict_tables import kind_in, kind_of_key, promote, shape_of_keys
from ..objects.grown import DictTable, grown_of, table_of
from ..objects.list_promotion import Kind, kind_with
from ..state.behaviour import BEHAVIOURS, Behaviour
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import concrete, realise
from ..state.machine import Machine
from ..values.breaks import EFFECT, INDEXING, NUMPY_REFUSED, GraphBreak
from ..values.either_number import as_python
from ..values.symbolic import Dict, Known, List, PositionalIter, Symbolic, Tuple
from .builtins import builtin
from .calls import call_value
from .library_bodies import in_line


def item(machine: Machine, frame: Frame, owner: Dict, key: Symbolic) -> Symbolic:
    """Capture `owner[key]`."""
    known = concrete(machine, key) if table_of(machine, owner) is None else None
    key = known or key
    table = _table_to_read(machine, owner, key)
    if table is not None:
        return of_table(hashed_dicts.item, machine, frame, table, key)
    wanted = _known_key(machine, owner, key)
    value = None if wanted is None else dicts.get_item(machine, owner, wanted.object)
    if value is None:
        raise GraphBreak(NUMPY_REFUSED, "KeyError" + (f": {wanted.object!r}" if wanted else ""))
    return value


def get(machine: Machine, frame: Frame, owner: Dict, key: Symbolic, default: Symbolic) -> Symbolic:
    """Capture `owner.get(key, default)`."""
    table = _table_to_read(machine, owner, key, default)
    if table is not None:
        return get_from(Invocation(machine, frame, (), {}), table, key, default)
    wanted = _known_key(machine, owner, key)
    found = None if wanted is None else dicts.get_item(machine, owner, wanted.object)
    return default if found is None else found


def get_from(call: Invocation, table: DictTable, key: Symbolic, default: Symbolic) -> Symbolic:
    """Look up a key that may be missing; in `sorted(d, key=d.get)` none is, and nothing is None."""
    machine, frame = call.machine, call.frame
    asked_by_library = machine.library_until is not None
    if isinstance(default, Known) and default.object is None and asked_by_library:
        return of_table(hashed_dicts.item, machine, frame, table, key)
    return of_table(hashed_dicts.get, machine, frame, table, key, default)


def contains(machine: Machine, frame: Frame, owner: Dict, key: Symbolic) -> Symbolic:
    """Capture `key in owner`."""
    table = _table_to_read(machine, owner, key)
    if table is not None:
        return of_table(hashed_dicts.contains, machine, frame, table, key)
    wanted = _known_key(machine, owner, key)
    found = None if wanted is None else dicts.get_item(machine, owner, wanted.object)
    return Known(found is not None)


def set_item(machine: Machine, frame: Frame, owner: Dict, key: Symbolic, value: Symbolic) -> None:
    """Capture `owner[key] = value`."""
    table = _table_to_change(machine, owner, key, value)
    if table is not None:
        assign(Invocation(machine, frame, (), {}), table, key, value)
        return
    dicts.set_item(machine, owner, dicts.plain_key(machine, concrete(machine, key) or key), value)


def assign(call: Invocation, table: DictTable, key: Symbolic, value: Symbolic) -> Symbolic:
    """Assign an item of a table; a loop over it must not add keys."""
    loops = goes_through(call, table)
    function = hashed_dicts.set_existing if loops else hashed_dicts.set_item
    return of_table(function, call.machine, call.frame, table, key, value)


def read(
    function: Callable[..., Any],
    call: Invocation,
    table: DictTable,
    key: Symbolic,
    *rest: Symbolic,
) -> Symbolic:
    """Run a decomposition that looks a key up in a table."""
    check_like_keys(call.machine, table, key)
    return of_table(function, call.machine, call.frame, table, key, *rest)


def set_default(
    machine: Machine, frame: Frame, owner: Dict, key: Symbolic, default: Symbolic
) -> Symbolic:
    """Capture `owner.setdefault(key, default)`."""
    table = _table_to_change(machine, owner, key, default)
    if table is not None:
        return of_table(hashed_dicts.set_default, machine, frame, table, key, default)
    known = dicts.plain_key(machine, concrete(machine, key) or key)
    found = dicts.get_item(machine, owner, known)
    if found is None:
        dicts.set_item(machine, owner, known, default)
    return default if found is None else found


def delete(machine: Machine, frame: Frame, owner: Dict, key: Symbolic) -> Symbolic:
    """Capture `owner.pop(key)`, and `del owner[key]`."""
    table = _table_to_shrink(machine, owner, key)
    if table is not None:
        return of_table(hashed_dicts.pop, machine, frame, table, key)
    known = dicts.plain_key(machine, concrete(machine, key) or key)
    return dicts.delete_item(machine, owner, known)


def pop(machine: Machine, frame: Frame, owner: Dict, key: Symbolic, default: Symbolic) -> Symbolic:
    """Capture `owner.pop(key, default)`."""
    table = _table_to_shrink(machine, owner, key, default)
    if table is not None:
        return of_table(hashed_dicts.pop_or, machine, frame, table, key, default)
    wanted = _known_key(machine, owner, key)
    if wanted is None or dicts.get_item(machine, owner, wanted.object) is None:
        return default
    return dicts.delete_item(machine, owner, wanted.object)


def pop_item(call: Invocation, owner: Dict) -> Symbolic | None:
    """Capture `owner.popitem()`."""
    table = _own(call.machine, owner, table_of(call.machine, owner))
    if table is not None:
        return of_table(hashed_dicts.pop_item, call.machine, call.frame, table)
    entries = dicts.dict_entries(call.machine, owner)
    if not entries or owner.source is not None:
        return None
    last = next(reversed(entries))
    return Tuple((Known(last), dicts.delete_item(call.machine, owner, last)))


def clear(call: Invocation, owner: Dict) -> Symbolic | None:
    """Capture `owner.clear()`.

    Raises:
        MustCarry: the dict has to become a table before the region.
    """
    machine = call.machine
    known = dicts.is_known_empty(machine, owner)
    if owner.source is None and table_of(machine, owner) is None and not known:
        entries = dicts.dict_entries(machine, owner)
        kind = kind_of_key(machine, Known(next(iter(entries))))
        if kind is not None and not machine.heap.may_change(owner):
            promote(machine, owner, kind, _hashed)
        elif machine.heap.may_change(owner):
            for key in entries:
                dicts.delete_item(machine, owner, key)
            known = True
    table = _own(machine, owner, table_of(machine, owner))
    if table is None:
        return Known(None) if known else None
    return of_table(hashed_dicts.clear, machine, call.frame, table)


def copied(call: Invocation, owner: Dict) -> Symbolic | None:
    """Capture `owner.copy()` and `dict(owner)`."""
    machine = call.machine
    table = table_of(machine, owner)
    if table is None:
        return dicts.new_dict(machine, dict(dicts.dict_entries(machine, owner)))
    parts = [_copy_of(call, one) for one in (table.keys, table.values, table.slots)]
    made = Dict()
    machine.heap.make(made, DictTable(*parts))
    return made


def _copy_of(call: Invocation, items: List) -> List:
    made = call_value(Known(list), replace(call, arguments=(items,), keywords={}))
    assert isinstance(made, List), "what list() makes"
    return made


def _compared(
    machine: Machine, frame: Frame, function: Callable[..., Any], operands: tuple[Symbolic, ...]
) -> Symbolic | None:
    """Capture `==` and `!=` of two tables that hold numbers; None for others."""
    tables = [table_of(machine, one) for one in operands if isinstance(one, Dict)]
    one, other = tables if len(tables) == 2 else (None, None)
    if one is None or other is None or function not in (operator.eq, operator.ne):
        return None
    if not all(isinstance(kind_in(machine, each.values), ListType) for each in (one, other)):
        return None
    if shape_of_keys(kind_in(machine, one.keys)) != shape_of_keys(kind_in(machine, other.keys)):
        return None
    parts = (other.keys, other.values, other.slots)
    same = of_table(hashed_dicts.equal, machine, frame, one, *parts)
    if function is operator.eq:
        return same
    return operator_call(machine, frame, operator.not_, (same,))


BEHAVIOURS[Dict] = Behaviour(operator=_compared)


def _table_to_shrink(
    machine: Machine, owner: Dict, key: Symbolic, default: Symbolic | None = None
) -> DictTable | None:
    """Return the table that loses a key; None if it and the entries are known."""
    return _own(machine, owner, _table_to_read(machine, owner, key, default))


def _own(machine: Machine, owner: Dict, table: DictTable | None) -> DictTable | None:
    """Break if a table that loses entries stands for a dict from outside."""
    if table is not None and machine.heap.outside_of(owner) is not None:
        raise GraphBreak(EFFECT, "an entry that is removed from a dict of the surroundings")
    return table


def _if_known(machine: Machine, key: Symbolic) -> Known | None:
    realised = realise(machine, key)
    return realised if isinstance(realised, Known) else None


def _known_key(machine: Machine, owner: Dict, key: Symbolic) -> Known | None:
    """Return a known key; None for any key of a dict that is empty."""
    known = _if_known(machine, key)
    kind = None if known else kind_of_key(machine, realise(machine, as_python(key)))
    if kind is not None and dicts.is_known_empty(machine, owner):
        return None
    return Known(dicts.plain_key(machine, known or realise(machine, key)))


def _table_to_read(
    machine: Machine, owner: Dict, key: Symbolic, default: Symbolic | None = None
) -> DictTable | None:
    """Return the table in which a key is looked up; None if key and entries are known.

    A dict from outside that is empty is taken to be for values like `default`.

    Raises:
        MustCarry: the dict has to become a table before the region.
    """
    table = table_of(machine, owner)
    if table is None and _if_known(machine, key) is None:
        kind = kind_of_key(machine, realise(machine, as_python(key)))
        if kind is not None and not dicts.is_known_empty(machine, owner):
            _hand_over(machine, owner, kind, default, changes=False)
            promote(machine, owner, kind, _hashed)
            table = table_of(machine, owner)
    if table is not None:
        check_like_keys(machine, table, key)
    return table


def check_like_keys(machine: Machine, table: DictTable, key: Symbolic) -> None:
    """Break if a key cannot be compared with those of a table; ints may be Python's or NumPy's."""
    kind = kind_of_key(machine, realise(machine, as_python(key)))
    if shape_of_keys(kind_in(machine, table.keys)) != shape_of_keys(kind):
        raise GraphBreak(INDEXING, "a key of a dict that is not known")


def _table_to_change(
    machine: Machine, owner: Dict, key: Symbolic, value: Symbolic
) -> DictTable | None:
    """Return the table that gets a key; None if it and the entries are known.

    Raises:
        MustCarry: the dict has to become a table before the region.
    """
    table = table_of(machine, owner)
    if table is None and concrete(machine, key) is not None:
        return None
    kind = kind_of_key(machine, machine.one_of(key) or realise(machine, key))
    if kind is not None:
        _hand_over(machine, owner, kind, value, changes=True)
    if table is None and kind is not None:
        promote(machine, owner, kind, _hashed, value)
        table = table_of(machine, owner)
    if table is not None and kind != kind_in(machine, table.keys):
        raise GraphBreak(INDEXING, "a key of a dict that is not known")
    return table


def _hand_over(
    machine: Machine, owner: Dict, key: Kind, value: Symbolic | None, *, changes: bool
) -> None:
    """Let a table stand for a dict from outside, where a loop uses it with such a key."""
    if owner.source is not None or machine.heap.outside_of(owner) is not None:
        held = None if value is None else of_kind(kind_with(machine, value))
        stand_in(machine, owner, of_kind(key), held, changes=changes)


def _hashed(keys: tuple[Any, ...]) -> list[int]:
    """Return the hash table of known keys."""
    held: list[Any] = []
    slots = [0] * sets.FIRST_SLOTS
    sets.update(held, slots, keys)
    return slots


def goes_through(call: Invocation, table: DictTable) -> bool:
    """True in a loop over the dict, which must not add keys."""
    grown = grown_of(call.machine, table.keys)
    iterators = (one for one in call.frame.stack if isinstance(one, PositionalIter))
    return grown is not None and any(
        grown.lists[0] in lists_of(one.item_source) for one in iterators
    )


@builtin(hashed_dicts.make_room, takes=(1, 1))
def _make_room(call: Invocation) -> Symbolic | None:
    (values,) = call.realised()
    assert isinstance(values, List), "what a table has"
    return Known(None) if growing.make_room(call.machine, values) else None


@builtin(hashed_dicts.refuse_tracked, takes=(1, 1))
def _refuse_tracked(call: Invocation) -> Symbolic | None:
    grown = grown_of(call.machine, call.realised()[0])
    return None if grown is None or grown.places is not None else Known(None)


def of_table(
    function: Callable[..., Any],
    machine: Machine,
    frame: Frame,
    table: DictTable,
    *rest: Symbolic,
) -> Symbolic:
    call = Invocation(machine, frame, (table.keys, table.values, table.slots, *rest), {})
    made = in_line(function, call)
    if made is None:
        raise GraphBreak(INDEXING, "a key of a dict that is not known")
    return made
