"""Other code for the modules of the program, those that are there and those to come."""

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
from ..runtime.accounts import ACCOUNT
from . import policy

Change = Callable[[CodeType], CodeType]

_MAKE_FUNCTION = opmap["MAKE_FUNCTION"]

gates_wanted = False
"""Code gets gates before its loops (`gates.py`)."""


def change_code(change: Change) -> None:
    """What is loaded from now on runs changed code, and so does each function that is there."""

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
            is_body = not function.__code__.co_flags & policy.FUNCTION  # which the interpreter made
            if policy.is_own(function.__code__.co_filename) and not is_body:
                function.__code__ = change(function.__code__)
    for frame in running:
        _replace_inner(frame.f_code, change)


def _running() -> Iterator[FrameType]:
    """The frames of the program."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if policy.is_own(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def _has_modules() -> bool:
    """True if the program has loaded modules of its own, beside the main one."""
    files = (
        vars(module).get("__file__")  # its own __getattr__ is not asked
        for name, module in [*sys.modules.items()]
        if name != "__main__" and type(module) is ModuleType
    )
    return any(type(file) is str and policy.is_own(file) for file in files)


def _may_have_made_functions(frame: FrameType) -> bool:
    """False for a body that has not come to its first `def`, as most when they import NumPy."""
    code = frame.f_code
    if code.co_flags & policy.FUNCTION == policy.FUNCTION:
        return True
    at = frame.f_lasti // UNIT
    opcodes = code.co_code[::UNIT]
    is_in_loop = any(jump.target <= at <= jump.start for jump in find_jumps(code.co_code))
    return _MAKE_FUNCTION in (opcodes if is_in_loop else opcodes[:at])


def _replace_inner(code: CodeType, change: Change) -> None:
    """The functions that running code is yet to make."""
    for index, inner in enumerate(code.co_consts):
        if isinstance(inner, CodeType):
            native.replace_const(code, index, change(inner))


def settled(code: CodeType, change: Change) -> CodeType:
    """The code as it runs once nothing is to be found out about it: functions show their own.

    Inner functions are changed, and loops have gates.
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
    """The code with its gates and those of its inner functions, where nothing else is changed."""
    return settled(code, with_gates)
