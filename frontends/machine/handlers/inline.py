"""User functions: captured as if their body stood at the call."""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any

from ....guards.kinds import IsFunction
from ...bytecode import analyse, decode
from ..breaks import CALL, GraphBreak
from ..invocation import Invocation, name_of
from ..machine import Frame
from ..values import Known, Symbolic

MAX_DEPTH = 16
"""Calls inlined into each other."""
_USER_CODE_OF = ("numpy", "scipy", "numba")
"""Packages whose functions are never inlined."""


def inline(callee: Known, function: FunctionType, call: Invocation) -> Symbolic | None:
    """Runs a user's function in place; a break inside it is a break of the call."""
    machine = call.machine
    if (function.__module__ or "").split(".")[0] in _USER_CODE_OF or machine.depth >= MAX_DEPTH:
        return None
    bound = _bind_arguments(function, call.arguments, call.keywords)
    if bound is None:
        return None
    if callee.source is not None:
        machine.guard(IsFunction(callee.source, function))
    flow = flow_of(function.__code__)
    locals_: list[Symbolic | None] = [None] * len(flow.decoded.localsplus)
    locals_[: len(bound)] = bound
    first_free = len(locals_) - len(function.__code__.co_freevars)
    cells: dict[int, Symbolic] = {
        first_free + k: Known(cell) for k, cell in enumerate(function.__closure__ or ())
    }
    inner = Frame(flow, function.__globals__, locals_, cells)
    machine.depth += 1
    try:
        ended_by = machine.run(inner)
    finally:
        machine.depth -= 1
    if ended_by is not None:
        raise GraphBreak(
            CALL,
            f"call of {name_of(callee)}, which breaks at line {ended_by.location.line}: "
            f"{ended_by.detail}",
        )
    return machine.returned(inner)


@functools.lru_cache(maxsize=512)
def flow_of(code: Any) -> Any:
    """The analysed bytecode of a function that is inlined."""
    return analyse(decode(code))


def _bind_arguments(
    function: FunctionType, arguments: tuple[Symbolic, ...], keywords: dict[str, Symbolic]
) -> list[Symbolic] | None:
    """Values of the parameters in order; None for signatures or calls that do not fit."""
    code = function.__code__
    if code.co_flags & (0x04 | 0x08 | 0x20 | 0x80 | 0x200) or len(arguments) > code.co_argcount:
        return None
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    bound: dict[str, Symbolic] = dict(zip(names, arguments, strict=False))
    for name, value in keywords.items():
        if name in bound or name not in names[code.co_posonlyargcount :]:
            return None
        bound[name] = value
    defaults = function.__defaults__ or ()
    first = code.co_argcount - len(defaults)
    for k, default in enumerate(defaults):
        bound.setdefault(names[first + k], Known(default))
    for name, default in (function.__kwdefaults__ or {}).items():
        bound.setdefault(name, Known(default))
    if any(name not in bound for name in names):
        return None
    return [bound[name] for name in names]
