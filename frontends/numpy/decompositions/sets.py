"""`set` of ints, or of tuples of ints: methods of a hash table.

`keys` has the items in the order in which they came, and `slots`, as many as a power of two, have
for each item its place in `keys` plus one. At an exit a set gets the items in the same order as in
eager, so that a loop goes through both in the same order.
"""

from __future__ import annotations

from typing import Any

from ...capture.values.models import model

FIRST_SLOTS = 32
_BITS, _FACTOR = 0x3FFFFFFF, 2246822519


def add(keys: Any, slots: Any, item: Any) -> None:
    """Add an item."""
    _add(keys, slots, item)


def _add(keys: Any, slots: Any, item: Any) -> None:
    place = place_of(keys, slots, item)
    if slots[place] == 0:
        keys.append(item)
        slots[place] = len(keys)
        if 2 * len(keys) > len(slots):
            enlarge(keys, slots)


def update(keys: Any, slots: Any, more: Any) -> None:
    """Add several items."""
    for item in more:
        _add(keys, slots, item)


def contains(keys: Any, slots: Any, item: Any) -> Any:
    """Return True if the item is in the set."""
    return slots[place_of(keys, slots, item)] > 0


def count(keys: Any, slots: Any) -> Any:
    """Return the number of items."""
    return len(keys)


def place_of(keys: Any, slots: Any, item: Any) -> Any:
    """Return the place of the item's slot, or of the empty one where it would be put."""
    last = len(slots) - 1
    place = _hashed(item) & last
    found = slots[place]
    while found > 0 and not _same(keys[found - 1], item):
        place = (place + 1) & last
        found = slots[place]
    return place


def enlarge(keys: Any, slots: Any) -> None:
    """Double the slots."""
    for place in range(len(slots)):
        slots[place] = 0
    for _ in range(len(slots)):
        slots.append(0)
    last = len(slots) - 1
    for k in range(len(keys)):
        place = _hashed(keys[k]) & last
        while slots[place] > 0:
            place = (place + 1) & last
        slots[place] = k + 1


def _hashed(item: Any) -> Any:
    """Return a hash whose lower bits depend on all of the item; ints of 64 bits hold it."""
    if isinstance(item, tuple):
        mixed = 0
        for part in item:
            mixed = _spread(_folded(part) ^ mixed) & _BITS
        return mixed
    return _spread(_folded(item))


def _spread(number: Any) -> Any:
    """Return an int in whose lower bits multiples of a number differ; `number` has 30 bits."""
    product = number * _FACTOR
    return (product >> 13) ^ (product >> 32)


def _folded(number: Any) -> Any:
    """Return an int of 30 bits that depends on all 64 of a number."""
    whole = int(number)
    return (whole ^ (whole >> 23) ^ (whole >> 46)) & _BITS


def _same(one: Any, other: Any) -> Any:
    """Return `one == other` without a branch for each part."""
    if not isinstance(one, tuple):
        return one == other
    same = True
    for mine, its in zip(one, other, strict=True):
        same = same & (mine == its)
    return same


TABLE = model(
    set,
    set,
    1,
    {"add": add, "update": update, "__contains__": contains, "__len__": count},
    ordered=False,
)
"""The class of symbolic sets."""
