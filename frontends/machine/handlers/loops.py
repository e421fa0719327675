"""Iteration: ranges become regions, short tuples and lists are unrolled."""

from __future__ import annotations

from typing import Any

from ..breaks import LOOP, GraphBreak
from ..live import look
from ..loops import capture_for
from ..machine import Frame, Machine, handles
from ..values import ItemIterator, Known, Range, RangeIterator, Sequence

MAX_UNROLLED = 32
"""Items of a tuple or list whose loop is unrolled."""


@handles("GET_ITER")
def get_iter(machine: Machine, frame: Frame, arg: Any) -> None:
    value = look(machine, frame.stack.pop())
    if isinstance(value, Range):
        frame.stack.append(RangeIterator(value.parts))
        return
    if isinstance(value, Known) and type(value.object) is tuple:
        value = Sequence("tuple", tuple(Known(item) for item in value.object))
    if isinstance(value, Sequence) and value.kind == "tuple" and len(value.items) <= MAX_UNROLLED:
        frame.stack.append(ItemIterator(value.items))
        return
    raise GraphBreak(LOOP, f"iteration over a {type(value).__name__.lower()}")


@handles("FOR_ITER")
def for_iter(machine: Machine, frame: Frame, after: int) -> int | None:
    iterator = frame.stack[-1]
    if isinstance(iterator, ItemIterator):
        frame.stack.pop()
        if not iterator.items:
            return after
        frame.stack += [ItemIterator(iterator.items[1:]), iterator.items[0]]
        return None
    if isinstance(iterator, RangeIterator):
        return capture_for(machine, frame, iterator, after)
    raise GraphBreak(LOOP, f"iteration over a {type(iterator).__name__.lower()}")
