"""Places where stubs may stand and exits may lead, with reasons for all others."""

from __future__ import annotations

from typing import Final

from . import isa
from .flow import Flow
from .kinds import Kind, has_iterator
from .model import Instruction
from .version import LAYOUT

DELEGATING: Final = frozenset({"YIELD_VALUE", "RESUME", "JUMP_BACKWARD_NO_INTERRUPT"})
"""Opcodes that follow SEND inside its loop, in this order."""


def why_no_stub(flow: Flow, index: int) -> str | None:
    """Return the reason why no stub may stand before an instruction; None if one may."""
    instruction = flow.decoded.instructions[index]
    if instruction.opcode in LAYOUT.no_stub_at:
        return LAYOUT.no_stub_at[instruction.opcode]
    if _is_send(instruction):
        return "the loop of SEND is read by throw() and close()"
    return why_no_entry(flow, index)


def why_no_entry(flow: Flow, index: int) -> str | None:
    """Return the reason why no exit, and no stub, may lead to an instruction; None if one may."""
    instructions = flow.decoded.instructions
    if index <= _first_resume(instructions):
        return "the frame is not set up before the first RESUME"
    previous = instructions[index - 1].opcode
    if previous in LAYOUT.no_stub_after:
        return LAYOUT.no_stub_after[previous]
    if not flow.is_reachable(index):
        return "no path leads here"
    if _is_behind_send(instructions, index):
        return "the loop of SEND is read by throw() and close()"
    stack, handler = flow.stack_at(index), instructions[index].handler
    if handler is not None and handler.depth > len(stack):
        return "its handler is one for a fuller stack"
    if any(kind is Kind.INDEX and not has_iterator(stack, k) for k, kind in enumerate(stack)):
        return "an iterator and its index are being popped"
    return None


def _first_resume(instructions: tuple[Instruction, ...]) -> int:
    return next((one.index for one in instructions if one.opcode == "RESUME"), len(instructions))


def _is_send(instruction: Instruction) -> bool:
    return any(op.name == isa.SEND for op in instruction.ops)


def _is_behind_send(instructions: tuple[Instruction, ...], index: int) -> bool:
    """True if the instruction is between a SEND and the jump back to it, that jump included."""
    while instructions[index].opcode in DELEGATING:
        index -= 1
        if _is_send(instructions[index]):
            return True
        if instructions[index].opcode == "JUMP_BACKWARD_NO_INTERRUPT":
            return False
    return False
