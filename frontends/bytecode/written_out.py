"""Calls that the compiler also writes as a loop: `any(...)` of a generator expression, since 3.14.

`all` and `tuple` too, and since 3.15 `list` and `set`.

::

       LOAD_GLOBAL any; COPY 1; LOAD_COMMON_CONSTANT any; IS_OP; POP_JUMP_IF_FALSE call
       POP_TOP; generator...; FOR_ITER over               if the name is the builtin's
       ...
   call:
       PUSH_NULL; generator...; CALL 1                    if it is anything else

The machine captures the call, for the builtin too. Plain Python would be in the loop, which columns
in tracebacks reveal, so exits lead there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .model import Instruction


class InLoop(NamedTuple):
    """For an instruction of the call, the corresponding state of plain Python in the loop."""

    at: int
    branch: int
    """The jump to the call; the callable is below the operands of its test."""
    items: int
    """Number of stack items for the callee: itself, and NULL after it."""
    has_list: bool
    """True if the loop fills a list, as for `tuple(...)`."""


def written_out(instructions: Sequence[Instruction]) -> dict[int, InLoop]:
    """Return the state for each instruction of such a call; almost all code has none."""
    found: dict[int, InLoop] = {}
    for asked in instructions:
        if asked.opcode != "IS_OP" or instructions[asked.index - 1].opcode != _KNOWN:
            continue
        jump = instructions[asked.index + 1]
        if jump.opcode == "POP_JUMP_IF_FALSE" and jump.target is not None:
            found.update(_pairs(instructions, jump.index, jump.target))
    return found


_KNOWN = "LOAD_COMMON_CONSTANT"


def _pairs(instructions: Sequence[Instruction], branch: int, call: int) -> dict[int, InLoop]:
    loop = branch + 1 + (instructions[branch + 1].opcode == "NOT_TAKEN")
    if instructions[loop].opcode != "POP_TOP" or instructions[call].opcode != "PUSH_NULL":
        return {}
    has_list = instructions[loop + 1].opcode == "BUILD_LIST"
    if instructions[loop + 1].opcode == "BUILD_SET":
        return {}
    pairs = {branch: InLoop(branch, branch, 0, False), call: InLoop(loop, branch, 1, False)}
    call, loop = call + 1, loop + 1 + has_list
    while _names(instructions[call]) == _names(instructions[loop]):
        pairs[call] = InLoop(loop, branch, 2, has_list)
        call, loop = call + 1, loop + 1
        if max(call, loop) == len(instructions):
            return {}
    in_loop = instructions[loop].opcode
    if instructions[call].opcode != "CALL" or in_loop not in ("FOR_ITER", "PUSH_NULL"):
        return {}
    pairs[call] = InLoop(loop, branch, 2, has_list)
    return pairs


def _names(instruction: Instruction) -> tuple[str, ...]:
    return tuple(op.name for op in instruction.ops)
