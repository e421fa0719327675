"""Strings made of numbers and strings: put together when somebody gets to see them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ...runtime import exit_calls
from ..state.behaviour import BEHAVIOURS, Behaviour
from ..state.frame import Frame
from ..state.live import realise
from ..state.machine import Machine
from ..values.breaks import CALL, INSTRUCTION, GraphBreak
from ..values.symbolic import Known, Scalar, Symbolic, Tuple
from ..values.texts import Text

_FORMATTED = (str, int, float, bool, complex, type(None), bytes)


def text(machine: Machine, function: Any, *parts: Symbolic) -> Known | Text:
    """Return a string made of numbers and strings, which may be assembled at any time.

    Raises:
        GraphBreak: a part has another type, or cannot be formatted like this.
    """
    values = tuple(realise(machine, part) for part in parts)
    if all(isinstance(v, Known) and type(v.object) in _FORMATTED for v in values):
        try:
            return Known(function(*(v.object for v in values if isinstance(v, Known))))
        except Exception as error:
            raise GraphBreak(INSTRUCTION, f"{type(error).__name__}: {error}") from None
    first = values[0]
    simple = function is exit_calls.joined or isinstance(first, Text) or len(values) == 1
    if isinstance(first, Scalar) and len(values) == 2:
        simple = _accepts(first, values[1])
    if not simple or not all(isinstance(v, Text) or has_text(machine, v) for v in values):
        raise GraphBreak(INSTRUCTION, "the text of something that is no number or string")
    return Text(function, values)


def has_text(machine: Machine, value: Symbolic) -> bool:
    """Return True if formatting the value runs no user code and gives the same text later."""
    value = realise(machine, value)
    if isinstance(value, Tuple) and value.named is None:
        return all(has_text(machine, item) for item in value.items)
    if isinstance(value, Known):
        return type(value.object) in _FORMATTED
    return isinstance(value, Scalar)


def is_text(value: Symbolic) -> bool:
    """True for a str, known or to be assembled."""
    return isinstance(value, Text) or (isinstance(value, Known) and type(value.object) is str)


def _joined(
    machine: Machine, frame: Frame, function: Callable[..., Any], operands: tuple[Symbolic, ...]
) -> Symbolic | None:
    both = function is operator.add and all(map(is_text, operands))
    return text(machine, exit_calls.joined, *operands) if both else None


def _no_length(machine: Machine, frame: Frame, value: Text) -> Symbolic:
    raise GraphBreak(CALL, "call of `len`, of a string that is put together later")


def _accepts(value: Scalar, spec: Symbolic) -> bool:
    """True if numbers of this type accept the format, which does not depend on their value."""
    if not isinstance(spec, Known):
        return False
    try:
        format(
            value.type.dtype.type(1).item() if value.type.python else value.type.dtype.type(1),
            spec.object,
        )
    except Exception:
        return False
    return "c" not in str(spec.object)


BEHAVIOURS[Text] = Behaviour(length=_no_length, operator=_joined)
