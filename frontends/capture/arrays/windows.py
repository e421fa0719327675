"""Basic indexing (integers, slices, None and Ellipsis), which gives views and elements."""

from __future__ import annotations

import operator
from typing import Any

from ....jit.checks import Check
from ....jit.ir import graph as ir
from ....jit.ir.indexing import LEAST_STEP, Index, NewAxis, Number, Part, Ref, Span
from ....jit.ir.infer import CannotInfer
from ....jit.ir.ops import ELEMENT, INDEX, OPERATOR
from ....jit.ir.types import Dim
from ..state.live import concrete, realise
from ..state.machine import Machine
from ..values.breaks import INDEXING, NUMPY_REFUSED, GraphBreak
from ..values.either_number import as_python
from ..values.slices import Slice
from ..values.symbolic import Array, Known, Scalar, Symbolic, Tuple
from ..values.wording import in_words, refusal


def read(machine: Machine, owner: Array, key: Symbolic, whole: bool = False) -> Symbolic:
    """Read `owner[key]`; `whole` gives an array where NumPy would return a scalar."""
    index, numbers = basic_index(machine, owner, key)
    inputs = (owner.value, *numbers)
    scalar = not any(isinstance(part, Span | NewAxis) for part in index.parts)
    try:
        if scalar and not whole and not has_ellipsis(machine, key):
            return Scalar(machine.builder.view(ELEMENT, inputs, {"index": index}, index))
        value = machine.builder.view(INDEX, inputs, {"index": index}, index)
    except CannotInfer as error:
        raise GraphBreak(NUMPY_REFUSED, str(error)) from None
    machine.share(value, owner.value)
    made = Array(value)
    if _has_backward_item(index, owner.type.layout.signs, made.type.dims):
        raise GraphBreak(INDEXING, "an axis of one item that goes backward")
    return made


def _has_backward_item(index: Index, signs: tuple[int, ...], dims: tuple[Dim, ...]) -> bool:
    """True if the view has an axis of length 1 with negative stride, see has_backward_item."""
    axis = place = 0
    for part in index.parts:
        if isinstance(part, Span):
            step = part.step if isinstance(part.step, int) else 1
            if dims[place] == 1 and step * signs[axis] < 0:
                return True
        axis += not isinstance(part, NewAxis)
        place += isinstance(part, Span | NewAxis)
    return False


def basic_index(
    machine: Machine, owner: Array, key: Symbolic
) -> tuple[Index, tuple[ir.Value, ...]]:
    """Return (index, inputs known only at run time); break if the key is not basic."""
    numbers: list[ir.Value] = []
    items = index_items(machine, key)
    taken = sum(not (is_object(item, None) or is_object(item, Ellipsis)) for item in items)
    missing = owner.type.ndim - taken
    if missing < 0:
        raise GraphBreak(NUMPY_REFUSED, "IndexError: too many indices")
    if not any(is_object(item, Ellipsis) for item in items):
        items = (*items, Known(Ellipsis))
    parts: list[Part] = []
    for item in items:
        if is_object(item, Ellipsis):
            parts += [Span()] * missing
        elif is_object(item, None):
            parts.append(NewAxis())
        elif isinstance(item, Slice):
            parts.append(_span(machine, item, numbers))
        else:
            parts.append(_number(machine, item, numbers))
    return Index(tuple(parts)), tuple(numbers)


def index_items(machine: Machine, key: Symbolic) -> tuple[Symbolic, ...]:
    """Return the items of an index, one for each axis, `None` or `...`."""
    key = realise(machine, key)
    if isinstance(key, Known) and type(key.object) is tuple:
        return tuple(as_symbolic(item) for item in key.object)
    if isinstance(key, Tuple):
        items = tuple(with_parts(realise(machine, as_python(item))) for item in key.items)
    else:
        items = (as_symbolic(key.object) if isinstance(key, Known) else key,)
    if sum(is_object(item, Ellipsis) for item in items) > 1:
        raise GraphBreak(NUMPY_REFUSED, "IndexError: two ellipses")
    return items


def with_parts(item: Symbolic) -> Symbolic:
    """Take apart a slice that is a constant, as that of `values[2:5]` since 3.14."""
    if isinstance(item, Known) and isinstance(item.object, slice):
        return as_symbolic(item.object)
    return item


def as_symbolic(object_: Any) -> Symbolic:
    """Return a constant as a symbolic value; since 3.12 code may contain constant slices."""
    if isinstance(object_, slice):
        return Slice((Known(object_.start), Known(object_.stop), Known(object_.step)))
    return Known(object_)


def is_object(value: Symbolic, object_: Any) -> bool:
    """True if the value is known to be this very object."""
    return isinstance(value, Known) and value.object is object_


def has_ellipsis(machine: Machine, key: Symbolic) -> bool:
    """True if an index has `...` among its items."""
    return any(is_object(item, Ellipsis) for item in index_items(machine, key))


def _span(machine: Machine, item: Slice, numbers: list[ir.Value]) -> Span:
    start, stop, step = (realise(machine, as_python(part)) for part in item.parts)
    begin = None if is_object(start, None) else _number(machine, start, numbers)
    end = None if is_object(stop, None) else _number(machine, stop, numbers)
    known = concrete(machine, step)
    if known is None:
        return Span(begin, end, _step(machine, step, numbers))
    if known.object == 0:
        raise GraphBreak(NUMPY_REFUSED, "ValueError: slice step cannot be zero")
    return Span(begin, end, 1 if known.object is None else known.object)


def _step(machine: Machine, step: Symbolic, numbers: list[ir.Value]) -> Number:
    """Return a step that is known only at run time."""
    number = _number(machine, step, numbers)
    hint = numbers[-1].hint
    varies = machine.builder.check_here() is Check.STEP
    if varies or (isinstance(hint, int) and hint < LEAST_STEP):
        raise GraphBreak(INDEXING, f"a slice whose step may be less than {LEAST_STEP}")
    return number


def _number(machine: Machine, item: Symbolic, numbers: list[ir.Value]) -> Number:
    item = realise(machine, item)
    if isinstance(item, Known) and type(item.object) is int and abs(item.object) < 2**62:
        return item.object
    if isinstance(item, Scalar) and item.type.dtype.char == "l":
        numbers.append(item.value)
        return Ref(len(numbers) - 1)
    if isinstance(item, Scalar) and item.type.dtype.kind in "iu":
        attrs = {"function": operator.index}
        numbers.append(machine.builder.add(OPERATOR, (item.value,), attrs))
        return Ref(len(numbers) - 1)
    raise refusal(INDEXING, f"{in_words(item)} as an index", item)
