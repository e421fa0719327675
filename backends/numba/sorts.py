"""Sorting by the functions that NumPy has for a dtype, line by line."""

from __future__ import annotations

from contextlib import ExitStack

from ...jit.ir.graph import Node
from ...jit.ir.types import ArrayType
from ...jit.native import sort_functions
from .intrinsics import storage_name
from .writer import KernelWriter, Place, writes


@writes("sort")
def write_sort(writer: KernelWriter, node: Node) -> bool:
    """Of lines without gaps; NumPy moves others to a buffer and back."""
    place = writer.places[node.inputs[0]]
    axis = node.attrs["axis"] % place.type.ndim
    sort, _ = sort_functions(place.type.dtype)
    if not sort or storage_name(place.type.dtype) is None:
        return False
    if not place.type.layout.steps_by_item(axis):
        return False
    if node.attrs["visible"]:
        writer.settle_flags()
    writer.collect()
    word = writer.tables.constant_word(sort)
    with ExitStack() as stack:
        (line,) = _lines(writer, stack, axis, place)
        length = writer.dim(place.type.dims[axis])
        writer.source.line(f"sort(w[{word}], {line}, {length}, 0)")
    _forget_flags(writer)
    writer.n_fused += 1
    return True


@writes("argsort")
def write_argsort(writer: KernelWriter, node: Node) -> bool:
    """Of lines without gaps to such lines."""
    place, result = writer.places[node.inputs[0]], node.outputs[0]
    axis = node.attrs["axis"] % place.type.ndim
    _, argsort = sort_functions(place.type.dtype)
    type_ = result.type
    assert isinstance(type_, ArrayType)
    if not argsort or storage_name(place.type.dtype) is None or not type_.layout.is_c:
        return False
    if not (place.type.layout.steps_by_item(axis) and type_.layout.steps_by_item(axis)):
        return False
    made = writer.new_array(result)
    writer.collect()
    source, index = writer.source, writer.source.name("i")
    word = writer.tables.constant_word(argsort)
    length = writer.dim(place.type.dims[axis])
    with ExitStack() as stack:
        line, places = _lines(writer, stack, axis, place, made)
        start = source.name("places")
        source.line(f"{start} = {places}")
        with source.indented(f"for {index} in range({length}):"):
            source.line(f"int64_at({start})[{index}] = {index}")
        source.line(f"argsort(w[{word}], {line}, {start}, {length}, 0)")
    _forget_flags(writer)
    writer.n_fused += 1
    return True


def _lines(writer: KernelWriter, stack: ExitStack, along: int, *places: Place) -> list[str]:
    """Opens loops over all axes but one: where the lines of each array begin."""
    parts = [[place.address] for place in places]
    type_ = places[0].type
    for axis in type_.layout.order:
        if axis == along:
            continue
        index = writer.source.name("i")
        loop = f"for {index} in range({writer.dim(type_.dims[axis])}):"
        stack.enter_context(writer.source.indented(loop))
        for part, place in zip(parts, places, strict=True):
            part.append(f"{index} * {place.strides[axis]}")
    return [" + ".join(part) for part in parts]


def _forget_flags(writer: KernelWriter) -> None:
    """Comparisons with NaN are nobody's business."""
    writer.source.line("set_status(get_status() & ~63)")
