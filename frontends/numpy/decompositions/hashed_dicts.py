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
