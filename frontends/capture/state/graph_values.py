"""Values of the graph for symbolic values."""

from __future__ import annotations

from typing import Any

from ....jit.ir import graph as ir
from ....jit.ir.types import is_graph_number, scalar_type
from ..values.breaks import NOT_PLAIN, GraphBreak
from ..values.symbolic import Array, Known, Scalar, Symbolic
from ..values.wording import in_words
from .live import realise
from .machine import Machine


def graph_value(machine: Machine, value: Symbolic) -> ir.Value:
    """Return the graph value of an array or number; break for anything else."""
    value = realise(machine, value)
    if isinstance(value, Known):
        made = machine.builder.const(_number(value))
        machine.identities.note_outside(made)
        return made
    return sample_value(machine, value)


def sample_value(machine: Machine, value: Symbolic) -> ir.Value:
    """Return such a value just for asking NumPy, without adding constants to the graph."""
    value = realise(machine, value)
    if isinstance(value, Array | Scalar):
        return value.value
    if isinstance(value, Known):
        number = _number(value)
        return ir.Value(scalar_type(number), number)
    raise GraphBreak(NOT_PLAIN, in_words(value))


def _number(value: Known) -> Any:
    """Return the object if graphs can hold it."""
    if is_graph_number(value.object):
        return value.object
    raise GraphBreak(NOT_PLAIN, in_words(value))
