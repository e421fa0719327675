"""Pruning: removes unneeded numbers, loop state, and results of branches.

Capture passes every number that a loop or branch assigns to the code after it, as an exit might
store it for `locals()`. Unless an exit does, it need not be loop state. A value is needed if a node
reads it that has an effect, may raise, warn or leave, or has a result that is needed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..analysis.solver import backward
from ..ir.edges import edges
from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import BREAK, CONST, CONTINUE, FOR, IF, OPERATOR, Kind
from ..ir.primitives import Answers, Linear, of_node
from ..ir.types import ScalarType
from .halts import NO_TURN, halts_in

Instead = Mapping[Node, tuple[Node, ...]]
"""Nodes that replace some nodes."""


def prune(graph: Graph) -> Graph:
    """Return the graph with fewer results, less loop state and no dead numbers."""
    halts = [*halts_in(graph.body)]
    reads: dict[Value, list[Value]] = {}
    roots = list(graph.body.results)
    for_halts = {node for halt in halts for node in (halt.look, halt.leaves)}
    for edge in edges(graph.body, left_out=for_halts):
        for target, value in edge:
            reads.setdefault(target, []).append(value)
    _collect(graph.body, reads, roots, for_halts)
    needed = _made_from(roots, reads) | {*graph.params}
    makers = {value: node for node in graph.nodes() for value in node.outputs}
    instead: dict[Node, tuple[Node, ...]] = {}
    for halt in halts:
        more = _made_from([*halt.reads], reads) - needed
        if not all(_is_cheap(makers.get(value), makers) for value in more):
            instead |= {halt.look: (), halt.leaves: ()}
            continue
        needed |= more | halt.inside
        notes = _made_from([*halt.look.inputs], reads) - needed
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
    if node is None or node.blocks or _is_silent(node):
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


# ---- what is needed ------------------------------------------------------------------------------


def _made_from(roots: Iterable[Value], reads: Mapping[Value, Sequence[Value]]) -> set[Value]:
    """Return the roots and all values that they are computed from."""
    return backward(roots, lambda value: reads.get(value, ()))


def _collect(
    block: Block,
    reads: dict[Value, list[Value]],
    roots: list[Value],
    left_out: Container[Node],
) -> None:
    """Record what each value of a block is computed from; `roots` collects values needed anyway."""
    for node in block.nodes:
        if node in left_out:
            continue
        if node.op is IF:
            for output in node.outputs:
                reads.setdefault(output, []).append(node.inputs[0])
            if not is_removable(node):
                roots.append(node.inputs[0])
        elif node.op.loops:
            roots += node.inputs[: len(node.inputs) - len(node.initial)]
            if "ended" in node.attrs:
                roots.append(node.outputs[-1])
        elif node.op.hands_over:
            continue
        elif is_removable(node):
            for output in node.outputs:
                reads.setdefault(output, []).extend(node.inputs)
        else:
            roots += node.inputs
        for inner in node.blocks:
            _collect(inner, reads, roots, left_out)


def is_removable(node: Node) -> bool:
    """True if running the node has no observable effect besides its results."""
    if node.op is IF:
        return all(is_removable(inner) for arm in node.blocks for inner in arm.nodes)
    if node.op is not OPERATOR:
        return _is_silent(node)
    types = [value.type for value in node.inputs if isinstance(value.type, ScalarType)]
    if len(types) < len(node.inputs):
        return False
    answers = of_node(node).answers
    if answers is Answers.REALS:
        return all(type_.dtype.kind in "biuf" for type_ in types) and not _may_overflow(types)
    return answers is Answers.PYTHON_INTS and all(
        type_.python and type_.dtype.kind in "bi" for type_ in types
    )


def _is_silent(node: Node) -> bool:
    """True if a node makes a number and never raises, warns or leaves."""
    return node.op.silent and node.op.kind in (Kind.SCALAR, Kind.CONTROL)


def _may_overflow(types: list[ScalarType]) -> bool:
    """True if NumPy casts a Python number to a smaller float, which may warn about overflow."""
    weak = any(type_.python for type_ in types)
    small = (not one.python and one.dtype.kind == "f" and one.dtype.itemsize < 8 for one in types)
    return weak and any(small)


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
