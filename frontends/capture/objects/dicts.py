"""Dicts with plain keys: their contents and changes."""

from __future__ import annotations

import enum
from collections.abc import Hashable
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ....guards.grip import made_at_run_time
from ....guards.objects import ClassHolds, HasKeys, IsThere
from ....guards.sources import Key
from ....jit.frozen import dataclass
from ..state.heap import Field
from ..values.breaks import EFFECT, INDEXING, NUMPY_REFUSED, GraphBreak
from ..values.class_namespaces import class_lookup, is_function
from ..values.dict_views import View
from ..values.limits import check_length
from ..values.symbolic import Dict, Instance, Known, Lazy, Symbolic, may_be_unbound
from . import fields
from .finalisation import check_dropped, check_dropped_object
from .grown import sequence_of_model, table_of

if TYPE_CHECKING:
    from ..state.machine import Machine

_PLAIN = (str, int, float, bool, bytes, type(None))
_PLAIN_TYPES = frozenset(_PLAIN)


@dataclass(frozen=True, slots=True)
class DictState:
    """Values by key, in order."""

    entries: dict[Any, Symbolic] = field(default_factory=dict)
    whole: bool = True
    """False if only these keys of an outside dict have been looked up."""
    changed: bool = False
    """True if the segment has changed it."""
    removed: int = 0
    """Number of keys that the segment has removed."""
    absent: frozenset[Any] = frozenset()
    """Keys that an outside dict is known to lack now."""

    def get(self, key: Any) -> Symbolic | None:
        """Return what is under a key, as far as known."""
        return self.entries.get(key)

    def holding(self, key: Any, value: Symbolic | None) -> DictState:
        """Return the state with another value, or None, under a key."""
        if value is None:
            return self.without(key)
        entries = {**self.entries, key: value}
        return replace(self, entries=entries, changed=True, absent=self.absent - {key})

    def without(self, key: Any) -> DictState:
        """Return the state with nothing under a key."""
        rest = {k: v for k, v in self.entries.items() if k != key}
        return replace(self, entries=rest, changed=True, absent=self.absent | {key})

    def knows(self, key: Any) -> bool:
        """True if it is known what is under a key, or that nothing is."""
        return self.whole or key in self.entries or key in self.absent


def new_dict(machine: Machine, entries: dict[Any, Symbolic]) -> Dict:
    """Make a dict."""
    made = Dict()
    machine.heap.make(made, DictState(entries))
    return made


def is_plain_key(key: Any) -> bool:
    """True if comparing the key runs no user code, and equality means identity of keys."""
    if type(key) is tuple:
        return all(map(is_plain_key, key))
    if type(key) in _PLAIN:
        return True
    return isinstance(key, enum.Enum | type) and _is_compared_plainly(type(key))


def _is_compared_plainly(kind: type) -> bool:
    """True if no user method defines equality or hash."""
    for name in ("__eq__", "__hash__"):
        found = next(vars(base)[name] for base in kind.__mro__ if name in vars(base))
        if is_function(found) and found.__module__ != "enum":
            return False
    return True


def rely_on_plain_key(machine: Machine, key: Any) -> None:
    """Guard that no user class comes to define the key's equality."""
    if type(key) is tuple:
        for one in key:
            rely_on_plain_key(machine, one)
    elif type(key) not in _PLAIN and made_at_run_time(type(key)):
        names = {name: class_lookup(type(key), name) for name in ("__eq__", "__hash__")}
        machine.guard(ClassHolds.of(type(key), names))


def plain_key(machine: Machine, key: Symbolic) -> Any:
    """Return a known value as a key; break otherwise."""
    if not isinstance(key, Known) or not is_plain_key(key.object):
        raise GraphBreak(INDEXING, "a key of a dict that is not known")
    rely_on_plain_key(machine, key.object)
    return key.object


def _refuse_foreign_keys(of: dict[Any, Any]) -> None:
    """Break for keys whose comparison in a look-up would run user code again."""
    if not _PLAIN_TYPES.issuperset(map(type, of)) and not all(map(is_plain_key, of)):
        raise GraphBreak(INDEXING, "a dict with keys that are no plain values")


def _state(machine: Machine, owner: Dict | Instance) -> DictState:
    state: DictState | None = machine.heap.state(owner)
    if table_of(machine, owner) is not None:
        raise GraphBreak(INDEXING, "a key of a dict that is not known, where all are needed")
    return DictState(whole=False) if state is None else state


def is_known_empty(machine: Machine, owner: Dict) -> bool:
    """True for a dict without entries that the segment has made."""
    state = machine.heap.state(owner)
    return isinstance(state, DictState) and state.whole and not state.entries


def dict_entries(machine: Machine, owner: Dict | Instance) -> dict[Any, Symbolic]:
    """Return all entries of a dict; one from outside is guarded by its keys.

    If the segment has assigned items before, new keys come after those that existed.
    """
    state = _state(machine, owner)
    if not state.whole:
        assert isinstance(owner, Dict)
        assert owner.source is not None
        assert owner.object is not None
        if state.absent or any(map(may_be_unbound, state.entries.values())):
            raise GraphBreak(EFFECT, "all of a namespace, of which the segment may change the keys")
        check_length(owner.object)
        keys = tuple(owner.object)
        _refuse_foreign_keys(owner.object)
        machine.guard(HasKeys(owner.source, keys))
        source = owner.source
        found = {k: Lazy(Key(source, k), v) for k, v in owner.object.items()}
        state = replace(state, entries={**found, **state.entries}, whole=True)
        machine.heap.learn(owner, state)
    return state.entries


def get_item(machine: Machine, owner: Dict, key: Any) -> Symbolic | None:
    """Return `owner[key]`, or None if there is no such key."""
    machine.heap.note_read(owner, key)
    state = _state(machine, owner)
    if key in state.entries or state.whole:
        return state.entries.get(key)
    assert owner.source is not None
    assert owner.object is not None
    _refuse_foreign_keys(owner.object)
    if key not in owner.object:
        return dict_entries(machine, owner).get(key)
    source = Key(owner.source, key)
    machine.guard(IsThere(source))  # the value itself may never be used
    found = Lazy(source, owner.object[key])
    machine.heap.learn(owner, replace(state, entries={**state.entries, key: found}))
    return found


def set_item(
    machine: Machine, owner: Dict, key: Any, value: Symbolic, read: fields.Read | None = None
) -> None:
    """Set `owner[key] = value`, without reading the contents of an outside dict.

    `read` returns what is under the key before a region changes it; without it, a region can only
    change existing entries.
    """
    if owner.object is not None:
        _refuse_foreign_keys(owner.object)
    state = _state(machine, owner)
    if machine.heap.peek(owner) is None:
        machine.heap.learn(owner, state)
    if key in state.entries:
        check_dropped(state.entries[key])
    elif owner.object is not None and not state.whole:
        check_dropped_object(owner.object.get(key))
    read = read or partial(_own, machine, owner, key)
    fields.assign(machine, Field(owner, key), value, read)


def _own(machine: Machine, owner: Dict, key: Any) -> Symbolic:
    found = get_item(machine, owner, key)
    if found is None:
        raise GraphBreak(INDEXING, f"a dict without key {key!r}")
    return found


def delete_item(machine: Machine, owner: Dict, key: Any) -> Symbolic:
    """Delete `owner[key]` and return what it held."""
    entries = dict_entries(machine, owner)
    if key not in entries:
        raise GraphBreak(NUMPY_REFUSED, f"KeyError: {key!r}")
    fields.refuse_other_changes(machine, owner)
    rest = {k: v for k, v in entries.items() if k != key}
    left = DictState(rest, changed=True, removed=_state(machine, owner).removed + 1)
    machine.change(owner, left, dict.__delitem__, Known(key))
    return entries[key]


# ---- iterators over dicts --------------------------------------------------------------------


def owner_of(walked: Dict | View) -> Dict | Instance:
    """Return the dict that is iterated over, or that a view shows."""
    return walked if isinstance(walked, Dict) else walked.owner


def layout_of(machine: Machine, walked: Dict | View) -> tuple[tuple[Any, ...], int]:
    """Return the order of a dict's entries; a removed key would come back at another position."""
    owner = owner_of(walked)
    return tuple(dict_entries(machine, owner)), _state(machine, owner).removed


def is_laid_out_as(machine: Machine, walked: Symbolic, layout: Hashable) -> bool:
    """True if an iterator made for this layout may continue; only values may differ."""
    held = sequence_of_model(machine, walked)
    if held is not None:
        return bool(machine.heap.peek(held) == layout)
    if table_of(machine, walked) is not None:
        return False  # only running tells
    return not isinstance(walked, Dict | View) or layout_of(machine, walked) == layout
