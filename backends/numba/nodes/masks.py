"""Masks: selects items, or indices, where an array of bools is true."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....jit.ir.graph import Node, Value
from ....jit.ir.types import ArrayType, Dim, Layout
from ..library.names import storage_name
from ..writer import KernelWriter, Place, writes
from .views import match_dims

FEW = 32
"""If at most one item in this many is true, eight false ones are skipped at once."""


@writes("compress")
def write_compress(writer: KernelWriter, node: Node) -> bool:
    """Write a count of true items, then a branch-free loop that copies items."""
    result, (base, mask) = node.outputs[0], (writer.places[value] for value in node.inputs)
    kind = storage_name(result.type.dtype)
    in_c_order = base.type.layout.is_c and mask.type.layout.is_c
    if kind is None or not (base.type.ndim == 1 or in_c_order):
        return False
    items = _product(writer, base.type.dims)
    count = _count_true(writer, mask, items)
    made = of_so_many(writer, result, count)
    return _keep(writer, (mask, items), (made, count), lambda index: _item(base, index))


@writes("nonzero")
def write_nonzero(writer: KernelWriter, node: Node) -> bool:
    """Write the indices where a mask is true. NumPy's result is a view of an (n, 1) array."""
    mask, result = writer.places[node.inputs[0]], node.outputs[0]
    assert isinstance(result.type, ArrayType)
    items = writer.dim(mask.type.dims[0])
    count = _count_true(writer, mask, items)
    dims = (*result.type.dims, 1)
    column = of_so_many(
        writer, Value(ArrayType(result.type.dtype, dims, Layout.contiguous(2))), count
    )
    step = str(result.type.dtype.itemsize)
    made = Place(column.address, (step,), result.type, root=column)
    writer.places[result] = made
    return _keep(writer, (mask, items), (made, count), lambda index: index)


def _product(writer: KernelWriter, dims: Sequence[Dim]) -> str:
    return " * ".join(map(writer.dim, dims)) or "1"


def _item(place: Place, index: str) -> str:
    """Return an item by its index in C order, or along a strided 1-d array."""
    kind, layout = storage_name(place.type.dtype), place.type.layout
    if layout.is_c or (place.type.ndim == 1 and layout.steps_by_item(0)):
        return f"{kind}_at({place.address})[{index}]"
    return f"{kind}_at({place.address} + {index} * {place.strides[0]})[0]"


def _count_true(writer: KernelWriter, mask: Place, items: str) -> str:
    count, index = writer.source.name("count"), writer.source.name("i")
    writer.source.line(f"{count} = 0")
    with writer.source.indented(f"for {index} in range({items}):"):
        writer.source.line(f"{count} += int64({_item(mask, index)} != 0)")
    return count


def of_so_many(writer: KernelWriter, result: Value, count: str) -> Place:
    """Allocate an array of a length that is now known."""
    assert isinstance(result.type, ArrayType)
    match_dims(writer, result.type.dims[:1], [count])
    return writer.new_array(result)


def _keep(
    writer: KernelWriter,
    mask: tuple[Place, str],
    made: tuple[Place, str],
    item: Callable[[str], str],
) -> bool:
    """Write the selected items; each store is overwritten by the next if its item is not selected.

    If few items are true, eight false ones are skipped at once.
    """
    source, (asked, items), (result, count) = writer.source, mask, made
    index, place = source.name("i"), source.name("k")
    source.line(f"{index} = 0")
    source.line(f"{place} = 0")

    def take(condition: str) -> None:
        with source.indented(f"while {condition}:"):
            source.line(f"{_item(result, place)} = {item(index)}")
            source.line(f"{place} += int64({_item(asked, index)} != 0)")
            source.line(f"{index} += 1")

    layout = asked.type.layout
    if layout.is_c or (asked.type.ndim == 1 and layout.steps_by_item(0)):
        end = source.name("end")
        are_few = source.indented(f"if {count} * {FEW} < {items}:")
        with are_few, source.indented(f"while {place} < {count}:"):
            source.line(f"{end} = min({index} + 8, {items})")
            eight = f"int64_at({asked.address} + {index})[0] == 0"
            with source.indented(f"if {index} + 8 <= {items} and {eight}:"):
                source.line(f"{index} = {end}")
            with source.indented("else:"):
                take(f"{index} < {end} and {place} < {count}")
    take(f"{place} < {count}")
    writer.n_fused += 1
    return True
