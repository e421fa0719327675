"""Data flow facts before each instruction: edges, stack kinds, bound and live slots, loops.

`Flow` combines `edges`, `forward` (stack kinds and bound slots), `liveness` and `loops`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...jit.frozen import dataclass
from .edges import Edges, predecessors, reach, successors
from .forward import facts
from .kinds import Stack
from .liveness import liveness, stored, stored_later
from .loops import Loop, find_loops, outermost_loops
from .model import Decoded
from .version import LAYOUT
from .written_out import InLoop, written_out


@dataclass(frozen=True, slots=True)
class Flow:
    """The facts about one code object; all indices are instruction indices."""

    decoded: Decoded
    successors: Edges
    """Successors: fall through first, then the jump, then the exception handler."""
    predecessors: Edges
    """Predecessors that are reachable."""
    stacks: tuple[Stack | None, ...]
    """Kinds of the stack slots before the instruction, bottom first; None if it is unreachable."""
    bound_bits: tuple[int, ...]
    maybe_bits: tuple[int, ...]
    live_bits: tuple[int, ...]
    later_bits: tuple[int, ...]
    loops: tuple[Loop, ...]
    """The loops by header."""
    written_out: Mapping[int, InLoop]
    """For instructions of calls that the compiler also wrote as loops: the corresponding place
    there."""

    def is_reachable(self, index: int) -> bool:
        """True if any path leads to the instruction."""
        return self.stacks[index] is not None

    def stack_at(self, index: int) -> Stack:
        """Return the kinds of the stack slots before a reachable instruction, bottom first."""
        stack = self.stacks[index]
        if stack is None:
            raise ValueError(f"instruction {index} is unreachable")
        return stack

    def bound_at(self, index: int) -> frozenset[int]:
        """Return slots certain to be bound; for cells and free variables, the cell is."""
        return bits_to_slots(self.bound_bits[index])

    def maybe_bound_at(self, index: int) -> frozenset[int]:
        """Return slots that are bound on some path; the others are certainly unbound."""
        return bits_to_slots(self.maybe_bits[index])

    def live_at(self, index: int) -> frozenset[int]:
        """Return slots whose present content may still be used.

        Deleting is a use, and so is saving a slot around an inlined comprehension if it may be
        bound.
        """
        return bits_to_slots(self.live_bits[index])

    def stored_later_at(self, index: int) -> frozenset[int]:
        """Return slots assigned or unbound at the instruction or on any path from it."""
        return bits_to_slots(self.later_bits[index])

    def stores_between(self, start: int, stop: int) -> frozenset[int]:
        """Return slots assigned or unbound on a path from `start` to the first arrival at `stop`.

        Exception edges are paths too. With ``start == stop`` it is one iteration of the loop.
        Storing *into* a cell does not count, but replacing the cell does.
        """
        forward = reach(self.successors, [start], stop)
        backward = reach(self.predecessors, self.predecessors[stop], stop)
        between = forward & (backward | {stop} if start == stop else backward)
        instructions = self.decoded.instructions
        return frozenset(slot for index in between for slot in stored(instructions[index]))

    def leads_to(self, start: int, stop: int) -> bool:
        """True if a path leads from one instruction to another."""
        return stop in reach(self.successors, [start], -1)

    def loop_at(self, index: int) -> Loop | None:
        """Return the loop whose header the instruction is, or None."""
        return next((loop for loop in self.loops if loop.header == index), None)

    def outermost_loops(self) -> list[Loop]:
        """Return the loops that are not inside another one."""
        return [*outermost_loops(self.loops)]

    def group_start(self, index: int) -> int:
        """Return the first instruction of the call that this one belongs to, usually itself.

        CALL cannot be entered separately after KW_NAMES (3.11, 3.12) or PRECALL (3.11). Those do
        not change the stack, so rolling back to a call continues at them.
        """
        while index and self.decoded.instructions[index - 1].opcode in LAYOUT.prefixes:
            index -= 1
        return index


def analyse(decoded: Decoded) -> Flow:
    """Analyse decoded code; `UnsupportedCodeError` if its stack depths are inconsistent."""
    after = successors(decoded)
    stacks, bound, maybe = facts(decoded)
    before = predecessors(after, stacks)
    live, later = liveness(decoded, after, maybe), stored_later(decoded, after)
    loops = find_loops(decoded.instructions, after, before)
    calls = written_out(decoded.instructions)
    return Flow(decoded, after, before, stacks, bound, maybe, live, later, loops, calls)


def bits_to_slots(bits: int) -> frozenset[int]:
    """Return a bit mask as a set."""
    slots = []
    while bits:
        low = bits & -bits
        slots.append(low.bit_length() - 1)
        bits ^= low
    return frozenset(slots)
