"""The control flow graph of decoded code, with one node per instruction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...jit.errors import UnsupportedCodeError
from . import isa
from .model import Decoded, Instruction

Edges = tuple[tuple[int, ...], ...]
"""For each instruction, the instructions at the other ends of its edges."""


def successors(decoded: Decoded) -> Edges:
    """Return the successors: fall through first, then the jump, then the exception handler."""
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
    """Return (next instruction by falling through, jump target).

    None for an edge that is missing.
    """
    last = instruction.ops[-1] if instruction.ops else None
    if last is None:
        return instruction.index + 1, None
    return None if isa.OPS[last.name].ends else instruction.index + 1, isa.target(last)


def predecessors(edges: Edges, reachable: Sequence[object | None]) -> Edges:
    """Return the reversed edges, without those that start in unreachable code."""
    before: list[list[int]] = [[] for _ in edges]
    for index, following in enumerate(edges):
        if reachable[index] is not None:
            for other in following:
                before[other].append(index)
    return tuple(map(tuple, before))


def reach(edges: Edges, starts: Iterable[int], stop: int) -> set[int]:
    """Return what can be reached from `starts`, which are included, without passing `stop`.

    `stop` itself is in the result only if it is a start.
    """
    seen = set(starts)
    pending = list(seen)
    while pending:
        for other in edges[pending.pop()]:
            if other != stop and other not in seen:
                seen.add(other)
                pending.append(other)
    return seen
