"""Dot products of vectors and matrices."""

from __future__ import annotations

import numpy as np

from ...jit.ir.ops import DOT, TRANSPOSE
from ..capture.arrays.nodes import add
from ..capture.state.frame import Frame
from ..capture.state.graph_values import graph_value
from ..capture.state.live import realise
from ..capture.state.machine import Machine
from ..capture.values.symbolic import Array, Symbolic
from .numpy_calls import function_row, method_row, view


@method_row("dot")
@function_row(np.dot)
def dot(machine: Machine, frame: Frame, a: Symbolic, b: Symbolic) -> Symbolic | None:
    """Capture `np.dot` of vectors and matrices; more axes have other rules."""
    operands = _operands(machine, a, b)
    if operands is None:
        return None
    return add(machine, frame, DOT, tuple(one.value for one in operands), {}, "dot")


@function_row(np.inner)
def inner(machine: Machine, frame: Frame, a: Symbolic, b: Symbolic) -> Symbolic | None:
    """Capture `np.inner` as a dot product with the second matrix transposed, as NumPy does."""
    operands = _operands(machine, a, b)
    if operands is None:
        return None
    left, right = (one.value for one in operands)
    if operands[1].type.ndim == 2:
        right = graph_value(machine, view(machine, TRANSPOSE, operands[1], (), {"axes": (1, 0)}))
    return add(machine, frame, DOT, (left, right), {}, "dot")


def _operands(machine: Machine, *given: Symbolic) -> list[Array] | None:
    found = [one for one in (realise(machine, value) for value in given) if isinstance(one, Array)]
    if len(found) < len(given) or any(one.type.ndim not in (1, 2) for one in found):
        return None
    return found
