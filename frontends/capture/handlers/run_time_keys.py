"""Operations on dicts with a key that only running tells, see objects/dict_tables.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...numpy.decompositions import hashed_dicts, sets
from ..flow.positional_iters import lists_of
from ..objects import dicts, growing
from ..objects.contents import of_kind, stand_in
from ..objects.dict_tables import kind_in, kind_of_key, promote, shape_of_keys
from ..objects.grown import DictTable, grown_of, table_of
from ..objects.list_promotion import Kind, kind_with
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import concrete, realise
from ..state.machine import Machine
from ..values.breaks import INDEXING, NUMPY_REFUSED, GraphBreak
from ..values.either_number import as_python
from ..values.symbolic import Dict, Known, List, PositionalIter, Symbolic
from .builtins import builtin
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
