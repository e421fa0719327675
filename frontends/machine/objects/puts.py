"""What lists that grow are given, for who has to tell which objects are in them."""

from __future__ import annotations

from dataclasses import dataclass

from ....jit.ir.graph import Value
from ....jit.ir.types import ScalarType, is_held
from ..parts import graph_values
from ..values import Known, List, Object, Scalar, Symbolic, Tuple

OUTSIDE = List()
"""Stands for whoever holds a number that came from outside."""


@dataclass(frozen=True, eq=False, slots=True)
class Row:
    """A tuple that a list was given, or gave."""

    owner: Object
    items: tuple[Symbolic, ...]
    places: frozenset[int]
    """Of the items that are no constants."""

    def may_be(self, row: Tuple) -> bool:
        """Whether the constants agree, of numbers as far as is known."""
        if len(self.items) != len(row.items):
            return False
        for one, other in zip(self.items, row.items, strict=True):
            if isinstance(one, Known) and isinstance(other, Known):
                if one.object is not other.object:
                    return False
            elif isinstance(one, Known) and isinstance(other, Scalar) and not is_held(one.object):
                return False
        return True


@dataclass(frozen=True, eq=False, slots=True)
class Put:
    """A list is given something here."""

    owner: Object
    values: tuple[Value, ...]
    """A number, or those in a tuple; none of a constant."""
    constant: int | None = None
    """Its address."""
    kept: object = None
    """The constant itself: no other object gets the address meanwhile."""
    row: Row | None = None
    again: bool = False
    """The list has it already, or gets it on each turn."""
    boxed: bool = False
    """It is known whether a table has it."""
    unplaced: bool = False
    """It is handed over to where ways meet, and is in no table so far."""
    from_outside: bool = False


def table_of(char: str) -> str:
    """What tells a table from lists, see boxes.py."""
    return f"the table of {char}"


def parts_of(row: Tuple) -> list[tuple[int, Value]]:
    """The graph values in a tuple, and in tuples in it, each with its place."""
    values = (list(graph_values(item)) for item in row.items)
    return [(place, value) for place, those in enumerate(values) for value in those]


def is_its_value(number: Value) -> bool:
    return isinstance(number.type, ScalarType) and not is_told_apart(number.type)


def is_told_apart(type_: ScalarType) -> bool:
    """Whether it can be asked which object a number is: not of Python's ints, and of bools."""
    return type_.dtype.kind != "b" and not (type_.python and type_.dtype.kind == "i")
