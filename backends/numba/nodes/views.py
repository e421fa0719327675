"""Views and elements: address arithmetic without moving data."""

from __future__ import annotations

from math import prod

from ....jit.checks import Check
from ....jit.ir.graph import Node, Value
from ....jit.ir.indexing import LEAST_STEP, Index, NewAxis, Number, Ref, Span
from ....jit.ir.types import ArrayType, Dim, Sym
from ..library.names import storage_name
from ..native import number_of
from ..writer import KernelWriter, Place, writes


class _ResolvedIndex:
    """Resolves an index: the resulting address, and length and stride of each remaining axis."""

    def __init__(self, writer: KernelWriter, node: Node) -> None:
        self.writer = writer
        self.node = node
        self.source = writer.source
        self.numbers = node.inputs[1:]
        self.naturals = writer.known.naturals_at(node)
        self.base = writer.places[node.inputs[0]]
        index: Index = node.attrs["index"]
        self.address = self.source.name("at")
        self._terms = [self.base.address]
        """Addends of the address."""
        self.lengths: list[str] = []
        self.strides: list[str] = []
        self.empty_strides: list[str] = []
        """Strides that NumPy gives to axes which are empty."""
        self.cell = f"{storage_name(self.base.type.dtype)}_at({self.address})[0]"
        axis = 0
        for part in index.parts:
            if isinstance(part, NewAxis):
                self.lengths.append("1")
                self.strides.append("0")
                self.empty_strides.append("0")
                continue
            if isinstance(part, Span):
                self._span(part, axis)
            else:
                self._element(part, axis)
            axis += 1
        self.source.line(f"{self.address} = {' + '.join(self._terms)}")

    def _number(self, number: Number) -> str:
        if isinstance(number, Ref):
            return self.writer.scalars[self.numbers[number.position]]
        return str(number)

    def _is_natural(self, number: Number) -> bool:
        if isinstance(number, Ref):
            return self.numbers[number.position] in self.naturals
        return number >= 0

    def _element(self, part: Number, axis: int) -> None:
        length = self.writer.dim(self.base.type.dims[axis])
        if self.writer.trust is not None and (self.node, axis) in self.writer.trust.axes:
            number = self._number(part)
            place = f"({length} + {number})" if isinstance(part, int) and part < 0 else number
            self._move(place, axis)
            return
        self._move(self._checked(part, length), axis)

    def _checked(self, part: Number, length: str) -> str:
        """Return an index counted from the front, checked once per block to be in range."""
        known = self.writer.checked
        number = self._number(part)
        if (number, length) in known:
            return known[number, length]
        place = known[number, length] = self.source.name("k")
        self.source.line(f"{place} = {number}")
        natural = self._is_natural(part)
        outside = f"{place} >= {length}" if natural else f"uint64({place}) >= uint64({length})"
        if natural:
            self.writer.bail_if(outside, Check.INDEX)
            return place
        with self.source.indented(f"if {self.writer.seldom(outside)}:"):
            self.writer.bail_if(f"{place} >= 0 or {place} < -{length}", Check.INDEX)
            self.source.line(f"{place} += {length}")
        return place

    def _move(self, place: str, axis: int) -> None:
        """Add the offset. A contiguous last axis keeps an indexed form, for alias analysis."""
        type_ = self.base.type
        step = self.base.strides[axis]
        if axis == type_.ndim - 1 and step == str(type_.dtype.itemsize):
            row = self.source.name("row")
            self.source.line(f"{row} = {' + '.join(self._terms)}")
            self.cell = f"{storage_name(type_.dtype)}_at({row})[{place}]"
        self._terms.append(f"{place} * {step}")

    def _span(self, part: Span, axis: int) -> None:
        length = self.writer.dim(self.base.type.dims[axis])
        stride = self.base.strides[axis]
        empty_strides = self.base.empty_strides[axis] if self.base.empty_strides else stride
        if part.whole:
            self.lengths.append(length)
            self.strides.append(stride)
            self.empty_strides.append(empty_strides)
            return
        forward = part.least_step > 0
        step = self._number(part.step)
        if isinstance(part.step, Ref):
            self.writer.bail_if(f"{step} < {LEAST_STEP}", Check.STEP)
        start = self._bound(part.start, length, "0" if forward else f"{length} - 1", forward)
        stop = self._bound(part.stop, length, length if forward else "-1", forward)
        if (start, step) == ("0", "1") and not self.writer.known.has_loops:
            self.lengths.append(stop)  # it is not negative
            self.strides.append(stride)
            same = empty_strides == stride
            self.empty_strides.append(
                stride if same else f"({stride} if {length} > 0 else {empty_strides})"
            )
            return
        gap = f"{stop} - {start}" if forward else f"{start} - {stop}"
        size = step if forward else step.removeprefix("-")
        steps = gap if size == "1" else f"({gap} + {size} - 1) // {size}"
        count = _named(self.writer, "n", f"max(0, {steps})")
        if start != "0":
            self._terms.append(f"{start} * {stride}")
        self.lengths.append(count)
        self.strides.append(stride if step == "1" else f"({stride} * {step})")
        same = empty_strides == stride
        self.empty_strides.append(
            stride if same else f"({stride} if {length} > 0 else {empty_strides})"
        )

    def _bound(self, number: Number | None, length: str, default: str, forward: bool) -> str:
        """Return a slice bound, normalised like `slice.indices()` does."""
        if number is None:
            return f"({default})" if " " in default else default
        low, high = ("0", length) if forward else ("-1", f"{length} - 1")
        if not self.writer.known.has_loops and forward:
            return _named(self.writer, "k", f"bounded({self._number(number)}, {length})")
        bound = self.source.name("k")
        self.source.line(f"{bound} = {self._number(number)}")
        if not self._is_natural(number):
            with self.source.indented(f"if {bound} < 0:"):
                self.source.line(f"{bound} = max({low}, {bound} + {length})")
        self.source.line(f"{bound} = min({bound}, {high})")
        return bound


@writes("index")
def write_index(writer: KernelWriter, node: Node) -> bool:
    resolved = _ResolvedIndex(writer, node)
    value = node.outputs[0]
    type_ = value.type
    assert isinstance(type_, ArrayType)
    match_dims(writer, type_.dims, resolved.lengths)
    if value not in writer.known.written_only:  # else its layout does not matter
        _check_order(writer, type_)
    strides, empty_strides = tuple(resolved.strides), tuple(resolved.empty_strides)
    _window(writer, value, resolved.address, strides, node.inputs[0], empty_strides)
    if not type_.dims:
        writer.places[value].cell = resolved.cell
    return True


def _check_order(writer: KernelWriter, type_: ArrayType) -> None:
    """Bail if a length of 0 or 1 would change the layout class of a view that is not C-ordered.

    Next to axes of constant length 1 only, the order does not matter: `a[k:, k, None]`.
    """
    others = sum(dim != 1 for dim in type_.dims)
    if others > 1 and type_.layout.order != tuple(range(type_.ndim)):
        short = [f"{writer.dim(d)} < 2" for d in type_.dims if not isinstance(d, int)]
        if short:
            writer.bail_if(" or ".join(short), Check.ORDER)


def _window(
    writer: KernelWriter,
    value: Value,
    address: str,
    strides: tuple[str, ...],
    base: Value,
    empty_strides: tuple[str, ...] = (),
) -> None:
    type_ = value.type
    assert isinstance(type_, ArrayType)
    below = writer.places[base]
    empty_strides = () if empty_strides == strides else empty_strides
    writer.places[value] = Place(
        address, strides, type_, root=below.root or below, empty_strides=empty_strides
    )


@writes("element")
def write_element(writer: KernelWriter, node: Node) -> bool:
    value = node.outputs[0]
    dtype = value.type.dtype
    if storage_name(dtype) is None:
        return False
    writer.scalar(value, number_of(_ResolvedIndex(writer, node).cell, dtype))
    return True


@writes("transpose")
def write_transpose(writer: KernelWriter, node: Node) -> bool:
    below = writer.places[node.inputs[0]]
    axes: tuple[int, ...] = node.attrs["axes"]
    strides = tuple(below.strides[axis] for axis in axes)
    empty_strides = tuple(below.empty_strides[axis] for axis in axes) if below.empty_strides else ()
    _window(writer, node.outputs[0], below.address, strides, node.inputs[0], empty_strides)
    return True


@writes("part")
def write_part(writer: KernelWriter, node: Node) -> bool:
    """Write a view of real or imaginary parts; imaginary parts follow the real ones in memory."""
    below = writer.places[node.inputs[0]]
    if storage_name(below.type.dtype) is None:
        return False
    behind = below.type.dtype.itemsize // 2 if node.attrs["name"] == "imag" else 0
    address = f"({below.address} + {behind})"
    value = node.outputs[0]
    _window(writer, value, address, tuple(below.strides), node.inputs[0], below.empty_strides)
    return True


@writes("reshape")
def write_reshape(writer: KernelWriter, node: Node) -> bool:
    """Write a reshape of C-contiguous memory; a length of -1 is the remainder."""
    value = node.outputs[0]
    type_ = value.type
    assert isinstance(type_, ArrayType)
    below = writer.places[node.inputs[0]]
    size = writer.source.name("size")
    writer.source.line(f"{size} = {_product(writer, below.type.dims)}")
    lengths = [writer.scalars[number] for number in node.inputs[1:]]
    left = [writer.known.constants.get(number) == -1 for number in node.inputs[1:]]
    rest = " * ".join(text for text, open_ in zip(lengths, left, strict=True) if not open_) or "1"
    if any(left):
        writer.bail_if(f"{rest} == 0 or {size} % ({rest}) != 0", Check.SHAPE)
        lengths[left.index(True)] = f"{size} // ({rest})"
    else:
        writer.bail_if(f"{rest} != {size}", Check.SHAPE)
    match_dims(writer, type_.dims, lengths)
    strides = _packed_steps(writer, type_)
    if 0 in type_.dims:
        if type_.ndim == below.type.ndim and not any(left):
            same = _are_same(writer, type_.dims, below.type.dims)
            pairs = zip(below.strides, strides, strict=True)
            strides = tuple(f"({old} if {same} else {new})" for old, new in pairs)
    elif any(isinstance(dim, Sym) for dim in type_.dims):
        writer.bail_if(f"{size} == 0", Check.EMPTY)
    _window(writer, value, below.address, strides, node.inputs[0])
    return True


def _packed_steps(writer: KernelWriter, type_: ArrayType) -> tuple[str, ...]:
    """Return C-ordered strides; NumPy treats a length of 0 like 1."""
    strides = []
    step = str(type_.dtype.itemsize)
    for dim in reversed(type_.dims):
        strides.append(f"({step})")
        step = f"{step} * {dim or 1 if isinstance(dim, int) else writer.dim(dim)}"
    return tuple(reversed(strides))


def _are_same(writer: KernelWriter, dims: tuple[Dim, ...], others: tuple[Dim, ...]) -> str:
    pairs = zip(map(writer.dim, dims), map(writer.dim, others), strict=True)
    return " and ".join(f"{dim} == {other}" for dim, other in pairs)


def match_dims(writer: KernelWriter, dims: tuple[Dim, ...], lengths: list[str]) -> None:
    """Define new dims; check that the others have the known lengths."""
    for dim, length in zip(dims, lengths, strict=True):
        if isinstance(dim, Sym) and dim not in writer.syms:
            writer.define_dim(dim, length)
        elif writer.dim(dim) != length:
            _match(writer, length, writer.dim(dim))


def _match(writer: KernelWriter, length: str, known: str) -> None:
    """Bail unless two lengths are equal; what an earlier bail has told is not asked again."""
    condition, refuted = f"{length} != {known}", writer.checked_facts.refuted
    if condition not in refuted:
        writer.bail_if(condition, Check.SIZE)
    if not writer.known.has_loops:
        refuted.add(condition)


def _named(writer: KernelWriter, prefix: str, expression: str) -> str:
    """Return a variable for an expression over numbers, one for equal expressions of a path.

    In loops of the program variables of equal names may have other values.
    """
    named = writer.checked_facts.named
    found = None if writer.known.has_loops else named.get(expression)
    if found is None:
        found = named[expression] = writer.source.name(prefix)
        writer.source.line(f"{found} = {expression}")
    return found


def _product(writer: KernelWriter, dims: tuple[Dim, ...]) -> str:
    syms = [writer.dim(dim) for dim in dims if not isinstance(dim, int)]
    factor = prod(dim for dim in dims if isinstance(dim, int))
    return " * ".join([*syms, *([str(factor)] if factor != 1 or not syms else [])])
