"""Stores of arrays from outside that a cluster makes itself, though no bail puts them back.

Before the first item is written all that may be wrong is looked at. What is raised then cannot send
the kernel back any more: the flags of each operation are kept apart, and told behind the last item,
as eager tells of them. Where one of them could do more than warn, the kernel bails before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from ....jit.checks import Check
from ....jit.ir.graph import Graph, Location, Node, Value
from ....jit.ir.ops import Kind
from ....jit.passes.clusters import Cluster
from ..native import Flags, heard_flags
from ..nodes.stores import extent
from ..writer import KernelWriter
from .in_place import is_read_by_then, target_for
from .items import Item, Stage, items_of, stages_of


def is_stored_at_once(writer: KernelWriter, cluster: Cluster) -> bool:
    """Whether the cluster may write into memory for good."""
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
        and all(node.location is not None and not heard_flags(node) for node in reports)
        and (not reports or (not cluster.merged and _are_all_there(writer, reports)))
        and target_for(writer, items, stages, visible[0]) is not None
    )


def _reporting(items: list[Item]) -> list[Node]:
    return [item.node for item in items if item.lowering.flags is Flags.REPORTS]


def _are_all_there(writer: KernelWriter, nodes: list[Node]) -> bool:
    """Whether the graph has each operation that the program has where these come from."""
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
    """Around the text of such a cluster."""
    writer.settle_flags()
    reports = _reporting(items_of(cluster))
    if reports and not writer.asked.quiet:
        writer.asked.quiet = True
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
    """Bails where an array that the cluster reads has items in the memory of its target.

    The very same array may be read, if each item has been when that of the output is written.
    """
    direct = writer.direct[output]
    maker = next(item for item in items if item.value is output)
    target = writer.places[direct.target]
    others = [one for one in direct.others if {one, direct.target} not in writer.asked.apart]
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
