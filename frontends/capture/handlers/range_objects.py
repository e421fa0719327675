"""Ranges: how they are made, their items and lengths."""

from __future__ import annotations

import operator

from ..flow.iterators import Numbers
from ..flow.positional_iters import count_of_range
from ..state.behaviour import BEHAVIOURS, Behaviour
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine
from ..values.either_number import as_python
from ..values.ranges import Range
from ..values.symbolic import Known, Symbolic
from .builtins import as_int, builtin, is_integer
from .indexing import item_of_constant
from .iteration import make_iterator
from .operators import apply


@builtin(range, takes=(1, 3))
def _range(call: Invocation) -> Symbolic | None:
    values = [as_int(call, realise(call.machine, as_python(one))) for one in call.arguments]
    if not all(map(is_integer, values)):
        return None
    if len(values) == 1:
        values.insert(0, Known(0))
    return Range((*values, *[Known(1)] * (3 - len(values))))


def reversed_range(call: Invocation, value: Range) -> Symbolic | None:
    """Return the reversed range if its step is known; with step 1 it counts down."""
    machine, frame = call.machine, call.frame
    start, stop, step = value.parts
    if isinstance(start, Known) and isinstance(stop, Known) and isinstance(step, Known):
        down = range(start.object, stop.object, step.object)[::-1]
        parts = tuple(map(Known, (down.start, down.stop, down.step)))
        return make_iterator(machine, Numbers(parts))
    if not isinstance(step, Known) or step.object != 1:
        return None
    last, end = (apply(machine, frame, operator.sub, (one, Known(1))) for one in (stop, start))
    return make_iterator(machine, Numbers((last, end, Known(-1))))


def _item(machine: Machine, frame: Frame, value: Range, key: Symbolic) -> Symbolic | None:
    known = [part.object for part in value.parts if isinstance(part, Known)]
    return item_of_constant(machine, range(*known), key) if len(known) == 3 else None


def _length(machine: Machine, frame: Frame, value: Range) -> Symbolic:
    return count_of_range(machine, frame, value.parts)


BEHAVIOURS[Range] = Behaviour(item=_item, length=_length)
