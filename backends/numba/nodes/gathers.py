"""Gathers and scatters: reads and writes at places given by int arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from ....jit.checks import Check
from ....jit.ir.graph import Node, Value
from ....jit.ir.types import ArrayType, Dim, ScalarType
from ..library.names import storage_name
from ..parallel import shared_iterations
from ..writer import KernelWriter, Place, writes

Names = dict[int, str]
"""Loop variables by axis."""


@writes("gather")
def write_gather(writer: KernelWriter, node: Node) -> bool:
    """Write a gather; all indices are checked first, with a bail if one is out of range."""
    result = node.outputs[0].type
    if not isinstance(result, ArrayType) or not _are_stored(node.inputs):
        return False  # with 0-d indices NumPy returns a scalar
    dims = _dims_in_doubt(result, node.inputs[1:])
    if any(isinstance(dim, int) and dim < 2 for dim in dims):
        return False
    selection = _Selection(writer, node.inputs[0], node.attrs["axes"], node.inputs[1:])
    selection.check_ranges()
    short = [f"{writer.dim(dim)} < 2" for dim in dims if not writer.is_wide(dim)]
    if short:
        writer.bail_if(" or ".join(dict.fromkeys(short)), Check.ORDER)
    made, order = writer.new_array(node.outputs[0]), result.layout.order
    with (
        shared_iterations(writer, result.dims, order) as iterations,
        selection.loops(result.dims, order, iterations) as (cell, names),
    ):
        writer.source.line(f"{cell_of(made, names)} = {cell}")
    writer.n_fused += 1
    return True


@writes("scatter")
def write_scatter(writer: KernelWriter, node: Node) -> bool:
    """Write a scatter; all indices are checked before anything is written."""
    target, value, *indices = node.inputs
    if not _are_stored(node.inputs):
        return False
    selection = _Selection(writer, target, node.attrs["axes"], indices)
    selection.check_ranges()
    if node.attrs["visible"]:
        writer.settle_flags()
    kind = storage_name(target.type.dtype)
    dims = selection.dims()
    with selection.loops(dims, range(len(dims))) as (cell, names):
        writer.source.line(f"{cell} = {kind}({_broadcast(writer, value, names, len(dims))})")
    writer.n_fused += 1
    return True


def _dims_in_doubt(result: ArrayType, indices: Sequence[Value]) -> tuple[Dim, ...]:
    """Return the dims that must be at least 2 for the result's layout to be certain.

    Where NumPy places an axis of length 1 in memory depends on arbitrary strides, except for an
    axis from 1-d indices, and for a 1-d result.
    """
    lines = all(not isinstance(one.type, ArrayType) or one.type.ndim == 1 for one in indices)
    return result.dims[1:] if lines else result.dims if result.ndim > 1 else ()


def _are_stored(values: Sequence[Value]) -> bool:
    kinds = [storage_name(value.type.dtype) for value in values]
    return None not in kinds and "uint64" not in kinds[1:]


@contextmanager
def walked(
    writer: KernelWriter, dims: Sequence[Dim], order: Sequence[int] | None = None
) -> Iterator[Names]:
    """Write loops over all axes, in C order or the given one; yields the loop variables."""
    names = Names()
    with ExitStack() as stack:
        for axis in range(len(dims)) if order is None else order:
            names[axis] = writer.source.name("i")
            loop = f"for {names[axis]} in range({writer.dim(dims[axis])}):"
            stack.enter_context(writer.source.indented(loop))
        yield names


def _broadcast(writer: KernelWriter, value: Value, names: Names, ndim: int) -> str:
    """Return the item of a broadcast operand at the present place in `ndim` axes."""
    type_ = value.type
    if isinstance(type_, ScalarType):
        return writer.scalars[value]
    assert isinstance(type_, ArrayType)
    shift = ndim - type_.ndim
    own = {axis: names[axis + shift] for axis in range(type_.ndim) if type_.dims[axis] != 1}
    return cell_of(writer.places[value], own)


def cell_of(place: Place, names: Names) -> str:
    """Return an array's item at the loop variables; axes without one have length 1."""
    parts, cell = [place.address], "0"
    for axis, name in names.items():
        if place.type.layout.steps_by_item(axis):
            cell = name
        else:
            parts.append(f"{name} * {place.strides[axis]}")
    return f"{storage_name(place.type.dtype)}_at({' + '.join(parts)})[{cell}]"


@dataclass
class _Selection:
    """Loops over the items selected by indices.

    Each index is read as soon as its axes are known.
    """

    writer: KernelWriter
    array: Value
    axes: tuple[int | None, ...]
    """For each axis of the array: the index's position, or None if the axis stays."""
    indices: Sequence[Value]
    _found: Names = field(default_factory=dict)
    """Variables of index values by axis."""

    @property
    def base(self) -> Place:
        """Return the memory of the indexed array."""
        return self.writer.places[self.array]

    def dims(self) -> list[Dim]:
        """Return the broadcast dims of the indices, then the dims of the remaining axes."""
        types = [one.type for one in self.indices if isinstance(one.type, ArrayType)]
        made: list[Dim] = [1] * max((type_.ndim for type_ in types), default=0)
        for type_ in types:
            for axis, dim in enumerate(type_.dims, len(made) - type_.ndim):
                made[axis] = made[axis] if dim == 1 else dim
        pairs = zip(self.axes, self.base.type.dims, strict=True)
        return [*made, *(dim for number, dim in pairs if number is None)]

    def check_ranges(self) -> None:
        """Bail if an index is out of range for its axis."""
        pairs = {
            (number, self.writer.dim(self.base.type.dims[axis])): None
            for axis, number in enumerate(self.axes)
            if number is not None
        }
        for number, length in pairs:
            self._check_range(self.indices[number], length)

    def _check_range(self, index: Value, length: str) -> None:
        source, type_ = self.writer.source, index.type
        if isinstance(type_, ScalarType):
            number = self.writer.scalars[index]
            self.writer.bail_if(f"{number} < -{length} or {number} >= {length}", Check.INDEX)
            return
        assert isinstance(type_, ArrayType)
        wrong = source.name("outside")
        source.line(f"{wrong} = 0")
        with walked(self.writer, type_.dims, type_.layout.order) as names:
            item = f"int64({cell_of(self.writer.places[index], names)})"
            unsigned = type_.dtype.kind == "u"
            shifted, limit = (item, length) if unsigned else (f"{item} + {length}", f"2 * {length}")
            source.line(f"{wrong} |= uint64({shifted}) >= uint64({limit})")
        self.writer.bail_if(f"{wrong} != 0", Check.INDEX)

    @contextmanager
    def loops(
        self, dims: Sequence[Dim], order: Sequence[int], outermost: str = ""
    ) -> Iterator[tuple[str, Names]]:
        """Write loops; yields the item's expression and the loop variables of the selection.

        `dims` are those of the indices, then those that stay; `order` is the order of loops. The
        outermost loop may have another range.
        """
        kept = [axis for axis, number in enumerate(self.axes) if number is None]
        of_indices = len(dims) - len(kept)
        own = {of_indices + k: axis for k, axis in enumerate(kept)}
        parts, cell, names = [self.base.address], "0", Names()
        self._found.clear()
        with ExitStack() as stack:
            self._read_indices(names, of_indices, parts)
            for axis in order:
                name = names[axis] = self.writer.source.name("i")
                whole = f"range({self.writer.dim(dims[axis])})"
                loop = f"for {name} in {outermost if outermost and axis == order[0] else whole}:"
                stack.enter_context(self.writer.source.indented(loop))
                self._read_indices(names, of_indices, parts)
                if axis in own and self.base.type.layout.steps_by_item(own[axis]):
                    cell = name
                elif axis in own:
                    parts.append(f"{name} * {self.base.strides[own[axis]]}")
            kind = storage_name(self.base.type.dtype)
            yield f"{kind}_at({' + '.join(parts)})[{cell}]", names

    def _read_indices(self, names: Names, of_indices: int, parts: list[str]) -> None:
        """Read the indices whose axes are all known now; append their offsets to `parts`."""
        for axis, number in enumerate(self.axes):
            if number is None or axis in self._found:
                continue
            index = self.indices[number]
            dims = index.type.dims if isinstance(index.type, ArrayType) else ()
            first = of_indices - len(dims)
            if any(dim != 1 and first + k not in names for k, dim in enumerate(dims)):
                continue
            length = self.writer.dim(self.base.type.dims[axis])
            place = self._found[axis] = self.writer.source.name("k")
            text = _broadcast(self.writer, index, names, of_indices)
            self.writer.source.line(f"{place} = int64({text})")
            self.writer.source.line(f"{place} += {length} if {place} < 0 else 0")
            by_item = self.base.type.layout.steps_by_item(axis)
            step = self.base.type.dtype.itemsize if by_item else self.base.strides[axis]
            parts.append(f"{place} * {step}")
