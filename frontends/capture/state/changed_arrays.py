"""Arrays that a write changes, and whether they are writeable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....guards.arrays import IsWriteable
from ....guards.sources import Source
from ....jit.ir.graph import Value
from ..values.breaks import EFFECT, NUMPY_REFUSED, GraphBreak
from ..values.symbolic import Array

if TYPE_CHECKING:
    from .machine import Machine


def arrays_changed_by(machine: Machine, target: Value) -> list[Value]:
    """Return the arrays that a write to the target may change; it changes one of them.

    Raises:
        GraphBreak: one of them is not known to the segment.
    """
    roots = machine.memory.others(target)
    if not roots:
        return [machine.memory.root(target)]
    found = [machine.realised.get(root) if isinstance(root, Source) else root for root in roots]
    values = [one.value if isinstance(one, Array) else one for one in found]
    arrays = [one for one in values if isinstance(one, Value)]
    if len(arrays) < len(roots):
        raise GraphBreak(EFFECT, "a write into one of several arrays")
    known = [*machine.builder.params, *machine.memory.known()]
    places = {one: place for place, one in enumerate(known)}
    # The set is in the order of addresses; graphs need the order of their arrays.
    return sorted(arrays, key=lambda one: places.get(one, len(places)))


def guard_writeable(machine: Machine, root: Value) -> None:
    """Rely on an array being writeable.

    Raises:
        GraphBreak: it is not, or that is unknown.
    """
    if machine.memory.is_made_here(root):
        return
    if root not in machine.writeable:
        raise GraphBreak(EFFECT, "a write into the result of a call, which may be read-only")
    source, writeable = machine.writeable[root]
    if not writeable:
        raise GraphBreak(NUMPY_REFUSED, f"{source} is read-only")
    machine.guard(IsWriteable(source))
