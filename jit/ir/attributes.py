"""Attributes of nodes: what each may be. Rows of ops name them, and the verifier checks them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..frozen import dataclass
from .indexing import Index
from .nests import Nest
from .opaque import OpaqueCall
from .types import is_graph_number


@dataclass(frozen=True, slots=True)
class Attr:
    """An attribute of nodes and the values that it may have."""

    name: str
    holds: Callable[[Any], bool]
    required: bool = True


def optional(attr: Attr) -> Attr:
    """Return the same attribute, but one that nodes may lack."""
    return replace(attr, required=False)


def one_of(*values: str) -> Attr:
    """Return an attribute that is one of these words."""
    return Attr(f"one of {', '.join(map(repr, values))}", values.__contains__)


def or_none(attr: Attr) -> Attr:
    """Return the attribute, with None allowed as its value."""
    return Attr(f"{attr.name}, or None", lambda value: value is None or attr.holds(value))


def is_int(value: Any) -> bool:
    """True for a Python int that is not a bool."""
    return type(value) is int


def _are_ints(value: Any) -> bool:
    return type(value) is tuple and all(map(is_int, value))


def _are_places(value: Any) -> bool:
    return type(value) is tuple and all(one is None or is_int(one) for one in value)


def _are_sides(value: Any) -> bool:
    return value in ((), ("left",), ("right",), ("left", "right"))


A_UFUNC = Attr("a ufunc", lambda value: isinstance(value, np.ufunc))
A_UFUNC_OR_NONE = or_none(A_UFUNC)
A_FUNCTION = Attr("a function", callable)
A_DTYPE = Attr("a dtype", lambda value: isinstance(value, np.dtype))
A_NUMBER = Attr("a number that graphs hold", is_graph_number)
AN_ELEMENT_OR_NONE = or_none(Attr("a NumPy number", lambda value: isinstance(value, np.generic)))
AN_INT = Attr("an int", is_int)
A_COUNT = Attr("an int from 0 on", lambda value: is_int(value) and value >= 0)
AXES = Attr("a tuple of axes", _are_ints)
AXIS_OR_AXES = or_none(Attr("an axis, or several", lambda value: is_int(value) or _are_ints(value)))
PLACES = Attr("for each axis the place of its index, or None", _are_places)
AN_ORDER = one_of("K", "A", "C", "F")
A_PART = one_of("real", "imag")
INSTRUCTIONS = Attr("a tuple of instructions", _are_ints)
LOCALS_AFTER = one_of("one iteration", "inner iterations", "never")
A_SIDE = one_of("left", "right")
SIDES = Attr('a tuple of "left" and "right"', _are_sides)
A_BOOL = Attr("a bool", lambda value: type(value) is bool)
A_MARK = optional(Attr("True", lambda value: value is True))
"""An attribute that a node either lacks or has as True."""
AN_INDEX = Attr("a basic index", lambda value: isinstance(value, Index))
A_CALL = Attr("an opaque call", lambda value: isinstance(value, OpaqueCall))
A_NEST = Attr("a nest", lambda value: isinstance(value, Nest))
