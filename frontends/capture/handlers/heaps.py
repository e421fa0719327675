"""`heapq` of lists of numbers, and of tuples of numbers."""

from __future__ import annotations

import heapq
import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

from ...numpy.decompositions import heaps, walking
from ..state.invocation import Handler, Invocation
from ..state.live import realise
from ..values.breaks import CALL, GraphBreak
from ..values.either_number import as_numpy
from ..values.symbolic import Known, List, Scalar, Symbolic, Tuple, Union
from .builtins import builtin
from .calls import call_value
from .either_number import realise_numbers
from .library_bodies import in_line
from .operators import apply


@builtin(heaps.before, takes=(2, 2))
def _before(call: Invocation) -> Symbolic | None:
    """Tuples are compared by the first items that differ, a NaN by its identity."""
    one, other = call.arguments
    realised = [realise(call.machine, value) for value in (one, other) if not _is_union(value)]
    if not all(isinstance(value, Tuple) for value in realised) or len(realised) < 2:
        return _truth(call, operator.lt, *_alike((one, other)))
    first, second = (value.items for value in realised if isinstance(value, Tuple))
    if len(first) != len(second):
        return None
    numbers = [(_number(call, x), _number(call, y)) for x, y in zip(first, second, strict=True)]
    pairs = list(map(_alike, numbers))
    steps = [(_truth(call, operator.lt, *pair), _truth(call, operator.eq, *pair)) for pair in pairs]

    def either(behind: Symbolic, step: tuple[Symbolic, Symbolic]) -> Symbolic:
        less, same = step
        also = apply(call.machine, call.frame, operator.and_, (same, behind))
        return apply(call.machine, call.frame, operator.or_, (less, also))

    (last, _), *earlier = reversed(steps)
    return reduce(either, earlier, last)


def _alike(pair: tuple[Symbolic, Symbolic]) -> tuple[Symbolic, Symbolic]:
    """Return two numbers as NumPy's if they are of one dtype, and of either kind.

    Comparing them gives the same, and no fork of kinds.
    """
    one, other = (as_numpy(value) for value in pair)
    if not isinstance(one, Scalar) or not isinstance(other, Scalar):
        return pair
    return (one, other) if one.type.char == other.type.char else pair


def _is_union(value: Symbolic) -> bool:
    return isinstance(value, Union)


def _number(call: Invocation, value: Symbolic) -> Symbolic:
    """A number that is no NaN.

    Raises:
        GraphBreak: it is no number.
    """
    (number,) = realise_numbers(call.machine, (value,))
    if isinstance(number, Known) and type(number.object) in (bool, int, float):
        return number if number.object == number.object else _refuse()
    kinds = [one for _, one in number.alternatives] if isinstance(number, Union) else [number]
    if not all(isinstance(one, Scalar) and one.type.dtype.kind in "biuf" for one in kinds):
        return _refuse()
    if all(isinstance(one, Scalar) and one.type.dtype.kind in "biu" for one in kinds):
        return number
    checked = Invocation(call.machine, call.frame, (number,), {})
    return call_value(Known(walking.no_nan), checked)


def _refuse() -> Symbolic:
    raise GraphBreak(CALL, "a comparison of other things than numbers in a heap")


def _truth(
    call: Invocation, function: Callable[..., Any], one: Symbolic, other: Symbolic
) -> Symbolic:
    """Return the result of an operator as a Python bool."""
    made = apply(call.machine, call.frame, function, (one, other))
    return call_value(Known(operator.truth), Invocation(call.machine, call.frame, (made,), {}))


def _of_list(function: Callable[..., Any]) -> Handler:
    def handler(call: Invocation) -> Symbolic | None:
        owner = realise(call.machine, call.arguments[0])
        if not isinstance(owner, List) or owner.source is not None:
            return None
        return in_line(function, call)

    return handler


for _function, _count in (
    (heapq.heappush, 2),
    (heapq.heappop, 1),
    (heapq.heapreplace, 2),
    (heapq.heappushpop, 2),
    (heapq.heapify, 1),
):
    builtin(_function, takes=(_count, _count))(_of_list(_function))
