"""Dead code elimination: removes array operations whose results nothing reads.

Operations that may raise an exception or a reported flag stay: the square of an unused array may
overflow, and a Python int may not fit the dtype of an array. `prune` removes
numbers, loop state and results of branches.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.side_effects import is_silent
from ..ir.graph import Block, Graph, Value
from ..ir.schema import Numbers
from .uses import read_values


def without_dead(graph: Graph) -> Graph:
    """Return the graph without dead nodes; unchanged parts are shared with the given one."""
    known = {n.outputs[0]: n.constant for n in graph.nodes() if n.op.is_constant}
    while True:
        body = _without(graph.body, read_values(graph), known)
        if body is graph.body:
            return graph
        graph = replace(graph, body=body)


def _without(block: Block, read: set[Value], known: Numbers) -> Block:
    nodes = []
    for node in block.nodes:
        if read.isdisjoint(node.outputs) and node.outputs and is_silent(node, known):
            continue
        blocks = tuple(_without(inner, read, known) for inner in node.blocks)
        changed = any(new is not old for new, old in zip(blocks, node.blocks, strict=True))
        nodes.append(replace(node, blocks=blocks) if changed else node)
    same = len(nodes) == len(block.nodes) and all(map(lambda a, b: a is b, nodes, block.nodes))
    return block if same else Block(block.params, nodes, block.results)
