"""Builtins that go through all items of something, as loops."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from .table import in_place_of

COMPENSATES = sys.version_info >= (3, 12)
"""Whether `sum` makes up for what rounding takes away."""
COMPENSATES_COMPLEX = sys.version_info >= (3, 14)
"""Whether it does so for each part of complex numbers, too."""


@in_place_of(sum)
def sum_(iterable: Any, start: Any = 0) -> Any:
    """The items from the left, one by one: NumPy's numbers are no plain floats."""
    if COMPENSATES_COMPLEX and type(start) is complex:
        raise NotImplementedError
    if iterable.ndim > 1:  # from the first row on it is an array
        start, iterable = start + iterable[0], iterable[1:]
    total = start
    for item in iterable:
        total = total + item
    return total


@in_place_of(max)
def max_(iterable: Any) -> Any:
    """The first of the greatest: what is no number stays where it comes first."""
    found = iterable[0]
    for item in iterable[1:]:
        if item > found:
            found = item
    return found


@in_place_of(min)
def min_(iterable: Any) -> Any:
    """The first of the least."""
    found = iterable[0]
    for item in iterable[1:]:
        if item < found:
            found = item
    return found


@in_place_of(any)
def any_(iterable: Any) -> Any:
    """Up to the first that is true."""
    for item in iterable:  # noqa: SIM110 - this is what any() does
        if item:
            return True
    return False


@in_place_of(all)
def all_(iterable: Any) -> Any:
    """Up to the first that is not true."""
    for item in iterable:  # noqa: SIM110 - this is what all() does
        if not item:
            return False
    return True


@in_place_of(list)
def list_(iterable: Any) -> Any:
    """The items, each a number of NumPy's."""
    made = []
    for item in iterable:
        made.append(item)
    return made


def add_up(items: Any, start: Any = 0) -> Any:
    """`sum(items)`: Python's own floats are added with what rounding takes away, since 3.12.

    That is Neumaier's variant of Kahan's summation, as in CPython's `sum`.
    """
    total, lost = start, 0.0
    for item in items:
        if COMPENSATES_COMPLEX and type(total) is complex:
            raise NotImplementedError
        if COMPENSATES and type(item) is float and type(total) is float:
            more = total + item
            if abs(total) >= abs(item):
                lost += (total - more) + item
            else:
                lost += (item - more) + total
            total = more
        elif lost and type(item) not in (int, bool):
            raise NotImplementedError
        else:
            total = total + item
    if lost and math.isfinite(lost):
        total = total + lost
    return total


def greatest(items: Any, *, key: Any = None) -> Any:
    """`max(items, key=key)`: the first of the greatest."""
    begun = False  # nothing else is bound before: what is has one type
    for item in items:
        value = item if key is None else key(item)
        if not begun:
            found, best, begun = item, value, True
        elif value > best:
            found, best = item, value
    if not begun:
        raise NotImplementedError
    return found


def least(items: Any, *, key: Any = None) -> Any:
    """`min(items, key=key)`: the first of the least."""
    begun = False  # nothing else is bound before: what is has one type
    for item in items:
        value = item if key is None else key(item)
        if not begun:
            found, best, begun = item, value, True
        elif value < best:
            found, best = item, value
    if not begun:
        raise NotImplementedError
    return found


@in_place_of(np.fromiter)
def fromiter(iter: Any, dtype: Any, count: Any = -1) -> Any:  # noqa: A002
    """The numbers one by one."""
    made = []
    for item in iter:
        if isinstance(item, np.ndarray):  # its number is read before the next item is made
            raise NotImplementedError
        made.append(item)
    if count != -1 and count != len(made):
        raise NotImplementedError
    if not made:
        raise NotImplementedError  # its array has another stride than empty ones have elsewhere
    numbers = np.array(made)
    if numbers.ndim != 1:  # of tuples it is a table, and an error there
        raise NotImplementedError
    if not np.can_cast(numbers.dtype, dtype):
        raise NotImplementedError
    return numbers.astype(dtype, copy=False)


@in_place_of(np.ndarray.tolist)
def tolist(a: Any) -> Any:
    """The items, each a number of Python's."""
    if a.ndim != 1:
        raise NotImplementedError
    made = []
    for item in a:
        made.append(item.item())
    return made
