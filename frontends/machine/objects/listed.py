"""Lists of numbers that have another length each time, as the arrays that NumPy makes of them."""

from __future__ import annotations

import numpy as np

from ....guards.sources import Listed
from ..live import plain_array
from ..machine import Machine
from ..values import Array, List, Symbolic
from .lists import ListState


def listed(machine: Machine, value: Symbolic) -> Array | None:
    """A list from outside as an array of its numbers; None where it has to be looked into.

    Nobody may be handed the array, or write into it: it stands for the list.
    """
    if not isinstance(value, List) or value.source is None or value.object is None:
        return None
    if str(value.source) not in machine.varying:
        return None
    state = machine.heap.state(value) or ListState(None)
    if state != ListState(None):
        return None
    kinds = {type(one) for one in value.object}
    whole = kinds == {int}
    if not whole and kinds != {float}:
        return None
    if whole and not all(-(2**63) <= one < 2**63 for one in value.object):
        return None
    source = Listed(value.source, whole)
    if source not in machine.realised:
        array = np.array(value.object)
        machine.remember(source, plain_array(machine, source, array, array.shape, False))
    made = machine.realised[source]
    assert isinstance(made, Array)
    return made
