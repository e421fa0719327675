"""Attributes and methods of numbers of the graph."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ....jit.filters import filtered
from ....jit.ir.types import is_graph_number
from ..arrays.nodes import opaque_call
from ..state.exact import exact_class
from ..state.frame import Frame
from ..state.machine import Machine
from ..values.breaks import ATTRIBUTE, GraphBreak
from ..values.class_namespaces import class_lookup
from ..values.symbolic import Known, Method, Scalar, Symbolic

_SAMPLES = (0, 1, 100)
_CONSTANT = (type(None), int, str, tuple, np.dtype)
"""Types of attributes that are equal for all numbers of a dtype."""


def scalar_attribute(machine: Machine, frame: Frame, owner: Scalar, name: str) -> Symbolic:
    """Return `number.name`, by asking the number's class on a few samples.

    Raises:
        GraphBreak: it is a new object at each access, such as `flags` and `data`.
    """
    kind: Any = exact_class(machine, owner)
    if callable(class_lookup(kind, name)):
        return Method(owner, name)
    samples = [kind(number) for number in _SAMPLES]
    try:
        with filtered("error"):
            values = [getattr(sample, name) for sample in samples]
    except Exception as error:
        raise GraphBreak(ATTRIBUTE, str(error)) from None
    if all(value is sample for value, sample in zip(values, samples, strict=True)):
        return owner
    first = values[0]
    if isinstance(first, _CONSTANT) and all(_are_alike(first, value) for value in values):
        return Known(first)
    if all(map(is_graph_number, values)):
        return opaque_call(machine, frame, operator.attrgetter(name), (owner,), {})
    raise GraphBreak(ATTRIBUTE, f"attribute `{name}` of a number")


def _are_alike(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other
