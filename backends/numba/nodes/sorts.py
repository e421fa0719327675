"""Sorting by NumPy's functions for a dtype, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ....jit.addresses import DtypeAddress
from ....jit.ir.graph import Node, Value
from ....jit.ir.types import ArrayType, Layout
from ..library.names import storage_name
from ..parallel import shared_loops
from ..writer import KernelWriter, Place, writes


@writes("sort")
def write_sort(writer: KernelWriter, node: Node) -> bool:
    """Write in-place sorts; lines with gaps are copied to a buffer and back, as NumPy does."""
    place = writer.places[node.inputs[0]]
    axis = node.attrs["axis"] % place.type.ndim
    address = DtypeAddress(place.type.dtype, 0)
    if not address.find() or storage_name(place.type.dtype) is None:
        return False
    buffer = _buffer(writer, place, axis)
    if node.attrs["visible"]:
        writer.settle_flags()
    writer.collect()
    word = writer.tables.address_word(address)
    length = writer.dim(place.type.dims[axis])
    with _lines(writer, axis, place, shared=not buffer) as (line,):
        items = buffer or line
        if buffer:
            _move(writer, place, (buffer, None), (line, place.strides[axis]), length)
        writer.source.line(f"sort(w[{word}], {items}, {length}, 0)")
        if buffer:
            _move(writer, place, (line, place.strides[axis]), (buffer, None), length)
    _forget_flags(writer)
    writer.n_fused += 1
    return True


@writes("argsort")
def write_argsort(writer: KernelWriter, node: Node) -> bool:
    """Write the sorting permutation of each line, starting from 0, 1, 2, and so on."""
    place, result = writer.places[node.inputs[0]], node.outputs[0]
    axis = node.attrs["axis"] % place.type.ndim
    address = DtypeAddress(place.type.dtype, 1)
    if not address.find() or storage_name(place.type.dtype) is None:
        return False
    made = writer.new_array(result)
    buffer, places_buffer = _buffer(writer, place, axis), _buffer(writer, made, axis)
    writer.collect()
    source = writer.source
    word = writer.tables.address_word(address)
    length = writer.dim(place.type.dims[axis])
    with _lines(writer, axis, place, made, shared=not (buffer or places_buffer)) as (line, into):
        items, places = buffer or line, places_buffer or into
        if buffer:
            _move(writer, place, (buffer, None), (line, place.strides[axis]), length)
        index = source.name("i")
        with source.indented(f"for {index} in range({length}):"):
            source.line(f"int64_at({places})[{index}] = {index}")
        source.line(f"argsort(w[{word}], {items}, {places}, {length}, 0)")
        if places_buffer:
            _move(writer, made, (into, made.strides[axis]), (places_buffer, None), length)
    _forget_flags(writer)
    writer.n_fused += 1
    return True


def _buffer(writer: KernelWriter, place: Place, axis: int) -> str | None:
    """Allocate a buffer for one line if lines have gaps; return its address or None."""
    if place.type.layout.steps_by_item(axis):
        return None
    line = ArrayType(place.type.dtype, (place.type.dims[axis],), Layout.contiguous(1))
    return writer.new_array(Value(line)).address


def _move(
    writer: KernelWriter,
    place: Place,
    into: tuple[str, str | None],
    start: tuple[str, str | None],
    length: str,
) -> None:
    """Copy a line's items; both sides are (address, stride or None for contiguous items)."""
    index, kind = writer.source.name("i"), storage_name(place.type.dtype)
    cells = [
        f"{kind}_at({address} + {index} * {step})[0]" if step else f"{kind}_at({address})[{index}]"
        for address, step in (into, start)
    ]
    with writer.source.indented(f"for {index} in range({length}):"):
        writer.source.line(f"{cells[0]} = {cells[1]}")


@contextmanager
def _lines(writer: KernelWriter, along: int, *places: Place, shared: bool) -> Iterator[list[str]]:
    """Write loops over all axes but one; yields variables for the start of each array's line.

    Threads may share lines that need no buffer.
    """
    source, parts, type_ = writer.source, [[place.address] for place in places], places[0].type
    around = [axis for axis in type_.layout.order if axis != along]
    with shared_loops(writer, type_.dims, around, (along,), shared=shared) as indices:
        for part, place in zip(parts, places, strict=True):
            part += [f"{index} * {place.strides[axis]}" for axis, index in indices.items()]
        starts = [source.name("line") for _ in places]
        for start, part in zip(starts, parts, strict=True):
            source.line(f"{start} = {' + '.join(part)}")
        yield starts


def _forget_flags(writer: KernelWriter) -> None:
    """Clear flags that comparisons with NaN may have raised, as eager reports none."""
    writer.source.line("set_status(get_status() & ~63)")
