"""Fourier transforms by NumPy's loop over all lines along an axis."""

from __future__ import annotations

from contextlib import ExitStack

import numpy as np

from ....jit.checks import Check
from ....jit.ir.graph import Node
from ....jit.ir.types import ArrayType
from ..clusters.lower import loop_index
from ..library.names import storage_name
from ..writer import KernelWriter, writes
from .inner_loops import InnerLoop, reported_flags
from .products import operand_address
from .views import match_dims


@writes("transform")
def write_transform(writer: KernelWriter, node: Node) -> bool:
    """Write a transform as calls of the loop, each for the lines along one further axis."""
    operand, factor, number, _ = node.inputs
    result, axis = node.outputs[0], node.attrs["axis"]
    assert isinstance(result.type, ArrayType)
    real = np.dtype(result.type.dtype.char.lower())
    dtypes = operand.type.dtype, real, result.type.dtype
    ufuncs = [one for one in (node.attrs["ufunc"], node.attrs["odd"]) if one is not None]
    found = [loop_index(ufunc, dtypes) for ufunc in ufuncs]
    if None in found or None in map(storage_name, dtypes):
        return False
    points = writer.scalars[number]
    if number not in writer.known.constants:
        writer.bail_if(f"{points} < 1", Check.RAISES)
    length = points if len(ufuncs) == 1 else f"({points} // 2 + 1)"
    match_dims(writer, result.type.dims[axis : axis + 1], [length])
    bases = [writer.places[operand].address, operand_address(writer, factor, real)]
    bases.append(writer.new_array(result).address)
    loops = [
        InnerLoop(writer, ufunc, index)
        for ufunc, index in zip(ufuncs, found, strict=True)
        if index is not None
    ]
    with reported_flags(writer, node):
        for odd, loop in enumerate(loops):
            if len(loops) == 1:
                _write_lines(writer, node, loop, bases)
                break
            with writer.source.indented(f"if {points} % 2 == {odd}:"):
                _write_lines(writer, node, loop, bases)
    writer.n_fused += 1
    return True


def _write_lines(writer: KernelWriter, node: Node, loop: InnerLoop, bases: list[str]) -> None:
    """Write loops over the other axes; the last one is the inner loop's own."""
    source, along = writer.source, node.attrs["axis"]
    before, made = writer.places[node.inputs[0]], writer.places[node.outputs[0]]
    others = [axis for axis in range(before.type.ndim) if axis != along]
    at, into = [bases[0]], [bases[2]]
    with ExitStack() as blocks:
        for axis in others[:-1]:
            index = source.name("i")
            header = f"for {index} in range({writer.dim(before.type.dims[axis])}):"
            blocks.enter_context(source.indented(header))
            at.append(f"{index} * {before.strides[axis]}")
            into.append(f"{index} * {made.strides[axis]}")
        count, steps = "1", ["0", "0", "0"]
        if others:
            count = writer.dim(before.type.dims[others[-1]])
            steps = [before.strides[others[-1]], "0", made.strides[others[-1]]]
        lengths = [writer.dim(place.type.dims[along]) for place in (before, made)]
        blocks.enter_context(source.indented(f"if {count} > 0:"))
        loop.call(
            [" + ".join(at), bases[1], " + ".join(into)],
            [count, *lengths],
            [*steps, before.strides[along], made.strides[along]],
        )
