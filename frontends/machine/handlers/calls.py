"""Calls: the callee decides what happens."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..breaks import ARGUMENT, CALL, GraphBreak
from ..live import look
from ..machine import Frame, Machine, handles
from ..values import NULL, Known, Method, Symbolic
from .operators import ufunc_call
from .stack import take


@handles("CALL")
def call(machine: Machine, frame: Frame, arg: Any) -> None:
    arguments = take(frame, arg.argc)
    upper, lower = frame.stack.pop(), frame.stack.pop()
    if lower is NULL:
        callee = upper
    elif upper is NULL:
        callee = lower
    else:
        callee, arguments = lower, (upper, *arguments)
    keywords = arg.keywords
    count = len(arguments) - len(keywords)
    named = dict(zip(keywords, arguments[count:], strict=True))
    frame.stack.append(call_value(machine, frame, callee, arguments[:count], named))


def call_value(
    machine: Machine,
    frame: Frame,
    callee: Symbolic,
    arguments: tuple[Symbolic, ...],
    keywords: dict[str, Symbolic],
) -> Symbolic:
    """The result of a call, or a GraphBreak that names the callee."""
    callee = look(machine, callee)
    if isinstance(callee, Known) and isinstance(callee.object, np.ufunc):
        if keywords:
            raise GraphBreak(ARGUMENT, f"{name_of(callee)} with {', '.join(keywords)}=")
        return ufunc_call(machine, frame, callee.object, arguments)
    raise GraphBreak(CALL, f"call of {name_of(callee)}")


def name_of(callee: Symbolic) -> str:
    """A callee in words that the user knows."""
    if isinstance(callee, Method):
        return f"the method `{callee.name}` of an array"
    if isinstance(callee, Known):
        object_ = callee.object
        name = getattr(object_, "__qualname__", None) or getattr(object_, "__name__", None)
        module = getattr(object_, "__module__", None) or ""
        prefix = f"{module}." if module not in ("", "builtins", "__main__") else ""
        return f"`{prefix}{name or type(object_).__name__}`"
    source = getattr(callee, "source", None)
    return str(source) if source is not None else f"a {type(callee).__name__.lower()}"
