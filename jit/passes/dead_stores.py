"""Dead store elimination: removes stores that a later store overwrites completely.

`a += b * c; a *= 0.5` writes all of `a` twice. If only arithmetic lies between the stores, it can
read the first stored value directly, and the first store is dropped. Other arrays read in between
must not overlap `a`: where that is unknown, a DISJOINT node checks it at run time. A store of an
array to itself is removed too: `a[1:] += b` ends with `a[1:] = a[1:]`.

The checkpoint after the first store is removed with it. If the segment bails between the two
stores, nothing has been written, and eager continues from the previous checkpoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..analysis.aliases import Aliases, arrays_read
from ..frozen import dataclass
from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import DISJOINT, Kind
from ..ir.schema import Effect


def without_dead_stores(graph: Graph) -> Graph:
    """Return the graph with fewer stores; unchanged parts are shared with the given one."""
    if not any(node.op.overwrites for node in graph.nodes()):
        return graph
    stores = _DeadStores(Aliases(graph), may_check=not graph.aside)
    return replace(graph, body=stores.shortened(graph.body))


@dataclass(frozen=True, slots=True)
class _DeadStores:
    aliases: Aliases
    may_check: bool
    """True if DISJOINT may be inserted to check overlap at run time."""

    def shortened(self, block: Block) -> Block:
        """Return the block without dead stores, in its regions too."""
        nodes = [
            replace(node, blocks=tuple(map(self.shortened, node.blocks))) if node.blocks else node
            for node in block.nodes
            if not node.op.overwrites or node.inputs[0] is not node.inputs[1]
        ]
        place = 0
        while place < len(nodes):
            found = self._written_over(nodes[place:])
            if found is None:
                place += 1
            else:
                count, replacements = found
                nodes[place : place + count] = replacements
        return Block(block.params, nodes, block.results)

    def _written_over(self, nodes: Sequence[Node]) -> tuple[int, list[Node]] | None:
        """If the first node is a dead store, return (number of nodes to replace, replacements).

        The store that overwrites it comes after these nodes and stays.
        """
        dead = nodes[0]
        if not dead.op.overwrites or dead.inputs[0].type != dead.inputs[1].type:
            return None
        target, value = dead.inputs
        begin = 2 if len(nodes) > 1 and nodes[1].op.effect is Effect.CHECKPOINT else 1
        between: list[Node] = []
        checks: dict[Value, Node] = {}
        for node in nodes[begin:]:
            if _is_same_store(node, dead):
                return begin + len(between), [*between, *checks.values()]
            if not (node.op.only_reads or node.op.kind is Kind.VIEW):
                return None
            for one in arrays_read(node):
                if one is not target and not self.aliases.are_disjoint(one, target):
                    if not self.may_check or self.aliases.roots(one) & self.aliases.roots(target):
                        return None
                    if node.op.kind is not Kind.VIEW and node.op.reads:
                        checks[one] = Node(DISJOINT, (target, one), {}, (), place=dead.place)
            if node.op.kind is Kind.VIEW and target in node.inputs:
                return None
            inputs = tuple(value if one is target else one for one in node.inputs)
            between.append(replace(node, inputs=inputs))
        return None


def _is_same_store(node: Node, dead: Node) -> bool:
    """True if a store overwrites all that another wrote, and is equally visible."""
    return (
        node.op.overwrites
        and node.inputs[0] is dead.inputs[0]
        and node.inputs[1].type == dead.inputs[1].type
        and node.attrs == dead.attrs
    )
