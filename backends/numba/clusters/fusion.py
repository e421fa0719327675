"""Decides which nodes this backend computes in clusters.

A reduction is done block by block in a cluster if its bits do not change: sums of ints; reductions
over slower axes, which go item by item; sums of floats along a line if NumPy splits it like
pairwise.py; minima and maxima of a line.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.ops import COPY
from ....jit.ir.primitives import primitive, ufunc_of
from ....jit.ir.schema import Applies
from ....jit.ir.types import ArrayType, Dim
from ....jit.passes.clusters import Cluster, Step
from ....jit.passes.fuse import fuse
from ..native import ignored_flags, trapped_flags
from ..nodes.walks import Run, is_exact, is_extreme, loop_of, walk_of
from .lower import lower
from .pairwise import is_pairwise


def steps_of(block: Block, *, as_it_stands: bool) -> list[Step]:
    """Return the clusters of a block and the steps between them.

    `as_it_stands`: keep each node in its place, since flags are logged in program order.
    """
    if as_it_stands:
        return fuse(block, fusable, order_of)
    steps = fuse(block, fusable, order_of, reductions_in, is_cheap)
    for step in steps:
        if isinstance(step, Cluster):
            step.merge()
    return steps


def fusable(node: Node) -> bool:
    """True if a node may run in a fused loop.

    NumPy's inner loops give eager's bits only on eager's strides, so some nodes have to be called.
    """
    if node.op.applies is Applies.REDUCE:
        return _is_reducible(node)
    lowering = lower(node)
    if lowering is None or _has_places_of_its_own(node):
        return False
    if lowering.loop is None:
        return True
    result = node.outputs[0].type
    assert isinstance(result, ArrayType)
    row = primitive(lowering.loop[0])
    arrays = [value.type for value in node.inputs if isinstance(value.type, ArrayType)]
    if _is_single(result) and (row.stride_dependent or lowering.result.kind == "c"):
        return False  # eager's stride of an operand with one item is unknown, and it matters here
    if result.ndim > 1:
        # Runs over several axes are split as eager splits them, or not fused.
        if row.cut_dependent and lowering.result.kind == "f":
            return False
        # Eager buffers an operand that it casts, which splits its loops differently.
        cast = any(type_.dtype != lowering.operands[0] for type_ in arrays)
        if cast and not all(type_.dims == result.dims or _is_single(type_) for type_ in arrays):
            return False
        # It copies operands that broadcast along lines, if two lines fit into a buffer.
        stretched = (type_ for type_ in arrays if type_.dims != result.dims)
        if row.stride_dependent and not all(map(_is_single, stretched)):
            return False
        # It copies reversed operands if another axis follows, which loops may notice.
        if any(-1 in type_.layout.signs for type_ in arrays):
            return False
    # With gaps or mixed memory orders it is unknown how eager splits its loops.
    wide = [type_ for type_ in arrays if type_.ndim > 1]
    return all(type_.layout.packed for type_ in wide) and len(_orders(wide, result)) <= 1


def _has_places_of_its_own(node: Node) -> bool:
    """True if the copy's order of axes depends on arbitrary strides of axes with length 1."""
    if not node.op.converts and not (node.op is COPY and node.attrs["order"] in "KA"):
        return False
    type_ = node.inputs[0].type
    return isinstance(type_, ArrayType) and 1 in type_.dims and not type_.layout.packed


def order_of(node: Node) -> tuple[int, ...] | None:
    """Return the order in which a node's inner loop must traverse axes to have eager's strides."""
    if node.op.applies is Applies.REDUCE:
        operand = node.inputs[0].type
        assert isinstance(operand, ArrayType)
        return _walked(operand)
    lowering, result = lower(node), node.outputs[0].type
    if lowering is None or lowering.loop is None or not isinstance(result, ArrayType):
        return None
    arrays = [value.type for value in node.inputs if isinstance(value.type, ArrayType)]
    return next(iter(_orders(arrays, result)), _walked(result))


def _orders(arrays: list[ArrayType], result: ArrayType) -> set[tuple[int, ...]]:
    return {_walked(type_) for type_ in arrays if type_.dims == result.dims}


def _walked(type_: ArrayType) -> tuple[int, ...]:
    """Return the order of axes in memory.

    Those of length 1, which nothing steps along, come first.
    """
    still = [axis for axis, dim in enumerate(type_.dims) if dim == 1]
    return (*still, *(axis for axis in type_.layout.order if axis not in still))


def _is_single(type_: ArrayType) -> bool:
    return all(dim == 1 for dim in type_.dims)


def is_cheap(node: Node) -> bool:
    """True if LLVM computes an item faster than one is written and read."""
    if (
        node.op.applies is not Applies.ITEMS
        or not ufunc_of(node).cheap
        or {"small", "swaps"} & {*node.attrs}
    ):
        return False
    lowering = lower(node)
    return lowering is not None and lowering.loop is None


# ---- reductions ------------------------------------------------------------------------------


def _is_reducible(node: Node) -> bool:
    """True if a cluster might compute this reduction, judging by the node alone.

    One without an identity begins with the first items, which are not a block of their own.
    """
    if ignored_flags(node) or trapped_flags(node):
        return False
    if node.attrs["ufunc"].identity is None and not is_extreme(node):
        return False
    return walk_of(node) is not None and (is_exact(node) or loop_of(node) is not None)


def reductions_in(cluster: Cluster) -> list[Node]:
    """Return the reductions that stay in a cluster, given the loops that it will have."""
    found = {
        node: walk_of(node) or [] for node in cluster.nodes if node.op.applies is Applies.REDUCE
    }
    arrays = [
        value
        for node in cluster.nodes
        for value in (*node.inputs, *(() if node in found else node.outputs))
        if isinstance(value.type, ArrayType)
    ]
    one_line = len(cluster.dims) == 1 or is_flat(cluster, arrays)
    totals = [node for node, runs in found.items() if one_line and len(runs) == 1]
    if any(map(goes_by_blocks, totals)):
        return [node for node in totals if goes_by_blocks(node)]
    if len(cluster.dims) == 1 or 1 in cluster.dims:
        return []
    return [node for node, runs in found.items() if _goes_by_axes(node, runs)]


def goes_by_blocks(node: Node) -> bool:
    """True if a line may be reduced block by block."""
    return is_exact(node) or is_pairwise(node) or is_extreme(node)


def _goes_by_axes(node: Node, runs: list[Run]) -> bool:
    """True if a cluster's loops over axes traverse items as the reduction does.

    Along the fastest axis it is reduced line by line, along slower ones item by item.
    """
    if not runs[-1].reduced:
        return not is_extreme(node)
    alone = sum(run.reduced for run in runs) == 1 and len(runs[-1].axes) == 1
    return alone and len(runs) > 1 and goes_by_blocks(node)


# ---- loops of a cluster ----------------------------------------------------------------------


def axes_of(cluster: Cluster, arrays: Sequence[Value]) -> tuple[int, ...]:
    """Return the axes that the cluster's loops iterate over, from slowest to fastest."""
    if cluster.order is not None:
        return cluster.order
    for value in arrays:
        if isinstance(value.type, ArrayType) and value.type.dims == cluster.dims:
            return _walked(value.type)
    return tuple(range(len(cluster.dims)))


def is_flat(cluster: Cluster, arrays: Sequence[Value]) -> bool:
    """True if one linear index traverses all operands."""
    order = axes_of(cluster, arrays)
    types = [value.type for value in arrays if isinstance(value.type, ArrayType)]
    return all(_is_single(type_) or is_one_line(type_, cluster.dims, order) for type_ in types)


def is_one_line(type_: ArrayType, dims: tuple[Dim, ...], order: tuple[int, ...]) -> bool:
    """True if one linear index traverses an operand in this order of axes."""
    return type_.dims == dims and type_.layout.packed and _walked(type_) == order
