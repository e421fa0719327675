"""Registry of what programs do with values of a kind: attributes, items, calls and the like.

A handler adds the row of its kind; the handlers of instructions look it up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....jit.frozen import dataclass
from ..values.symbolic import Symbolic
from ..values.value_kind import ValueKind
from .frame import Frame
from .invocation import Invocation
from .machine import Machine

_Operator = Callable[[Machine, Frame, Callable[..., Any], tuple[Symbolic, ...]], "Symbolic | None"]
"""Applies a function of the operator module to operands."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Uses of one kind's values; a use that is None, or returns None, is a graph break.

    The first value that a function gets, `Any` here, has the kind of the row.
    """

    attribute: Callable[[Machine, Frame, Any, str], Symbolic | None] | None = None
    """Return `value.name`."""
    item: Callable[[Machine, Frame, Any, Symbolic], Symbolic | None] | None = None
    """Return `value[key]`."""
    assign_item: Callable[[Machine, Frame, Any, Symbolic, Symbolic], None] | None = None
    """Execute `value[key] = item`."""
    iterated: Callable[[Machine, Frame, Any], Symbolic] | None = None
    """Return what a loop iterates over in place of the value."""
    length: Callable[[Machine, Frame, Any], Symbolic] | None = None
    """Return `len(value)`."""
    operator: _Operator | None = None
    """Return the result of an operator, of which the value is an operand."""
    called: Callable[[Any, Invocation], Symbolic | None] | None = None
    """Return `value(...)`."""


_UNUSED = Behaviour()
BEHAVIOURS: dict[type[ValueKind], Behaviour] = {}
"""Rows by kind."""


def behaviour_of(value: Symbolic) -> Behaviour:
    """Return the row of a value's kind, or one of breaks."""
    return BEHAVIOURS.get(type(value), _UNUSED)
