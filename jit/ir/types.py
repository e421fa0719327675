"""Types of graph values: arrays with symbolic dims and a layout class, scalars, lists, objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np

from ..frozen import dataclass
from .library_names import text_of


@dataclass(frozen=True, slots=True)
class Sym:
    """A dim whose length is known only at run time; for inputs never 0 or 1."""

    index: int

    def __str__(self) -> str:
        return f"s{self.index}"


Dim = int | Sym
ANY_LENGTH = Sym(-1)
"""Marks axes of a list's items whose lengths may differ from item to item."""


def dtype_name(dtype: np.dtype[Any]) -> str:
    """Return a name that `np.dtype` maps to this very dtype; int64 and longlong differ in it."""
    name = str(dtype)
    return name if dtype.char == np.dtype(name).char else dtype.type.__name__


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout class of an array: what decides bits and memory order of NumPy's results."""

    order: tuple[int, ...]
    """Axes from slowest to fastest, by decreasing stride; broadcast axes come last."""
    signs: tuple[int, ...]
    """For each axis: 1, or -1 for a negative stride, or 0 for a broadcast axis."""
    packed: bool
    """No gaps: the strides follow from the dims and the order."""
    unit: bool
    """The stride of the fastest axis is one item, forward or backward."""
    nested: bool = True
    """The stride of each axis exceeds the extent of all faster ones, so views keep this order of
    axes. False, for example, for `sliding_window_view`."""

    @staticmethod
    def contiguous(ndim: int, order: str = "C") -> Layout:
        """Return the layout of C or Fortran contiguous memory with `ndim` axes."""
        axes = tuple(range(ndim))
        return Layout(axes if order == "C" else axes[::-1], (1,) * ndim, packed=True, unit=True)

    @property
    def is_c(self) -> bool:
        """True for C-contiguous memory."""
        return self.packed and self.order == tuple(range(len(self.order)))

    @property
    def may_share_items(self) -> bool:
        """True if two indices may be those of one item, as in a broadcast array."""
        return not self.nested or 0 in self.signs

    def steps_by_item(self, axis: int) -> bool:
        """True if consecutive indices of the axis are adjacent in memory, in forward order."""
        return self.unit and self.order[-1] == axis and self.signs[axis] == 1

    def __str__(self) -> str:
        if self == Layout.contiguous(len(self.order)):
            return ""
        axes = "".join(
            f"{'+-'[self.signs[a] < 0] if self.signs[a] else '0'}{a}" for a in self.order
        )
        facts = ((self.packed, "gaps"), (self.unit, "strided"), (self.nested, "crossing"))
        return "".join(f" {word}" for word in (axes, *(w for is_so, w in facts if not is_so)))


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An exact, aligned ndarray of native byte order."""

    dtype: np.dtype[Any]
    dims: tuple[Dim, ...]
    layout: Layout
    char: str = field(init=False, repr=False)
    """Character of the dtype: unlike equality of dtypes int64 and longlong differ in it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "char", self.dtype.char)

    @property
    def ndim(self) -> int:
        """Return the number of axes."""
        return len(self.dims)

    def __str__(self) -> str:
        return f"{dtype_name(self.dtype)}[{', '.join(map(str, self.dims))}]{self.layout}"


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A Python scalar (`python`: weak in promotion) or a NumPy scalar of that dtype."""

    dtype: np.dtype[Any]
    python: bool
    char: str = field(init=False, repr=False)
    """Character of the dtype, as for arrays."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "char", self.dtype.char)

    def __str__(self) -> str:
        return PYTHON_NAMES[self.dtype.char] if self.python else f"np.{dtype_name(self.dtype)}"


@dataclass(frozen=True, slots=True)
class ListType(ScalarType):
    """A list of varying length that holds numbers of this type.

    It has an identity, because ops change it in place. Only list ops take it, and regions do not
    pass it on.
    """

    @property
    def item(self) -> ScalarType:
        """Return the type of the list's numbers."""
        return ScalarType(self.dtype, self.python)

    def __str__(self) -> str:
        return f"list of {self.item}"


@dataclass(frozen=True, slots=True)
class ObjectType(ScalarType):
    """An object that a graph only passes on: a random generator, a bytes, a str.

    It has an identity. A generator has a state too, so DRAW and PUT take it; calls apart, no other
    op takes objects, and regions do not pass them on.
    """

    kind: type

    @staticmethod
    def of(kind: type) -> ObjectType:
        """Return the type of objects of a class."""
        return ObjectType(np.dtype(object), True, kind)

    def __str__(self) -> str:
        return text_of(self.kind)


@dataclass(frozen=True, slots=True)
class ObjectsType(ObjectType):
    """A Python list of objects of one type. Calls make, change and read it."""

    item: Type
    ours: bool
    """True if all items are arrays that the segment made, so that it may write to them."""

    @staticmethod
    def of_items(item: Type, ours: bool = False) -> ObjectsType:
        """Return the type of lists with such items."""
        return ObjectsType(np.dtype(object), True, list, item, ours)

    def __str__(self) -> str:
        return f"list of {'own ' if self.ours else ''}objects {self.item}"


Type = ArrayType | ScalarType

PYTHON_NAMES = {"?": "bool", "l": "int", "d": "float", "D": "complex"}
PY_BOOL = ScalarType(np.dtype(np.bool_), python=True)
PY_INT = ScalarType(np.dtype(np.int64), python=True)
PY_FLOAT = ScalarType(np.dtype(np.float64), python=True)
PY_COMPLEX = ScalarType(np.dtype(np.complex128), python=True)
PYTHON_SCALARS: dict[type, ScalarType] = {
    bool: PY_BOOL,
    int: PY_INT,
    float: PY_FLOAT,
    complex: PY_COMPLEX,
}


_NUMPY_SCALARS = frozenset(np.dtype(char).type for char in "?bBhHiIlLqQefdFD")


def is_numpy_scalar(kind: type) -> bool:
    """True if graphs hold instances of this class; subclasses of NumPy scalars may act differently.

    The metaclass is checked first, as it may define a `__hash__`.
    """
    return type(kind) is type and kind in _NUMPY_SCALARS


def is_graph_number(value: Any) -> bool:
    """True for numbers that graph values may have; Python ints only if they fit in 64 bits."""
    if type(value) in PYTHON_SCALARS:
        return type(value) is not int or -(2**63) <= value < 2**63
    return is_numpy_scalar(type(value))


def is_graph_object(value: Any) -> bool:
    """True for immutable objects that graphs pass on besides numbers: bytes, str, dtypes."""
    return type(value) in (bytes, str) or isinstance(value, np.dtype)


def scalar_type(value: Any) -> ScalarType:
    """Return the type of a Python number or NumPy scalar."""
    return PYTHON_SCALARS.get(type(value)) or ScalarType(value.dtype, python=False)


def captured_dtype(dtype: np.dtype[Any]) -> bool:
    """True if graphs may hold arrays of this dtype: native numbers of at most 16 bytes."""
    return (
        dtype.kind in "biufc"
        and dtype.char not in "gG"  # long double: no bits to promise across platforms
        and dtype.isnative
        and dtype.metadata is None
    )


def has_backward_item(array: np.ndarray[Any, Any]) -> bool:
    """True if an axis of length 1 has a negative stride.

    NumPy calls such an array contiguous, but passes the stride to its loops, and the loop of `exp`
    then computes other bits.
    """
    return any(n == 1 and step < 0 for n, step in zip(array.shape, array.strides, strict=True))


def layout_of(array: np.ndarray[Any, Any]) -> Layout:
    """Return an array's layout class; of axes with equal strides the first counts as slower."""
    ndim = array.ndim
    if array.flags.c_contiguous:
        return Layout.contiguous(ndim)
    if array.flags.f_contiguous:
        return Layout.contiguous(ndim, "F")
    # the stride of an axis of length 1 is arbitrary: it keeps its place among the slowest axes
    strides = [0 if n == 1 else s for n, s in zip(array.shape, array.strides, strict=True)]
    moving = sorted((a for a in range(ndim) if strides[a]), key=lambda a: -abs(strides[a]))
    sizes = [abs(strides[a]) for a in moving]
    single = [a for a in range(ndim) if array.shape[a] == 1]
    still = [a for a in range(ndim) if not strides[a] and array.shape[a] != 1]
    signs = tuple(
        1 if array.shape[a] == 1 else (strides[a] > 0) - (strides[a] < 0) for a in range(ndim)
    )
    step, packed = array.itemsize, not still
    for axis in reversed(moving):
        packed = packed and strides[axis] == step
        step *= array.shape[axis]
    unit = bool(moving) and sizes[-1] == array.itemsize
    nested = all(
        slow > (array.shape[axis] - 1) * size
        for slow, size, axis in zip(sizes, sizes[1:], moving[1:], strict=False)
    )
    return Layout((*single, *moving, *still), signs, packed, unit, nested)


def packed_strides(dims: Sequence[int], order: Sequence[int], itemsize: int) -> tuple[int, ...]:
    """Return the strides of a new array without gaps whose axes have this order."""
    strides = [0] * len(dims)
    step = itemsize
    for axis in reversed(order):
        strides[axis] = step
        step *= dims[axis]
    return tuple(strides)


def fresh_layout_of(array: np.ndarray[Any, Any]) -> Layout:
    """Return the layout class of a result.

    Unlike `layout_of` it sorts axes of length 1 by their strides: a reduction with `keepdims=True`
    leaves them where they were in memory, and the user can see that.
    """
    axes = range(array.ndim)
    by_stride = sorted(axes, key=lambda axis: (-array.strides[axis], array.shape[axis] == 1))
    for order in (tuple(axes), tuple(reversed(axes)), tuple(by_stride)):
        if array.size and packed_strides(array.shape, order, array.itemsize) == array.strides:
            return Layout(order, (1,) * array.ndim, packed=True, unit=True)
    return layout_of(array)
