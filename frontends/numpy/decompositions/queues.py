"""`collections.deque`: methods of a list of its items, and its greatest length or None."""

from __future__ import annotations

from collections import deque
from typing import Any

from ...capture.values.models import model


def shorten(items: Any, longest: Any) -> None:
    """Drop the first items of a new deque that are too many."""
    while len(items) > longest:
        items.pop(0)


def append(items: Any, longest: Any, item: Any) -> None:
    """Append at the right; a full deque drops its first item."""
    _append(items, longest, item)


def _append(items: Any, longest: Any, item: Any) -> None:
    items.append(item)
    if longest is not None and len(items) > longest:
        items.pop(0)


def append_left(items: Any, longest: Any, item: Any) -> None:
    """Append at the left, where each item goes one place on."""
    if longest is not None:
        raise NotImplementedError
    items.append(item)
    for place in range(len(items) - 1, 0, -1):
        items[place] = items[place - 1]
    items[0] = item


def extend(items: Any, longest: Any, more: Any) -> None:
    """Append several items at the right."""
    for item in more:
        _append(items, longest, item)


def pop(items: Any, longest: Any) -> Any:
    """Remove and return the last item."""
    return items.pop()


def pop_left(items: Any, longest: Any) -> Any:
    """Remove and return the first item."""
    return items.pop(0)


def clear(items: Any, longest: Any) -> None:
    """Remove all items."""
    while len(items) > 0:
        items.pop()


def count(items: Any, longest: Any) -> Any:
    """Return the number of items."""
    return len(items)


def item_at(items: Any, longest: Any, place: Any) -> Any:
    """Return an item; a deque has no slices."""
    if isinstance(place, slice):
        raise NotImplementedError
    return items[place]


def set_item(items: Any, longest: Any, place: Any, item: Any) -> None:
    """Replace an item."""
    if isinstance(place, slice):
        raise NotImplementedError
    items[place] = item


QUEUE = model(
    deque,
    deque,
    2,
    {
        "append": append,
        "appendleft": append_left,
        "extend": extend,
        "pop": pop,
        "popleft": pop_left,
        "clear": clear,
        "__len__": count,
        "__getitem__": item_at,
        "__setitem__": set_item,
    },
    ordered=True,
)
"""The class of symbolic deques."""
