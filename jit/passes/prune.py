"""Pruning: removes unneeded numbers, loop state, and results of branches.

Capture passes every number that a loop or branch assigns to the code after it, as an exit might
store it for `locals()`. Unless an exit does, it need not be loop state. A value is needed if a node
reads it that has an effect, may raise, warn or leave, or has a result that is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ..analysis.liveness import Needs
from ..analysis.side_effects import is_removable, is_silent_number
from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import BREAK, CONST, CONTINUE, FOR, IF
from ..ir.primitives import Linear, of_node
from ..ir.types import ScalarType
from .halts import NO_TURN, halts_in

Instead = Mapping[Node, tuple[Node, ...]]
"""Nodes that replace some nodes."""


def prune(graph: Graph) -> Graph:
    """Return the graph with fewer results, less loop state and no dead numbers."""
    halts = [*halts_in(graph.body)]
    needs = Needs(graph, {node for halt in halts for node in (halt.look, halt.leaves)})
    needed = needs.live() | {*graph.params}
    makers = {value: node for node in graph.nodes() for value in node.outputs}
    instead: dict[Node, tuple[Node, ...]] = {}
    for halt in halts:
        more = needs.of(halt.reads) - needed
        if not all(_is_cheap(makers.get(value), makers) for value in more):
            instead |= {halt.look: (), halt.leaves: ()}
            continue
        needed |= more | halt.inside
        notes = needs.of(halt.look.inputs) - needed
        if all(_is_cheap(made := makers.get(value), makers) or _is_there(made) for value in notes):
            needed |= notes
        else:
            instead[halt.look] = (replace(halt.look, inputs=(), attrs=NO_TURN),)
        needed |= halt.handed_on(needed)
    return replace(graph, body=_pruned(graph.body, needed, instead))


def _is_cheap(node: Node | None, makers: Mapping[Value, Node]) -> bool:
    """True if a value may be kept just for the exit of a halted loop.

    Cheap, and never a big int.
    """
    if node is None or node.blocks or is_silent_number(node):
        return True
    if not is_removable(node):
        return False
    if any(value.type.dtype.kind in "fb" for value in node.outputs):
        return True
    steps = [makers[value] for value in node.inputs if value in makers]
    counts = of_node(node).linear in (Linear.SUM, Linear.DIFFERENCE)
    return counts and any(step.op is CONST for step in steps)


def _is_there(node: Node | None) -> bool:
    """True for a node with a number as result that stays in any case, because it may raise."""
    scalar = node is not None and all(isinstance(one.type, ScalarType) for one in node.outputs)
    return node is not None and scalar and not is_removable(node)


# ---- what is left --------------------------------------------------------------------------------


def _pruned(block: Block, needed: set[Value], instead: Instead, loop: Node | None = None) -> Block:
    return Block(block.params, list(_kept(block, needed, instead, loop)), block.results)


def _kept(block: Block, needed: set[Value], instead: Instead, loop: Node | None) -> Iterator[Node]:
    for node in block.nodes:
        if node in instead:
            yield from instead[node]
            continue
        if node.op is CONTINUE and loop is not None:
            yield replace(node, inputs=_of(node.inputs, loop.state, needed))
        elif node.op is BREAK and loop is not None:
            yield replace(node, inputs=_of(node.inputs, loop.left, needed))
        elif is_removable(node) and not needed.intersection(node.outputs):
            continue
        elif node.op is IF:
            yield _pruned_branch(node, needed, instead, loop)
        elif node.op.loops:
            yield _pruned_loop(node, needed, instead)
        else:
            yield node


def _pruned_branch(node: Node, needed: set[Value], instead: Instead, loop: Node | None) -> Node:
    blocks = []
    for arm in node.blocks:
        made = _pruned(arm, needed, instead, loop)
        if arm.goes_on:
            made.results = _of(arm.results, node.outputs, needed)
        blocks.append(made)
    outputs = _of(node.outputs, node.outputs, needed)
    return replace(node, outputs=outputs, blocks=tuple(blocks))


def _pruned_loop(node: Node, needed: set[Value], instead: Instead) -> Node:
    state = node.state
    before = node.inputs[: len(node.inputs) - len(state)]
    body = _pruned(node.blocks[0], needed, instead, node)
    body.params = (*body.params[: len(body.params) - len(state)], *_of(state, state, needed))
    outputs = _of(node.left, node.left, needed)
    if node.op is FOR:
        outputs = (*_of(node.outputs[: len(state)], state, needed), *outputs)
    inputs = (*before, *_of(node.initial, state, needed))
    return replace(node, inputs=inputs, outputs=outputs, blocks=(body,))


def _of(values: Iterable[Value], targets: Iterable[Value], needed: set[Value]) -> tuple[Value, ...]:
    """Return the values whose corresponding targets are needed."""
    pairs = zip(values, targets, strict=True)
    return tuple(value for value, target in pairs if target in needed)
