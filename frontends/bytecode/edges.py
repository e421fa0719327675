"""Who follows whom: the control flow graph, one node an instruction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...jit.errors import UnsupportedCodeError
from . import isa
from .model import Decoded, Instruction

Edges = tuple[tuple[int, ...], ...]
"""For each instruction, the indices at the other ends of its edges."""


def successors(decoded: Decoded) -> Edges:
    """Fall through first, then the jump, then the exception handler."""
    edges = tuple(_following(one) for one in decoded.instructions)
    if max(max(following, default=0) for following in edges) >= len(edges):
        raise UnsupportedCodeError(f"{decoded.code.co_qualname} runs past its end")
    return edges


def _following(instruction: Instruction) -> tuple[int, ...]:
    following = [other for other in next_indices(instruction) if other is not None]
    if instruction.handler is not None:
        following.append(instruction.handler.target)
    return tuple(dict.fromkeys(following))


def next_indices(instruction: Instruction) -> tuple[int | None, int | None]:
    """Where it falls through to and where it jumps to; None for what it cannot do."""
    last = instruction.ops[-1] if instruction.ops else None
    if last is None:
        return instruction.index + 1, None
    return None if isa.OPS[last.name].ends else instruction.index + 1, isa.target(last)


def predecessors(edges: Edges, reachable: Sequence[object | None]) -> Edges:
    """The same edges backwards, without those that start in unreachable code."""
    before: list[list[int]] = [[] for _ in edges]
    for index, following in enumerate(edges):
        if reachable[index] is not None:
            for other in following:
                before[other].append(index)
    return tuple(map(tuple, before))


def reach(edges: Edges, starts: Iterable[int], stop: int) -> set[int]:
    """What can be reached from `starts`, themselves included, without going on from `stop`.

    `stop` itself is in the answer only as a start.
    """
    seen = set(starts)
    pending = list(seen)
    while pending:
        for other in edges[pending.pop()]:
            if other != stop and other not in seen:
                seen.add(other)
                pending.append(other)
    return seen
