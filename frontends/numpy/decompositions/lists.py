"""Operations on lists that have grown, item by item."""

from __future__ import annotations

from typing import Any

from ...capture.values.python_bodies import decomposes


@decomposes(list.extend)
def extend(more: Any, items: Any) -> None:
    """`items.extend(more)`."""
    for item in more:
        items.append(item)


@decomposes(list.reverse)
def reverse(items: Any) -> None:
    """`items.reverse()`."""
    last = len(items) - 1
    for place in range(len(items) // 2):
        items[place], items[last - place] = items[last - place], items[place]


@decomposes(list.insert)
def insert(items: Any, index: Any, item: Any) -> None:
    """`items.insert(index, item)`."""
    place = _bound(index, len(items), 0, len(items))
    items.append(item)
    for k in range(len(items) - 1, place, -1):
        items[k] = items[k - 1]
    items[place] = item


@decomposes(list.pop)
def pop(items: Any, index: Any) -> Any:
    """`items.pop(index)`."""
    found = items[index]
    for k in range(index + len(items) if index < 0 else index, len(items) - 1):
        items[k] = items[k + 1]
    items.pop()
    return found


@decomposes(list.clear)
def clear(items: Any) -> None:
    """`items.clear()`."""
    while len(items) > 0:
        items.pop()


def part_of(items: Any, start: Any, stop: Any, step: Any) -> Any:
    """`items[start:stop:step]`."""
    count = len(items)
    if step is None or step > 0:
        first = 0 if start is None else _bound(start, count, 0, count)
        end = count if stop is None else _bound(stop, count, 0, count)
    elif step < 0:
        first = count - 1 if start is None else _bound(start, count, -1, count - 1)
        end = -1 if stop is None else _bound(stop, count, -1, count - 1)
    else:
        raise NotImplementedError
    made = []
    for place in range(first, end, 1 if step is None else step):
        made.append(items[place])
    return made


def joined(one: Any, other: Any) -> Any:
    """`one + other`."""
    made = []
    for item in one:
        made.append(item)
    for item in other:
        made.append(item)
    return made


def _bound(index: Any, count: Any, least: Any, most: Any) -> Any:
    """Return an index counted from the front, moved to between two bounds."""
    return max(index + count, least) if index < 0 else min(index, most)
