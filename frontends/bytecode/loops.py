"""Finds natural loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...jit.frozen import dataclass
from . import isa
from .edges import Edges, next_indices, reach
from .model import Instruction


@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop; loops with the same header are merged.

    The header of a ``for`` is its FOR_ITER. A ``while`` is compiled with its test at the end as
    well, so its header is the first instruction of the body. Waiting for a delegate (the SEND of
    ``yield from`` and ``await``) does not count as a loop.
    """

    header: int
    body: frozenset[int]
    """The body with the header."""
    back: tuple[int, ...]
    """The instructions that jump back to the header."""
    exits: tuple[tuple[int, int], ...]
    """(inside, outside) for every edge that leaves, exception edges included."""


def find_loops(
    instructions: Sequence[Instruction], after: Edges, before: Edges
) -> tuple[Loop, ...]:
    """Return all loops of reachable code by header; an inner loop's body is part of the outer's."""
    backward: dict[int, list[int]] = {}
    for header, comes_from in enumerate(before):
        back = [one for one in comes_from if one >= header and _jumps(instructions[one], header)]
        if back and not any(op.name == isa.SEND for op in instructions[header].ops):
            backward[header] = back
    if not backward:
        return ()
    dominators = _Dominators(after, before)
    loops = []
    for header, sources in backward.items():
        # handlers placed at the end jump back into code that is no loop
        back = [index for index in sources if dominators.dominates(header, index)]
        if back:
            body = frozenset(reach(before, back, header) | {header})
            loops.append(Loop(header, body, tuple(back), _exits(body, after)))
    return tuple(loops)


def outermost_loops(loops: Sequence[Loop]) -> Iterator[Loop]:
    """Yield the loops that are not inside another one."""
    for loop in loops:
        if not any(loop.header in other.body for other in loops if other is not loop):
            yield loop


def _exits(body: frozenset[int], after: Edges) -> tuple[tuple[int, int], ...]:
    edges = ((index, other) for index in sorted(body) for other in after[index])
    return tuple(edge for edge in edges if edge[1] not in body)


def _jumps(instruction: Instruction, target: int) -> bool:
    return next_indices(instruction)[1] == target


class _Dominators:
    """Immediate dominators by iteration over a postorder (Cooper, Harvey and Kennedy 2001)."""

    def __init__(self, after: Edges, before: Edges) -> None:
        order = _postorder(after)
        self.rank = {index: rank for rank, index in enumerate(order)}
        self.above: dict[int, int] = {0: 0}
        changed = True
        while changed:
            changed = False
            for index in reversed(order[:-1]):
                new = -1
                for other in before[index]:
                    if other in self.above:
                        new = other if new < 0 else self.meet(new, other)
                if self.above.get(index) != new:
                    self.above[index] = new
                    changed = True

    def meet(self, left: int, right: int) -> int:
        """Return the nearest common dominator."""
        while left != right:
            if self.rank[left] < self.rank[right]:
                left = self.above[left]
            else:
                right = self.above[right]
        return left

    def dominates(self, one: int, other: int) -> bool:
        """True if every path to `other` leads through `one`."""
        return self.meet(one, other) == one


def _postorder(after: Edges) -> list[int]:
    """Return reachable instructions in postorder."""
    order = []
    seen = {0}
    pending = [(0, iter(after[0]))]
    while pending:
        index, following = pending[-1]
        for other in following:
            if other not in seen:
                seen.add(other)
                pending.append((other, iter(after[other])))
                break
        else:
            order.append(index)
            pending.pop()
    return order
