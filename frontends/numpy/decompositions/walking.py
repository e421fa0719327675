"""Builtins that iterate over all items, as loops."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from ...capture.values.python_bodies import decomposes

COMPENSATES = sys.version_info >= (3, 12)
"""True if `sum` compensates rounding errors of floats."""
COMPENSATES_COMPLEX = sys.version_info >= (3, 14)
"""True if it also does so for the parts of complex numbers."""
MOST_REPEATED = 1 << 24
"""Copies of the items of a list that a loop makes."""


@decomposes(sum)
def sum_(iterable: Any, start: Any = 0) -> Any:
    """Add from the left, one by one: NumPy scalars are not compensated."""
    if COMPENSATES_COMPLEX and type(start) is complex:
        raise NotImplementedError
    if iterable.ndim > 1:  # from the first row on the sum is an array
        start, iterable = start + iterable[0], iterable[1:]
    total = start
    for item in iterable:
        total = total + item
    return total


@decomposes(max)
def max_(iterable: Any) -> Any:
    """Return the first of the greatest items; a NaN counts only if it is first."""
    found = iterable[0]
    for item in iterable[1:]:
        if item > found:
            found = item
    return found


@decomposes(min)
def min_(iterable: Any) -> Any:
    """Return the first of the least items."""
    found = iterable[0]
    for item in iterable[1:]:
        if item < found:
            found = item
    return found


@decomposes(any)
def any_(iterable: Any) -> Any:
    """Stop at the first item that is true."""
    for item in iterable:  # noqa: SIM110 - this is what any() does
        if item:
            return True
    return False


@decomposes(all)
def all_(iterable: Any) -> Any:
    """Stop at the first item that is false."""
    for item in iterable:  # noqa: SIM110 - this is what all() does
        if not item:
            return False
    return True


@decomposes(list)
def list_(iterable: Any) -> Any:
    """Return the items as NumPy scalars."""
    made = []
    for item in iterable:
        made.append(item)
    return made


def add_up(items: Any, start: Any = 0) -> Any:
    """Return `sum(items)`; Python floats are added with compensation since 3.12.

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
    """Return `max(items, key=key)`: the first of the greatest."""
    begun = False  # all other variables are first bound in the loop, with one type
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
    """Return `min(items, key=key)`: the first of the least."""
    begun = False  # all other variables are first bound in the loop, with one type
    for item in items:
        value = item if key is None else key(item)
        if not begun:
            found, best, begun = item, value, True
        elif value < best:
            found, best = item, value
    if not begun:
        raise NotImplementedError
    return found


def repeated(items: Any, count: Any) -> Any:
    """`items * count` of a list, unless CPython may lack the memory, of which it tells at once."""
    if count > MOST_REPEATED:
        raise NotImplementedError
    made = []
    for _ in range(count):
        for item in items:
            made.append(item)
    return made


def index_of(items: Any, value: Any) -> Any:
    """`items.index(value)` of numbers; a NaN is found by its identity."""
    if value != value:
        raise NotImplementedError
    found, place = -1, 0
    for item in items:  # to the end: a loop without iterations of its own has no other way out
        if found < 0 and item == value:
            found = place
        place += 1  # noqa: SIM113 - loops over lists that have grown are no iterators
    if found < 0:
        raise NotImplementedError
    return found


def count_of(items: Any, value: Any) -> Any:
    """`items.count(value)` of numbers."""
    if value != value:
        raise NotImplementedError
    count = 0
    for item in items:
        if item == value:
            count += 1
    return count


def no_nan(number: Any) -> Any:
    """A number that equals itself."""
    if number != number:
        raise NotImplementedError
    return number


def not_negative(number: Any) -> Any:
    """Return the length that a method's result gives `len()`."""
    if number < 0:
        raise NotImplementedError
    return number


@decomposes(np.fromiter)
def fromiter(iter: Any, dtype: Any, count: Any = -1) -> Any:  # noqa: A002 (NumPy's name)
    """Convert numbers one by one."""
    made = []
    for item in iter:
        if isinstance(item, np.ndarray):  # its number is read before the next item is computed
            raise NotImplementedError
        made.append(item)
    if count != -1 and count != len(made):
        raise NotImplementedError
    if not made:
        raise NotImplementedError  # NumPy's empty array has an unusual stride here
    numbers = np.array(made)
    if numbers.ndim != 1:  # for tuples NumPy raises
        raise NotImplementedError
    if not np.can_cast(numbers.dtype, dtype):
        raise NotImplementedError
    return numbers.astype(dtype, copy=False)


@decomposes(np.ndarray.tolist)
def tolist(a: Any) -> Any:
    """Return the items as Python numbers."""
    if a.ndim != 1:
        raise NotImplementedError
    made = []
    for item in a:
        made.append(item.item())
    return made
