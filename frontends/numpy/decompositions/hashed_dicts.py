"""Dicts whose keys are ints, or tuples of ints, that only running tells.

`keys` and `values` have the entries in the order in which a loop goes through the dict; `slots` is
the hash table of the keys, as for sets.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from ...capture.values.models import model
from ...capture.values.python_bodies import add_module
from ...runtime import exit_calls
from .sets import enlarge, place_of
from .sets import free as _free

_MOST_MOVED = 128
"""Number of slots up to which an entry is removed from the middle of a dict."""


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


def item_or_zero(keys: Any, values: Any, slots: Any, key: Any) -> Any:
    """Return `d[key]` of a `defaultdict(float)`: what is missing is the zero of a new item."""
    place = _claimed(keys, values, slots, key)
    refuse_tracked(values)
    return values[place]


def pop(keys: Any, values: Any, slots: Any, key: Any) -> Any:
    """Return `d.pop(key)`; a missing key leaves the kernel at an item that the list lacks."""
    place = place_of(keys, slots, key)
    slot = slots[place]
    found = values[slot - 1 if slot > 0 else len(values)]
    _remove(keys, values, slots, place)
    return found


def pop_or(keys: Any, values: Any, slots: Any, key: Any, default: Any) -> Any:
    """Return `d.pop(key, default)`."""
    place = place_of(keys, slots, key)
    slot = slots[place]
    found = default
    if slot > 0:
        found = values[slot - 1]
        _remove(keys, values, slots, place)
    return found


def pop_item(keys: Any, values: Any, slots: Any) -> Any:
    """Return `d.popitem()`; an empty dict leaves the kernel at an item that the list lacks."""
    last = len(keys) - 1
    key = keys[last if last >= 0 else len(keys)]
    value = values[last]
    _remove(keys, values, slots, place_of(keys, slots, key))
    return key, value


def clear(keys: Any, values: Any, slots: Any) -> None:
    """Remove all entries."""
    keys.clear()
    values.clear()
    for place in range(len(slots)):
        slots[place] = 0


def equal(
    keys: Any, values: Any, slots: Any, its_keys: Any, its_values: Any, its_slots: Any
) -> Any:
    """Return `one == other`; the kernel is left at a NaN, which equals itself in a dict."""
    same = len(keys) == len(its_keys)
    place = 0
    while same and place < len(keys):
        slot = its_slots[place_of(its_keys, its_slots, keys[place])]
        same = False
        if slot > 0:
            mine, its = values[place], its_values[slot - 1]
            if mine == its:
                same = True  # a bool of Python's, whatever numbers are compared
            if mine != mine and its != its:
                values[len(values)]
        place += 1
    return same


def _remove(keys: Any, values: Any, slots: Any, place: Any) -> None:
    """Remove the entry of a slot. Those after it move up, which large dicts leave to Python."""
    at = slots[place] - 1
    if at < len(keys) - 1 and len(slots) > _MOST_MOVED:
        values[len(values)]
    _free(keys, slots, place)
    if at < len(keys) - 1:
        for one in range(len(slots)):
            slots[one] = slots[one] - (slots[one] > at)
        keys.pop(at)
        values.pop(at)
    else:
        keys.pop()
        values.pop()


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
    """Append a zero, which is an object that nothing else holds."""
    raise NotImplementedError  # the machine knows what the list can hold


def refuse_tracked(values: Any) -> None:
    """Break if it is tracked which object each item is: the zero of a new item is in no table."""
    raise NotImplementedError


def tally(keys: Any, values: Any, slots: Any, items: Any) -> None:
    """Count items."""
    for one in items:
        count = len(keys)
        place = _claimed(keys, values, slots, one)
        values[place] = 1 if place == count else values[place] + 1


def most_common(keys: Any, values: Any, slots: Any, most: Any) -> Any:
    """Return pairs of a key and its count, the greatest counts first."""
    pairs = []
    for place in range(len(keys)):
        pairs.append((keys[place], values[place]))
    ordered = sorted(pairs, key=_count_in, reverse=True)
    return ordered if most is None else ordered[:most]


def _count_in(pair: Any) -> Any:
    return pair[1]


add_module(item)
_COMMON = ("__contains__", "__getitem__", "__setitem__", "get", "items", "keys", "values")

COUNTER = model(
    Counter,
    exit_calls.counter_of,
    2,
    {},
    ordered=False,
    maps=True,
    handled=(*_COMMON, "most_common", "update"),
)
"""The class of symbolic `collections.Counter`s."""
DEFAULTS = model(
    defaultdict,
    exit_calls.default_dict_of,
    3,
    {},
    ordered=False,
    maps=True,
    handled=_COMMON,
)
"""The class of symbolic `collections.defaultdict`s, which hold their `factory` too."""
