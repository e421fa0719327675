"""Moves: constants, locals, the stack, building and taking apart of tuples, jumps."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....guards.kinds import IsObject, IsType
from ....jit.ir.types import PYTHON_SCALARS
from ...bytecode import SlotKind
from ..breaks import DATA_BRANCH, INSTRUCTION, LOOP, UNBOUND, GraphBreak
from ..live import concrete, look
from ..machine import Frame, Machine, handles
from ..values import NULL, Instance, Known, Sequence, Symbolic

MAX_STEPS = 20_000
"""Instructions of one capture; unrolling ends here."""


@handles("POP_TOP")
def pop_top(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.pop()


@handles("PUSH_NULL")
def push_null(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(NULL)


@handles("COPY")
def copy(machine: Machine, frame: Frame, depth: int) -> None:
    if machine.depth == 0 and len(frame.stack) - depth < machine.base:
        raise GraphBreak(INSTRUCTION, "a copy of what belongs to a statement around")
    frame.stack.append(frame.stack[-depth])


@handles("SWAP")
def swap(machine: Machine, frame: Frame, depth: int) -> None:
    stack = frame.stack
    stack[-1], stack[-depth] = stack[-depth], stack[-1]


@handles("LOAD_CONST")
def load_const(machine: Machine, frame: Frame, value: Any) -> None:
    frame.stack.append(Known(value))


@handles("LOAD_FAST")
def load_fast(machine: Machine, frame: Frame, slot: int) -> None:
    value = frame.locals[slot]
    if value is None:
        raise GraphBreak(UNBOUND, f"local variable `{frame.decoded.localsplus[slot]}`")
    frame.stack.append(value)


@handles("STORE_FAST")
def store_fast(machine: Machine, frame: Frame, slot: int) -> None:
    value = frame.stack.pop()
    _own(frame, slot)
    frame.locals[slot] = None if value is NULL else value


def _own(frame: Frame, slot: int) -> None:
    """A comprehension whose variable is in a cell swaps the cell itself; no exit can do that."""
    if frame.decoded.kinds[slot] is not SlotKind.LOCAL:
        name = frame.decoded.localsplus[slot]
        raise GraphBreak(INSTRUCTION, f"variable `{name}` gets another cell")


@handles("DELETE_FAST")
def delete_fast(machine: Machine, frame: Frame, slot: int) -> None:
    _own(frame, slot)
    if frame.locals[slot] is None:
        raise GraphBreak(UNBOUND, f"local variable `{frame.decoded.localsplus[slot]}`")
    frame.locals[slot] = None


@handles("BUILD_TUPLE")
def build_tuple(machine: Machine, frame: Frame, count: int) -> None:
    frame.stack.append(Sequence("tuple", _take(frame, count)))


@handles("UNPACK_SEQUENCE")
def unpack_sequence(machine: Machine, frame: Frame, count: int) -> None:
    value = look(machine, frame.stack.pop())
    if isinstance(value, Known) and type(value.object) is tuple:
        value = Sequence("tuple", tuple(Known(item) for item in value.object))
    if not isinstance(value, Sequence) or len(value.items) != count:
        raise GraphBreak(INSTRUCTION, "unpacking of something that is no tuple of that length")
    frame.stack.extend(reversed(value.items))


@handles("JUMP")
def jump(machine: Machine, frame: Frame, target: int) -> int:
    """Backward only to the next item of an unrolled loop, or to the header of a region."""
    header = frame.decoded.instructions[target].ops
    iterates = bool(header) and header[0].name == "FOR_ITER"
    if target <= frame.index and (not iterates or machine.steps > MAX_STEPS):
        raise GraphBreak(LOOP, "a loop that is no `for` over a range")
    return target


def truth(machine: Machine, value: Symbolic) -> bool:
    """The truth of a value that is known; breaks where data decide."""
    known = concrete(machine, value)
    if known is not None and _keeps_its_truth(known.object):
        return bool(known.object)
    looked = look(machine, value)
    if isinstance(looked, Sequence):
        return bool(looked.items)
    raise GraphBreak(DATA_BRANCH, "the truth of a value that is known only at run time")


def _keeps_its_truth(object_: Any) -> bool:
    """Values do, and what has no say in it; a user's object is asked each time."""
    if isinstance(object_, np.generic) or type(object_) in PYTHON_SCALARS:
        return True
    if type(object_) in (str, bytes, tuple):
        return True
    return object_ is None or not any(
        hasattr(type(object_), name) for name in ("__bool__", "__len__")
    )


@handles("POP_JUMP_IF_FALSE")
def pop_jump_if_false(machine: Machine, frame: Frame, target: int) -> int | None:
    return None if truth(machine, frame.stack.pop()) else target


@handles("POP_JUMP_IF_TRUE")
def pop_jump_if_true(machine: Machine, frame: Frame, target: int) -> int | None:
    return target if truth(machine, frame.stack.pop()) else None


def _is_none(machine: Machine, value: Symbolic) -> bool:
    """Whether a value is None; what is not is guarded to stay so."""
    value = look(machine, value)
    if isinstance(value, Instance):  # all other kinds are guarded by their type at least
        if type(value.object) is int:
            raise GraphBreak(INSTRUCTION, "an int of more than 64 bits")
        machine.guard(IsType(value.source, type(value.object)))
    return isinstance(value, Known) and value.object is None


@handles("POP_JUMP_IF_NONE")
def pop_jump_if_none(machine: Machine, frame: Frame, target: int) -> int | None:
    return target if _is_none(machine, frame.stack.pop()) else None


@handles("POP_JUMP_IF_NOT_NONE")
def pop_jump_if_not_none(machine: Machine, frame: Frame, target: int) -> int | None:
    return None if _is_none(machine, frame.stack.pop()) else target


@handles("TO_BOOL")
def to_bool(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(Known(truth(machine, frame.stack.pop())))


@handles("UNARY_NOT")
def unary_not(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(Known(not truth(machine, frame.stack.pop())))


@handles("IS_OP")
def is_op(machine: Machine, frame: Frame, inverted: bool) -> None:
    operands = [look(machine, frame.stack.pop()) for _ in range(2)]
    known = [value for value in operands if isinstance(value, Known)]
    if any(value.object is None for value in known):
        same = all(_is_none(machine, value) for value in operands)
    elif len(known) == 2:
        for value in known:
            _rely_on_identity(machine, value)
        same = known[0].object is known[1].object
    else:
        raise GraphBreak(INSTRUCTION, "`is` between objects of the graph")
    frame.stack.append(Known(same != inverted))


def _rely_on_identity(machine: Machine, value: Known) -> None:
    """A string is guarded by its value, and an equal one may be another object."""
    if value.source is not None:
        machine.guard(IsObject(value.source, value.object))
    elif isinstance(value.object, str | bytes | tuple | int | float | complex) and not isinstance(
        value.object, bool
    ):
        raise GraphBreak(INSTRUCTION, "`is` of a value")


def _take(frame: Frame, count: int) -> tuple[Symbolic, ...]:
    """Pops `count` items, bottom to top."""
    if count == 0:
        return ()
    items = tuple(frame.stack[-count:])
    del frame.stack[-count:]
    return items


take = _take
