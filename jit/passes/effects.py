"""Checks that a pass keeps the order of effects, by comparing a graph before and after it.

Each block must keep its sequence of effects. A pass's row in `pass_manager.py` lists the kinds that
it may remove or add; no effect may be reordered or move to another block. Nodes are matched by op,
attributes object and `place` object, which passes hand on when they replace inputs, results and
regions. A pass that replaces the attributes of an effect thus removes it and adds another one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..frozen import dataclass
from ..ir.graph import Block, Graph, Node
from ..ir.schema import Effect
from .reads import Key, key_of

Effects = frozenset[Effect]
NO_EFFECTS: Effects = frozenset()


@dataclass(frozen=True, eq=False, slots=True)
class EffectNode:
    """A node with an effect; an IF or a loop only if there are effects in its regions."""

    node: Node
    inner: tuple[EffectNodes, ...]
    """The effects of each of its blocks."""
    key: Key
    """Identifies the node across passes, see `key_of`."""


EffectNodes = tuple[EffectNode, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """An effect that a pass must not have changed, and what happened to it."""

    node: Node
    said: str


def effects_of(graph: Graph) -> EffectNodes:
    """Return the effects of a graph. They are copied out, as passes may change blocks in place."""
    return _effects(graph.body)


def _effects(block: Block) -> EffectNodes:
    steps = []
    for node in block.nodes:
        if node.op.effect is None:
            continue
        inner = tuple(map(_effects, node.blocks))
        if any(inner) or node.op.effect is not Effect.REGION:
            steps.append(EffectNode(node, inner, key_of(node)))
    return tuple(steps)


def first_fault(
    before: EffectNodes, after: EffectNodes, removes: Effects, adds: Effects
) -> Fault | None:
    """Return the first effect that was removed, added or moved without permission, or None."""
    return _Comparison(before, after, removes, adds).fault(before, after)


class _Comparison:
    def __init__(
        self, before: EffectNodes, after: EffectNodes, removes: Effects, adds: Effects
    ) -> None:
        self.before = before
        self.after = after
        self.removes = removes
        self.adds = adds

    def fault(self, before: EffectNodes, after: EffectNodes) -> Fault | None:
        """Compare a block's effects: those that remain must be in their former order."""
        place = 0
        for step in after:
            found: int | None = place
            if place >= len(before) or before[place].key != step.key:
                later = range(place, len(before))
                found = next((k for k in later if before[k].key == step.key), None)
            if found is None:
                if not self._may_be_added(step):
                    return Fault(step.node, self._why_new(step))
                continue
            fault = self._removed(before[place:found]) or self._inside(before[found], step)
            if fault is not None:
                return fault
            place = found + 1
        return self._removed(before[place:])

    def _inside(self, before: EffectNode, after: EffectNode) -> Fault | None:
        for pair in zip(before.inner, after.inner, strict=True):
            fault = self.fault(*pair)
            if fault is not None:
                return fault
        return None

    def _removed(self, steps: EffectNodes) -> Fault | None:
        """Return a fault for the first of these effects that must not be removed."""
        for step in steps:
            if _has(self.after, step):
                return Fault(step.node, self._why_moved(step))
            if not self._may_be_removed(step):
                may = _names(self.removes)
                return Fault(step.node, f"{_name(step)} was removed; the pass may remove {may}")
        return None

    def _may_be_removed(self, step: EffectNode) -> bool:
        """True if the effect may be removed; for a region, if all effects in it may be.

        If an exit may be removed, so may the effects before it in its block, such as making a list
        that it hands on.
        """
        if step.node.op.effect is Effect.REGION:
            return all(map(self._may_all_be_removed, step.inner))
        return step.node.op.effect in self.removes and not _has(self.after, step)

    def _may_all_be_removed(self, steps: EffectNodes) -> bool:
        leaves = bool(steps) and steps[-1].node.op.effect is Effect.LEAVE
        if leaves and Effect.LEAVE in self.removes and not _has(self.after, steps[-1]):
            return True
        return all(map(self._may_be_removed, steps))

    def _may_be_added(self, step: EffectNode) -> bool:
        return not _has(self.before, step) and step.node.op.effect in self.adds

    def _why_new(self, step: EffectNode) -> str:
        if _has(self.before, step):
            return self._why_moved(step)
        return f"{_name(step)} was added; the pass may add {_names(self.adds)}"

    def _why_moved(self, step: EffectNode) -> str:
        return f"{_name(step)} was moved; effects stay in their order and in their blocks"


def _all_of(steps: EffectNodes) -> Iterator[EffectNode]:
    for step in steps:
        yield step
        for inner in step.inner:
            yield from _all_of(inner)


def _has(steps: EffectNodes, step: EffectNode) -> bool:
    """True if the node, or a pass's replacement of it, is among the effects."""
    return any(one.key == step.key for one in _all_of(steps))


def _name(step: EffectNode) -> str:
    assert step.node.op.effect is not None
    return step.node.op.effect.value


def _names(effects: Effects) -> str:
    return " and ".join(sorted(effect.value for effect in effects)) or "none"
