"""Gathers: items where arrays of ints say."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from ...jit.ir.graph import Node, Value
from ...jit.ir.types import ArrayType, ScalarType
from .intrinsics import storage_name
from .writer import KernelWriter, Place, writes


@writes("gather")
def write_gather(writer: KernelWriter, node: Node) -> bool:
    """All indices are looked at first: what is out of range eager hears of."""
    result, base = node.outputs[0].type, writer.places[node.inputs[0]]
    indices = node.inputs[1:]
    kinds = [storage_name(value.type.dtype) for value in indices]
    assert isinstance(result, ArrayType)
    if storage_name(result.dtype) is None or None in kinds or "uint64" in kinds:
        return False
    if result.ndim > 1 and any(isinstance(dim, int) and dim < 2 for dim in result.dims):
        return False  # where NumPy puts such an axis in memory depends on steps that mean nothing
    writer.n_fused += 1
    axes: tuple[int | None, ...] = node.attrs["axes"]
    looked_at = set()
    for axis, number in enumerate(axes):
        if number is not None:
            length = writer.dim(base.type.dims[axis])
            if (number, length) not in looked_at:
                _check_range(writer, indices[number], length)
            looked_at.add((number, length))
    if result.ndim > 1:
        short = [f"{writer.dim(dim)} < 2" for dim in result.dims if not writer.is_wide(dim)]
        if short:
            writer.bail_if(" or ".join(dict.fromkeys(short)), "axes have another place in memory")
    _Gathering(writer, base, axes, indices, writer.new_array(node.outputs[0])).write()
    return True


def _check_range(writer: KernelWriter, index: Value, length: str) -> None:
    """Bails if an index is not one of so many items, counted from either end."""
    source, type_ = writer.source, index.type
    if isinstance(type_, ScalarType):
        number = writer.scalars[index]
        writer.bail_if(f"{number} < -{length} or {number} >= {length}", "index out of bounds")
        return
    assert isinstance(type_, ArrayType)
    place, wrong = writer.places[index], source.name("outside")
    source.line(f"{wrong} = 0")
    with ExitStack() as stack:
        at = _at(writer, stack, place, dict.fromkeys(type_.layout.order))
        own = "" if type_.dtype.kind == "u" else f" + {length}"
        limit = length if type_.dtype.kind == "u" else f"2 * {length}"
        source.line(f"{wrong} |= uint64(int64({at}){own}) >= uint64({limit})")
    writer.bail_if(f"{wrong} != 0", "index out of bounds")


def _at(writer: KernelWriter, stack: ExitStack, place: Place, names: dict[int, str | None]) -> str:
    """Opens a loop for each axis without a name of its index; the item that they come to."""
    parts, cell = [place.address], "0"
    for axis, given in names.items():
        index = given
        if index is None:
            index = writer.source.name("i")
            length = writer.dim(place.type.dims[axis])
            stack.enter_context(writer.source.indented(f"for {index} in range({length}):"))
        if place.type.layout.steps_by_item(axis) and axis == place.type.layout.order[-1]:
            cell = index
        else:
            parts.append(f"{index} * {place.strides[axis]}")
    return f"{storage_name(place.type.dtype)}_at({' + '.join(parts)})[{cell}]"


class _Gathering:
    """Loops over the result in its order of memory; an index is read as soon as it is known."""

    def __init__(
        self,
        writer: KernelWriter,
        base: Place,
        axes: tuple[int | None, ...],
        indices: Sequence[Value],
        made: Place,
    ) -> None:
        self.writer = writer
        self.base = base
        self.axes = axes
        self.indices = indices
        self.made = made
        kept = [axis for axis, place in enumerate(axes) if place is None]
        self.made_by_indices = made.type.ndim - len(kept)
        self.own = {axis: self.made_by_indices + k for k, axis in enumerate(kept)}
        """For each axis of the base that stays its axis in the result."""

    def write(self) -> None:
        source = self.writer.source
        names: dict[int, str] = {}
        found: dict[int, str] = {}
        target, start = [self.made.address], [self.base.address]
        cell = from_cell = "0"
        with ExitStack() as stack:
            self._read_indices(names, found, start)
            for axis in self.made.type.layout.order:
                name = names[axis] = source.name("i")
                length = self.writer.dim(self.made.type.dims[axis])
                stack.enter_context(source.indented(f"for {name} in range({length}):"))
                if self._is_inner(self.made, axis):
                    cell = name
                else:
                    target.append(f"{name} * {self.made.strides[axis]}")
                self._read_indices(names, found, start)
                for own, axis_made in self.own.items():
                    if axis_made == axis and self._is_inner(self.base, own):
                        from_cell = name
                    elif axis_made == axis:
                        start.append(f"{name} * {self.base.strides[own]}")
            kind = storage_name(self.made.type.dtype)
            origin = f"{kind}_at({' + '.join(start)})[{from_cell}]"
            source.line(f"{kind}_at({' + '.join(target)})[{cell}] = {origin}")

    def _is_inner(self, place: Place, axis: int) -> bool:
        layout = place.type.layout
        return axis == layout.order[-1] and layout.steps_by_item(axis)

    def _read_indices(self, names: dict[int, str], found: dict[int, str], start: list[str]) -> None:
        """Those all of whose axes are being walked: how far they lead into the base."""
        for axis, number in enumerate(self.axes):
            if number is None or axis in found:
                continue
            text = self._index(self.indices[number], names)
            if text is None:
                continue
            length = self.writer.dim(self.base.type.dims[axis])
            place = found[axis] = self.writer.source.name("k")
            self.writer.source.line(f"{place} = int64({text})")
            self.writer.source.line(f"{place} += {length} if {place} < 0 else 0")
            by_item = self.base.type.layout.steps_by_item(axis)
            step = self.base.type.dtype.itemsize if by_item else self.base.strides[axis]
            start.append(f"{place} * {step}")

    def _index(self, index: Value, names: dict[int, str]) -> str | None:
        """One number of an index; None while an axis of it is not walked yet."""
        type_ = index.type
        if isinstance(type_, ScalarType):
            return self.writer.scalars[index]
        assert isinstance(type_, ArrayType)
        shift = self.made_by_indices - type_.ndim
        walked: dict[int, str | None] = {}
        for axis in range(type_.ndim):
            if type_.dims[axis] == 1:
                continue
            if axis + shift not in names:
                return None
            walked[axis] = names[axis + shift]
        return _at(self.writer, ExitStack(), self.writer.places[index], walked)
