"""Rows of ops that make numbers: constants, lengths, functions of numbers."""

from __future__ import annotations

from .. import attributes as has
from .. import references as run
from .. import type_rules as typed
from ..intervals import LENGTH, point
from ..numpy_types import matches_numpy_for_numbers
from ..schema import Applies, Kind, row
from ..silence import of_numbers

__all__ = ["CONST", "DIM", "OPERATOR"]

CONST = row(
    *("const", Kind.SCALAR, run.constant, "-> number", typed.constant),
    silent=True,
    value=has.A_NUMBER,
    is_constant=True,
    interval=lambda attrs: point(int(attrs["value"])),
    of_numbers=True,
)
"""A scalar known at capture."""

DIM = row(
    "dim",
    Kind.SCALAR,
    run.length,
    "array -> number",
    typed.length,
    axis=has.AN_INT,
    reads=False,
    interval=lambda attrs: LENGTH,
    silent=True,
    one_item=True,
    of_numbers=True,
)
"""The length of one axis, as a Python int."""

OPERATOR = row(
    "operator",
    Kind.SCALAR,
    run.operator,
    "number+ -> number",
    matches_numpy_for_numbers,
    function=has.A_FUNCTION,
    applies=Applies.NUMBERS,
    silent_if=of_numbers,
    lacks={"interval": "the function has a rule"},
    of_numbers=True,
    computes=True,
)
"""A function of the `operator` module on scalars: Python arithmetic if all inputs are Python
scalars, NumPy's scalar arithmetic if one is a NumPy scalar (its bits and warnings differ from the
ufunc's)."""
