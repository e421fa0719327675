"""Clusters that write directly to arrays from outside, where no bail can undo it.

Everything that could make the kernel bail is checked before the first item is written. After that,
flags cannot lead to a bail: they are kept apart for each operation and reported after the last
item, as eager reports them. If a flag could do more than warn, the kernel bails beforehand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from ....jit.checks import Check
from ....jit.ir.graph import Graph, Location, Node, Value
from ....jit.ir.ops import Kind
from ....jit.passes.clusters import Cluster
from ..native import Flags, trapped_flags
from ..nodes.stores import extent
from ..writer import KernelWriter
from .in_place import is_read_by_then, target_for
from .items import Item, Stage, items_of, stages_of


def is_stored_at_once(writer: KernelWriter, cluster: Cluster) -> bool:
    """True if the cluster may write to outside memory irrevocably."""
    stored = [value for value in cluster.outputs if value in writer.direct]
    visible = [value for value in stored if writer.direct[value].visible]
    if not visible:
        return False
    items = items_of(cluster)
    reports = _reporting(items)
    stages = stages_of(items, attribute=True)
    return (
        len(stored) == 1
        and not any(item.reduces or item.lowering.holds for item in items)
        and all(node.location is not None and not trapped_flags(node) for node in reports)
        and (not reports or (not cluster.merged and _are_all_there(writer, reports)))
        and target_for(writer, items, stages, visible[0]) is not None
    )


def _reporting(items: list[Item]) -> list[Node]:
    return [item.node for item in items if item.lowering.flags is Flags.REPORTS]


def _are_all_there(writer: KernelWriter, nodes: list[Node]) -> bool:
    """True if the graph still has all operations that the program has at the nodes' locations."""
    places = {node.location for node in nodes}
    return _operations(writer.graph, places) == _operations(writer.as_captured, places)


def _operations(graph: Graph, places: set[Location | None]) -> Counter[tuple[object, ...]]:
    return Counter(
        (node.location, node.op, node.attrs.get("ufunc"))
        for node in graph.nodes()
        if node.op.kind is Kind.ELEMENTWISE and node.location in places
    )


@contextmanager
def stored_at_once(writer: KernelWriter, cluster: Cluster) -> Iterator[None]:
    """Wrap the text of such a cluster with its checks and the report of its flags."""
    writer.settle_flags()
    reports = _reporting(items_of(cluster))
    if reports and not writer.checked_facts.only_warns:
        writer.checked_facts.only_warns = True
        writer.bail_if("loud(w, 0) != 0", Check.LOUD)
    with writer.attributing():
        yield
    if reports:
        writer.source.line("set_status(get_status() & ~63)")
        writer.leaves = writer.source.name("leaves")
        writer.source.line(f"{writer.leaves} = False")
        writer.attributed.tell(cluster.nodes, writer.leaves)


def look_at_memory(
    writer: KernelWriter, items: list[Item], stages: list[Stage], output: Value
) -> None:
    """Bail if an array that the cluster reads overlaps its target.

    The identical array is allowed if each item is read before the output's is written.
    """
    direct = writer.direct[output]
    maker = next(item for item in items if item.value is output)
    target = writer.places[direct.target]
    others = [
        one for one in direct.others if {one, direct.target} not in writer.checked_facts.disjoint
    ]
    if others:
        low, high = extent(writer, target)
    for other in others:
        place = writer.places[other]
        other_low, other_high = extent(writer, place)
        shared = f"{low} < {other_high} and {other_low} < {high}"
        packed = place.type.layout.packed and place.type == target.type
        if packed and is_read_by_then(items, stages, other, maker):
            shared += f" and {target.address} != {place.address}"
        writer.bail_if(shared, Check.SHARED)
