"""What a stub is, and the check that it cannot break the frame it stands in.

The interpreter checks nothing: an unbound local loaded by LOAD_FAST or a NULL that is copied is
a crash.  So a stub is proved against `Flow` before a byte is written, and `ValueError` names
what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...jit.frozen import dataclass
from . import isa
from .flow import Flow
from .kinds import Kind
from .model import SlotKind
from .placement import why_no_entry, why_no_stub


@dataclass(frozen=True, slots=True)
class Exit:
    """One way back from a segment into the original bytecode."""

    target: int
    """Index of the instruction to go on with; if a stub stands there, its segment is called."""
    stores: tuple[int, ...]
    """Slots to assign, in the order of the payload.  Locals only: a cell is mutated by the
    segment, which got it as a live-in."""
    pushes: int
    """How many stack slots the exit puts where the consumed ones were."""
    deletes: tuple[int, ...] = ()
    """Locals to leave unbound, whether they are bound now or not."""
    bare: bool = False
    """There is exactly one value, and the payload is that value and not a tuple of it."""
    nulls: tuple[int, ...] = ()
    """Which of the pushes are NULL (0 is the lowest).  The stub makes them itself; the payload
    has no item for them."""
    calls: object = None
    """A callable without arguments that is called at last, as if by the target: it may raise."""

    @property
    def values(self) -> int:
        """How many values the payload brings."""
        return len(self.stores) + self.pushes - len(self.nulls)


@dataclass(frozen=True, slots=True)
class Stub:
    """A call of a segment, to be put before an instruction."""

    at: int
    segment: object
    """A callable with a hash.  Its arguments are positional: the consumed stack items from the
    bottom up, then the live slots.  `None` from it means "not captured"."""
    consumed: int
    """How many stack items the segment gets; an exit takes them off the stack."""
    live: tuple[int, ...]
    """Slots to pass: the value of a local, the cell itself of a cell or free variable."""
    exits: tuple[Exit, ...]


_RETURNS = ({isa.RETURN_VALUE}, {isa.LOAD_CONST, isa.RETURN_VALUE})
"""Operations of instructions that return and read no slot."""


def check(flow: Flow, stub: Stub) -> None:
    """Raise `ValueError` unless the stub is safe on every path that leads to it."""
    reason = why_unsafe(flow, stub)
    if reason is not None:
        raise ValueError(f"stub before instruction {stub.at}: {reason}")


def why_unsafe(flow: Flow, stub: Stub) -> str | None:
    """What is wrong with a stub, None when nothing is."""
    reason = why_no_stub(flow, stub.at)
    if reason is not None:
        return reason
    stack = flow.stack_at(stub.at)
    if not 0 <= stub.consumed <= len(stack):
        return f"it consumes {stub.consumed} items, the stack has {len(stack)} items"
    if not all(kind.can_be_passed for kind in stack[len(stack) - stub.consumed :]):
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
    """The exit must leave the depth, and NULL or not NULL in each slot, that its target has."""
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
    return want is Kind.MAYBE_NULL or have.is_object


def _why_other_slots(flow: Flow, stub: Stub, way: Exit) -> str | None:
    """The exit must leave bound what is surely bound at its target, and nothing more.

    Where the target is a bare return nobody sees the slots again.
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
