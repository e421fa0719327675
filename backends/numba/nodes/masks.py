"""Masks: selects items, or indices, where an array of bools is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ....jit.ir.graph import Node, Value
from ....jit.ir.types import ArrayType, Dim, Layout
from ....jit.native import WORDS
from ..library.names import storage_name
from ..parallel import is_large, parallel
from ..writer import KernelWriter, Place, writes
from .views import match_dims

FEW = 32
"""If at most one item in this many is true, eight false ones are skipped at once."""
MOST, LEAST = 256, 4096
"""Largest number of parts of a long mask, and the least number of items in one."""


@writes("compress")
def write_compress(writer: KernelWriter, node: Node) -> bool:
    """Write a count of true items, then a branch-free loop that copies items."""
    result, (base, mask) = node.outputs[0], (writer.places[value] for value in node.inputs)
    kind = storage_name(result.type.dtype)
    in_c_order = base.type.layout.is_c and mask.type.layout.is_c
    if kind is None or not (base.type.ndim == 1 or in_c_order):
        return False
    asked = _Mask(writer, mask, base.type.dims)
    made = of_so_many(writer, result, asked.count())
    return asked.keep(made, lambda index: _item(base, index))


@writes("nonzero")
def write_nonzero(writer: KernelWriter, node: Node) -> bool:
    """Write the indices where a mask is true. NumPy's result is a view of an (n, 1) array."""
    mask, result = writer.places[node.inputs[0]], node.outputs[0]
    assert isinstance(result.type, ArrayType)
    asked = _Mask(writer, mask, mask.type.dims)
    count = asked.count()
    dims = (*result.type.dims, 1)
    column = of_so_many(
        writer, Value(ArrayType(result.type.dtype, dims, Layout.contiguous(2))), count
    )
    step = str(result.type.dtype.itemsize)
    made = Place(column.address, (step,), result.type, root=column)
    writer.places[result] = made
    return asked.keep(made, lambda index: index)


def _item(place: Place, index: str) -> str:
    """Return an item by its index in C order, or along a strided 1-d array."""
    kind, layout = storage_name(place.type.dtype), place.type.layout
    if layout.is_c or (place.type.ndim == 1 and layout.steps_by_item(0)):
        return f"{kind}_at({place.address})[{index}]"
    return f"{kind}_at({place.address} + {index} * {place.strides[0]})[0]"


def of_so_many(writer: KernelWriter, result: Value, count: str) -> Place:
    """Allocate an array of a length that is now known."""
    assert isinstance(result.type, ArrayType)
    match_dims(writer, result.type.dims[:1], [count])
    return writer.new_array(result)


class _Mask:
    """A mask whose items are visited in C order; threads share the parts of a long one."""

    def __init__(self, writer: KernelWriter, mask: Place, dims: Sequence[Dim]) -> None:
        self._writer, self._source, self._mask, self._dims = writer, writer.source, mask, dims
        self._items = " * ".join(map(writer.dim, dims)) or "1"
        self._is_long = is_large(writer, dims)
        self._firsts = self._size = self._parts = self._count = ""

    def count(self) -> str:
        """Write the count of true items; return its variable."""
        source = self._source
        if not self._is_long:
            self._count = self._count_of("0", self._items)
            return self._count
        firsts = self._firsts = source.name("firsts")
        size, parts = self._size, self._parts = source.name("size"), source.name("parts")
        offset = self._writer.tables.new_scratch(8 * MOST)
        source.line(f"{firsts} = w[{WORDS['SCRATCH']}] + {offset}", f"int64[{MOST}]")
        source.line(f"{size} = max({LEAST}, ({self._items} + {8 * MOST - 1}) // {8 * MOST} * 8)")
        source.line(f"{parts} = ({self._items} + {size} - 1) // {size}")
        with self._every_part() as (part, low, high):
            source.line(f"int64_at({firsts})[{part}] = {self._count_of(low, high)}")
        count, part, more = (source.name(name) for name in ("count", "part", "more"))
        self._count = count
        source.line(f"{count} = 0")
        with source.indented(f"for {part} in range({parts}):"):
            source.line(f"{more} = int64_at({firsts})[{part}]")
            source.line(f"int64_at({firsts})[{part}] = {count}")
            source.line(f"{count} += {more}")
        return count

    def keep(self, result: Place, item: Callable[[str], str]) -> bool:
        """Write the selected items; call `count` first."""
        source = self._source
        self._writer.n_fused += 1
        if not self._is_long:
            self._keep_part(result, item, ("0", self._items), ("0", self._count))
            return True
        with self._every_part() as (part, low, high):
            first, end = source.name("first"), source.name("last")
            source.line(f"{first} = int64_at({self._firsts})[{part}]")
            source.line(f"{end} = {self._count}")
            with source.indented(f"if {part} + 1 < {self._parts}:"):
                source.line(f"{end} = int64_at({self._firsts})[{part} + 1]")
            self._keep_part(result, item, (low, high), (first, end))
        return True

    @contextmanager
    def _every_part(self) -> Iterator[tuple[str, str, str]]:
        """Write a loop over the parts; yields the part number and the bounds of its items."""
        source = self._source
        with parallel(self._writer, self._parts, "1", self._size) as iterations:
            part, low, high = (source.name(name) for name in ("part", "low", "high"))
            with source.indented(f"for {part} in range({iterations.begin}, {iterations.end}):"):
                source.line(f"{low} = {part} * {self._size}")
                source.line(f"{high} = min({low} + {self._size}, {self._items})")
                yield part, low, high

    def _count_of(self, low: str, high: str) -> str:
        source = self._source
        count, index = source.name("count"), source.name("i")
        source.line(f"{count} = 0")
        with source.indented(f"for {index} in range({low}, {high}):"):
            source.line(f"{count} += int64({_item(self._mask, index)} != 0)")
        return count

    def _keep_part(
        self,
        result: Place,
        item: Callable[[str], str],
        items: tuple[str, str],
        places: tuple[str, str],
    ) -> None:
        """Write one part; each store is overwritten by the next if its item is not selected.

        If few items are true, eight false ones are skipped at once.
        """
        source, asked, (low, high), (first, last) = self._source, self._mask, items, places
        index, place = source.name("i"), source.name("k")
        source.line(f"{index} = {low}")
        source.line(f"{place} = {first}")

        def take(condition: str) -> None:
            with source.indented(f"while {condition}:"):
                source.line(f"{_item(result, place)} = {item(index)}")
                source.line(f"{place} += int64({_item(asked, index)} != 0)")
                source.line(f"{index} += 1")

        layout = asked.type.layout
        if layout.is_c or (asked.type.ndim == 1 and layout.steps_by_item(0)):
            end = source.name("end")
            few = f"({last} - {first}) * {FEW} < {high} - {low}"
            with source.indented(f"if {few}:"), source.indented(f"while {place} < {last}:"):
                source.line(f"{end} = min({index} + 8, {high})")
                eight = f"int64_at({asked.address} + {index})[0] == 0"
                with source.indented(f"if {index} + 8 <= {high} and {eight}:"):
                    source.line(f"{index} = {end}")
                with source.indented("else:"):
                    take(f"{index} < {end} and {place} < {last}")
        take(f"{place} < {last}")
