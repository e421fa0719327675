"""Stubs, and the proof that one cannot corrupt its frame.

The interpreter checks nothing: loading an unbound local with LOAD_FAST, or copying a NULL, crashes.
So a stub is verified against `Flow` before a byte is written, and `ValueError` says what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...jit.frozen import dataclass
from . import isa
from .flow import Flow
from .kinds import Kind, may_consume
from .model import SlotKind
from .placement import why_no_entry, why_no_stub


@dataclass(frozen=True, slots=True)
class Exit:
    """One way back from a segment into the original bytecode."""

    target: int
    """Index of the instruction to continue at; if a stub stands there, its segment is called."""
    stores: tuple[int, ...]
    """Slots to assign, in the order of the payload. Locals only: the segment mutates cells itself,
    as it gets them as live-ins."""
    pushes: int
    """Number of stack items that replace the consumed ones."""
    deletes: tuple[int, ...] = ()
    """Locals to unbind, whether they are bound or not."""
    bare: bool = False
    """The payload is the single value itself instead of a tuple."""
    nulls: tuple[int, ...] = ()
    """Positions of NULLs among the pushes (0 is the lowest). The stub makes them; the payload has
    no items for them."""
    calls: object = None
    """A callable without arguments to call at the end, as if by the target: it may raise."""

    @property
    def values(self) -> int:
        """Return the number of values in the payload."""
        return len(self.stores) + self.pushes - len(self.nulls)


@dataclass(frozen=True, slots=True)
class Stub:
    """A call of a segment, to be inserted before an instruction."""

    at: int
    segment: object
    """A hashable callable. Its positional arguments are the consumed stack items from the bottom
    up, without indices, then the live slots. None as its result means "not captured"."""
    consumed: int
    """Number of stack items that the segment takes the place of; exits remove them."""
    live: tuple[int, ...]
    """Slots to pass: values of locals, and cells of cell and free variables."""
    exits: tuple[Exit, ...]


_RETURNS = ({isa.RETURN_VALUE}, {isa.LOAD_CONST, isa.RETURN_VALUE})
"""Operations of instructions that return without reading a slot."""


def check(flow: Flow, stub: Stub) -> None:
    """Raise `ValueError` unless the stub is safe on every path that leads to it."""
    reason = why_unsafe(flow, stub)
    if reason is not None:
        raise ValueError(f"stub before instruction {stub.at}: {reason}")


def why_unsafe(flow: Flow, stub: Stub) -> str | None:
    """Return what is wrong with a stub, or None."""
    reason = why_no_stub(flow, stub.at)
    if reason is not None:
        return reason
    stack = flow.stack_at(stub.at)
    if not 0 <= stub.consumed <= len(stack):
        return f"it consumes {stub.consumed} items, the stack has {len(stack)} items"
    if not may_consume(stack, len(stack) - stub.consumed):
        return "an item that it consumes may be NULL, or no object"
    unbound = set(stub.live) - flow.bound_at(stub.at)
    if unbound:
        return f"may be unbound: {_names(flow, unbound)}"
    if not stub.exits:
        return "it has no exit"
    reasons = (_why_unsafe_exit(flow, stub, way) for way in stub.exits)
    return next((reason for reason in reasons if reason is not None), None)


def _why_unsafe_exit(flow: Flow, stub: Stub, way: Exit) -> str | None:
    reason = why_no_entry(flow, way.target)
    if reason is not None:
        return f"exit to {way.target}: {reason}"
    if way.bare and way.values != 1:
        return "a bare payload is exactly one value"
    return _why_other_stack(flow, stub, way) or _why_other_slots(flow, stub, way)


def _why_other_stack(flow: Flow, stub: Stub, way: Exit) -> str | None:
    """Check that an exit leaves the target's stack depth, and NULL or not in each slot."""
    before, after = flow.stack_at(stub.at), flow.stack_at(way.target)
    kept = len(before) - stub.consumed
    if kept + way.pushes != len(after):
        return f"exit to {way.target} leaves {kept + way.pushes} items where {len(after)} belong"
    nulls = set(way.nulls)
    if not nulls <= set(range(way.pushes)):
        return "a NULL that is not among the pushes"
    pushed = (Kind.NULL if slot in nulls else Kind.OBJECT for slot in range(way.pushes))
    for slot, (have, want) in enumerate(zip((*before[:kept], *pushed), after, strict=True)):
        if not _fits(have, want):
            return f"exit to {way.target}: stack item {slot} is {have}, not {want}"
    return None


def _fits(have: Kind, want: Kind) -> bool:
    if want is Kind.NULL:
        return have is Kind.NULL
    if want is Kind.INDEX:
        return have in (Kind.NULL, Kind.INDEX)
    return want is Kind.MAYBE_NULL or have.is_object


def _why_other_slots(flow: Flow, stub: Stub, way: Exit) -> str | None:
    """Check that an exit leaves exactly those slots bound that are surely bound at its target.

    If the target just returns, nothing sees the slots any more.
    """
    changed = (*way.stores, *way.deletes)
    if len(changed) != len(set(changed)):
        return "an exit changes a slot twice"
    no_locals = {slot for slot in changed if flow.decoded.kinds[slot] is not SlotKind.LOCAL}
    if no_locals:
        return f"no locals: {_names(flow, no_locals)}"
    if {op.name for op in flow.decoded.instructions[way.target].ops} in _RETURNS:
        return None
    stores, deletes = frozenset(way.stores), frozenset(way.deletes)
    missing = flow.bound_at(way.target) - (flow.bound_at(stub.at) - deletes | stores)
    if missing:
        return f"not bound at exit {way.target}: {_names(flow, missing)}"
    left = (flow.maybe_bound_at(stub.at) - deletes | stores) - flow.maybe_bound_at(way.target)
    if left:
        return f"still bound at exit {way.target}: {_names(flow, left)}"
    return None


def _names(flow: Flow, slots: Iterable[int]) -> str:
    return ", ".join(sorted(flow.decoded.localsplus[slot] for slot in slots))
