"""Subscripts: basic indices become views and elements, assignments become stores."""

from __future__ import annotations

from typing import Any

from ....jit.ir import graph as ir
from ....jit.ir.indexing import Index, NewAxis, Number, Part, Ref, Span
from ....jit.ir.infer import CannotInfer
from ....jit.ir.ops import ELEMENT, INDEX
from ..breaks import EFFECT, INDEXING, NUMPY_REFUSED, GraphBreak
from ..live import concrete, look
from ..machine import Frame, Machine, handles
from ..stores import assign
from ..values import Array, Known, Scalar, Sequence, Slice, Symbolic
from .stack import take


@handles("BUILD_SLICE")
def build_slice(machine: Machine, frame: Frame, count: int) -> None:
    parts = take(frame, count)
    frame.stack.append(Slice((*parts, *[Known(None)] * (3 - count))))


@handles("BINARY_SUBSCR")
def binary_subscr(machine: Machine, frame: Frame, arg: Any) -> None:
    key, owner = frame.stack.pop(), look(machine, frame.stack.pop())
    if isinstance(owner, Array):
        frame.stack.append(read(machine, owner, key))
        return
    if isinstance(owner, Sequence):
        known = concrete(machine, key)
        if known is not None and type(known.object) is int:
            try:
                frame.stack.append(owner.items[known.object])
            except IndexError as error:
                raise GraphBreak(NUMPY_REFUSED, f"IndexError: {error}") from None
            return
    raise GraphBreak(INDEXING, f"a subscript of a {type(owner).__name__.lower()}")


def read(machine: Machine, owner: Array, key: Symbolic, whole: bool = False) -> Symbolic:
    """`owner[key]`; with `whole` an array also where NumPy would give a scalar."""
    index, numbers = basic_index(machine, owner, key)
    inputs = (owner.value, *numbers)
    scalar = not any(isinstance(part, Span | NewAxis) for part in index.parts)
    try:
        if scalar and not whole and not _has_ellipsis(machine, key):
            return Scalar(machine.builder.view(ELEMENT, inputs, {"index": index}, index))
        value = machine.builder.view(INDEX, inputs, {"index": index}, index)
    except CannotInfer as error:
        raise GraphBreak(NUMPY_REFUSED, str(error)) from None
    machine.share(value, owner.value)
    return Array(value)


def basic_index(
    machine: Machine, owner: Array, key: Symbolic
) -> tuple[Index, tuple[ir.Value, ...]]:
    """The index and the numbers in it that are known only at run time; breaks if not basic."""
    numbers: list[ir.Value] = []
    items = _items(machine, key)
    taken = sum(not (_is(item, None) or _is(item, Ellipsis)) for item in items)
    missing = owner.type.ndim - taken
    if missing < 0:
        raise GraphBreak(NUMPY_REFUSED, "IndexError: too many indices")
    if not any(_is(item, Ellipsis) for item in items):
        items = (*items, Known(Ellipsis))
    parts: list[Part] = []
    for item in items:
        if _is(item, Ellipsis):
            parts += [Span()] * missing
        elif _is(item, None):
            parts.append(NewAxis())
        elif isinstance(item, Slice):
            parts.append(_span(machine, item, numbers))
        else:
            parts.append(_number(machine, item, numbers))
    return Index(tuple(parts)), tuple(numbers)


def _items(machine: Machine, key: Symbolic) -> tuple[Symbolic, ...]:
    key = look(machine, key)
    if isinstance(key, Known) and type(key.object) is tuple:
        return tuple(_known(item) for item in key.object)
    if isinstance(key, Sequence):
        if key.kind != "tuple":
            raise GraphBreak(INDEXING, "a list as an index")
        items = tuple(look(machine, item) for item in key.items)
    else:
        items = (_known(key.object) if isinstance(key, Known) else key,)
    if sum(_is(item, Ellipsis) for item in items) > 1:
        raise GraphBreak(NUMPY_REFUSED, "IndexError: two ellipses")
    return items


def _known(object_: Any) -> Symbolic:
    """A constant of the code: a slice of constants is one (3.12 and later fold them)."""
    if isinstance(object_, slice):
        return Slice((Known(object_.start), Known(object_.stop), Known(object_.step)))
    return Known(object_)


def _is(value: Symbolic, object_: Any) -> bool:
    return isinstance(value, Known) and value.object is object_


def _has_ellipsis(machine: Machine, key: Symbolic) -> bool:
    return any(_is(item, Ellipsis) for item in _items(machine, key))


def _span(machine: Machine, item: Slice, numbers: list[ir.Value]) -> Span:
    start, stop, step = (look(machine, part) for part in item.parts)
    known_step = concrete(machine, step)
    if known_step is None or known_step.object == 0:
        raise GraphBreak(INDEXING, "a slice whose step is not known")
    begin = None if _is(start, None) else _number(machine, start, numbers)
    end = None if _is(stop, None) else _number(machine, stop, numbers)
    return Span(begin, end, 1 if known_step.object is None else known_step.object)


def _number(machine: Machine, item: Symbolic, numbers: list[ir.Value]) -> Number:
    item = look(machine, item)
    if isinstance(item, Known) and type(item.object) is int and abs(item.object) < 2**62:
        return item.object
    if isinstance(item, Scalar) and item.type.dtype.char == "l":
        numbers.append(item.value)
        return Ref(len(numbers) - 1)
    raise GraphBreak(INDEXING, f"an index of kind {type(item).__name__.lower()}")


@handles("STORE_SUBSCR")
def store_subscr(machine: Machine, frame: Frame, arg: Any) -> None:
    key, owner, value = frame.stack.pop(), look(machine, frame.stack.pop()), frame.stack.pop()
    if not isinstance(owner, Array):
        raise GraphBreak(EFFECT, f"an assignment to an item of a {type(owner).__name__.lower()}")
    target = read(machine, owner, key, whole=True)
    assert isinstance(target, Array)
    assign(machine, frame, target, value)
