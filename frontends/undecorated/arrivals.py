"""Decides about functions as they are called, where no samples are taken: see `entrance.py`."""

from __future__ import annotations

import sys
from types import CodeType, FunctionType
from typing import Any

from ...jit import native
from ..tiers import warming
from . import policy

CALLS = 2
"""The call of a function with arrays after which it is captured."""
PATIENCE = 3
"""Calls without arrays after which code is left alone."""
TOOL = "framejit"
_tool: int | None = None
"""Our id in sys.monitoring."""


def report(*, by_code: bool) -> str | None:
    """Have calls reported; return None, or the reason why that is impossible."""
    if not by_code:
        return _monitor()
    from . import trigger

    trigger.start(arrived)
    return None


def stop() -> None:
    """Stop observing calls."""
    global _tool
    if _tool is not None:
        sys.monitoring.set_events(_tool, 0)  # type: ignore[attr-defined,unused-ignore]
        _tool = None


def _monitor() -> str | None:
    """Register with sys.monitoring; return None, or the reason why that is impossible."""
    global _tool
    monitoring = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    name = TOOL + ""
    for tool in (monitoring.OPTIMIZER_ID, 4, 3):
        if monitoring.get_tool(tool) is None:
            monitoring.use_tool_id(tool, name)
            break
    else:
        return "all ids of sys.monitoring are taken"
    native.own_tool(name)
    _tool = tool
    native.set_policy(arrived, monitoring.DISABLE)
    monitoring.register_callback(tool, monitoring.events.PY_START, native.arrive)
    monitoring.set_events(tool, monitoring.events.PY_START)
    return None


def arrived(function: FunctionType, arguments: tuple[Any, ...]) -> bool:
    """Decide about a function that starts; True if its code need not be reported again."""
    code = native.running_code(function)
    if code is not function.__code__ and native.hook_get_rule(code) == "rewritten":
        return True
    if code.co_flags & policy.FUNCTION != policy.FUNCTION:
        rule: str | None = "library" if policy.is_library(code.co_filename) else "body"
    else:
        rule = policy.why_left_alone(function)
    if rule is not None:
        native.hook_mark(code, native.MARK_SKIP, rule)
        return True
    mark, before = native.hook_get_mark(code)
    if mark != native.MARK_HANDLE:
        native.hook_mark(code, native.MARK_HANDLE)
    if native.owned(function) is not None:
        return False
    if policy.touches_arrays(function, arguments):
        if _warms(function, code):
            return True
        if before + 1 >= CALLS and not _adopt(function):
            native.hook_mark(code, native.MARK_SKIP, "closures")
            return True
        return False
    if before + 1 < PATIENCE:
        return False
    native.hook_mark(code, native.MARK_SKIP, "no-arrays")
    return True


def _adopt(function: FunctionType) -> bool:
    from .inplace import adopt

    return adopt(function)


def _warms(function: FunctionType, code: CodeType) -> bool:
    """Capture the next call and the loops of this one, in a process that warms.

    Returns False in other processes.
    """
    if not warming.is_on:
        return False
    from ..bytecode.opening import open_gates
    from ..tiers import decisions
    from .inplace import adopt

    open_gates(code)
    if not adopt(function, decisions.site_in_any_case(function, code)):
        native.hook_mark(code, native.MARK_SKIP, "closures")
    return True
