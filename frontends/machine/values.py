"""What stands on the symbolic stack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...guards.sources import Source
from ...jit.ir import graph as ir
from ...jit.ir.types import ArrayType, ScalarType


@dataclass(frozen=True, eq=False, slots=True)
class Null:
    """The NULL that a call sequence pushes."""


NULL = Null()


@dataclass(frozen=True, eq=False, slots=True)
class Unread:
    """An object that a source reaches; nothing is guarded until somebody looks at it."""

    source: Source
    object: Any


@dataclass(frozen=True, eq=False, slots=True)
class Known:
    """A Python object known at capture: a constant, or an object whose identity is guarded."""

    object: Any
    source: Source | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Array:
    """An ndarray of the graph."""

    value: ir.Value
    source: Source | None = None
    """Where the very object comes from, when it is a live-in and not a result."""

    @property
    def type(self) -> ArrayType:
        """dtype, dims and layout."""
        assert isinstance(self.value.type, ArrayType)
        return self.value.type


@dataclass(frozen=True, eq=False, slots=True)
class Scalar:
    """A Python or NumPy scalar of the graph."""

    value: ir.Value
    source: Source | None = None

    @property
    def type(self) -> ScalarType:
        """dtype, and whether it is a Python scalar."""
        assert isinstance(self.value.type, ScalarType)
        return self.value.type


@dataclass(frozen=True, eq=False, slots=True)
class Sequence:
    """A tuple, or a list that nobody outside holds."""

    kind: str
    items: tuple[Symbolic, ...]
    source: Source | None = None
    named: type | None = None
    """The class of a named tuple."""


@dataclass(frozen=True, eq=False, slots=True)
class Slice:
    """A slice: start, stop, step."""

    parts: tuple[Symbolic, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Range:
    """A `range` object: start, stop, step."""

    parts: tuple[Symbolic, ...]


@dataclass(frozen=True, eq=False, slots=True)
class RangeIterator:
    """An iterator over a range: what is left of it, as start, stop, step."""

    parts: tuple[Symbolic, ...]


@dataclass(frozen=True, eq=False, slots=True)
class ItemIterator:
    """An iterator over a tuple or list whose length is known: the items that are left."""

    items: tuple[Symbolic, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Method:
    """A method looked up on an array or scalar of the graph, not yet called."""

    owner: Array | Scalar
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Instance:
    """An object of the user's that is only passed along or asked for attributes."""

    source: Source
    object: Any


@dataclass(frozen=True, eq=False, slots=True)
class Unknown:
    """Something that only running the program will tell.

    It is what a break gave, or a stack item that belongs to a loop or `with` around the segment.
    """

    what: str


Symbolic = (
    Unknown
    | Null
    | Unread
    | Known
    | Array
    | Scalar
    | Sequence
    | Slice
    | Range
    | RangeIterator
    | ItemIterator
    | Method
    | Instance
)


def recipe(value: Symbolic) -> ir.Recipe | None:
    """How the object is built at an exit; None when it cannot be."""
    match value:
        case Unread(source=source) | Instance(source=source):
            return ir.Live(source)
        case Unknown():
            return ir.Constant(None)  # exploring: only the shape of the exit is of interest
        case Known(object=known, source=None):
            return ir.Constant(known)
        case Known(source=source) if source is not None:
            return ir.Live(source)
        case Array(value=inner, source=source) | Scalar(value=inner, source=source):
            return ir.Leaf(inner) if source is None else ir.Live(source)
        case Sequence(kind=kind, items=items, source=source, named=named):
            if source is not None:
                return ir.Live(source)
            if named is not None:
                return _call(named, items)
            parts = [recipe(item) for item in items]
            if any(part is None for part in parts):
                return None
            return ir.Build(kind, tuple(part for part in parts if part is not None))
        case Slice(parts=parts):
            return _call(slice, parts)
        case Range(parts=parts):
            return _call(range, parts)
        case RangeIterator(parts=parts):
            rest = _call(range, parts)
            return None if rest is None else ir.Call(iter, (rest,))
        case Method(owner=owner, name=name):
            made = recipe(owner)
            return None if made is None else ir.Call(getattr, (made, ir.Constant(name)))
    return None


def _call(kind: Callable[..., Any], parts: tuple[Symbolic, ...]) -> ir.Recipe | None:
    made = [recipe(part) for part in parts]
    if any(part is None for part in made):
        return None
    return ir.Call(kind, tuple(part for part in made if part is not None))
