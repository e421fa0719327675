"""Live slots, and the slots that an instruction changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from . import isa
from .edges import Edges
from .model import Decoded, Instruction

USES: Final = frozenset({
    isa.LOAD_FAST, isa.DELETE_FAST, isa.LOAD_CLOSURE, isa.LOAD_DEREF, isa.STORE_DEREF,
    isa.DELETE_DEREF, isa.LOAD_FROM_DICT_OR_DEREF, isa.MAKE_CELL, isa.LOAD_FAST_AND_CLEAR,
})  # fmt: skip
"""Operations that need the content of their slot (for cells: the cell)."""

STORES: Final = frozenset({isa.STORE_FAST, isa.DELETE_FAST, isa.LOAD_FAST_AND_CLEAR, isa.MAKE_CELL})
"""Operations that replace or remove the content of their slot."""


def stored(instruction: Instruction) -> Iterable[int]:
    """Return the slots that an instruction assigns or unbinds."""
    return (op.arg for op in instruction.ops if op.name in STORES)


def liveness(decoded: Decoded, edges: Edges, maybe: Sequence[int]) -> tuple[int, ...]:
    """Return live slots before each instruction as bit masks; `maybe` has the maybe bound ones."""
    uses_and_stores = [_uses_and_stores(one, maybe[one.index]) for one in decoded.instructions]
    live = [0] * len(edges)
    changed = True
    while changed:
        changed = False
        for index in range(len(edges) - 1, -1, -1):
            after = 0
            for other in edges[index]:
                after |= live[other]
            uses, stores = uses_and_stores[index]
            before = uses | after & ~stores
            handler = decoded.instructions[index].handler
            if handler is not None:  # the exception may occur before the store
                before |= live[handler.target]
            if before != live[index]:
                live[index] = before
                changed = True
    return tuple(live)


def _uses_and_stores(instruction: Instruction, maybe: int) -> tuple[int, int]:
    """Return (slots used before they are stored, slots stored), as bit masks."""
    uses = stores = 0
    for op in instruction.ops:
        # An inlined comprehension saves the slot of its variable. If that is surely unbound, there
        # is nothing to save, and a segment need not provide it.
        saves_nothing = op.name == isa.LOAD_FAST_AND_CLEAR and not maybe >> op.arg & 1
        if op.name in USES and not saves_nothing and not stores >> op.arg & 1:
            uses |= 1 << op.arg
        if op.name in STORES:
            stores |= 1 << op.arg
    return uses, stores


def stored_later(decoded: Decoded, edges: Edges) -> tuple[int, ...]:
    """Return slots assigned or unbound at or after each instruction, as bit masks."""
    later = [0] * len(edges)
    for one in decoded.instructions:
        for slot in stored(one):
            later[one.index] |= 1 << slot
    changed = True
    while changed:
        changed = False
        for index in range(len(edges) - 1, -1, -1):
            here = later[index]
            for other in edges[index]:
                here |= later[other]
            if here != later[index]:
                later[index] = here
                changed = True
    return tuple(later)
