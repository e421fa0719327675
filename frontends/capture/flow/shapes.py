"""Shapes: what a variable can be where paths meet.

A shape is what the paths' values have in common, and determines the graph values that each path
hands over. The merged value is made of new graph values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.dims import Dims
from ....jit.ir.types import Layout, ScalarType, Sym, is_graph_number, scalar_type
from ..state.insertions import has_identity
from ..state.memory import Memory, Root
from ..values.components import graph_values, objects_in, parts_of
from ..values.either_number import NUMBER_CLASSES
from ..values.symbolic import (
    Array,
    Known,
    Object,
    PositionalIter,
    Scalar,
    Symbolic,
    Tuple,
    Union,
)
from ..values.value_kind import OfParts
from ..values.wording import in_words

MAX_ALTERNATIVES = 4
"""Maximum number of kinds that one value may have."""


@dataclass(frozen=True, slots=True)
class Same:
    """The same value on all paths; None: unbound on all of them."""

    value: Symbolic | None


@dataclass(frozen=True, slots=True)
class Number:
    """A number of one type."""

    type: ScalarType


@dataclass(frozen=True, slots=True)
class EitherNumber:
    """A number of either kind, see either_number.py."""

    dtype: np.dtype[Any]


@dataclass(frozen=True, slots=True)
class Boxed:
    """A number with the place of its object, see number_identity.py."""

    number: Number | EitherNumber


@dataclass(frozen=True, slots=True)
class Free:
    """A length that may differ between paths."""

    length: int | None
    """Length at capture, if it is the same on all paths."""


@dataclass(frozen=True, slots=True)
class Plain:
    """An array."""

    char: str
    """Dtype character; unlike equality of dtypes it tells int64 from longlong."""
    dims: tuple[int | Sym | Free, ...]
    layout: Layout
    others: frozenset[Root]
    """Arrays that it may be although the segment did not make them, or a bail would not undo
    changes to them."""


@dataclass(frozen=True, slots=True)
class Parts:
    """An object determined by its parts: a tuple, a slice, a range or an iterator over one."""

    like: Symbolic
    """An example, whose parts are replaced."""
    parts: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of several shapes."""

    alternatives: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class SameAs:
    """The very object that another local holds, in each iteration."""

    slot: int


Shape = Same | Number | EitherNumber | Boxed | Plain | Parts | Either | SameAs


class Lost(Exception):  # noqa: N818 (named for its reason)
    """A value that cannot be handed over; `args[0]` is the reason."""


# ---- what a value is -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shaper:
    """Determines the shapes of values on paths that have begun at one place."""

    inside: frozenset[ir.Value]
    """Values made on the paths, which are undefined after the meeting point."""
    first_sym: int
    """Index of the first dim met on the paths."""
    first_born: int
    """Number of the first object made there."""
    born: Callable[[Object], int]
    dims: Dims
    memory: Memory
    boxes: bool
    """True if the identity of numbers matters, see number_identity.py."""

    def has(self, value: Symbolic) -> bool:
        """True if a value contains something undefined after the meeting point."""
        if any(self.born(one) >= self.first_born for one in objects_in(value)):
            return True
        return any(part in self.inside for part in graph_values(value))

    def shape_of(self, value: Symbolic | None) -> Shape:
        """Return the shape of a path's value.

        Raises:
            Lost: it cannot be handed over.
        """
        if value is None or not self.has(value):
            return Same(value)
        number = _as_number(value)
        if number is not None:
            return number
        match value:
            case Array():
                return self._plain(value)
            case Tuple() | OfParts():
                return Parts(value, tuple(map(self.shape_of, parts_of(value))))
            case PositionalIter(position=position) if not self.has(replace(value, position=None)):
                return Parts(value, (self.shape_of(position),))
            case Union(alternatives=alternatives):
                return Either(tuple(self.shape_of(one) for _, one in alternatives))
        raise Lost(f"{in_words(value)} that is made on one of several paths")

    def _plain(self, value: Array) -> Plain:
        type_ = value.type
        dims = tuple(map(self._dim, type_.dims))
        return Plain(type_.char, dims, type_.layout, self.memory.lasting_others(value.value))

    def _dim(self, dim: int | Sym) -> int | Sym | Free:
        dim = self.dims.resolve(dim)
        if isinstance(dim, Sym) and dim.index >= self.first_sym:
            return Free(self.dims.length_at_capture(dim))
        return dim

    def widened(self, shape: Shape) -> Shape:
        """Return the shape of values that may replace a constant.

        A number of its type, for example.
        """
        if isinstance(shape, Same):
            value = shape.value
            number = _as_number(value)
            if number is not None:
                outside = self.boxes and isinstance(value, Known | Scalar) and not self.has(value)
                if outside and isinstance(number, Number) and has_identity(number.type):
                    return Boxed(number)
                return number
            if isinstance(value, Array):
                return self._plain(value)
            if isinstance(value, Tuple) and _may_keep_more(value):
                return shape
            if isinstance(value, Tuple | OfParts):
                return Parts(value, tuple(Same(part) for part in parts_of(value)))
        return shape

    def join(self, one: Shape, other: Shape) -> Shape:
        """Return the common shape of two.

        Raises:
            Lost: there would be too many kinds.
        """
        joined = self._joined(one, other)
        if joined is not None:
            return joined
        kinds = list(_kinds(one))
        for shape in _kinds(other):
            for place, kind in enumerate(kinds):
                both = self._joined(kind, shape)
                if both is not None:
                    kinds[place] = both
                    break
            else:
                kinds.append(shape)
        if len(kinds) > MAX_ALTERNATIVES:
            raise Lost(f"a value of more than {MAX_ALTERNATIVES} kinds")
        return Either(tuple(kinds))

    def _joined(self, one: Shape, other: Shape) -> Shape | None:
        """Return the common shape of two of one kind, or None."""
        if isinstance(one, Either) or isinstance(other, Either):
            return one if one == other else None
        if isinstance(one, Same) and isinstance(other, Same) and _are_same(one.value, other.value):
            return one
        one, other = self.widened(one), self.widened(other)
        if isinstance(one, _NUMBERS) or isinstance(other, _NUMBERS):
            return _joined_numbers(one, other)
        if isinstance(one, Plain) and isinstance(other, Plain):
            return self._joined_arrays(one, other)
        if isinstance(one, Parts) and isinstance(other, Parts):
            return self._joined_parts(one, other)
        return None

    def _joined_arrays(self, one: Plain, other: Plain) -> Plain | None:
        if (one.char, one.layout, len(one.dims)) != (other.char, other.layout, len(other.dims)):
            return None
        dims = tuple(map(self._joined_dims, one.dims, other.dims))
        return Plain(one.char, dims, one.layout, one.others | other.others)

    def _joined_dims(self, one: int | Sym | Free, other: int | Sym | Free) -> int | Sym | Free:
        if one == other:
            return one
        length = self._length(one)
        return Free(length if length == self._length(other) else None)

    def _joined_parts(self, one: Parts, other: Parts) -> Parts | None:
        alike = type(one.like) is type(other.like) and len(one.parts) == len(other.parts)
        if not alike or _class_of(one.like) != _class_of(other.like):
            return None
        return Parts(one.like, tuple(map(self.join, one.parts, other.parts)))

    def fits(self, value: Symbolic | None, shape: Shape) -> bool:
        """True if a value has this shape, which is not an Either.

        Lengths that a later round assumes equal are distinguished here; the loop checks them.
        """
        joined = self._joined(shape, Same(value))
        if isinstance(joined, Plain) and isinstance(shape, Plain):
            lengths = [tuple(map(self._length, one.dims)) for one in (joined, shape)]
            if lengths[0] == lengths[1] and None not in lengths[0]:
                return replace(joined, dims=()) == replace(shape, dims=())
        return joined == shape

    def _length(self, dim: int | Sym | Free) -> int | None:
        """Return a dim's length at capture."""
        return dim.length if isinstance(dim, Free) else self.dims.length_at_capture(dim)


def _may_keep_more(value: Tuple) -> bool:
    """True if a named tuple from outside may have attributes besides its items."""
    return value.source is not None and value.named is not None and value.named.__dictoffset__ != 0


_NUMBERS = Number | EitherNumber | Boxed


def _as_number(value: Symbolic | None) -> Number | EitherNumber | Boxed | None:
    """Return the shape of a number; None for anything else."""
    if isinstance(value, Known):
        return Number(scalar_type(value.object)) if is_graph_number(value.object) else None
    if isinstance(value, Scalar):
        number: Number | EitherNumber = Number(value.type)
    elif isinstance(value, Union) and value.either_number:
        number = EitherNumber(_dtype_of(value))
    else:
        return None
    return number if value.box is None else Boxed(number)


def _joined_numbers(one: Shape, other: Shape) -> Shape | None:
    if one == other:
        return one
    if isinstance(one, Boxed) or isinstance(other, Boxed):
        one, other = (shape.number if isinstance(shape, Boxed) else shape for shape in (one, other))
        number = _joined_numbers(one, other)
        return Boxed(number) if isinstance(number, Number | EitherNumber) else None
    first, second = _dtype_of_number(one), _dtype_of_number(other)
    if (
        first is None
        or second is None
        or first.char != second.char
        or first.char not in NUMBER_CLASSES
    ):
        return None
    return EitherNumber(first)


def _dtype_of_number(shape: Shape) -> np.dtype[Any] | None:
    if isinstance(shape, Number):
        return shape.type.dtype
    return shape.dtype if isinstance(shape, EitherNumber) else None


def _dtype_of(either_number: Union) -> np.dtype[Any]:
    number = either_number.alternatives[0][1]
    assert isinstance(number, Scalar)
    return number.type.dtype


def _kinds(shape: Shape) -> tuple[Shape, ...]:
    if isinstance(shape, Either):
        return shape.alternatives
    if isinstance(shape, Same) and isinstance(shape.value, Union) and not shape.value.either_number:
        return tuple(Same(one) for _, one in shape.value.alternatives)
    return (shape,)


def _are_same(one: Symbolic | None, other: Symbolic | None) -> bool:
    if one is other:
        return True
    if isinstance(one, Known) and isinstance(other, Known):
        first, second = one.object, other.object
        if first is second:
            return True
        if type(first) is type(second) and type(first) in (int, str, bytes, bool):
            return bool(first == second)
    return False


def _class_of(value: Symbolic) -> Any:
    if isinstance(value, Tuple):
        return value.named
    if isinstance(value, PositionalIter):
        return value.item_source
    return value.distinction if isinstance(value, OfParts) else None
