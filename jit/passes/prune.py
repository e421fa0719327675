"""Pruning: removes unneeded numbers, loop state, and results of branches.

Capture makes each number that a loop or branch assigns one of its results, because an exit might
store it for `locals()`. If no exit does, it need be neither a result nor loop state. The values
that are needed are found by `jit/analysis/liveness.py`.

The exit of a halted loop is kept only if the values that nothing else needs are cheap to compute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ..analysis.liveness import Needs
from ..analysis.side_effects import is_removable, is_silent_number
from ..ir.graph import Block, Graph, Node, Value
from ..ir.primitives import Linear, of_node
from ..ir.schema import Jump
from ..ir.types import ScalarType
from .halts import NEVER_ALL_LOCALS, halts_in

Replacements = Mapping[Node, tuple[Node, ...]]
"""For some nodes the nodes that replace them."""


def prune(graph: Graph) -> Graph:
    """Return the graph with fewer results, less loop state and no dead numbers."""
    halts = [*halts_in(graph.body)]
    needs = Needs(graph, {node for halt in halts for node in (halt.halted, halt.branch)})
    needed = needs.live() | {*graph.params}
    makers = {value: node for node in graph.nodes() for value in node.outputs}
    replacements: dict[Node, tuple[Node, ...]] = {}
    for halt in halts:
        # values that are needed for the exit alone
        more = needs.of(halt.reads) - needed
        if not all(_is_cheap(makers.get(value), makers) for value in more):
            replacements |= {halt.halted: (), halt.branch: ()}
            continue
        needed |= more | halt.values
        # records of the locals that iterations have assigned
        notes = needs.of(halt.halted.inputs) - needed
        if all(_is_cheap(made := makers.get(value), makers) or _stays(made) for value in notes):
            needed |= notes
        else:
            replacements[halt.halted] = (replace(halt.halted, inputs=(), attrs=NEVER_ALL_LOCALS),)
        needed |= halt.results_of(needed)
    return replace(graph, body=_pruned(graph.body, needed, replacements))


def _is_cheap(node: Node | None, makers: Mapping[Value, Node]) -> bool:
    """True if a value may be computed for the exit of a halted loop alone, given its node.

    It costs little, and of ints it is at most a sum with a constant: the kernel would bail for one
    that leaves 64 bits.
    """
    if node is None or node.blocks or is_silent_number(node):
        return True
    if not is_removable(node):
        return False
    if any(value.type.dtype.kind in "fb" for value in node.outputs):
        return True
    steps = [makers[value] for value in node.inputs if value in makers]
    is_sum = of_node(node).linear in (Linear.SUM, Linear.DIFFERENCE)
    return is_sum and any(step.op.is_constant for step in steps)


def _stays(node: Node | None) -> bool:
    """True for a node of numbers that stays in any case, because it may raise or warn."""
    scalar = node is not None and all(isinstance(one.type, ScalarType) for one in node.outputs)
    return node is not None and scalar and not is_removable(node)


# ---- the pruned graph ----------------------------------------------------------------------------


def _pruned(
    block: Block, needed: set[Value], replacements: Replacements, loop: Node | None = None
) -> Block:
    return Block(block.params, list(_kept(block, needed, replacements, loop)), block.results)


def _kept(
    block: Block, needed: set[Value], replacements: Replacements, loop: Node | None
) -> Iterator[Node]:
    for node in block.nodes:
        if node in replacements:
            yield from replacements[node]
            continue
        if node.op.jump is Jump.CONTINUE and loop is not None:
            yield replace(node, inputs=_of(node.inputs, loop.state, needed))
        elif node.op.jump is Jump.BREAK and loop is not None:
            yield replace(node, inputs=_of(node.inputs, loop.break_results, needed))
        elif is_removable(node) and not needed.intersection(node.outputs):
            continue
        elif node.op.branches:
            yield _pruned_branch(node, needed, replacements, loop)
        elif node.op.loops:
            yield _pruned_loop(node, needed, replacements)
        else:
            yield node


def _pruned_branch(
    node: Node, needed: set[Value], replacements: Replacements, loop: Node | None
) -> Node:
    blocks = []
    for block in node.blocks:
        made = _pruned(block, needed, replacements, loop)
        if block.falls_through:
            made.results = _of(block.results, node.outputs, needed)
        blocks.append(made)
    outputs = _of(node.outputs, node.outputs, needed)
    return replace(node, outputs=outputs, blocks=tuple(blocks))


def _pruned_loop(node: Node, needed: set[Value], replacements: Replacements) -> Node:
    state = node.state
    before = node.inputs[: len(node.inputs) - len(state)]
    body = _pruned(node.blocks[0], needed, replacements, node)
    body.params = (*body.params[: len(body.params) - len(state)], *_of(state, state, needed))
    outputs = _of(node.break_results, node.break_results, needed)
    if node.op.counted:
        outputs = (*_of(node.outputs[: len(state)], state, needed), *outputs)
    inputs = (*before, *_of(node.initial, state, needed))
    return replace(node, inputs=inputs, outputs=outputs, blocks=(body,))


def _of(values: Iterable[Value], targets: Iterable[Value], needed: set[Value]) -> tuple[Value, ...]:
    """Return the values whose corresponding targets are needed."""
    pairs = zip(values, targets, strict=True)
    return tuple(value for value, target in pairs if target in needed)
