"""Records of objects put into growing lists, for tracking identity."""

from __future__ import annotations

from dataclasses import dataclass

from ....jit.ir.graph import Value
from ....jit.ir.types import ScalarType, is_graph_number
from ..values.components import graph_values
from ..values.symbolic import Known, List, Object, Scalar, Symbolic, Tuple

OUTSIDE = List()
"""Stands for the holder of a number that came from outside."""


@dataclass(frozen=True, eq=False, slots=True)
class Row:
    """A tuple that was put into, or read from, a list."""

    owner: Object
    items: tuple[Symbolic, ...]
    places: frozenset[int]
    """Positions of items that are no constants."""

    def may_be(self, row: Tuple) -> bool:
        """True if both tuples may be the same object, judging by their constants."""
        if len(self.items) != len(row.items):
            return False
        for one, other in zip(self.items, row.items, strict=True):
            if isinstance(one, Known) and isinstance(other, Known):
                if one.object is not other.object:
                    return False
            elif (
                isinstance(one, Known)
                and isinstance(other, Scalar)
                and not is_graph_number(one.object)
            ):
                return False
        return True


@dataclass(frozen=True, eq=False, slots=True)
class Insertion:
    """An object put into a list."""

    owner: Object
    values: tuple[Value, ...]
    """The number, or those in a tuple; none for a constant."""
    constant: int | None = None
    """Address of a constant."""
    kept: object = None
    """The constant itself, so that its address is not reused."""
    row: Row | None = None
    again: bool = False
    """The list has it already, or gets it in each iteration."""
    boxed: bool = False
    """It is known if a table has it."""
    unplaced: bool = False
    """It is handed over at a merge, and is in no table so far."""
    from_outside: bool = False


def table_of(char: str) -> str:
    """Return the key of a table, to be distinct from lists; see number_identity.py."""
    return f"the table of {char}"


def parts_of(row: Tuple) -> list[tuple[int, Value]]:
    """Return the graph values in a tuple and nested tuples, with their positions."""
    values = (list(graph_values(item)) for item in row.items)
    return [(place, value) for place, those in enumerate(values) for value in those]


def is_its_value(number: Value) -> bool:
    """True if programs cannot tell a number from another one with its value."""
    return isinstance(number.type, ScalarType) and not has_identity(number.type)


def has_identity(type_: ScalarType) -> bool:
    """True if a number's identity is observable: not for Python ints and bools."""
    return type_.dtype.kind != "b" and not (type_.python and type_.dtype.kind == "i")
