"""Dicts whose keys are ints, or tuples of ints, that only running tells.

`keys` and `values` have the entries in the order in which a loop goes through the dict; `slots` is
the hash table of the keys, as for sets.
"""

from __future__ import annotations

from typing import Any

from ...capture.values.python_bodies import add_module
from .sets import enlarge, place_of


def item(keys: Any, values: Any, slots: Any, key: Any) -> Any:
    """Return `d[key]`; a missing key leaves the kernel at an item that the list does not have."""
    slot = slots[place_of(keys, slots, key)]
    return values[slot - 1 if slot > 0 else len(values)]


def get(keys: Any, values: Any, slots: Any, key: Any, default: Any) -> Any:
    """Return `d.get(key, default)`."""
    slot = slots[place_of(keys, slots, key)]
    return values[slot - 1] if slot > 0 else default


def contains(keys: Any, values: Any, slots: Any, key: Any) -> Any:
    """Return `key in d`."""
    return slots[place_of(keys, slots, key)] > 0


def set_item(keys: Any, values: Any, slots: Any, key: Any, value: Any) -> None:
    """Assign `d[key] = value`; a key that is there stays the object that it is."""
    values[_claimed(keys, values, slots, key)] = value


def set_existing(keys: Any, values: Any, slots: Any, key: Any, value: Any) -> None:
    """Assign `d[key] = value` in a loop over the dict, which eager leaves if the key is missing."""
    slot = slots[place_of(keys, slots, key)]
    values[slot - 1 if slot > 0 else len(values)] = value


def set_default(keys: Any, values: Any, slots: Any, key: Any, default: Any) -> Any:
    """Return `d.setdefault(key, default)`, and `d[key]` of a dict that adds what is missing."""
    count = len(keys)
    place = _claimed(keys, values, slots, key)
    if place == count:
        values[place] = default
    return values[place]


def _claimed(keys: Any, values: Any, slots: Any, key: Any) -> Any:
    """Return the place of the value under a key, which is added if it is missing.

    A value is put into the list in one place: in two, it would be tracked as in it twice.
    """
    place = place_of(keys, slots, key)
    slot = slots[place]
    if slot == 0:
        keys.append(key)
        make_room(values)
        slot = len(keys)
        slots[place] = slot
        if 2 * slot > len(slots):
            enlarge(keys, slots)
    return slot - 1


def make_room(values: Any) -> None:
    """Append an item that is replaced before anything reads it."""
    raise NotImplementedError  # the machine knows what the list can hold


add_module(item)
