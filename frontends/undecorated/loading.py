"""Replaces the code of the program's modules, of loaded ones and of those loaded later."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from opcode import opmap
from types import CodeType, FrameType, FunctionType, ModuleType

from ...jit import native
from ..bytecode import gating
from ..bytecode.inserting import UNIT, find_jumps
from ..tiers.accounts import ACCOUNT
from . import policy

Change = Callable[[CodeType], CodeType]

_MAKE_FUNCTION = opmap["MAKE_FUNCTION"]

gates_wanted = False
"""True if code gets gates before its loops (`gates.py`)."""


def change_code(change: Change) -> None:
    """Apply `change` to all code loaded from now on, and to the code of existing functions."""

    def loaded(code: CodeType | None) -> CodeType | None:
        with ACCOUNT.charged():
            return change(code) if code is not None and policy.is_own(code.co_filename) else code

    SourceFileLoader.get_code = native.and_then(  # type: ignore[method-assign]
        SourceFileLoader.get_code, loaded
    )
    with ACCOUNT.charged():
        _change_what_is_there(change)


def _change_what_is_there(change: Change) -> None:
    running = [*_running()]
    if _has_modules() or any(map(_may_have_made_functions, running)):
        for function in [one for one in gc.get_objects() if type(one) is FunctionType]:
            is_body = not function.__code__.co_flags & policy.FUNCTION  # made by no `def`
            if policy.is_own(function.__code__.co_filename) and not is_body:
                function.__code__ = change(function.__code__)
    for frame in running:
        _replace_inner(frame.f_code, change)


def _running() -> Iterator[FrameType]:
    """Yield the program's frames."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if policy.is_own(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def _has_modules() -> bool:
    """True if the program has loaded modules of its own besides the main one."""
    files = (
        vars(module).get("__file__")  # without calling its own __getattr__
        for name, module in [*sys.modules.items()]
        if name != "__main__" and type(module) is ModuleType
    )
    return any(type(file) is str and policy.is_own(file) for file in files)


def _may_have_made_functions(frame: FrameType) -> bool:
    """False for a body before its first `def`, as most are while they import NumPy."""
    code = frame.f_code
    if code.co_flags & policy.FUNCTION == policy.FUNCTION:
        return True
    at = frame.f_lasti // UNIT
    opcodes = code.co_code[::UNIT]
    is_in_loop = any(jump.target <= at <= jump.start for jump in find_jumps(code.co_code))
    return _MAKE_FUNCTION in (opcodes if is_in_loop else opcodes[:at])


def _replace_inner(code: CodeType, change: Change) -> None:
    """Change the nested code of running code, for functions that it has yet to make."""
    for index, inner in enumerate(code.co_consts):
        if isinstance(inner, CodeType):
            native.replace_const(code, index, change(inner))


def settled(code: CodeType, change: Change) -> CodeType:
    """Return code with its nested functions changed and, if wanted, with gates.

    It is the code that runs when nothing remains to be found out about the function; `__code__`
    still returns the original.
    """
    consts = tuple(change(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    changed = any(one is not other for one, other in zip(consts, code.co_consts, strict=True))
    made = code.replace(co_consts=consts) if changed else code
    if gates_wanted:
        made = gating.gated(made) or made
    if made is not code:
        native.stand_in(made, code)
    return made


def with_gates(code: CodeType) -> CodeType:
    """Return the code with gates, also in its nested functions, and no other change."""
    return settled(code, with_gates)
