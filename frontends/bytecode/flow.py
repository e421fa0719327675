"""What is known before each instruction: who comes next, the stack, the locals, the loops.

In: `Decoded`.  Out: `Flow`, made by `edges` (who follows whom), `forward` (stack kinds and
bound slots), `liveness` and `loops`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...jit.frozen import dataclass
from .edges import Edges, predecessors, reach, successors
from .forward import facts
from .kinds import Stack
from .liveness import liveness, stored, stored_later
from .loops import Loop, find_loops
from .model import Decoded
from .version import LAYOUT
from .written_out import InLoop, written_out


@dataclass(frozen=True, slots=True)
class Flow:
    """The facts about one code object; every index is an instruction index."""

    decoded: Decoded
    successors: Edges
    """Fall through first, then the jump, then the exception handler."""
    predecessors: Edges
    """Reachable ones only."""
    stacks: tuple[Stack | None, ...]
    """Kinds of the slots before the instruction, bottom first; None where it is unreachable."""
    bound_bits: tuple[int, ...]
    maybe_bits: tuple[int, ...]
    live_bits: tuple[int, ...]
    later_bits: tuple[int, ...]
    loops: tuple[Loop, ...]
    """By header."""
    written_out: Mapping[int, InLoop]
    """Of the calls that the compiler also writes as loops, where plain Python is."""

    def is_reachable(self, index: int) -> bool:
        """Whether any path leads to the instruction."""
        return self.stacks[index] is not None

    def stack_at(self, index: int) -> Stack:
        """The kinds of the slots before a reachable instruction, bottom first."""
        stack = self.stacks[index]
        if stack is None:
            raise ValueError(f"instruction {index} is unreachable")
        return stack

    def bound_at(self, index: int) -> frozenset[int]:
        """Slots that surely hold something; for cells and free variables: the cell."""
        return bits_to_slots(self.bound_bits[index])

    def maybe_bound_at(self, index: int) -> frozenset[int]:
        """Slots that hold something on some path; the others are surely unbound."""
        return bits_to_slots(self.maybe_bits[index])

    def live_at(self, index: int) -> frozenset[int]:
        """Slots whose present content may still be used.

        Deleting counts as a use, and so does saving a slot around an inlined comprehension when
        there may be something in it to save.
        """
        return bits_to_slots(self.live_bits[index])

    def stored_later_at(self, index: int) -> frozenset[int]:
        """Slots assigned or unbound at the instruction or on any path from there."""
        return bits_to_slots(self.later_bits[index])

    def stores_between(self, start: int, stop: int) -> frozenset[int]:
        """Slots assigned or unbound on any path from before `start` to the first time at `stop`.

        Exception edges are paths too.  With ``start == stop`` it is once round the loop.  What
        is stored *in* a cell does not count, a slot that gets a new cell does.
        """
        forward = reach(self.successors, [start], stop)
        backward = reach(self.predecessors, self.predecessors[stop], stop)
        between = forward & (backward | {stop} if start == stop else backward)
        instructions = self.decoded.instructions
        return frozenset(slot for index in between for slot in stored(instructions[index]))

    def leads_to(self, start: int, stop: int) -> bool:
        """Whether a path goes from one instruction to another."""
        return stop in reach(self.successors, [start], -1)

    def loop_at(self, index: int) -> Loop | None:
        """The loop whose header an instruction is."""
        return next((loop for loop in self.loops if loop.header == index), None)

    def outermost_loops(self) -> list[Loop]:
        """The loops that stand in no other one."""
        return [
            loop
            for loop in self.loops
            if not any(loop is not other and loop.header in other.body for other in self.loops)
        ]

    def group_start(self, index: int) -> int:
        """The first instruction of the call that this one belongs to, usually itself.

        CALL cannot be entered alone behind KW_NAMES (3.11, 3.12) or PRECALL (3.11).  These do
        nothing to the stack, so whoever rolls back to a call goes on here.
        """
        while index and self.decoded.instructions[index - 1].opcode in LAYOUT.prefixes:
            index -= 1
        return index


def analyse(decoded: Decoded) -> Flow:
    """Analyse decoded code; `UnsupportedCodeError` when its stack does not add up."""
    after = successors(decoded)
    stacks, bound, maybe = facts(decoded)
    before = predecessors(after, stacks)
    live, later = liveness(decoded, after, maybe), stored_later(decoded, after)
    loops = find_loops(decoded.instructions, after, before)
    calls = written_out(decoded.instructions)
    return Flow(decoded, after, before, stacks, bound, maybe, live, later, loops, calls)


def bits_to_slots(bits: int) -> frozenset[int]:
    """A bit mask as a set."""
    slots = []
    while bits:
        low = bits & -bits
        slots.append(low.bit_length() - 1)
        bits ^= low
    return frozenset(slots)
