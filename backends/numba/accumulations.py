"""`ufunc.accumulate`: NumPy's own inner loop along the axis, reading what it has just written."""

from __future__ import annotations

import numpy as np

from ...jit.ir.graph import Node
from ...jit.ir.types import ArrayType
from .inner_loops import InnerLoop, reported_flags
from .names import storage_name
from .walks import loop_of
from .writer import KernelWriter, writes


@writes("accumulate")
def write_accumulate(writer: KernelWriter, node: Node) -> bool:
    """Writes the running results of an array in memory.

    Each of them is made of the one before it, so that there is one order and no other.
    """
    number = loop_of(node)
    if number is None:
        return False
    writer.n_fused += 1
    writer.new_array(node.outputs[0])
    with reported_flags(writer, node):
        _write_loops(writer, node, InnerLoop(writer, node.attrs["ufunc"], number))
    return True


def _write_loops(writer: KernelWriter, node: Node, loop: InnerLoop) -> None:
    """Loops over the other axes, in each the first item and a call for those behind it."""
    source, result = writer.source, node.outputs[0]
    operand, made = writer.places[node.inputs[0]], writer.places[result]
    type_ = result.type
    assert isinstance(type_, ArrayType)
    along = node.attrs["axis"] % type_.ndim
    into, at = [made.address], [operand.address]
    for axis in range(type_.ndim):
        if axis != along:
            index = source.name("i")
            source.line(f"for {index} in range({writer.dim(type_.dims[axis])}):")
            source.depth += 1
            into.append(f"{index} * {made.strides[axis]}")
            at.append(f"{index} * {operand.strides[axis]}")
    target, start, count = source.name("into"), source.name("at"), source.name("n")
    source.line(f"{target} = {' + '.join(into)}")
    source.line(f"{start} = {' + '.join(at)}")
    source.line(f"{count} = {writer.dim(type_.dims[along])}")
    kind = storage_name(np.dtype(type_.dtype))
    with source.indented(f"if {count} > 0:"):
        source.line(f"{kind}_at({target})[0] = {kind}_at({start})[0]")
    with source.indented(f"if {count} > 1:"):
        step, out_step = operand.strides[along], made.strides[along]
        loop.call(
            [target, f"{start} + {step}", f"{target} + {out_step}"],
            [f"{count} - 1"],
            [out_step, step, out_step],
        )
    source.depth -= type_.ndim - 1
