"""`argmax` and `argmin`.

Contiguous lines go to NumPy's own function for the dtype. Strided lines, which NumPy would copy
first, are searched by LLVM code that skips blocks with nothing better.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ....jit.addresses import DtypeAddress
from ....jit.checks import Check
from ....jit.frozen import dataclass
from ....jit.ir.graph import Node
from ....jit.ir.primitives import of_node
from ....jit.ir.types import ArrayType, ScalarType
from ..clusters.leaves import Leaves
from ..library.names import storage_name
from ..parallel import is_large, shared_loops
from ..writer import KernelWriter, writes

_FUNCTIONS = {">": 2, "<": 3}
"""Places of `argmax` and `argmin` among NumPy's functions for a dtype."""
BLOCK = 64
"""Number of items that are tested at once for being better; LLVM vectorises the test."""


@writes("arg_reduce")
def write_arg_reduce(writer: KernelWriter, node: Node) -> bool:
    """Write argmax or argmin. Flags of comparisons are dropped, as in NumPy; empty lines bail."""
    base, result = writer.places[node.inputs[0]], node.outputs[0]
    dtype, type_ = base.type.dtype, result.type
    kind = storage_name(dtype)
    if kind is None or dtype.kind not in "biuf" or dtype == np.float16:
        return False
    if isinstance(type_, ArrayType) and not type_.layout.is_c:
        return False
    along = node.attrs["axis"] % base.type.ndim
    length = writer.dim(base.type.dims[along])
    if not writer.is_wide(base.type.dims[along]):
        writer.bail_if(f"{length} == 0", Check.RAISES)
    kept = [axis for axis in range(base.type.ndim) if axis != along]
    if isinstance(type_, ArrayType):
        made = writer.new_array(result)
        into, strides = made.address, dict(zip(kept, made.strides, strict=True))
    else:
        writer.stands_in(result, writer.tables.reserve(2))
        into, strides = f"address_of(w, {writer.words_of[result]})", {}
    source, status = writer.source, writer.source.name("status")
    source.line(f"{status} = get_status()")
    start, target = [base.address], [into]
    step = "" if base.type.layout.steps_by_item(along) else base.strides[along]
    sign = of_node(node).extreme
    line = _Line(base.address, step, kind, dtype.itemsize, sign, _word(writer, dtype, sign))
    if not kept and is_large(writer, base.type.dims):
        source.line(f"int64_at({into})[0] = {_write_long_line(writer, line, length)}")
    else:
        with shared_loops(writer, base.type.dims, kept, (along,)) as indices:
            start += [f"{index} * {base.strides[axis]}" for axis, index in indices.items()]
            target += [f"{index} * {strides[axis]}" for axis, index in indices.items()]
            one = replace(line, address=" + ".join(start))
            _write_line(writer, one, length, " + ".join(target))
    source.line(f"set_status({status})")
    if isinstance(type_, ScalarType):
        writer.scalar(result, writer.read_scalar(writer.words_of[result], type_))
    writer.n_fused += 1
    return True


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of items in memory."""

    address: str
    step: str
    """Stride in bytes; empty if the items are contiguous."""
    kind: str
    """Name of the storage type."""
    size: int
    """Bytes of one item."""
    sign: str
    """Sign of the comparison that the extreme satisfies."""
    word: int | None
    """Word with the address of NumPy's function; None if the dtype has none."""

    def item(self, start: str, index: str) -> str:
        """Return the expression for an item of a line that begins at `start`."""
        if self.step:
            return f"{self.kind}_at({start} + {index} * {self.step})[0]"
        return f"{self.kind}_at({start})[{index}]"

    def beats(self, item: str, best: str) -> str:
        """Return the condition that an item is better than the best so far, which is no NaN.

        NaN is better than any number.
        """
        return f"not ({item} {'<=' if self.sign == '>' else '>='} {best})"


def _word(writer: KernelWriter, dtype: np.dtype[Any], sign: str) -> int | None:
    address = DtypeAddress(dtype, _FUNCTIONS[sign])
    return writer.tables.address_word(address) if address.find() else None


def _write_line(writer: KernelWriter, line: _Line, length: str, target: str) -> None:
    """Write the search of one line, which stores the index found at the address `target`."""
    if line.word is None or line.step:
        _write_blocks(writer, line, length, target)
    else:
        found = f"extreme(w[{line.word}], {line.address}, {length}, {target}, 0)"
        writer.source.line(found, line.kind)


def _write_blocks(writer: KernelWriter, line: _Line, length: str, target: str) -> None:
    """Write the search as loops: a block is looked at item by item only if one is better."""
    source = writer.source
    start, best, place, low, end, better, index = (
        source.name(name) for name in ("at", "best", "place", "low", "end", "better", "j")
    )
    item = line.item(start, index)
    beats = line.beats(item, best)
    source.line(f"{start} = {line.address}")
    source.line(f"{best} = {line.kind}_at({start})[0]")
    source.line(f"{place} = 0")
    with source.indented(f"for {low} in range(0, {length}, {BLOCK}):"):
        source.line(f"{end} = min({low} + {BLOCK}, {length})")
        source.line(f"{better} = uint8(0)")
        with source.indented(f"for {index} in range({low}, {end}):"):
            source.line(f"{better} |= uint8({beats})")
        with (
            source.indented(f"if {better} != 0 and {best} == {best}:"),
            source.indented(f"for {index} in range({low}, {end}):"),
            source.indented(f"if {beats} and {best} == {best}:"),
        ):
            source.line(f"{best} = {item}")
            source.line(f"{place} = {index}")
    source.line(f"int64_at({target})[0] = {place}")


def _write_long_line(writer: KernelWriter, line: _Line, length: str) -> str:
    """Write the search of parts by several threads; return the variable of the first best index."""
    source = writer.source
    leaves = Leaves(writer, length)
    places, items = leaves.room("int64"), leaves.room(line.kind)
    with leaves.iterations() as (leaf, low, count):
        part = replace(line, address=f"{line.address} + {low} * {line.step or line.size}")
        target = f"{places} + {leaf} * 8"
        _write_line(writer, part, count, target)
        source.line(f"int64_at({target})[0] += {low}")
        found = line.item(line.address, f"int64_at({target})[0]")
        source.line(f"{line.kind}_at({items})[{leaf}] = {found}")
    place, best, leaf, item = (source.name(name) for name in ("place", "best", "leaf", "item"))
    source.line(f"{place} = int64_at({places})[0]")
    source.line(f"{best} = {line.kind}_at({items})[0]")
    with source.indented(f"for {leaf} in range(1, {leaves.count}):"):
        source.line(f"{item} = {line.kind}_at({items})[{leaf}]")
        with source.indented(f"if {line.beats(item, best)} and {best} == {best}:"):
            source.line(f"{best} = {item}")
            source.line(f"{place} = int64_at({places})[{leaf}]")
    return place
