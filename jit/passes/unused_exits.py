"""Removes exits that no node of a graph leads to, and renumbers the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..ir.graph import Block, Graph


def without_unused_exits(graph: Graph) -> Graph:
    """Return the graph without exits that no LEAVE or CHECKPOINT names."""
    used = {node.attrs["exit"] for node in graph.nodes() if "exit" in node.attrs}
    if len(used) == len(graph.exits):
        return graph
    kept = sorted(used)
    numbers = {old: new for new, old in enumerate(kept)}
    exits = [graph.exits[number] for number in kept]
    return replace(graph, body=_renumbered(graph.body, numbers), exits=exits)


def _renumbered(block: Block, numbers: Mapping[int, int]) -> Block:
    nodes = []
    for node in block.nodes:
        attrs = node.attrs
        if "exit" in attrs:
            attrs = {**attrs, "exit": numbers[attrs["exit"]]}
        inner = tuple(_renumbered(one, numbers) for one in node.blocks)
        nodes.append(replace(node, attrs=attrs, blocks=inner))
    return Block(block.params, nodes, block.results)
