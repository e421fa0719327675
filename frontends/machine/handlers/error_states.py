"""`with np.errstate(...)`: what a block says about floating point flags is said to its ops.

They carry it at their location: flags that the block ignores are reported by nobody, and flags that
it hears of end the segment at its last checkpoint, so that eager raises, warns or calls in its own
way. Where a segment is left in the middle of the block, the exit enters a real `np.errstate`, whose
end stands on the stack.
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

import numpy as np

from ....jit.flags import KINDS
from ..breaks import INSTRUCTION, GraphBreak
from ..frame import Frame
from ..invocation import Invocation
from ..live import look
from ..machine import Machine, handles
from ..values import NULL, Callee, ErrorState, ErrorStateEnd, Known, Symbolic
from .builtins import ANY, builtin

_MODES = ("ignore", "warn", "raise", "call", "print", "log")
_RESUMED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""Their frames are left in the middle of a block, and the block holds where they are left for."""


@builtin(np.errstate, takes=(0, 0), named=ANY)
def errstate(call: Invocation) -> Symbolic | None:
    """Of modes that there are, and a handler that can be called: others are eager's to refuse."""
    named = call.looked_keywords()
    handler = named.pop("call", None)
    if not named or not KINDS | {"all"} >= named.keys() or not _is_handler(handler):
        return None
    given: dict[str, str] = {}
    for kind in ("all", *(kind for kind in named if kind != "all")):
        mode = named.get(kind)
        if mode is None or (isinstance(mode, Known) and mode.object is None):
            continue
        if not isinstance(mode, Known) or type(mode.object) is not str or mode.object not in _MODES:
            return None
        given |= dict.fromkeys(KINDS if kind == "all" else (kind,), mode.object)
    return ErrorState(tuple(given.items()), handler)


def _is_handler(value: Symbolic | None) -> bool:
    """Whether NumPy takes it for `call`."""
    if isinstance(value, Known):
        return value.object is None or isinstance(value.object, FunctionType)
    return value is None or isinstance(value, Callee)


@handles("BEFORE_WITH")
def before_with(machine: Machine, frame: Frame, arg: Any) -> None:
    manager = _manager(machine, frame, "BEFORE_WITH")
    frame.stack.extend((ErrorStateEnd(manager, frame.modes), Known(None)))
    frame.modes = frame.modes.within(dict(manager.given))


@handles("LOAD_SPECIAL")
def load_special(machine: Machine, frame: Frame, name: str) -> None:
    """Since 3.14 `with` looks up end and start, and calls that: no segment ends in between."""
    statement = "BEFORE_ASYNC_WITH" if name.startswith("__a") else "BEFORE_WITH"
    frame.stack.extend((ErrorStateEnd(_manager(machine, frame, statement), None), NULL))


def _manager(machine: Machine, frame: Frame, statement: str) -> ErrorState:
    manager = look(machine, frame.stack.pop())
    if not isinstance(manager, ErrorState) or frame.decoded.code.co_flags & _RESUMED:
        raise GraphBreak(INSTRUCTION, f"instruction {statement}")
    if any(one is manager for one in frame.locals):
        raise GraphBreak(INSTRUCTION, "an np.errstate that has a name: nobody may enter it twice")
    return manager


def enter_or_leave(end: ErrorStateEnd, call: Invocation) -> Symbolic:
    """`__enter__()` or `__exit__(None, None, None)`; with an exception eager takes over."""
    frame = call.frame
    if end.around is None:
        frame.stack[-2] = ErrorStateEnd(end.entered, frame.modes)
        frame.modes = frame.modes.within(dict(end.entered.given))
    else:
        frame.modes = end.around
    return Known(None)
