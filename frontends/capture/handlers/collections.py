"""Builtins that make containers and iterate over them."""

from __future__ import annotations

import math
import operator
from dataclasses import replace
from typing import Any

import numpy as np

from ....guards.kinds import HasSign
from ...numpy import numpy_calls
from ...numpy.decompositions import walking
from ..flow.iterators import Enumerate, Filtered, Indices, Mapped, Over, Rows, Zip
from ..objects import dicts
from ..objects.contents import items_to_read
from ..objects.lists import items_of, new_list
from ..state.invocation import Handler, Invocation
from ..state.live import concrete, realise
from ..values.breaks import NUMPY_REFUSED, GraphBreak
from ..values.either_number import as_python
from ..values.ranges import Range
from ..values.symbolic import Array, Dict, Iterator, Known, List, Scalar, Symbolic, Tuple
from ..values.texts import Text
from . import run_time_keys
from .builtins import ANY, BUILTINS, MANY, builtin, is_integer, of_numbers
from .iteration import (
    advance,
    all_items,
    each_entry,
    each_item,
    iterate,
    make_iterator,
    own_iterator_of,
)
from .library_bodies import in_line, in_loop
from .operators import apply
from .range_objects import reversed_range
from .stack import truth


def items_at(call: Invocation, k: int = 0) -> tuple[Symbolic, ...]:
    return all_items(call.machine, call.frame, call.arguments[k])


def known_int(call: Invocation, value: Symbolic) -> int:
    known = concrete(call.machine, value)
    if known is None or type(known.object) is not int:
        raise GraphBreak(NUMPY_REFUSED, "a position that is not known")
    return int(known.object)


def _is_array(call: Invocation) -> bool:
    """True if the first argument is an array, over which a loop iterates."""
    return isinstance(realise(call.machine, call.arguments[0]), Array)


# ---- making ----------------------------------------------------------------------------------


@builtin(tuple, takes=(0, 1))
def _tuple(call: Invocation) -> Symbolic | None:
    if not call.arguments:
        return Tuple(())
    value = realise(call.machine, call.arguments[0])
    if isinstance(value, Tuple) and value.named is None:
        return value
    return Tuple(items_at(call))


@builtin(list, takes=(0, 1))
def _list(call: Invocation) -> Symbolic | None:
    made = in_loop(list, call) if call.arguments else None
    if made is not None:
        return made
    return new_list(call.machine, items_at(call) if call.arguments else ())


@builtin(dict, takes=(0, 1), named=ANY)
def _dict(call: Invocation) -> Symbolic | None:
    entries: dict[Any, Symbolic] = {}
    given = realise(call.machine, call.arguments[0]) if call.arguments else None
    if isinstance(given, Dict) and not call.keywords:
        return run_time_keys.copied(call, given)
    if call.arguments:
        entries.update(each_entry(call.machine, call.frame, call.arguments[0]))
    return dicts.new_dict(call.machine, {**entries, **call.keywords})


# ---- walking ---------------------------------------------------------------------------------


@builtin(iter, takes=(1, 1))
def _iter(call: Invocation) -> Symbolic | None:
    return _iterate(call, call.arguments[0])


def _iterate(call: Invocation, value: Symbolic) -> Iterator:
    value = items_to_read(call.machine, value, anywhere=True)
    return iterate(call.machine, own_iterator_of(call.machine, call.frame, value))


@builtin(next, takes=(1, 2))
def _next(call: Invocation) -> Symbolic | None:
    iterator = realise(call.machine, call.arguments[0])
    if iterate(call.machine, iterator) is not iterator:
        return None
    item = advance(call.machine, call.frame, iterate(call.machine, iterator))
    if item is None and len(call.arguments) == 2:
        return call.arguments[1]
    return item


@builtin(zip, takes=(0, MANY), named=("strict",))
def _zip(call: Invocation) -> Symbolic | None:
    strict = call.keywords.get("strict", Known(False))
    iterators = tuple(_iterate(call, value) for value in call.arguments)
    return make_iterator(call.machine, Zip(iterators, truth(call.machine, strict)))


@builtin(enumerate, takes=(1, 2), named=("start",))
def _enumerate(call: Invocation) -> Symbolic | None:
    start = [*call.arguments[1:], *call.keywords.values()]
    if len(start) > 1:
        return None
    count = known_int(call, start[0]) if start else 0
    return make_iterator(call.machine, Enumerate(_iterate(call, call.arguments[0]), count))


@builtin(map, takes=(2, MANY))
def _map(call: Invocation) -> Symbolic | None:
    function, *iterables = call.arguments
    iterators = tuple(_iterate(call, value) for value in iterables)
    return make_iterator(call.machine, Mapped(function, iterators))


@builtin(filter, takes=(2, 2))
def _filter(call: Invocation) -> Symbolic | None:
    function, iterable = call.arguments
    return make_iterator(call.machine, Filtered(function, _iterate(call, iterable)))


@builtin(reversed, takes=(1, 1))
def _reversed(call: Invocation) -> Symbolic | None:
    value = realise(call.machine, call.arguments[0])
    if isinstance(value, Array) and value.type.ndim:
        return make_iterator(call.machine, Rows(value, backward=True))
    if isinstance(value, Range):
        return reversed_range(call, value)
    items = items_of(call.machine, value)
    if items is None:
        return None
    if isinstance(value, List):
        return make_iterator(call.machine, Over(value, None, backward=True, last=len(items) - 1))
    return make_iterator(call.machine, Over(value, items, backward=True))


@builtin(sum, takes=(1, 2), named=("start",))
def _sum(call: Invocation) -> Symbolic | None:
    """Add from the left, as the builtin does for anything but plain numbers."""
    rest = [*call.arguments[1:], *call.keywords.values()]
    if len(rest) > 1:
        return None
    if _is_array(call):
        return in_line(sum, call)
    made = in_loop(walking.add_up, call)
    if made is not None:
        return made
    total: Symbolic = realise(call.machine, rest[0]) if rest else Known(0)
    if isinstance(total, Text) or (isinstance(total, Known) and type(total.object) in _UNADDED):
        return None
    items = each_item(call.machine, call.frame, call.arguments[0])
    for item in items:
        value = realise(call.machine, item)
        if _may_be_float(total) or _may_be_float(value):
            return _sum_of_floats(
                call, total, (value, *(realise(call.machine, one) for one in items))
            )
        total = apply(call.machine, call.frame, operator.add, (total, value))
    return total


def _sum_of_floats(
    call: Invocation, total: Symbolic, values: tuple[Symbolic, ...]
) -> Symbolic | None:
    """The rest of a sum: 3.12 and later add floats with a compensation."""
    if not all(isinstance(value, Known | Scalar) for value in values):
        return None
    return in_line(walking.add_up, replace(call, arguments=(Tuple(values), total), keywords={}))


_UNADDED = (str, bytes, bytearray)
"""Types that `sum` rejects although `+` accepts them."""


@builtin(math.prod, takes=(1, 1), named=("start",))
def _product(call: Invocation) -> Symbolic | None:
    """Multiply from the left."""
    if _is_array(call):
        return None
    total: Symbolic = realise(call.machine, call.keywords.get("start", Known(1)))
    for value in each_item(call.machine, call.frame, call.arguments[0]):
        total = apply(call.machine, call.frame, operator.mul, (total, realise(call.machine, value)))
    return total


def _may_be_float(value: Symbolic) -> bool:
    if isinstance(value, Known):
        return type(value.object) in (float, complex)
    return isinstance(value, Scalar) and value.type.python and value.type.dtype.kind in "fc"


@builtin(any, takes=(1, 1))
def _any(call: Invocation) -> Symbolic | None:
    return in_loop(any, call) or _until(call, True)


@builtin(all, takes=(1, 1))
def _all(call: Invocation) -> Symbolic | None:
    return in_loop(all, call) or _until(call, False)


def _until(call: Invocation, wanted: bool) -> Symbolic | None:
    iterator = iterate(call.machine, call.arguments[0])
    while (item := advance(call.machine, call.frame, iterator)) is not None:
        if truth(call.machine, item) == wanted:
            return Known(wanted)
    return Known(not wanted)


def _extreme(function: Any) -> Handler:
    def handler(call: Invocation) -> Symbolic | None:
        if len(call.arguments) != 1:
            one_by_one = call.keywords and "default" not in call.keywords
            of_all = _of_listed(function, call, call.arguments) if one_by_one else None
            return of_all or of_numbers(function, call)
        if _is_array(call) and not call.keywords:
            return in_line(function, call)
        made = in_loop(_IN_LOOP[function], call)
        if made is not None:
            return made
        items = items_at(call)
        if call.keywords:
            return _of_listed(function, call, items)
        if len(items) < 2:
            return items[0] if items else None
        return of_numbers(function, Invocation(call.machine, call.frame, items, {}))

    return handler


def _of_listed(function: Any, call: Invocation, items: tuple[Symbolic, ...]) -> Symbolic | None:
    """The first of the items whose key is the greatest or the least, or the default of none."""
    key = {name: value for name, value in call.keywords.items() if name != "default"}
    if key.keys() - {"key"}:
        return None
    if not items:
        return call.keywords.get("default")
    return in_line(_IN_LOOP[function], replace(call, arguments=(Tuple(items),), keywords=key))


_IN_LOOP = {max: walking.greatest, min: walking.least}
BUILTINS[min], BUILTINS[max] = _extreme(min), _extreme(max)


@builtin(np.fromiter, takes=(1, 3), named=("dtype", "count"))
def _fromiter(call: Invocation) -> Symbolic | None:
    made = in_loop(np.fromiter, call)
    if made is not None:
        return made
    items = items_at(call)
    if any(isinstance(realise(call.machine, item), Array) for item in items):
        return None  # NumPy uses each number before it requests the next
    made = new_list(call.machine, items)
    return in_line(np.fromiter, replace(call, arguments=(made, *call.arguments[1:])))


@builtin(np.ndindex, takes=(0, MANY))
def _ndindex(call: Invocation) -> Symbolic | None:
    lengths = call.realised()
    if len(lengths) == 1 and isinstance(lengths[0], Tuple):  # NumPy rejects a list
        lengths = list(lengths[0].items)
    realised = [realise(call.machine, as_python(one)) for one in lengths]
    if not all(is_integer(one) and _is_count(call, one) for one in realised):
        return None
    return make_iterator(call.machine, Indices(tuple(realised)))


def _is_count(call: Invocation, number: Symbolic) -> bool:
    """True if an int is not negative; the sign of a live-in is guarded."""
    if isinstance(number, Known):
        return bool(number.object >= 0)
    assert isinstance(number, Scalar)
    hint, source = number.value.hint, number.source
    if source is not None and hint is not None:
        call.machine.guard(HasSign(source, (hint > 0) - (hint < 0)))
        return bool(hint >= 0)
    return call.machine.builder.is_length(number.value)


@builtin(np.ndenumerate, takes=(1, 1))
def _ndenumerate(call: Invocation) -> Symbolic | None:
    (array,) = call.realised()
    if not isinstance(array, Array):
        return None
    lengths = (numpy_calls.length(call.machine, array, axis) for axis in range(array.type.ndim))
    return make_iterator(call.machine, Indices(tuple(lengths), array))
