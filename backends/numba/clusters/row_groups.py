"""Finds steps that go over the same rows, each of which needs no other row of what the others make.

Rows are the items of the first axis. The loops of such a group of steps are run strip by strip
(row_loops.py). The memory of an array may pass to another one of the same type on the way. So each
array that the block has made is read row by row, or not at all, and not through a view of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import prod

from ....jit.ir.graph import Node, Value
from ....jit.ir.indexing import Index, Span
from ....jit.ir.ops import Kind
from ....jit.ir.schema import Applies
from ....jit.ir.types import ArrayType, Dim, ScalarType
from ....jit.passes.clusters import Cluster, Step
from ....jit.threads import EVERYWHERE
from ..native import ignored_flags, trapped_flags
from ..nodes.walks import is_exact, is_extreme, loop_of, reduced_axes, walk_of
from ..parallel import was_large
from ..writer import KernelWriter
from .faster import faster
from .fusion import axes_of, is_flat
from .items import Item, items_of, stages_of
from .together import may_be_together

FEWEST = 64
"""Number of rows at capture from which it pays to give up cutting rows for threads."""
LONGEST = 1 << 16
"""Number of items of a row at capture; longer rows do not stay in the cache."""


def row_groups(writer: KernelWriter, steps: Sequence[Step]) -> list[Dim | None]:
    """Return for each step of a block the rows of its group; None if it is in none."""
    found: list[Dim | None] = [None] * len(steps)
    if writer.attribute or writer.in_threads:
        return found
    large = [place for place, step in enumerate(steps) if _is_large(writer, step)]
    if len(large) < 2:
        return found
    makers = {value: step for step in steps for value in _outputs(step)}
    kinds = [_rows_of(writer, step, makers) for step in steps]
    places = [place for place, step in enumerate(steps) if kinds[place] or not is_harmless(step)]
    for rows, group in groupby(places, key=kinds.__getitem__):
        members = [*group]
        if rows is not None and len({*members} & {*large}) > 1:
            for place in members:
                found[place] = rows
    return found


def is_harmless(step: Step) -> bool:
    """True if a step neither reads nor writes items of arrays."""
    if isinstance(step, Cluster) or step.op.effect or step.blocks:
        return False
    values = step.outputs if not step.op.reads else (*step.inputs, *step.outputs)
    return step.op.kind is Kind.VIEW or all(isinstance(one.type, ScalarType) for one in values)


def _outputs(step: Step) -> Iterator[Value]:
    for node in step.nodes if isinstance(step, Cluster) else (step,):
        yield from node.outputs


def _dims(step: Step) -> tuple[Dim, ...]:
    """Return the axes that the loops of a step go over; () if it is no such step."""
    if isinstance(step, Cluster):
        return step.dims
    if step.op.applies is Applies.REDUCE and isinstance(step.inputs[0].type, ArrayType):
        return step.inputs[0].type.dims
    return ()


def _is_large(writer: KernelWriter, step: Step) -> bool:
    """True if it paid at capture to keep the rows of a step in the cache."""
    dims = _dims(step)
    if EVERYWHERE or not dims:
        return bool(dims)
    lengths = writer.graph.lengths
    rows, *others = (dim if isinstance(dim, int) else lengths.get(dim, 0) for dim in dims)
    return was_large(writer, dims) and rows >= FEWEST and prod(others) <= LONGEST


def _rows_of(writer: KernelWriter, step: Step, makers: Mapping[Value, Step]) -> Dim | None:
    """Return the rows of a step whose loop may be one over rows, else None."""
    dims = _dims(step)
    if not dims or dims[0] == 1 or any(value in writer.direct for value in _outputs(step)):
        return None
    if isinstance(step, Cluster):
        read = [value for node in step.nodes for value in node.inputs]
        may_be = _is_cluster_of_rows(step)
    else:
        read, may_be = [*step.inputs], _keeps_rows(step)
    return dims[0] if may_be and all(_is_by_rows(value, dims, makers) for value in read) else None


def _is_by_rows(value: Value, dims: tuple[Dim, ...], makers: Mapping[Value, Step]) -> bool:
    """True if no step of the group writes an operand, or if its rows are those of the loop."""
    if not isinstance(value.type, ArrayType):
        return True
    root, views = value, True
    while isinstance(maker := makers.get(root), Node) and maker.op.kind is Kind.VIEW:
        root, views = maker.inputs[0], views and _is_view_of_rows(maker)
    if makers.get(root) is None or _first(root) != dims[0]:
        return True
    return views and value.type.ndim == len(dims)


def _first(value: Value) -> Dim | None:
    return value.type.dims[0] if isinstance(value.type, ArrayType) and value.type.dims else None


def _is_view_of_rows(node: Node) -> bool:
    """True if each row of a view lies within the row of that number."""
    if node.op.indexes:
        index: Index = node.attrs["index"]
        part = index.of_axis(0)
        return index.axes()[:1] == [0] and isinstance(part, Span) and part.whole
    return node.op.in_order and _first(node.inputs[0]) == _first(node.outputs[0])


def _keeps_rows(node: Node) -> bool:
    """True if a reduction goes over the rows one after the other, with a result for each."""
    runs = walk_of(node)
    if len(node.inputs) > 1 or ignored_flags(node) or trapped_flags(node) or runs is None:
        return False
    first = runs[0]
    return (
        first.axes[0] == 0 and not first.reduced and (is_exact(node) or loop_of(node) is not None)
    )


def _is_cluster_of_rows(cluster: Cluster) -> bool:
    items = items_of(cluster)
    reductions = [item.node for item in items if item.reduces]
    stages = stages_of(items, attribute=False)
    if any(item.lowering.holds for item in items) or may_be_together(stages):
        return False  # code that follows the loop reads its results
    if any(0 in reduced_axes(node) or _looks_at_ties(node) for node in reductions):
        return False
    read = [value for item in items for value in item.operands if isinstance(value, Value)]
    results = {node.outputs[0] for node in reductions}
    made = [value for value in cluster.outputs if value not in results]
    arrays = [value for value in (*made, *read) if isinstance(value.type, ArrayType)]
    order = [axis for axis in axes_of(cluster, arrays) if cluster.dims[axis] != 1]
    in_order = bool(reductions) or not is_flat(cluster, arrays) or order == sorted(order)
    return order[0] == 0 and in_order


def _looks_at_ties(node: Node) -> bool:
    return is_extreme(node) and node.outputs[0].type.dtype.kind == "f"


def sees_vectors(items: Sequence[Item]) -> bool:
    """True if NumPy's loops run on the items, which shall see the whole vectors that eager's see.

    The kernel's own functions compute each item alike, wherever it stands.
    """
    loops = (item.lowering.loop for item in items)
    return any(loop is not None and faster(*loop) is None for loop in loops)
