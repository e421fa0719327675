"""`heapq` on lists, comparing and moving in the order of CPython's functions of C."""

from __future__ import annotations

import heapq
from typing import Any

from ...capture.values.python_bodies import decomposes


def before(one: Any, other: Any) -> Any:
    """`one < other` of numbers, or of tuples of numbers; see handlers/heaps.py."""
    return one < other


@decomposes(heapq.heappush)
def heappush(heap: Any, item: Any) -> Any:
    """Appends the item and lets it rise."""
    heap.append(item)
    _rise(heap, 0, len(heap) - 1, item)


@decomposes(heapq.heappop)
def heappop(heap: Any) -> Any:
    """The first item; the last one takes its place, and sinks."""
    if len(heap) == 0:
        raise NotImplementedError
    found = last = heap.pop()
    if len(heap) > 0:
        found = heap[0]
        _sink(heap, 0, last)
    return found


@decomposes(heapq.heapreplace)
def heapreplace(heap: Any, item: Any) -> Any:
    """The first item; the given one takes its place, and sinks."""
    found = heap[0]
    _sink(heap, 0, item)
    return found


@decomposes(heapq.heappushpop)
def heappushpop(heap: Any, item: Any) -> Any:
    """The least of the heap and the item; the other ones stay."""
    found = item
    if len(heap) > 0 and before(heap[0], item):
        found = heap[0]
        _sink(heap, 0, item)
    return found


@decomposes(heapq.heapify)
def heapify(heap: Any) -> None:
    """Lets each item that has others below it sink, the last one first."""
    for place in range((len(heap) >> 1) - 1, -1, -1):
        _sink(heap, place, heap[place])


def _sink(heap: Any, start: Any, item: Any) -> None:
    """Lets the item sink from a place to a leaf, and rise again."""
    end, place, child = len(heap), start, 2 * start + 1
    while child < end:
        if child + 1 < end and not before(heap[child], heap[child + 1]):
            child += 1
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    _rise(heap, start, place, item)


def _rise(heap: Any, start: Any, place: Any, item: Any) -> None:
    """Puts the item to its place between the one given and the start of its branch."""
    while place > start:
        above = (place - 1) >> 1
        parent = heap[above]
        if not before(item, parent):
            break
        heap[place] = parent
        place = above
    heap[place] = item
