"""Operations on lists that have grown, as loops over their items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...numpy.decompositions import lists as bodies
from ..objects import growing
from ..objects.grown import grown_of
from ..objects.lists import items_of
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine
from ..values.either_number import as_python
from ..values.slices import Slice
from ..values.symbolic import List, Symbolic
from .iteration import each_item
from .library_bodies import in_line, in_loop


def of_grown(
    function: Callable[..., Any], machine: Machine, frame: Frame, owner: List, *rest: Symbolic
) -> Symbolic | None:
    """Run a decomposition on a list that has grown; None for other lists."""
    if grown_of(machine, owner) is None:
        return None
    return in_line(function, Invocation(machine, frame, (owner, *rest), {}))


def extend(machine: Machine, frame: Frame, owner: List, value: Symbolic) -> None:
    """Capture `owner.extend(value)`; a generator can see the items added so far."""
    value = realise(machine, value)
    if in_loop(bodies.extend, Invocation(machine, frame, (value, owner), {})) is not None:
        return
    items = items_of(machine, value)  # the list may be extended by itself
    for item in each_item(machine, frame, value) if items is None else items:
        growing.append(machine, frame, owner, item)


def part_of(machine: Machine, frame: Frame, owner: Symbolic, key: Symbolic) -> Symbolic | None:
    """Return a slice of a list that has grown; None for other subscripts."""
    if not isinstance(owner, List) or not isinstance(key, Slice):
        return None
    bounds = (as_python(part) for part in key.parts)
    return of_grown(bodies.part_of, machine, frame, owner, *bounds)


def joined(machine: Machine, frame: Frame, one: Symbolic, other: Symbolic) -> Symbolic | None:
    """Concatenate two lists of which at least one has grown; None for other values."""
    if not isinstance(one, List) or not isinstance(other, List):
        return None
    if grown_of(machine, one) is None and grown_of(machine, other) is None:
        return None
    return in_line(bodies.joined, Invocation(machine, frame, (one, other), {}))
