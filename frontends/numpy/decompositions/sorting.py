"""`sorted` and `list.sort` of numbers, and of tuples of numbers: a merge sort.

Any stable sort gives the same, as nothing in the list differs from itself.
"""

from __future__ import annotations

from typing import Any

from ...capture.values.python_bodies import decomposes
from .heaps import before
from .walking import no_nan


@decomposes(sorted)
def in_order(items: Any, key: Any, backward: Any) -> Any:
    """Return `sorted(items, key=key, reverse=backward)`."""
    made = []
    for item in items:
        made.append(item)
    order = _order(made, key, backward)
    result = []
    for place in order:
        result.append(made[place])
    return result


@decomposes(list.sort)
def sort(items: Any, key: Any, backward: Any) -> None:
    """Sort a list in place."""
    result = [items[place] for place in _order(items, key, backward)]
    for place in range(len(result)):
        items[place] = result[place]


def _order(items: Any, key: Any, backward: Any) -> Any:
    """Return the places of the items in the order of their keys, merging ever longer runs."""
    ranks = []
    for item in items:
        ranks.append(_rank(item, key))
    order, merged = [], []
    for place in range(len(ranks)):
        order.append(place)
        merged.append(place)
    width = 1
    while width < len(ranks):
        for first in range(0, len(ranks), 2 * width):
            _merge(ranks, order, merged, first, width, backward)
        for place in range(len(ranks)):
            order[place] = merged[place]
        width *= 2
    return order


def _rank(item: Any, key: Any) -> Any:
    rank = item if key is None else key(item)
    return rank if isinstance(rank, tuple) else no_nan(rank)


def _merge(ranks: Any, order: Any, merged: Any, first: Any, width: Any, backward: Any) -> None:
    """Merge two runs; of equal items the one of the left run comes first."""
    middle = min(first + width, len(ranks))
    end = min(middle + width, len(ranks))
    left, right = first, middle
    for place in range(first, end):
        takes_right = left >= middle
        if left < middle and right < end:
            one, other = ranks[order[left]], ranks[order[right]]
            takes_right = before(one, other) if backward else before(other, one)
        if takes_right:
            merged[place] = order[right]
            right += 1
        else:
            merged[place] = order[left]
            left += 1
