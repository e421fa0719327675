"""Calls that the compiler also writes as a loop: `any(...)` of a generator expression, since 3.14.

::

        LOAD_GLOBAL any; COPY 1; LOAD_COMMON_CONSTANT any; IS_OP; POP_JUMP_IF_FALSE call
        POP_TOP; generator...; FOR_ITER over               where the name is the builtin's
        ...
    call:
        PUSH_NULL; generator...; CALL 1                    where it is anything else

What captures knows calls, and takes the call of the builtin, too.  Plain Python would be in the
loop: that can be told by the columns of tracebacks, so it is there that an exit leads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .model import Instruction


class InLoop(NamedTuple):
    """Where plain Python is, of an instruction of the call."""

    at: int
    branch: int
    """The jump to the call: what is called is below what it asks for."""
    items: int
    """How many items of the stack are there for the callee: itself, and NULL behind it."""
    has_list: bool
    """The loop fills a list: that of `tuple(...)`."""


def written_out(instructions: Sequence[Instruction]) -> dict[int, InLoop]:
    """By the index of an instruction, for all such calls; empty in almost all code."""
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
    pairs = {branch: InLoop(branch, branch, 0, False), call: InLoop(loop, branch, 1, False)}
    call, loop = call + 1, loop + 1 + has_list
    while _names(instructions[call]) == _names(instructions[loop]):
        pairs[call] = InLoop(loop, branch, 2, has_list)
        call, loop = call + 1, loop + 1
        if max(call, loop) == len(instructions):
            return {}
    if (instructions[call].opcode, instructions[loop].opcode) != ("CALL", "FOR_ITER"):
        return {}
    pairs[call] = InLoop(loop, branch, 2, has_list)
    return pairs


def _names(instruction: Instruction) -> tuple[str, ...]:
    return tuple(op.name for op in instruction.ops)
