"""`set` of ints, or of tuples of ints: methods of a hash table.

`keys` has the items in the order in which they came, and `slots`, as many as a power of two, have
for each item its place in `keys` plus one. At an exit a set gets the items in the same order as in
eager, or is made of two sets as in eager, so that a loop goes through both in the same order.
"""

from __future__ import annotations

from typing import Any

from ...capture.values.models import model
from ...capture.values.python_bodies import add_module
from ...runtime import exit_calls

FIRST_SLOTS = 32
REMOVED, MERGED, SUBTRACTED, KEPT, TOGGLED, CHANGES = range(6)
"""Changes that are no additions: of an item, or by another set; and the number of these."""
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


def add_noted(keys: Any, slots: Any, past: Any, item: Any) -> None:
    """Add an item, and note it if it is new."""
    count = len(keys)
    _add(keys, slots, item)
    if len(keys) > count:
        past.append(item)


def update_noted(keys: Any, slots: Any, past: Any, more: Any) -> None:
    """Add several items, and note the new ones."""
    for item in more:
        count = len(keys)
        _add(keys, slots, item)
        if len(keys) > count:
            past.append(item)


def discard(keys: Any, slots: Any, past: Any, marks: Any, item: Any) -> None:
    """Remove an item if it is there, and note that."""
    place = place_of(keys, slots, item)
    if slots[place] > 0:
        _note(past, marks, keys[slots[place] - 1])
        _remove(keys, slots, place)


def remove(keys: Any, slots: Any, past: Any, marks: Any, item: Any) -> None:
    """Remove an item; a missing one leaves the kernel at an item that the list does not have."""
    place = place_of(keys, slots, item)
    slot = slots[place]
    _note(past, marks, keys[slot - 1 if slot > 0 else len(keys)])
    _remove(keys, slots, place)


def merge(keys: Any, slots: Any, past: Any, marks: Any, its_keys: Any) -> None:
    """Add the items of another set, and note all of them: they decide when eager's set grows."""
    _mark(past, marks, MERGED, len(its_keys))
    for item in its_keys:
        past.append(item)
        _add(keys, slots, item)


def subtract(keys: Any, slots: Any, past: Any, marks: Any, its_keys: Any) -> None:
    """Remove the items of another set, and note all of them."""
    _mark(past, marks, SUBTRACTED, len(its_keys))
    for item in its_keys:
        past.append(_other(item))
        place = place_of(keys, slots, item)
        if slots[place] > 0:
            _remove(keys, slots, place)


def intersect(keys: Any, slots: Any, past: Any, marks: Any, its_keys: Any, its_slots: Any) -> None:
    """Remove the items that another set does not have, and note all items of that one."""
    _mark(past, marks, KEPT, len(its_keys))
    past.extend(its_keys)
    place = 0
    while place < len(keys):
        item = _other(keys[place])
        if its_slots[place_of(its_keys, its_slots, item)] > 0:
            place += 1
        else:
            _remove(keys, slots, place_of(keys, slots, item))


def toggle(keys: Any, slots: Any, past: Any, marks: Any, its_keys: Any) -> None:
    """Remove those items of another set that are there, add the others, and note all of them."""
    _mark(past, marks, TOGGLED, len(its_keys))
    for item in its_keys:
        past.append(item)
        count = len(keys)
        _add(keys, slots, item)
        if len(keys) == count:
            _remove(keys, slots, place_of(keys, slots, item))


def _mark(past: Any, marks: Any, change: Any, count: Any) -> None:
    """Note that the next items of the past are no additions but changes of this kind."""
    marks.append(len(past))
    marks.append(count * CHANGES + change)


def _note(past: Any, marks: Any, item: Any) -> None:
    """Note that an item is removed."""
    _mark(past, marks, REMOVED, 1)
    past.append(_other(item))


def _other(item: Any) -> Any:
    """Return an equal item of which nobody asks if it is the same object."""
    return tuple([+part for part in item]) if isinstance(item, tuple) else item


def _remove(keys: Any, slots: Any, place: Any) -> None:
    """Remove the item of a slot; the last one takes its place among the keys."""
    at = slots[place] - 1
    free(keys, slots, place)
    if at < len(keys) - 1:
        last = _other(keys[len(keys) - 1])
        slots[place_of(keys, slots, last)] = at + 1
        keys[at] = last
    keys.pop()


def contains(keys: Any, slots: Any, item: Any) -> Any:
    """Return True if the item is in the set."""
    return slots[place_of(keys, slots, item)] > 0


def within(keys: Any, slots: Any, its_keys: Any, its_slots: Any) -> Any:
    """Return `one <= other`."""
    return _are_in(keys, its_keys, its_slots)


def properly_within(keys: Any, slots: Any, its_keys: Any, its_slots: Any) -> Any:
    """Return `one < other`."""
    return len(keys) < len(its_keys) and _are_in(keys, its_keys, its_slots)


def equal(keys: Any, slots: Any, its_keys: Any, its_slots: Any) -> Any:
    """Return `one == other`."""
    return len(keys) == len(its_keys) and _are_in(keys, its_keys, its_slots)


def unequal(keys: Any, slots: Any, its_keys: Any, its_slots: Any) -> Any:
    """Return `one != other`."""
    return not (len(keys) == len(its_keys) and _are_in(keys, its_keys, its_slots))


def disjoint(keys: Any, slots: Any, its_keys: Any, its_slots: Any) -> Any:
    """Return `one.isdisjoint(other)`."""
    apart = True
    place = 0
    while apart and place < len(keys):
        apart = its_slots[place_of(its_keys, its_slots, keys[place])] == 0
        place += 1
    return apart


def _are_in(keys: Any, its_keys: Any, its_slots: Any) -> Any:
    """Return True if a set has all of these items."""
    inside = len(keys) <= len(its_keys)
    place = 0
    while inside and place < len(keys):
        inside = its_slots[place_of(its_keys, its_slots, keys[place])] > 0
        place += 1
    return inside


def both(keys: Any, slots: Any, its_keys: Any, its_slots: Any, made: Any, made_slots: Any) -> None:
    """Add the items of `one & other` to an empty set."""
    for item in keys:
        if its_slots[place_of(its_keys, its_slots, item)] > 0:
            made.append(item)
    _fill(made, made_slots)


def either(
    keys: Any, slots: Any, its_keys: Any, its_slots: Any, made: Any, made_slots: Any
) -> None:
    """Add the items of `one | other` to an empty set."""
    made.extend(keys)
    for item in its_keys:
        if slots[place_of(keys, slots, item)] == 0:
            made.append(item)
    _fill(made, made_slots)


def without(
    keys: Any, slots: Any, its_keys: Any, its_slots: Any, made: Any, made_slots: Any
) -> None:
    """Add the items of `one - other` to an empty set."""
    for item in keys:
        if its_slots[place_of(its_keys, its_slots, item)] == 0:
            made.append(item)
    _fill(made, made_slots)


def differing(
    keys: Any, slots: Any, its_keys: Any, its_slots: Any, made: Any, made_slots: Any
) -> None:
    """Add the items of `one ^ other` to an empty set."""
    for item in keys:
        if its_slots[place_of(its_keys, its_slots, item)] == 0:
            made.append(item)
    for item in its_keys:
        if slots[place_of(keys, slots, item)] == 0:
            made.append(item)
    _fill(made, made_slots)


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
    _put_all(keys, slots)


def _fill(keys: Any, slots: Any) -> None:
    """Make the slots of new keys; the slots are empty."""
    while len(slots) < 2 * len(keys):
        for _ in range(len(slots)):
            slots.append(0)
    _put_all(keys, slots)


def _put_all(keys: Any, slots: Any) -> None:
    """Put all keys into empty slots."""
    last = len(slots) - 1
    for k in range(len(keys)):
        place = _hashed(keys[k]) & last
        while slots[place] > 0:
            place = (place + 1) & last
        slots[place] = k + 1


def free(keys: Any, slots: Any, place: Any) -> None:
    """Empty a slot, and move those after it that would not be found any more."""
    last = len(slots) - 1
    probed = (place + 1) & last
    while slots[probed] > 0:
        home = _hashed(keys[slots[probed] - 1]) & last
        if ((probed - home) & last) >= ((probed - place) & last):
            slots[place] = slots[probed]
            place = probed
        probed = (probed + 1) & last
    slots[place] = 0


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


add_module(add)
TABLE = model(
    set,
    exit_calls.set_of,
    4,
    {},
    ordered=False,
    handled=(
        *("__contains__", "__len__", "add", "update", "isdisjoint", "issubset", "issuperset"),
        *("discard", "remove", "difference_update", "intersection_update"),
        *("symmetric_difference_update", "__iand__", "__ior__", "__isub__", "__ixor__"),
        *("__eq__", "__ne__", "__le__", "__lt__", "__ge__", "__gt__"),
        *("__and__", "__or__", "__sub__", "__xor__", "difference", "intersection", "union"),
        *("copy", "symmetric_difference"),
    ),
)
"""The class of symbolic sets.

They hold `keys`, the `function` that has made the set of two others, `left` and `right`, and the
`slots`. Without a function exits add the keys one by one. With one they call it, since the order
of its result depends on that of both; nothing is added to such a set. Of a set that has lost items
or got those of another one, `left` is the list of the items that came, went or were merged, and
`right` marks what was no addition, in pairs of a place in `left` and of the number of items from
there on times `CHANGES` plus the change: see `exit_calls.replay`.
"""
