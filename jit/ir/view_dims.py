"""Infers the lengths of views from their index and from what is known about its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .graph import Value
from .indexing import Index, NewAxis, Number, Part, Ref, Span
from .infer import CannotInfer
from .result_types import Results
from .sums import Sums
from .types import ArrayType, Dim
from .view_layouts import hollow

_LONG = 1 << 20
"""Stands for an unknown length; no index exceeds it."""
_ONE_ITEM = (Span(None, 1), Span(0, 1), Span(-1, None))
"""Slices that select one item of any axis that is not empty."""


class ViewDims(Results):
    """Infers the dims of views."""

    def __init__(self) -> None:
        super().__init__()
        self.params: list[Value] = []
        self.sums = Sums()

    def view_dims(
        self,
        base: ArrayType,
        numbers: Sequence[Value],
        index: Index,
        shape: Sequence[int | None],
    ) -> list[Dim]:
        """Return the dims of `array[index]`.

        `numbers` are the inputs that the index refers to, `shape` is the view's shape at capture.
        """
        dims: list[Dim] = []
        for length, axis in zip(shape, index.axes(), strict=True):
            part = None if axis is None else index.parts[_place(index, axis)]
            if axis is None:
                dims.append(1)
            elif part == Span():
                dims.append(base.dims[axis])
            else:
                dims.append(self._length_of(part, numbers, base.dims[axis], length))
        return dims

    def _length_of(
        self, part: Part | None, numbers: Sequence[Value], whole: Dim, length: int | None
    ) -> Dim:
        """Return the dim of a slice of axis `whole`.

        `length` is its length at capture, if known.
        """
        if length is not None and _is_fixed(part, whole):
            return length
        if part in _ONE_ITEM and self.is_never_empty(whole):
            return 1
        if not self.any_length and isinstance(part, Span) and part.step == 1:
            dim = self._gap(part.start, part.stop, numbers)
            if dim is not None and length in (None, self.length_at_capture(dim)):
                self.is_narrow = True  # at the ends of the axis the slice is shorter
                return dim
        return self.fresh_sym() if length is None else self.computed(length)

    def _gap(
        self, start: Number | None, stop: Number | None, numbers: Sequence[Value]
    ) -> Dim | None:
        """Return the distance between two bounds if it is 1 or a known dim, else None.

        Other constants are of no use: they would specialise the kernel to one length.
        """
        if not isinstance(start, Ref) or not isinstance(stop, Ref):
            return None
        gap = self.sums.gap(numbers[start.position], numbers[stop.position])
        if isinstance(gap, Value):
            dim = self.dim_of.get(gap)
            return None if dim is None else self.resolve(dim)
        return gap if gap == 1 else None

    def shape_at_capture(
        self, base: ArrayType, numbers: Sequence[Any], index: Index
    ) -> Sequence[int | None]:
        """Return the view's shape at capture; None for lengths that are unknown."""
        axes = index.axes()
        if None in numbers:
            return [1 if axis is None else None for axis in axes]
        lengths = [self.length_at_capture(dim) for dim in base.dims]
        given = [_LONG if length is None else length for length in lengths]
        try:
            shape = hollow(base, given)[index.python(numbers)].shape
        except Exception as error:
            raise CannotInfer(f"{type(error).__name__}: {error}") from error
        return [
            length if axis is None or lengths[axis] is not None else None
            for length, axis in zip(shape, axes, strict=True)
        ]

    def is_never_empty(self, dim: Dim) -> bool:
        """True if there is at least one item along this dim whenever the graph runs.

        Guards ensure that for dims of live-ins; a length that the graph computes may be 0.
        """
        dim = self.resolve(dim)
        return dim > 0 if isinstance(dim, int) else self._is_of_live_in(dim)

    def is_never_one(self, dim: Dim) -> bool:
        """True if this length is not 1 whenever the graph runs; guards then rely on that."""
        dim = self.resolve(dim)
        if isinstance(dim, int) or not self._is_of_live_in(dim):
            return isinstance(dim, int) and dim != 1
        self.relied_wide.add(dim)
        return True

    def _is_of_live_in(self, dim: Dim) -> bool:
        types = [param.type for param in self.params]
        dims = [one for type_ in types if isinstance(type_, ArrayType) for one in type_.dims]
        return any(self.resolve(one) == dim for one in dims)


def _is_fixed(part: Part | None, dim: Dim) -> bool:
    """True if this part of an index selects the same number of items in each run."""
    if not isinstance(part, Span) or not isinstance(dim, int):
        return False
    return not any(isinstance(one, Ref) for one in (part.start, part.stop, part.step))


def _place(index: Index, axis: int) -> int:
    """Return the position in the index of the part that applies to an axis of the array."""
    places = [k for k, part in enumerate(index.parts) if not isinstance(part, NewAxis)]
    return places[axis]
