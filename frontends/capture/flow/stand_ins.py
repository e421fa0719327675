"""Makes the merged values after a meeting point from their shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from ....jit.ir import graph as ir
from ....jit.ir.builder import Builder
from ....jit.ir.types import PY_INT, ArrayType, ScalarType, Type
from ..values.components import parts_of
from ..values.either_number import with_box
from ..values.symbolic import (
    Array,
    Object,
    PositionalIter,
    Scalar,
    Symbolic,
    Tuple,
    Union,
    Untouched,
)
from ..values.value_kind import OfParts
from .shapes import Boxed, Either, EitherNumber, Free, Number, Parts, Plain, Same, SameAs, Shape


def stand_in(shape: Shape, make: Callable[[Type], ir.Value], builder: Builder) -> Symbolic | None:
    """Return the merged value of a shape; `make` creates graph values."""
    match shape:
        case Same(value):
            return value
        case Number(type_):
            return Scalar(make(type_))
        case EitherNumber(dtype):
            tag = make(PY_INT)
            numbers = [Scalar(make(ScalarType(dtype, python))) for python in (True, False)]
            return Union(tag, tuple(enumerate(numbers)), either_number=True)
        case Boxed(number):
            one = stand_in(number, make, builder)
            assert isinstance(one, Scalar | Union)
            return with_box(one, make(PY_INT))
        case Plain(char, dims, layout, _):
            known = tuple(
                builder.fresh_sym(dim.length) if isinstance(dim, Free) else dim for dim in dims
            )
            return Array(make(ArrayType(np.dtype(char), known, layout)))
        case Parts(like, parts):
            made = tuple(stand_in(part, make, builder) for part in parts)
            items = tuple(part for part in made if part is not None)
            if isinstance(like, Tuple):
                return Tuple(items, named=like.named)
            if isinstance(like, PositionalIter):
                return replace(like, position=items[0])
            assert isinstance(like, OfParts)
            return replace(like, parts=items, source=None)
        case SameAs():
            raise AssertionError("the local that it is the same as stands for it")
        case Either(alternatives):
            tag = make(PY_INT)
            kinds = (_of_its_own(stand_in(one, make, builder)) for one in alternatives)
            return Union(tag, tuple(enumerate(kinds)))


def arrays_of(shape: Shape, made: Symbolic | None) -> Iterator[tuple[Plain, ir.Value]]:
    """Yield the arrays in a merged value with their shapes."""
    match shape, made:
        case Plain(), Array(value=value):
            yield shape, value
        case Parts(parts=parts), _ if made is not None:
            for part, of in zip(parts, parts_of(made), strict=True):
                yield from arrays_of(part, of)
        case Either(alternatives=kinds), Union(alternatives=alternatives):
            for kind, (_, one) in zip(kinds, alternatives, strict=True):
                yield from arrays_of(kind, one)


def _of_its_own(value: Symbolic | None) -> Symbolic | None:
    """Return a copy of a value, to be distinct from others; objects with identity stay."""
    if value is None or isinstance(value, Object | Tuple | Untouched):
        return value
    return replace(value)


def undefined(shape: Shape, builder: Builder) -> list[ir.Value]:
    """Return arbitrary graph values for a shape whose value does not matter."""
    made: list[ir.Value] = []

    def make(type_: Type) -> ir.Value:
        made.append(builder.undefined(type_))
        return made[-1]

    stand_in(shape, make, builder)
    return made
