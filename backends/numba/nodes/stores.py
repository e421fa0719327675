"""Writes to existing arrays, overlap checks, and new arrays of one value or of equal steps."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from ....jit.checks import Check
from ....jit.ir.graph import Node, Value
from ....jit.ir.ops import DIM
from ....jit.ir.types import ArrayType, ScalarType
from ..library.names import storage_name
from ..writer import KernelWriter, Place, writes
from .control import constant_text
from .views import match_dims


@writes("store")
def write_store(writer: KernelWriter, node: Node) -> bool:
    """Write a store of a complete value; nothing of the statement can fail any more."""
    target, value = node.inputs
    place = writer.places[target]
    kind = storage_name(place.type.dtype)
    if kind is None:
        return False
    if node.attrs["visible"]:
        writer.settle_flags()
    if writer.places.get(value) is place:
        return True  # the value was computed in place
    if isinstance(value.type, ScalarType):
        # NumPy needs more time for `np.array([a, b])` than a launch takes.
        writer.n_fused += bool(writer.loops) or not node.attrs["visible"]
    if 0 in place.type.dims and not writer.known.has_loops:
        return True
    if isinstance(value.type, ScalarType) and place.cell:
        writer.source.line(f"{place.cell} = {kind}({writer.scalars[value]})")
    elif isinstance(value.type, ScalarType):
        _loops(writer, place, None, f"{kind}({writer.scalars[value]})")
    elif place.type.ndim == 1 and not writer.memory.is_made(value):
        _move_items(writer, place, writer.places[value])
    else:
        _loops(writer, place, writer.places[value], "")
    return True


def _move_items(writer: KernelWriter, place: Place, origin: Place) -> None:
    """Write a 1-d copy between arrays that may overlap, in NumPy's order.

    It runs upward in memory, or downward if the source starts below the target and reaches into it.
    """
    if origin.type.dims in ((), (1,)):
        _loops(writer, place, origin, "")
        return
    falling = -1 in (place.type.layout.signs[0], origin.type.layout.signs[-1])
    into, start = place.address, origin.address
    length, step = writer.dim(place.type.dims[0]), _step(origin, origin.type.ndim - 1)
    end = f"{start} + {length} * {step}"
    if falling:  # start from the other end of memory, where the last items are
        into += f" + ({length} - 1) * {_step(place, 0)}"
        start, end = f"{end} - {step}", f"{start} - {step}"
    with writer.source.indented(f"if {start} < {into} and {end} > {into}:"):
        _loops(writer, place, origin, "", backward=not falling)
    with writer.source.indented("else:"):
        _loops(writer, place, origin, "", backward=falling)


def _loops(
    writer: KernelWriter,
    place: Place,
    origin: Place | None,
    scalar: str,
    *,
    backward: bool = False,
) -> None:
    """Write a loop nest over the target in its memory order, backward if asked."""
    source = writer.source
    type_ = place.type
    kind = storage_name(type_.dtype)
    if origin is None and type_.layout.packed and type_.ndim > 1:
        index, items = source.name("i"), " * ".join(map(writer.dim, type_.dims))
        with source.indented(f"for {index} in range({items}):"):
            source.line(f"{kind}_at({place.address})[{index}] = {scalar}")
        return
    target, start = [place.address], [origin.address] if origin else []
    cell = start_cell = "0"
    with ExitStack() as blocks:
        for axis in type_.layout.order:
            items = writer.dim(type_.dims[axis])
            if items == "1" and not writer.known.has_loops:
                continue
            index = source.name("i")
            bounds = f"{items} - 1, -1, -1" if backward else items
            blocks.enter_context(source.indented(f"for {index} in range({bounds}):"))
            cell = _move(target, place, axis, index) or cell
            if origin is not None:
                own = axis - (type_.ndim - origin.type.ndim)
                if own >= 0 and origin.type.dims[own] != 1:
                    start_cell = _move(start, origin, own, index) or start_cell
        value = scalar if origin is None else f"{kind}_at({' + '.join(start)})[{start_cell}]"
        source.line(f"{kind}_at({' + '.join(target)})[{cell}] = {value}")


def _move(address: list[str], place: Place, axis: int, index: str) -> str:
    """Add an axis's offset to an address, or return the index along a contiguous last axis."""
    step = _step(place, axis)
    if axis == place.type.layout.order[-1] and step == str(place.type.dtype.itemsize):
        return index
    address.append(f"{index} * {step}")
    return ""


def _step(place: Place, axis: int) -> str:
    """Return the stride of an axis, as a number if the layout determines it, for vectorisation."""
    if place.type.layout.steps_by_item(axis):
        return str(place.type.dtype.itemsize)
    return place.strides[axis]


@writes("disjoint")
def write_disjoint(writer: KernelWriter, node: Node) -> bool:
    """Bail if the two arrays overlap, as reads after the write would then be wrong."""
    if frozenset(node.inputs) in writer.checked_facts.disjoint:
        return True
    writer.checked_facts.disjoint.add(frozenset(node.inputs))
    (low, high), (other_low, other_high) = (
        extent(writer, writer.places[value]) for value in node.inputs
    )
    writer.bail_if(f"{low} < {other_high} and {other_low} < {high}", Check.OVERLAP)
    return True


def extent(writer: KernelWriter, place: Place) -> tuple[str, str]:
    """Return variables with the lowest address of an array and the first address above it."""
    low, high = writer.source.name("low"), writer.source.name("high")
    writer.source.line(f"{low} = {place.address}")
    writer.source.line(f"{high} = {place.address} + {place.type.dtype.itemsize}")
    for axis, dim in enumerate(place.type.dims):
        sign = place.type.layout.signs[axis]
        if dim != 1 and sign != 0:
            end = low if sign < 0 else high
            writer.source.line(f"{end} += ({writer.dim(dim)} - 1) * {_step(place, axis)}")
    return low, high


@writes("fill")
def write_fill(writer: KernelWriter, node: Node) -> bool:
    value = node.outputs[0]
    type_ = value.type
    assert isinstance(type_, ArrayType)
    kind = storage_name(type_.dtype)
    if kind is None:
        return False
    place = _new_array(writer, value, node.inputs)
    if node.attrs["value"] is not None:
        scalar = ScalarType(type_.dtype, python=False)
        _loops(writer, place, None, constant_text(node.attrs["value"], scalar))
    return True


def _new_array(writer: KernelWriter, value: Value, numbers: Sequence[Value]) -> Place:
    """Allocate an array of these lengths."""
    assert isinstance(value.type, ArrayType)
    lengths = [writer.scalars[number] for number in numbers]
    for number, length in zip(numbers, lengths, strict=True):
        # In loops LLVM learns here that lengths are not negative.
        maker = None if writer.known.has_loops else writer.known.makers.get(number)
        if number not in writer.known.constants and (maker is None or maker.op is not DIM):
            writer.bail_if(f"{length} < 0", Check.RAISES)
    match_dims(writer, value.type.dims, lengths)
    return writer.new_array(value)


@writes("arange")
def write_arange(writer: KernelWriter, node: Node) -> bool:
    """Write equidistant numbers as NumPy computes them, without reporting flags."""
    kind = storage_name(node.attrs["dtype"])
    if kind is None:
        return False
    source, place = writer.source, _new_array(writer, node.outputs[0], node.inputs[:1])
    items = f"{kind}_at({place.address})"
    length = writer.dim(place.type.dims[0])
    first, second, step, index = (source.name(name) for name in ("first", "second", "by", "i"))
    status = source.name("status")
    source.line(f"{status} = get_status()")
    for name, number in zip((first, second), node.inputs[1:], strict=True):
        source.line(f"{name} = {kind}(pinned({writer.scalars[number]}))")
    source.line(f"{step} = {kind}({second} - {first})")
    with source.indented(f"for {index} in range({length}):"):
        source.line(f"{items}[{index}] = {kind}({first} + {kind}({index}) * {step})")
    for place_of, name in enumerate((first, second)):  # adding a step could give NaN
        with source.indented(f"if {length} > {place_of}:"):
            source.line(f"{items}[{place_of}] = {name}")
    source.line(f"set_status({status})")
    return True
