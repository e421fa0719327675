"""What this backend computes in clusters: elementwise nodes, and reductions of what these make.

A reduction is made block by block, in a cluster, where its result has the same bits: sums of ints
always; those over slower axes, which go item by item; sums of floats along a line if NumPy parts
the line as pairwise.py does; the largest and smallest items of a line.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.ops import CAST, COPY, REDUCE, UFUNC
from ....jit.ir.types import ArrayType, Dim
from ....jit.passes.clusters import Cluster, Step
from ....jit.passes.fuse import fuse
from ..native import heard_flags, quiet_flags
from ..nodes.walks import Run, is_exact, is_extreme, loop_of, walk_of
from .lower import lower
from .pairwise import is_pairwise

CUT_DEPENDENT = (np.fmax, np.fmin)
"""Ufuncs whose loops give another sign of zero in the rest of a run that fills no vector; runs over
several axes are cut as eager cuts them, or not made here."""


STRIDE_DEPENDENT = frozenset(("power", "clip"))
"""Names of ufuncs whose loops do another thing where an operand has no stride."""


def steps_of(block: Block, *, as_it_stands: bool) -> list[Step]:
    """The clusters of a block and what stands between them.

    `as_it_stands`: each node in its own place, as flags are logged in program order.
    """
    if as_it_stands:
        return fuse(block, fusable, order_of)
    steps = fuse(block, fusable, order_of, reductions_in, is_cheap)
    for step in steps:
        if isinstance(step, Cluster):
            step.merge()
    return steps


def fusable(node: Node) -> bool:
    """Whether an elementwise node, or a reduction, may run in fused loops.

    A NumPy inner loop gives the bits of eager only on the strides that eager has, so that some
    nodes with one are called instead.
    """
    if node.op is REDUCE:
        return _is_reducible(node)
    lowering = lower(node)
    if lowering is None or _has_places_of_its_own(node):
        return False
    if lowering.loop is None:
        return True
    result = node.outputs[0].type
    assert isinstance(result, ArrayType)
    ufunc = lowering.loop[0]
    arrays = [value.type for value in node.inputs if isinstance(value.type, ArrayType)]
    if _is_single(result) and (ufunc.__name__ in STRIDE_DEPENDENT or lowering.result.kind == "c"):
        return False  # whether an operand of one item has a stride decides, and nobody can tell
    if result.ndim > 1:
        if ufunc in CUT_DEPENDENT and lowering.result.kind == "f":
            return False
        # Eager buffers an operand that it casts, and then cuts its loops in another way.
        cast = any(type_.dtype != lowering.operands[0] for type_ in arrays)
        if cast and not all(type_.dims == result.dims or _is_single(type_) for type_ in arrays):
            return False
        # And it copies what is stretched along its lines, where two of them fit into a buffer.
        stretched = (type_ for type_ in arrays if type_.dims != result.dims)
        if ufunc.__name__ in STRIDE_DEPENDENT and not all(map(_is_single, stretched)):
            return False
        # What goes backward it copies, where an axis more follows, and loops may tell.
        if any(-1 in type_.layout.signs for type_ in arrays):
            return False
    # With gaps or unlike orders of memory, how eager cuts its loops is its own business.
    wide = [type_ for type_ in arrays if type_.ndim > 1]
    return all(type_.layout.packed for type_ in wide) and len(_orders(wide, result)) <= 1


def _has_places_of_its_own(node: Node) -> bool:
    """Whether axes of one item have their place in a copy by strides that mean nothing."""
    if node.op is not CAST and not (node.op is COPY and node.attrs["order"] in "KA"):
        return False
    type_ = node.inputs[0].type
    return isinstance(type_, ArrayType) and 1 in type_.dims and not type_.layout.packed


def order_of(node: Node) -> tuple[int, ...] | None:
    """The order in which a node's inner loop has to walk the axes, so that strides are eager's."""
    if node.op is REDUCE:
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
    """The order of the axes in memory; those of one item, which are no way to go, come first."""
    still = [axis for axis, dim in enumerate(type_.dims) if dim == 1]
    return (*still, *(axis for axis in type_.layout.order if axis not in still))


def _is_single(type_: ArrayType) -> bool:
    return all(dim == 1 for dim in type_.dims)


CHEAP = (np.add, np.subtract, np.multiply, np.negative, np.absolute, np.square)


def is_cheap(node: Node) -> bool:
    """Whether LLVM code makes an item in less time than it takes to write and to read one."""
    if (
        node.op is not UFUNC
        or node.attrs["ufunc"] not in CHEAP
        or {"small", "swaps"} & {*node.attrs}
    ):
        return False
    lowering = lower(node)
    return lowering is not None and lowering.loop is None


# ---- reductions ------------------------------------------------------------------------------


def _is_reducible(node: Node) -> bool:
    """Whether a cluster may make a reduction, as far as the node itself tells.

    One without an identity begins with the first items, which are no block of their own.
    """
    if quiet_flags(node) or heard_flags(node):
        return False
    if node.attrs["ufunc"].identity is None and not is_extreme(node):
        return False
    return walk_of(node) is not None and (is_exact(node) or loop_of(node) is not None)


def reductions_in(cluster: Cluster) -> list[Node]:
    """Those of the reductions in a cluster that stay there, as its loops are what they are."""
    found = {node: walk_of(node) or [] for node in cluster.nodes if node.op is REDUCE}
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
    """Whether a line may be reduced block by block."""
    return is_exact(node) or is_pairwise(node) or is_extreme(node)


def _goes_by_axes(node: Node, runs: list[Run]) -> bool:
    """Whether the loops of a cluster over its axes are the walk of a reduction.

    Along the fastest axis it is reduced line by line; along slower ones item by item.
    """
    if not runs[-1].reduced:
        return not is_extreme(node)
    alone = sum(run.reduced for run in runs) == 1 and len(runs[-1].axes) == 1
    return alone and len(runs) > 1 and goes_by_blocks(node)


# ---- loops of a cluster ----------------------------------------------------------------------


def axes_of(cluster: Cluster, arrays: Sequence[Value]) -> tuple[int, ...]:
    """The axes that its loops go over, from slowest to fastest."""
    if cluster.order is not None:
        return cluster.order
    for value in arrays:
        if isinstance(value.type, ArrayType) and value.type.dims == cluster.dims:
            return _walked(value.type)
    return tuple(range(len(cluster.dims)))


def is_flat(cluster: Cluster, arrays: Sequence[Value]) -> bool:
    """Whether one index over all of memory walks all of its operands."""
    order = axes_of(cluster, arrays)
    types = [value.type for value in arrays if isinstance(value.type, ArrayType)]
    return all(_is_single(type_) or is_one_line(type_, cluster.dims, order) for type_ in types)


def is_one_line(type_: ArrayType, dims: tuple[Dim, ...], order: tuple[int, ...]) -> bool:
    """Whether one index over all of memory walks an operand in this order."""
    return type_.dims == dims and type_.layout.packed and _walked(type_) == order
