"""How a reduction walks over its operand, and by which loop: asked of the graph alone."""

from __future__ import annotations

import numpy as np

from ....jit.frozen import dataclass
from ....jit.ir.graph import Node
from ....jit.ir.types import ArrayType
from ..clusters.lower import HALF, Lowering, loop_index
from ..library.names import storage_name
from ..native import Flags


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring axes that are walked as one."""

    axes: tuple[int, ...]
    reduced: bool


def loop_of(node: Node) -> int | None:
    """The loop that reduces without a cast; None when eager casts, or nothing native holds it."""
    dtype = node.outputs[0].type.dtype
    if node.inputs[0].type.dtype != dtype or storage_name(dtype) is None or dtype == HALF:
        return None
    return loop_index(node.attrs["ufunc"], (dtype, dtype, dtype))


def is_exact(node: Node) -> bool:
    """Whether it sums ints or bools in 64 bits: the same in any order, and without a flag."""
    source, result = node.inputs[0].type.dtype, node.outputs[0].type.dtype
    sums = node.attrs["ufunc"] is np.add and source.kind in "biu"
    return sums and result.kind in "iu" and result.itemsize == 8


def is_extreme(node: Node) -> bool:
    """Whether it finds the largest or the smallest item: one of them, whatever the order.

    Which one it is among zeros of both signs, and what becomes of NaN, the order may decide.
    """
    return node.attrs["ufunc"] in (np.maximum, np.minimum) and (
        node.outputs[0].type.dtype.kind in "iuf" and loop_of(node) is not None
    )


def reduced_axes(node: Node) -> frozenset[int]:
    """The axes that disappear, counted from the front."""
    type_ = node.inputs[0].type
    assert isinstance(type_, ArrayType)
    axis = node.attrs["axis"]
    if axis is None:
        return frozenset(range(type_.ndim))
    axes = axis if isinstance(axis, tuple) else (axis,)
    return frozenset(one % type_.ndim for one in axes if type_.ndim)  # 0-d arrays take 0 and -1


def walk_of(node: Node) -> list[Run] | None:
    """The runs of axes from slowest to fastest, or None for a layout that is not proved."""
    type_ = node.inputs[0].type
    if not isinstance(type_, ArrayType) or any(sign < 1 for sign in type_.layout.signs):
        return None
    reduced = reduced_axes(node)
    packed = type_.layout.packed
    if not packed and len(reduced) > 1:
        return None  # NumPy copies to buffers first, and sums over these
    runs: list[Run] = []
    for axis in type_.layout.order:
        if type_.dims[axis] == 1:
            continue
        if packed and runs and runs[-1].reduced is (axis in reduced):
            runs[-1] = Run((*runs[-1].axes, axis), runs[-1].reduced)
        else:
            runs.append(Run((axis,), axis in reduced))
    return runs if runs and any(run.reduced for run in runs) else None


def lower_reduction(node: Node) -> Lowering:
    """How one is computed block by block, see fusion.py."""
    source, result = node.inputs[0].type.dtype, node.outputs[0].type.dtype
    if is_exact(node):
        return Lowering((source,), result, Flags.PURE)
    number = loop_of(node)
    assert number is not None, "only reductions that have a loop are in clusters"
    return Lowering((source,), result, Flags.REPORTS, loop=(node.attrs["ufunc"], number))
