"""`with np.errstate(...)`: the modes of a block are attached to the ops captured in it.

Ops carry them in their location. Flags that a block ignores are dropped; flags that it reports end
the segment at its last checkpoint, and eager raises, warns or calls the handler. If a segment is
left in mid-block, the exit enters a real `np.errstate`, whose `__exit__` is on the stack.
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

import numpy as np

from ....jit.flags import KINDS, Modes
from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ...runtime import exit_calls
from ..state.behaviour import BEHAVIOURS, Behaviour
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine, handles
from ..values.breaks import INSTRUCTION, GraphBreak
from ..values.symbolic import NULL, Known, Symbolic
from ..values.value_kind import Callee, RecipeOf, ValueKind
from .builtins import ANY, builtin

_MODES = ("ignore", "warn", "raise", "call", "print", "log")
_RESUMED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""Frames that are left in mid-block; the block's modes then apply to their caller too."""


@dataclass(frozen=True, eq=False, slots=True)
class ErrorState(ValueKind):
    """An `np.errstate` that has not been entered."""

    given: tuple[tuple[str, str], ...]
    """(kind of flag, mode) pairs."""
    handler: Symbolic | None
    """Handler to call; None if not given."""

    def recipe(self, of: RecipeOf) -> ir.Recipe:
        """Call `np.errstate`."""
        handler = () if self.handler is None else (of(self.handler),)
        return ir.Call(exit_calls.error_state, (ir.Constant(self.given), *handler))


@dataclass(frozen=True, eq=False, slots=True)
class ErrorStateEnd(ValueKind):
    """The `__exit__` of an entered `np.errstate`."""

    entered: ErrorState
    around: Modes | None
    """The modes before it; None for what `with` looks up before entering (since 3.14)."""

    def recipe(self, of: RecipeOf) -> ir.Recipe | None:
        """Enter the `np.errstate`, and return its `__exit__`."""
        if self.around is None:
            return None
        return ir.Call(exit_calls.entered, (self.entered.recipe(of),))


@builtin(np.errstate, takes=(0, 0), named=ANY)
def errstate(call: Invocation) -> Symbolic | None:
    """Create an errstate with valid modes and handler; eager rejects others."""
    named = call.realised_keywords()
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
    """True if NumPy accepts the value for `call`."""
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
    """Load the block's exit or entry method.

    Since 3.14 `with` does so before calling, without a break.
    """
    statement = "BEFORE_ASYNC_WITH" if name.startswith("__a") else "BEFORE_WITH"
    frame.stack.extend((ErrorStateEnd(_manager(machine, frame, statement), None), NULL))


def _manager(machine: Machine, frame: Frame, statement: str) -> ErrorState:
    manager = realise(machine, frame.stack.pop())
    if not isinstance(manager, ErrorState) or frame.decoded.code.co_flags & _RESUMED:
        raise GraphBreak(INSTRUCTION, f"instruction {statement}")
    if any(one is manager for one in frame.locals):
        raise GraphBreak(INSTRUCTION, "an np.errstate that has a name: nobody may enter it twice")
    return manager


def _enter_or_leave(end: ErrorStateEnd, call: Invocation) -> Symbolic:
    """Capture `__enter__()` or `__exit__(None, None, None)`; with an exception eager takes over."""
    frame = call.frame
    if end.around is None:
        frame.stack[-2] = ErrorStateEnd(end.entered, frame.modes)
        frame.modes = frame.modes.within(dict(end.entered.given))
    else:
        frame.modes = end.around
    return Known(None)


BEHAVIOURS[ErrorStateEnd] = Behaviour(called=_enter_or_leave)
