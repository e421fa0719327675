"""How long the axes of windows are, told from the index and what the graph knows of its ints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .graph import Value
from .indexing import Index, NewAxis, Number, Part, Ref, Span
from .infer import CannotInfer
from .result_types import Results
from .sums import Sums
from .types import ArrayType, Dim
from .windows import hollow

_LONG = 1 << 20
"""In place of a length that nobody knows: no index is beyond it."""
_ONE_ITEM = (Span(None, 1), Span(0, 1), Span(-1, None))
"""Of any axis that is not empty."""


class WindowDims(Results):
    """Tells the dims of windows on arrays."""

    def __init__(self) -> None:
        super().__init__()
        self.params: list[Value] = []
        self.sums = Sums()

    def window_dims(
        self,
        base: ArrayType,
        numbers: Sequence[Value],
        index: Index,
        shape: Sequence[int | None],
    ) -> list[Dim]:
        """Those of `array[index]`; `numbers` are in the index, `shape` is that at capture."""
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
        """The dim of a slice of an axis `whole`; `length` is what it was at capture, if known."""
        if length is not None and _is_fixed(part, whole):
            return length
        if part in _ONE_ITEM and self.is_never_empty(whole):
            return 1
        if not self.any_length and isinstance(part, Span) and part.step == 1:
            dim = self._gap(part.start, part.stop, numbers)
            if dim is not None and length in (None, self.length_at_capture(dim)):
                self.is_narrow = True  # at the ends of the axis it is shorter
                return dim
        return self.fresh_sym() if length is None else self.computed(length)

    def _gap(
        self, start: Number | None, stop: Number | None, numbers: Sequence[Value]
    ) -> Dim | None:
        """How many items there are between two bounds, where it is one or a length that is known.

        Another number than one would be of no use, and make kernels for one length.
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
        """The lengths of a window; None where nobody knows."""
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
        """Whether there is at least one item along this dim whenever the graph runs.

        Guards promise it for dims of live-ins; a length that the graph computes may be 0.
        """
        dim = self.resolve(dim)
        if isinstance(dim, int):
            return dim > 0
        types = [param.type for param in self.params]
        dims = [one for type_ in types if isinstance(type_, ArrayType) for one in type_.dims]
        return any(self.resolve(one) == dim for one in dims)


def _is_fixed(part: Part | None, dim: Dim) -> bool:
    """Whether a part of an index takes as many items of the axis whenever the graph runs."""
    if not isinstance(part, Span) or not isinstance(dim, int):
        return False
    return not any(isinstance(one, Ref) for one in (part.start, part.stop, part.step))


def _place(index: Index, axis: int) -> int:
    """Which part of the index stands for an axis of the array."""
    places = [k for k, part in enumerate(index.parts) if not isinstance(part, NewAxis)]
    return places[axis]
