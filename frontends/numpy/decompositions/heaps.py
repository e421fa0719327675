"""`heapq` on lists, comparing and moving in the order of CPython's functions of C."""

from __future__ import annotations

import heapq
from typing import Any

from ...capture.values.python_bodies import in_place_of


def before(one: Any, other: Any) -> Any:
    """`one < other` of numbers, or of tuples of numbers; see handlers/heaps.py."""
    return one < other


@in_place_of(heapq.heappush)
def heappush(heap: Any, item: Any) -> Any:
    """Appends the item and lets it rise."""
    heap.append(item)
    _rise(heap, len(heap) - 1, item)


@in_place_of(heapq.heappop)
def heappop(heap: Any) -> Any:
    """The first item; the last one takes its place, and sinks to a leaf before it rises again."""
    if len(heap) == 0:
        raise NotImplementedError
    found = last = heap.pop()
    if len(heap) > 0:
        found = heap[0]
        end, place, child = len(heap), 0, 1
        while child < end:
            if child + 1 < end and not before(heap[child], heap[child + 1]):
                child += 1
            heap[place] = heap[child]
            place = child
            child = 2 * place + 1
        _rise(heap, place, last)
    return found


def _rise(heap: Any, place: Any, item: Any) -> None:
    """Puts the item to its place between the one given and the root."""
    while place > 0:
        above = (place - 1) >> 1
        parent = heap[above]
        if not before(item, parent):
            break
        heap[place] = parent
        place = above
    heap[place] = item
