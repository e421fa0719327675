"""Other code for the modules of the program, those that are there and those to come."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from types import CodeType, FrameType, FunctionType

from ...jit import native
from ..bytecode import gating
from ..runtime.accounts import ACCOUNT
from . import policy

Change = Callable[[CodeType], CodeType]

gates_wanted = False
"""Code gets gates before its loops (`gates.py`)."""


def change_code(change: Change) -> None:
    """What is loaded from now on runs changed code, and so does each function that is there."""

    def loaded(code: CodeType | None) -> CodeType | None:
        with ACCOUNT.charged():
            return change(code) if code is not None and policy.is_own(code) else code

    SourceFileLoader.get_code = native.and_then(  # type: ignore[method-assign]
        SourceFileLoader.get_code, loaded
    )
    with ACCOUNT.charged():
        _change_what_is_there(change)


def _change_what_is_there(change: Change) -> None:
    for function in [one for one in gc.get_objects() if type(one) is FunctionType]:
        is_body = not function.__code__.co_flags & policy.FUNCTION  # which the interpreter made
        if policy.is_own(function.__code__) and not is_body:
            function.__code__ = change(function.__code__)
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if policy.is_own(frame.f_code):
            _replace_inner(frame.f_code, change)
        frame = frame.f_back


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
