"""Kinds of stack slots, and the effect of operations on the stack and the locals.

`flow` applies it to a fixed point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final

from ...jit.errors import UnsupportedCodeError
from ...jit.frozen import dataclass
from . import isa
from .isa import Op, Send


class Kind(Enum):
    """The facts known about one stack slot.

    The values are ranks: at joins the higher rank wins, except that NULL joined with anything else
    is MAYBE_NULL.
    """

    BOOL = 0
    """True or False exactly. Since 3.13 jumps rely on that, so nothing else may be put there."""
    OBJECT = 1
    """An ordinary object."""
    ITERATOR = 2
    """Result of GET_ITER, over which FOR_ITER iterates."""
    RECEIVER = 3
    """The object that SEND sends to, or an asynchronous iterator."""
    EXIT = 4
    """The bound __exit__ or __aexit__ of an active with statement."""
    LASTI = 5
    """An int: the offset of the instruction that raised. Since 3.14 it is no object."""
    EXC_STATE = 6
    """The previously handled exception, which POP_EXCEPT restores."""
    EXCEPTION = 7
    """The exception being handled."""
    NULL = 8
    MAYBE_NULL = 9
    INDEX = 10
    """Since 3.15: how far its iterator is, if that is a list or the like; NULL if it is not.

    Here it is below its iterator, so that the iterator is on top as on other versions; in the frame
    it is above. It may be an int that is no object, but in code that framejit has rewritten it is
    NULL: there every iterator is an object (`rewrite.py`).
    """

    @property
    def is_object(self) -> bool:
        """True if it is never NULL and may be copied and passed to functions."""
        return self.value < Kind.NULL.value

    @property
    def can_be_passed(self) -> bool:
        """True if it is an object on all versions."""
        return self.is_object and self is not Kind.LASTI

    @property
    def is_structural(self) -> bool:
        """True if it belongs to an active loop, with, except or await instead of an expression."""
        return Kind.OBJECT.value < self.value < Kind.NULL.value


Stack = tuple[Kind, ...]


def join(left: Stack, right: Stack) -> Stack:
    """Return the stack where two paths meet."""
    if left == right:
        return left
    if len(left) != len(right):
        raise UnsupportedCodeError(f"stack of {len(left)} meets stack of {len(right)}")
    return tuple(a if a is b else _join(a, b) for a, b in zip(left, right, strict=True))


def has_iterator(stack: Sequence[Kind], place: int) -> bool:
    """True if the item there is an index with its iterator, which is above it."""
    return stack[place] is Kind.INDEX and Kind.ITERATOR in stack[place + 1 : place + 2]


def in_frame(stack: Sequence[Kind]) -> list[int]:
    """Return for each item its place in the frame, where an index is above its iterator."""
    places = list(range(len(stack)))
    for place in places[:-1]:
        if has_iterator(stack, place):
            places[place : place + 2] = place + 1, place
    return places


def may_consume(stack: Stack, first: int) -> bool:
    """True if a segment may take the place of these items, from number `first` up.

    It is passed the objects among them; an index goes with its iterator.
    """
    if first and has_iterator(stack, first - 1):
        return False
    return all(
        stack[place].can_be_passed or has_iterator(stack, place)
        for place in range(first, len(stack))
    )


def _join(left: Kind, right: Kind) -> Kind:
    if Kind.NULL in (left, right) and Kind.INDEX not in (left, right):
        return Kind.MAYBE_NULL
    return left if left.value > right.value else right


@dataclass(slots=True)
class State:
    """The frame before an operation; sets of slots are bit masks."""

    stack: list[Kind]
    bound: int
    """Slots certain to be bound (for a cell: the cell is)."""
    maybe: int
    """Slots that may be bound."""
    free: int
    """The free variables, which are the same everywhere."""

    def run(self, op: Op) -> None:
        """Change into the state after `op` when it falls through."""
        special = SPECIAL.get(op.name)
        if special is not None:
            special(self, op)
            return
        count = isa.pops(op)
        if count > len(self.stack):
            raise UnsupportedCodeError(f"{op.name} on a stack of {len(self.stack)}")
        if count:
            del self.stack[-count:]
        results = RESULTS.get(op.name)
        self.stack += (Kind.OBJECT,) * isa.pushes(op) if results is None else results

    def run_jump(self, op: Op) -> None:
        """Change into the state after `op` when it jumps."""
        jump = isa.OPS[op.name].jump
        if op.name == isa.SEND:
            if isinstance(op.arg, Send) and op.arg.has_index:
                self.run(op)
                return
            keeps = isinstance(op.arg, Send) and op.arg.keeps_receiver
            self.stack[-2:] = [Kind.RECEIVER, Kind.OBJECT] if keeps else [Kind.OBJECT]
        elif jump is None:
            self.run(op)
        elif jump == (1, 0):
            self.stack.pop()
            if self.stack and self.stack[-1] is Kind.INDEX:
                self.stack.pop()

    def bind(self, slot: int) -> None:
        """Mark a slot as surely bound."""
        self.bound |= 1 << slot
        self.maybe |= 1 << slot

    def unbind(self, slot: int) -> None:
        """Mark a slot as surely unbound."""
        self.bound &= ~(1 << slot)
        self.maybe &= ~(1 << slot)


def _copy(state: State, op: Op) -> None:
    state.stack.append(state.stack[-op.arg])


def _swap(state: State, op: Op) -> None:
    stack = state.stack
    stack[-1], stack[-op.arg] = stack[-op.arg], stack[-1]
    if stack[-1] is Kind.INDEX:  # `return` in a loop: its index and iterator are popped next
        stack[-2] = Kind.INDEX


def _load_fast(state: State, op: Op) -> None:
    # after the load, the slot is known to have been bound
    state.bind(op.arg)
    state.stack.append(Kind.OBJECT)


def _load_fast_and_clear(state: State, op: Op) -> None:
    bit = 1 << op.arg
    kind = Kind.OBJECT if state.bound & bit else Kind.MAYBE_NULL
    state.stack.append(kind if state.maybe & bit else Kind.NULL)
    state.unbind(op.arg)


def _store_fast(state: State, op: Op) -> None:
    kind = state.stack.pop()
    state.unbind(op.arg)
    if kind.is_object:
        state.bind(op.arg)
    elif kind is Kind.MAYBE_NULL:
        state.maybe |= 1 << op.arg


def _delete_fast(state: State, op: Op) -> None:
    state.unbind(op.arg)


def _make_cell(state: State, op: Op) -> None:
    state.bind(op.arg)


def _copy_free_vars(state: State, op: Op) -> None:
    state.bound |= state.free
    state.maybe |= state.free


def _load_method(state: State, op: Op) -> None:
    del state.stack[-isa.pops(op) :]
    pair = (Kind.MAYBE_NULL, Kind.OBJECT) if op.arg.null_first else (Kind.OBJECT, Kind.MAYBE_NULL)
    state.stack += pair


def _load_special(state: State, op: Op) -> None:
    kind = Kind.EXIT if op.arg.endswith("exit__") else Kind.OBJECT
    state.stack[-1:] = [kind, Kind.MAYBE_NULL]


def _with_except_start(state: State, op: Op) -> None:
    state.stack.append(Kind.OBJECT)


def _send(state: State, op: Op) -> None:
    # where there is an index, it is in its place and NULL, or an int that is no object
    state.stack[-1] = Kind.OBJECT


SPECIAL: Final[dict[str, Callable[[State, Op], None]]] = {
    isa.COPY: _copy,
    isa.SWAP: _swap,
    isa.LOAD_FAST: _load_fast,
    isa.LOAD_FAST_AND_CLEAR: _load_fast_and_clear,
    isa.STORE_FAST: _store_fast,
    isa.DELETE_FAST: _delete_fast,
    isa.MAKE_CELL: _make_cell,
    isa.COPY_FREE_VARS: _copy_free_vars,
    isa.LOAD_METHOD: _load_method,
    isa.LOAD_SUPER_METHOD: _load_method,
    isa.LOAD_SPECIAL: _load_special,
    isa.WITH_EXCEPT_START: _with_except_start,
    isa.SEND: _send,
}
"""Operations that need more than counting."""

RESULTS: Final[dict[str, Stack]] = {
    isa.PUSH_NULL: (Kind.NULL,),
    isa.UNARY_NOT: (Kind.BOOL,),
    isa.TO_BOOL: (Kind.BOOL,),
    isa.IS_OP: (Kind.BOOL,),
    isa.CONTAINS_OP: (Kind.BOOL,),
    isa.MATCH_MAPPING: (Kind.OBJECT, Kind.BOOL),
    isa.MATCH_SEQUENCE: (Kind.OBJECT, Kind.BOOL),
    isa.CHECK_EXC_MATCH: (Kind.EXCEPTION, Kind.BOOL),
    isa.GET_ITER: (Kind.ITERATOR,),
    isa.PUSH_INDEX: (Kind.INDEX, Kind.ITERATOR),
    isa.FOR_ITER: (Kind.ITERATOR, Kind.OBJECT),
    isa.BEFORE_WITH: (Kind.EXIT, Kind.OBJECT),
    isa.BEFORE_ASYNC_WITH: (Kind.EXIT, Kind.OBJECT),
    isa.PUSH_EXC_INFO: (Kind.EXC_STATE, Kind.EXCEPTION),
    isa.GET_YIELD_FROM_ITER: (Kind.RECEIVER,),
    isa.GET_AWAITABLE: (Kind.RECEIVER,),
    isa.GET_AITER: (Kind.RECEIVER,),
    isa.GET_ANEXT: (Kind.RECEIVER, Kind.RECEIVER),
}  # fmt: skip
"""Results of operations that push other than ordinary objects."""
