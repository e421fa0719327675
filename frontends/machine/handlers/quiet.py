"""`with np.errstate(divide="ignore")`: what is computed in the block reports no such flags.

The ops of the block carry the kinds that are ignored at their location. Where a segment is left in
the middle of the block, the exit enters a real `np.errstate`, whose end stands on the stack.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from ....jit.flags import KINDS
from ..breaks import INSTRUCTION, GraphBreak
from ..frame import Frame
from ..invocation import Invocation
from ..live import look
from ..machine import Machine, handles
from ..values import Known, Quiet, QuietEnd, Symbolic
from .builtins import ANY, builtin

_RESUMED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""Their frames are left in the middle of a block, and the block holds where they are left for."""


@builtin(np.errstate, takes=(0, 0), named=ANY)
def errstate(call: Invocation) -> Symbolic | None:
    """Of blocks that only ignore; what warns, raises or calls in its own way is eager's."""
    named = call.looked_keywords()
    if not named or not KINDS | {"all"} >= named.keys():
        return None
    if not all(isinstance(mode, Known) and mode.object == "ignore" for mode in named.values()):
        return None
    return Quiet(KINDS if "all" in named else frozenset(named))


@handles("BEFORE_WITH")
def before_with(machine: Machine, frame: Frame, arg: Any) -> None:
    manager = look(machine, frame.stack.pop())
    if not isinstance(manager, Quiet) or frame.decoded.code.co_flags & _RESUMED:
        raise GraphBreak(INSTRUCTION, "instruction BEFORE_WITH")
    frame.stack.extend((QuietEnd(manager.kinds, frame.quiet), Known(None)))
    frame.quiet |= manager.kinds


def leave_block(end: QuietEnd, call: Invocation) -> Symbolic:
    """`__exit__(None, None, None)`; with an exception eager takes over."""
    call.frame.quiet = end.around
    return Known(None)
