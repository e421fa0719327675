"""The table of primitives: one row for each operation of graphs, a family a file.

There are two sorts of rows. Ops are what nodes are (`INDEX`, `SORT`, `IF`): their columns are in
`jit/ir/schema.py`, their names in `jit/ir/ops.py`. Some ops apply a function or a ufunc that the
node carries (`OPERATOR`, `UFUNC`, `REDUCE`): those have rows in `operators.py` and `ufuncs.py`,
with the columns in `schema.py`, and `primitive(function)` returns the row. A new fact is a column;
no other module may keep a table of operations (`tests/unit/jit/ir/test_primitives.py`).
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

from ..graph import Node
from ..numbers import StoredAs
from . import operators, ufuncs
from .schema import Alike as Alike
from .schema import Answers as Answers
from .schema import Comparison as Comparison
from .schema import Family, Primitive
from .schema import Flags as Flags
from .schema import Growth as Growth
from .schema import Linear as Linear
from .schema import Unit as Unit

UNKNOWN = Primitive("", None, Family("a function without a row", ()))
"""The row of all other functions: it promises nothing."""

OPERATORS: dict[Any, Primitive] = {row.function: row for row in operators.ROWS}
"""Rows of functions of numbers."""
OPERATORS |= {operator.abs: OPERATORS[abs], builtins.pow: OPERATORS[operator.pow]}
UFUNCS: dict[Any, Primitive] = {row.function: row for row in ufuncs.ROWS}
PRIMITIVES: dict[Any, Primitive] = {
    **OPERATORS,
    **UFUNCS,
    **{row.function: row for row in (*ufuncs.LINALG, *ufuncs.LINES)},
}
"""All rows by what nodes carry."""
_OF_NUMBERS = {
    **{row.in_place: row for row in operators.ROWS if row.in_place is not None},
    **OPERATORS,
}


def primitive(function: Any) -> Primitive:
    """Return the row of a function of numbers or a ufunc."""
    found = PRIMITIVES.get(function)
    if found is None:
        return operators.STORED if type(function) is StoredAs else UNKNOWN
    return found


def of_numbers(function: Any) -> Primitive:
    """Return the row of a function of numbers, for which `operator.iadd` is an addition too."""
    return _OF_NUMBERS.get(function, UNKNOWN)


def of_node(node: Node) -> Primitive:
    """Return the row of the function that a node carries; UNKNOWN for other nodes."""
    function = node.attrs.get("function")
    return UNKNOWN if function is None else primitive(function)


def ufunc_of(node: Node) -> Primitive:
    """Return the row of the ufunc that a node applies; UNKNOWN for other nodes."""
    ufunc = node.attrs.get("ufunc")
    return UNKNOWN if ufunc is None else primitive(ufunc)
