"""Makes views that exits and calls need as array objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...jit.checks import Check
from ...jit.ir.types import Sym
from .places import Place

if TYPE_CHECKING:
    from .writer import KernelWriter


def make_object(writer: KernelWriter, place: Place, specs: dict[Place, tuple[int, int]]) -> None:
    """Emit the creation of a view object; `specs` remembers those made on other branches."""
    assert place.root is not None
    type_ = place.type
    if place not in specs:
        base = writer.tables.as_object(place.root.slot)
        index, place.slot, word = writer.tables.new_array(type_, base=base)
        specs[place] = index, word
    index, word = specs[place]
    if writer.known.has_loops:  # an empty array has other strides than its layout says
        dims = place.root.type.dims
        empty = [f"{writer.dim(dim)} == 0" for dim in dims if isinstance(dim, Sym)]
        if empty:
            writer.bail_if(" or ".join(empty), Check.EMPTY)
    lengths = [*map(writer.dim, type_.dims)]
    axes = zip(lengths, place.strides, place.empty_strides or place.strides, strict=True)
    strides = [s if s == t else f"{s} if {n} > 0 else {t}" for n, s, t in axes]
    for k, expression in enumerate((place.address, *lengths, *strides)):
        writer.source.line(f"w[{word + k}] = {expression}")
    writer.bail_if(f"alloc(w, {index}) != 0", Check.MEMORY)
