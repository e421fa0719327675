"""Moves: constants, locals, the stack, building and taking apart of tuples, jumps."""

from __future__ import annotations

from typing import Any

from ..breaks import DATA_BRANCH, INSTRUCTION, LOOP, UNBOUND, GraphBreak
from ..live import concrete, look
from ..machine import Frame, Machine, handles
from ..values import NULL, Known, Sequence, Symbolic

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
    frame.locals[slot] = None if value is NULL else value


@handles("DELETE_FAST")
def delete_fast(machine: Machine, frame: Frame, slot: int) -> None:
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
    if known is not None:
        return bool(known.object)
    looked = look(machine, value)
    if isinstance(looked, Sequence):
        return bool(looked.items)
    raise GraphBreak(DATA_BRANCH, "the truth of a value that is known only at run time")


@handles("POP_JUMP_IF_FALSE")
def pop_jump_if_false(machine: Machine, frame: Frame, target: int) -> int | None:
    return None if truth(machine, frame.stack.pop()) else target


@handles("POP_JUMP_IF_TRUE")
def pop_jump_if_true(machine: Machine, frame: Frame, target: int) -> int | None:
    return target if truth(machine, frame.stack.pop()) else None


def _is_none(machine: Machine, value: Symbolic) -> bool:
    value = look(machine, value)
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
    right, left = look(machine, frame.stack.pop()), look(machine, frame.stack.pop())
    known = [value for value in (left, right) if isinstance(value, Known)]
    if len(known) == 2:
        same = known[0].object is known[1].object
    elif len(known) == 1 and known[0].object is None:
        same = False  # arrays, scalars, sequences and instances are not None
    else:
        raise GraphBreak(INSTRUCTION, "`is` between objects of the graph")
    frame.stack.append(Known(same != inverted))


def _take(frame: Frame, count: int) -> tuple[Symbolic, ...]:
    """Pops `count` items, bottom to top."""
    if count == 0:
        return ()
    items = tuple(frame.stack[-count:])
    del frame.stack[-count:]
    return items


take = _take
