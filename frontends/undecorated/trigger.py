"""Reports calls of functions on Python 3.11, by a call inserted at the beginning of their code.

CPython 3.11 has no sys.monitoring, and it enters functions without a hook. So the program's modules
get code in which each function calls `arrive` first, until the policy has decided; the function
then gets its own code back. `__code__` still returns the code as compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from opcode import opmap
from types import CodeType, FunctionType
from typing import Any

from ...jit import native
from ..bytecode.inserting import UNIT, find_jumps, insert, units_of
from ..bytecode.opening import open_gates
from ..bytecode.version import LAYOUT
from ..tiers import warming
from . import loading, policy

STACK = 2
"""Stack slots of the call: NULL and the callable."""


def start(arrived: Callable[[FunctionType, tuple[Any, ...]], bool]) -> None:
    """Observe functions loaded so far and later."""
    native.set_policy(arrived, None)
    loading.change_code(watched)


# ---- code --------------------------------------------------------------------------------------


def watched(code: CodeType) -> CodeType:
    """Return code that calls `arrive` first, with its nested functions changed likewise."""
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
    """Return the unit after the RESUME at which the function begins; None if there is none."""
    units = code.co_code[::UNIT]
    found = units.find(opmap["RESUME"])
    behind = found + 1 + LAYOUT.caches.get("RESUME", 0)
    return behind if found >= 0 and code.co_code[found * UNIT + 1] == 0 else None


def _call(const: int) -> bytes:
    """Encode `const()` and a pop."""
    return units_of(
        (("PUSH_NULL", 0), ("LOAD_CONST", const), ("PRECALL", 0), ("CALL", 0), ("POP_TOP", 0))
    )
