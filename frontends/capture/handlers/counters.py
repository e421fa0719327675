"""`collections.Counter` and `collections.defaultdict` that the segment makes, with keys of ints."""

from __future__ import annotations

import collections
from dataclasses import replace

from ...numpy.decompositions import hashed_dicts, sets
from ..flow.positional_iters import positional_iter
from ..objects.dict_tables import PLACES, are_ints, begin_table, kind_in, kind_of_key
from ..objects.grown import Columns, DictTable, grown_of, table_of
from ..objects.list_promotion import Kind, kind_with
from ..objects.lists import new_list
from ..state.invocation import Handler, Invocation
from ..state.live import realise
from ..state.machine import Machine
from ..values.dict_views import View
from ..values.ranges import Range
from ..values.symbolic import (
    Array,
    Instance,
    Iterator,
    Known,
    List,
    NewFunction,
    PositionalIter,
    Symbolic,
)
from . import run_time_keys
from .builtins import builtin
from .calls import call_value
from .models import made_of, register


@builtin(collections.Counter, takes=(0, 1))
def _counter(call: Invocation) -> Symbolic | None:
    made = made_of(call, hashed_dicts.COUNTER, **_empty(call.machine))
    if not call.arguments:
        return made
    return None if _update(call.of(made), new=True) is None else made


@builtin(collections.defaultdict, takes=(1, 1))
def _defaultdict(call: Invocation) -> Symbolic | None:
    """Make a defaultdict whose missing values are the same number each time."""
    (factory,) = call.realised()
    if _default(replace(call, arguments=()), factory) is None:
        return None
    held = _empty(call.machine)
    slots = held.pop("slots")
    return made_of(call, hashed_dicts.DEFAULTS, **held, factory=factory, slots=slots)


def _empty(machine: Machine) -> dict[str, Symbolic]:
    slots = (Known(0),) * sets.FIRST_SLOTS
    return {
        "keys": new_list(machine, ()),
        "values": new_list(machine, ()),
        "slots": new_list(machine, slots),
    }


def _default(call: Invocation, factory: Symbolic) -> Known | None:
    """Return the number that a factory makes; None unless it is a class, or returns a constant."""
    if isinstance(factory, Known) and factory.object in (int, float):
        return Known(factory.object())
    if not isinstance(factory, NewFunction) or factory.code.co_names or factory.closure:
        return None
    made = call_value(factory, call)
    return made if isinstance(made, Known) and type(made.object) in (int, float) else None


def _table(call: Invocation) -> DictTable:
    table = table_of(call.machine, call.arguments[0])
    assert table is not None, "what the models of this module have"
    return table


def _is_empty(machine: Machine, table: DictTable) -> bool:
    """True while nothing has been added: that makes lists of the graph of all three."""
    parts = (table.keys, table.values, table.slots)
    return any(grown_of(machine, one) is None for one in parts)


def _to_change(call: Invocation, key: Kind | None, value: Kind | None) -> DictTable | None:
    """Return the table that is to hold such an entry; None if it cannot.

    Raises:
        MustCarry: its lists have to become lists of the graph before the region.
    """
    table = _table(call)
    if key is None or value is None or not are_ints(key):
        return None
    begin_table(call.machine, table, key, value)
    if grown_of(call.machine, table.values) is None or kind_in(call.machine, table.keys) != key:
        return None
    return table


def _set_item(call: Invocation) -> Symbolic | None:
    _, key, value = call.arguments
    kind = kind_of_key(call.machine, realise(call.machine, key))
    table = _to_change(call, kind, kind_with(call.machine, value))
    return None if table is None else run_time_keys.assign(call, table, key, value)


def _get(call: Invocation) -> Symbolic | None:
    default = call.arguments[2] if len(call.arguments) == 3 else Known(None)
    return _with_default(replace(call, arguments=(*call.arguments[:2], default)))


def _count_of(call: Invocation) -> Symbolic | None:
    """Return `counter[key]`, which is 0 for what is missing, and adds nothing."""
    return _with_default(replace(call, arguments=(*call.arguments, Known(0))))


def _with_default(call: Invocation) -> Symbolic | None:
    _, key, default = call.arguments
    table = _table(call)
    if kind_of_key(call.machine, realise(call.machine, key)) is None:
        return None
    if _is_empty(call.machine, table):
        return default
    run_time_keys.check_like_keys(call.machine, table, key)
    return run_time_keys.get_from(call, table, key, default)


def _contains(call: Invocation) -> Symbolic | None:
    _, key = call.arguments
    table = _table(call)
    if kind_of_key(call.machine, realise(call.machine, key)) is None:
        return None
    if _is_empty(call.machine, table):
        return Known(False)
    return run_time_keys.read(hashed_dicts.contains, call, table, key)


def _item_or_default(call: Invocation) -> Symbolic | None:
    """Return `d[key]` of a defaultdict, which adds what is missing."""
    owner, key = call.arguments
    factory = call.machine.heap.state(owner)["factory"]  # type: ignore[arg-type]
    default = _default(replace(call, arguments=()), factory)
    assert default is not None, "it was asked for when the dict was made"
    kind = kind_of_key(call.machine, realise(call.machine, key))
    table = _to_change(call, kind, kind_with(call.machine, default))
    if table is None:
        return None
    if run_time_keys.goes_through(call, table):
        return run_time_keys.read(hashed_dicts.item, call, table, key)
    if type(default.object) is float and isinstance(factory, Known):  # a new object each time
        return run_time_keys.read(hashed_dicts.item_or_zero, call, table, key)
    return run_time_keys.read(hashed_dicts.set_default, call, table, key, default)


def _update(call: Invocation, new: bool = False) -> Symbolic | None:
    """Count the items of an iterable; mappings and sets are left to Python.

    Nothing that an iterator runs can reach a new counter, so its items may be listed first.
    """
    more = call.realised()[1]
    iterables = List | Array | Range | Iterator | PositionalIter
    if not isinstance(more, iterables):
        return None
    if not new and isinstance(more, Iterator | PositionalIter):
        return _tally_lazily(call, more)
    items = call_value(Known(list), replace(call, arguments=(more,)))
    grown = grown_of(call.machine, items)
    if grown is None:
        return None
    kind = grown.item if isinstance(grown, Columns) else grown.type
    table = _to_change(call, kind, PLACES)
    if table is None:
        return None
    return run_time_keys.of_table(hashed_dicts.tally, call.machine, call.frame, table, items)


def _tally_lazily(call: Invocation, iterator: Symbolic) -> Symbolic | None:
    """Count each item before the iterator is asked for the next, as it may read the counter."""
    table = _table(call)
    if _is_empty(call.machine, table):
        return None
    items = positional_iter(call.machine, call.frame, iterator)
    if items is None:
        return None
    return run_time_keys.of_table(hashed_dicts.tally, call.machine, call.frame, table, items)


def _most_common(call: Invocation) -> Symbolic | None:
    rest = call.realised()[1:] or [Known(None)]
    table = _table(call)
    if not isinstance(rest[0], Known) or _is_empty(call.machine, table):
        return None
    if rest[0].object is not None and not (type(rest[0].object) is int and rest[0].object >= 0):
        return None
    return run_time_keys.of_table(
        hashed_dicts.most_common, call.machine, call.frame, table, rest[0]
    )


def _view(kind: str) -> Handler:
    def handler(call: Invocation) -> Symbolic | None:
        owner = realise(call.machine, call.arguments[0])
        assert isinstance(owner, Instance), "a model's object"
        return None if _is_empty(call.machine, _table(call)) else View(owner, kind)

    return handler


_OF_BOTH: dict[str, tuple[Handler, int]] = {
    "__setitem__": (_set_item, 3),
    "__contains__": (_contains, 2),
    "get": (_get, 3),
    **{kind: (_view(kind), 1) for kind in ("keys", "values", "items")},
}
_OF_COUNTERS: dict[str, tuple[Handler, int]] = {
    **_OF_BOTH,
    "__getitem__": (_count_of, 2),
    "update": (_update, 2),
    "most_common": (_most_common, 2),
}
_OF_DEFAULTS: dict[str, tuple[Handler, int]] = {**_OF_BOTH, "__getitem__": (_item_or_default, 2)}
_MAY_BE_LEFT_OUT = ("get", "most_common")
"""Methods whose last argument has a default."""


def _checked(name: str, handler: Handler, most: int) -> Handler:
    """Return the handler of calls with as many arguments as the method takes."""

    def checked(call: Invocation) -> Symbolic | None:
        fits = len(call.arguments) in (most, most - (name in _MAY_BE_LEFT_OUT))
        return handler(call) if fits and not call.keywords else None

    return checked


for _class, _handlers in (
    (hashed_dicts.COUNTER, _OF_COUNTERS),
    (hashed_dicts.DEFAULTS, _OF_DEFAULTS),
):
    register(_class, {name: _checked(name, *one) for name, one in _handlers.items()})
