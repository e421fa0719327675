"""Descriptions of the items of a list that has a list of the graph for each component (`Columns`).

An item is a number or a constant of few kinds, an array, or a tuple of such items.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ....jit.frozen import dataclass
from ....jit.ir.types import PY_INT, ArrayType, ListType, ObjectsType, ScalarType
from ..values.either_number import NUMBER_CLASSES
from . import lists_of_objects

if TYPE_CHECKING:
    from ..state.machine import Machine

MAX_PARTS = 16
"""Maximum number of components of an item."""
MAX_KINDS = 4
"""Maximum number of kinds of one component."""
CONSTANTS = (str, bytes, type(None))
_MIXED = "ld"
"""Dtypes of numbers that one array of doubles is made of."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant that an item may be, by identity."""

    object: Any


@dataclass(frozen=True, slots=True)
class ScalarRecord:
    """A number or constant of one of several kinds."""

    kinds: tuple[ScalarType | Constant, ...]

    @property
    def numbers(self) -> tuple[ScalarType, ...]:
        """Return the kinds that are numbers."""
        return tuple(kind for kind in self.kinds if isinstance(kind, ScalarType))

    @property
    def dtype(self) -> np.dtype[Any] | None:
        """Return the dtype of NumPy's array of such numbers; None if it makes something else."""
        if not self.kinds or len(self.numbers) < len(self.kinds):
            return None
        return np.result_type(*(kind.dtype for kind in self.numbers))

    @property
    def records_kinds(self) -> bool:
        """True if a list records the kind of each item."""
        return len(self.kinds) > 1 or not self.numbers

    def lists(self) -> Iterator[ListType]:
        """Yield the types of the lists: numbers by dtype, then the kinds."""
        yield from self.lists_of_numbers()
        if self.records_kinds:
            yield ListType(PY_INT.dtype, True)

    def lists_of_numbers(self) -> Iterator[ListType]:
        """Yield the lists of numbers; each has an entry for every item, converted if necessary."""
        for char in dict.fromkeys(kind.char for kind in self.numbers):
            alike = [kind for kind in self.numbers if kind.char == char]
            yield ListType(alike[0].dtype, all(kind.python for kind in alike))


@dataclass(frozen=True, slots=True)
class ArrayRecord:
    """An array."""

    type: ObjectsType
    """Type of the list of them."""

    def lists(self) -> Iterator[ObjectsType]:
        """Yield the type of the list."""
        yield self.type


@dataclass(frozen=True, slots=True)
class TupleRecord:
    """A tuple."""

    parts: tuple[Item, ...]
    named: type | None

    def lists(self) -> Iterator[ListType | ObjectsType]:
        """Yield the types of the lists of all components."""
        for part in self.parts:
            yield from part.lists()


Item = ScalarRecord | ArrayRecord | TupleRecord


def joined(machine: Machine, one: Item, other: Item) -> Item | None:
    """Return the common description; `one` itself if it covers both. None if there is none."""
    match one, other:
        case ScalarRecord(), ScalarRecord():
            return _joined_kinds(one, other)
        case ArrayRecord(), ArrayRecord():
            type_ = lists_of_objects.joint_type(machine, one.type, other.type)
            return ArrayRecord(type_) if isinstance(type_, ObjectsType) else None
        case TupleRecord(), TupleRecord() if one.named is other.named:
            if len(one.parts) != len(other.parts):
                return None
            pairs = zip(one.parts, other.parts, strict=True)
            parts = [part for pair in pairs if (part := joined(machine, *pair)) is not None]
            return TupleRecord(tuple(parts), one.named) if len(parts) == len(one.parts) else None
    return None


def _joined_kinds(one: ScalarRecord, other: ScalarRecord) -> ScalarRecord | None:
    both = ScalarRecord(tuple(sorted({*one.kinds, *other.kinds}, key=_order)))
    if set(both.kinds) == set(one.kinds):
        return one
    chars = {kind.char for kind in both.numbers}
    mixes = len(chars) < 2 or chars <= set(_MIXED)
    either_number = all(char in NUMBER_CLASSES for char in chars) or len(both.numbers) == 1
    return both if mixes and either_number and len(both.kinds) <= MAX_KINDS else None


def _order(kind: ScalarType | Constant) -> tuple[Any, ...]:
    """Return a sort key: numbers by dtype with Python's first, then constants by text."""
    if isinstance(kind, Constant):
        return (1, type(kind.object).__name__, repr(kind.object))
    return (0, kind.char, not kind.python)


def scalar_type_of(type_: object) -> ScalarType:
    """Return the type of a number without details of its class."""
    assert isinstance(type_, ScalarType)
    return ScalarType(type_.dtype, type_.python)


def of_list(type_: ListType | ObjectsType) -> Item | None:
    """Return the item description of a list's items; None for a list of lists."""
    if isinstance(type_, ListType):
        return ScalarRecord((type_.item,))
    return ArrayRecord(type_) if isinstance(type_.item, ArrayType) else None


def is_mixed(item: Item) -> bool:
    """True if one component has numbers of several dtypes."""
    if isinstance(item, TupleRecord):
        return any(map(is_mixed, item.parts))
    return isinstance(item, ScalarRecord) and len({kind.char for kind in item.numbers}) > 1


def dtypes(item: Item) -> list[Any]:
    """Return the common dtype of each component, None for one that is no number."""
    if isinstance(item, TupleRecord):
        return [dtype for part in item.parts for dtype in dtypes(part)]
    return [item.dtype if isinstance(item, ScalarRecord) else None]
