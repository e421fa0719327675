"""The order in which a reduction traverses its operand, and the inner loop it uses."""

from __future__ import annotations

from ....jit.frozen import dataclass
from ....jit.ir.graph import Node
from ....jit.ir.primitives import ufunc_of
from ....jit.ir.types import ArrayType
from ..clusters.lower import HALF, Lowering, loop_index
from ..library.names import storage_name
from ..native import Flags


@dataclass(frozen=True, slots=True)
class Run:
    """Adjacent axes that are traversed as one."""

    axes: tuple[int, ...]
    reduced: bool


def loop_of(node: Node) -> int | None:
    """Return the loop that reduces without a cast; None if eager casts or there is no such loop."""
    dtype = node.outputs[0].type.dtype
    if node.inputs[0].type.dtype != dtype or storage_name(dtype) is None or dtype == HALF:
        return None
    return loop_index(node.attrs["ufunc"], (dtype, dtype, dtype))


def is_exact(node: Node) -> bool:
    """True if it sums ints or bools in 64 bits, where neither order nor flags matter."""
    source, result = node.inputs[0].type.dtype, node.outputs[0].type.dtype
    sums = ufunc_of(node).adds and source.kind in "biu"
    return sums and result.kind in "iu" and result.itemsize == 8


def is_extreme(node: Node) -> bool:
    """True for a minimum or maximum, whose value does not depend on the order.

    The order may decide between zeros of different sign, and about NaNs.
    """
    return bool(ufunc_of(node).extreme) and (
        node.outputs[0].type.dtype.kind in "iuf" and loop_of(node) is not None
    )


def reduced_axes(node: Node) -> frozenset[int]:
    """Return the reduced axes, counted from the front."""
    type_ = node.inputs[0].type
    assert isinstance(type_, ArrayType)
    axis = node.attrs["axis"]
    if axis is None:
        return frozenset(range(type_.ndim))
    axes = axis if isinstance(axis, tuple) else (axis,)
    return frozenset(one % type_.ndim for one in axes if type_.ndim)  # 0-d arrays: 0 and -1


def walk_of(node: Node) -> list[Run] | None:
    """Return the runs of axes from slowest to fastest; None for a layout that is not proved."""
    type_ = node.inputs[0].type
    if not isinstance(type_, ArrayType) or any(sign < 1 for sign in type_.layout.signs):
        return None
    reduced = reduced_axes(node)
    packed = type_.layout.packed
    if not packed and len(reduced) > 1:
        return None  # NumPy would reduce over buffered copies
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
    """Return how a reduction is computed block by block, see fusion.py."""
    source, result = node.inputs[0].type.dtype, node.outputs[0].type.dtype
    if is_exact(node):
        return Lowering((source,), result, Flags.PURE)
    number = loop_of(node)
    assert number is not None, "only reductions that have a loop are in clusters"
    return Lowering((source,), result, Flags.REPORTS, loop=(node.attrs["ufunc"], number))
