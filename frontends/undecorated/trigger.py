"""3.11: functions that say when they are called, by a call at the beginning of their code.

CPython 3.11 has no sys.monitoring, and it enters functions without asking anybody. So the program's
own modules get code in which each function calls `arrive` first, until the policy has made up its
mind; the function then has its own code back. `__code__` goes on to tell the code as it was
compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from opcode import opmap
from types import CodeType, FunctionType
from typing import Any

from ...jit import native
from ..bytecode.inserting import UNIT, find_jumps, insert, units_of
from ..bytecode.opening import open_gates
from ..runtime import warming
from . import loading, policy

STACK = 2
"""What the call takes: NULL and the callable."""


def start(arrived: Callable[[FunctionType, tuple[Any, ...]], bool]) -> None:
    """Looks at what has been loaded so far, and at each module that will be."""
    native.set_policy(arrived, None)
    loading.change_code(watched)


# ---- code --------------------------------------------------------------------------------------


def watched(code: CodeType) -> CodeType:
    """Code that calls `arrive` first, and so does that of its inner functions."""
    settled = loading.settled(code, watched)
    if warming.is_on and code.co_flags & policy.FUNCTION != policy.FUNCTION:
        open_gates(settled)
    at = _behind_resume(settled)
    if code.co_flags & policy.FUNCTION != policy.FUNCTION or at is None:
        return settled
    consts = settled.co_consts
    made = insert(
        settled,
        {at: _call(len(consts))},
        find_jumps(settled.co_code),
        co_consts=(*consts, native.arrive),
        co_stacksize=max(settled.co_stacksize, STACK),
    )
    native.stand_in(made, code, settled)
    return made


def _behind_resume(code: CodeType) -> int | None:
    """The unit that follows the RESUME at which the function begins."""
    units = code.co_code[::UNIT]
    found = units.find(opmap["RESUME"])
    return found + 1 if found >= 0 and code.co_code[found * UNIT + 1] == 0 else None


def _call(const: int) -> bytes:
    """`const()` and a pop."""
    return units_of(
        (("PUSH_NULL", 0), ("LOAD_CONST", const), ("PRECALL", 0), ("CALL", 0), ("POP_TOP", 0))
    )
