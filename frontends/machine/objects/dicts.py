"""Dicts with plain keys: what they hold and how they change."""

from __future__ import annotations

import enum
from dataclasses import field, replace
from functools import partial
from typing import Any

from ....guards.objects import HasKeys, IsThere
from ....guards.sources import Key
from ....jit.frozen import dataclass
from ..breaks import EFFECT, INDEXING, NUMPY_REFUSED, GraphBreak
from ..limits import check_length
from ..machine import Machine
from ..values import Dict, Known, Symbolic, Unread
from . import fields
from .endings import let_go, let_go_of
from .heap import Field

_PLAIN = (str, int, float, bool, bytes, type(None))
_PLAIN_TYPES = frozenset(_PLAIN)


@dataclass(frozen=True, slots=True)
class DictState:
    """Values by key, in order."""

    entries: dict[Any, Symbolic] = field(default_factory=dict)
    whole: bool = True
    """False: of a dict from outside nobody has looked at more than these keys."""
    changed: bool = False
    """The segment has changed it."""

    def get(self, key: Any) -> Symbolic | None:
        """What stands under a key, as far as is known."""
        return self.entries.get(key)

    def holding(self, key: Any, value: Symbolic) -> DictState:
        """The state when something else stands under a key."""
        return replace(self, entries={**self.entries, key: value}, changed=True)


def new_dict(machine: Machine, entries: dict[Any, Symbolic]) -> Dict:
    """A dict that is made here."""
    made = Dict()
    machine.heap.make(made, DictState(entries))
    return made


def is_plain_key(key: Any) -> bool:
    """Whether comparing it runs no code of the user, and tells it from all other keys."""
    if type(key) is tuple:
        return all(map(is_plain_key, key))
    return type(key) in _PLAIN or isinstance(key, enum.Enum | type)


def plain_key(key: Symbolic) -> Any:
    """The key that a known value is; a break for others."""
    if not isinstance(key, Known) or not is_plain_key(key.object):
        raise GraphBreak(INDEXING, "a key of a dict that is not known")
    return key.object


def _refuse_foreign_keys(of: dict[Any, Any]) -> None:
    """A look-up would compare them, and run code of the user's once more than eager does."""
    if not _PLAIN_TYPES.issuperset(map(type, of)) and not all(map(is_plain_key, of)):
        raise GraphBreak(INDEXING, "a dict with keys that are no plain values")


def _state(machine: Machine, owner: Dict) -> DictState:
    state: DictState | None = machine.heap.state(owner)
    return DictState(whole=False) if state is None else state


def dict_entries(machine: Machine, owner: Dict) -> dict[Any, Symbolic]:
    """All that a dict holds; that of one from outside is guarded by its keys."""
    state = _state(machine, owner)
    if not state.whole:
        if state.changed:
            raise GraphBreak(EFFECT, "a look at all keys of a dict that was changed here")
        assert owner.source is not None
        assert owner.object is not None
        check_length(owner.object)
        keys = tuple(owner.object)
        _refuse_foreign_keys(owner.object)
        machine.guard(HasKeys(owner.source, keys))
        source = owner.source
        state = DictState({k: Unread(Key(source, k), v) for k, v in owner.object.items()})
        machine.heap.learn(owner, state)
    return state.entries


def get_item(machine: Machine, owner: Dict, key: Any) -> Symbolic | None:
    """`owner[key]`; None when there is no such key."""
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
    machine.guard(IsThere(source))  # the value itself may never be looked at
    found = Unread(source, owner.object[key])
    machine.heap.learn(owner, replace(state, entries={**state.entries, key: found}))
    return found


def set_item(machine: Machine, owner: Dict, key: Any, value: Symbolic) -> None:
    """`owner[key] = value`; of a dict from outside it does not look at what is there."""
    if owner.object is not None:
        _refuse_foreign_keys(owner.object)
    state = _state(machine, owner)
    if machine.heap.peek(owner) is None:
        machine.heap.learn(owner, state)
    if key in state.entries:
        let_go(state.entries[key])
    elif owner.object is not None and not state.whole:
        let_go_of(owner.object.get(key))
    fields.assign(machine, Field(owner, key), value, partial(_own, machine, owner, key))


def _own(machine: Machine, owner: Dict, key: Any) -> Symbolic:
    found = get_item(machine, owner, key)
    if found is None:
        raise GraphBreak(INDEXING, f"a dict without key {key!r}")
    return found


def delete_item(machine: Machine, owner: Dict, key: Any) -> Symbolic:
    """`del owner[key]`; gives what was there."""
    entries = dict_entries(machine, owner)
    if key not in entries:
        raise GraphBreak(NUMPY_REFUSED, f"KeyError: {key!r}")
    fields.refuse_other_changes(machine, owner)
    rest = {k: v for k, v in entries.items() if k != key}
    machine.change(owner, DictState(rest, changed=True), dict.__delitem__, Known(key))
    return entries[key]
