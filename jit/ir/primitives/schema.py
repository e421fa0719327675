"""The columns of the table of primitives: what passes, backends and frontends ask of an operation.

An OPERATOR node carries a function of numbers, UFUNC, REDUCE and ACCUMULATE nodes a ufunc. Each
kind of fact about them that any module uses is a column here, and each row has its value. The
default of a column promises nothing, so code stays correct for rows without a value. A family names
the columns that its rows have to fill in; a row that leaves one out states the reason.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

import numpy as np

from ...frozen import dataclass
from ..intervals import Rule

Function = Callable[..., Any]


class Linear(enum.Enum):
    """Operations whose result is linear in one operand if the other is a constant."""

    SUM = enum.auto()
    DIFFERENCE = enum.auto()
    PRODUCT = enum.auto()
    QUOTIENT = enum.auto()
    """In the first operand. Of floats: the quotient of ints rounds twice, or down."""
    NEGATION = enum.auto()
    SAME = enum.auto()
    """The operand itself, perhaps of another type."""


class Growth(enum.Enum):
    """The bound of an int result's magnitude by those of the operands."""

    SUM = enum.auto()
    """By their sum."""
    PRODUCT = enum.auto()
    QUOTIENT = enum.auto()
    """By the first, divided by the second."""
    REMAINDER = enum.auto()
    """By the second."""
    LARGEST = enum.auto()
    """By the largest of them."""
    PICKED = enum.auto()
    """By the largest of all but the first, which is a condition."""


class Answers(enum.Enum):
    """Operands for which a function returns a result without an exception or a warning."""

    PYTHON_INTS = enum.auto()
    """Python's ints and bools, also where the result exceeds 64 bits."""
    REALS = enum.auto()
    """Real numbers, NumPy's and NaN included, but not a Python number that overflows the dtype of
    the NumPy float that it is compared with."""


class Alike(enum.Enum):
    """For which operands a function gives equal numbers if they are Python's and if NumPy's.

    Division by zero is excepted. NumPy may raise floating point flags that Python does not.
    """

    CONVERSIONS = enum.auto()
    """Always: the result does not depend on the kind of number."""
    FLOATS_AND_INTS = enum.auto()
    """For floats and ints; for bools NumPy computes logical operations."""
    ONE_TYPE = enum.auto()
    """For operands of one type."""
    INTS = enum.auto()
    """For ints; the kernel bails where NumPy's result differs."""


class Flags(enum.Enum):
    """Real numbers for which a ufunc raises no floating point flag."""

    NEVER = enum.auto()
    """It raises none for any real numbers."""
    FLOATS = enum.auto()
    """It raises none for ints, since these wrap."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two numbers."""

    sign: str
    mirrored: Function
    """The comparison of the operands in reverse order that gives the same result."""
    above: np.ufunc | None = None
    """For ints of a dtype: the comparison with the dtype's largest number that replaces one with a
    larger int."""
    below: np.ufunc | None = None
    """The same for its smallest number and smaller ints."""

    @property
    def is_order(self) -> bool:
        """False for equality and its negation."""
        return self.sign not in ("==", "!=")


@dataclass(frozen=True, slots=True)
class Unit:
    """A constant with which an operation returns its other operand, bit for bit."""

    number: float
    """The sign of a float counts."""
    right_only: bool = False
    """True if only the second operand may be the constant."""
    ints: bool = False
    """True if that holds for ints only, not for floats."""


@dataclass(frozen=True, slots=True)
class Family:
    """Rows that are described by the same columns."""

    name: str
    needs: tuple[str, ...]
    """Columns for which a row has a value, or the reason why it has none."""
    lacks: Mapping[str, str] = field(default_factory=dict)
    """The reason why no row of the family has a column that some family needs."""


@dataclass(frozen=True, eq=False, slots=True)
class Primitive:
    """A row of the table."""

    name: str
    function: Any
    """The function that nodes carry; it computes the operation, and so defines it."""
    family: Family
    lacks: Mapping[str, str] = field(default_factory=dict)
    """The reason why the row has no value in a column that its family needs."""

    # ---- of functions and ufuncs
    symbol: str = ""
    """Python's symbol between two operands; "" if there is none."""
    compares: Comparison | None = None
    passes_nan: bool = False
    """True if a NaN in the result is one of the operands, with its bits."""
    tests_infinity: bool = False
    """True if its result reveals that an operand is infinite."""

    linear: Linear | None = None
    plain_constants: str = ""
    """Kinds of numbers ("f" floats, "i" ints) for which a compiler gains nothing if it knows the
    value of a constant operand."""

    # ---- of functions of numbers
    ufunc: np.ufunc | None = None
    """The ufunc that NumPy applies to arrays; its name is in warnings."""
    loop_of_floats: bool = False
    """True if NumPy's floats compute what the ufunc's inner loop does."""
    in_place: Function | None = None
    """The function of the statement that also assigns the result: `operator.iadd`."""
    methods: tuple[str, str] = ("", "")
    """Methods of the left operand, and of the right one if the left returns NotImplemented."""
    commutes: bool = False
    """True if NumPy exchanges the operands where that saves memory. (The last bits of complex
    products then differ.)"""
    elides: bool = False
    """True if NumPy may compute the result into a temporary operand: into the right one only if
    the operation commutes."""
    wrapping: Function | None = None
    """The variant for NumPy ints that wraps around without a warning. Kernels may compute with it
    and check the result later, so that until then it may be wrong."""
    overflows: bool = False
    """True if the result for 64-bit ints may need more than 64 bits."""
    growth: Growth | None = None
    interval: Rule | None = None
    """The interval of an int result, from those of the operands."""
    answers: Answers | None = None
    alike: Alike | None = None
    converts_ints: bool = False
    """True if beside a float an int is converted to a double first."""
    chooses: Function | None = None
    """The result is the second operand if this comparison of the second with the first is true,
    else the first one."""
    selects_bits: bool = False
    """True if a constant operand says which bits of the other one are in the result."""
    returns_operand: str = ""
    """Kinds of Python's numbers for which the result is the operand, the same object."""
    keeps_all: bool = False
    """True if the result is the operand, except for the sign."""
    keeps_positive: bool = False
    """True if an int of at least 1 stays one, which capture then knows."""
    passes_bits: bool = False
    """True if a branch on the result is as hard to predict as one on an operand."""

    # ---- of ufuncs
    factorises: bool = False
    """True if it factorises matrices, or solves with the factors: LAPACK's work on an n x n matrix
    grows as n ** 3."""
    least_dims: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Core dims of results that are the smaller of two others, by name."""
    flags: Flags | None = None
    raises: str = ""
    """Kinds of ints for which it may raise an exception."""
    takes_any_int: bool = False
    """True if it accepts Python ints that do not fit the array's dtype."""
    exact: str = ""
    """Kinds of floats ("f" real, "c" complex) for which the result is exact, in whatever order
    NumPy computes."""
    unit: Unit | None = None
    involutive: bool = False
    """True if applied twice it gives the operand back."""
    idempotent: bool = False
    """True if applied twice it gives what it gives applied once."""
    of_equals: bool = False
    """True if of two equal operands it gives either."""
    extreme: str = ""
    """Sign of the comparison that the result satisfies, if it is the smallest or largest operand
    or item, or the place of that; "" for other functions."""
    adds: bool = False
    """True if reductions add items: NumPy halves lines of floats, and sums of ints are exact."""
    of_truth: bool = False
    """True if it depends on truth values only."""
    modular: bool = False
    """True if the result of ints does not depend on their order, nor on when they are cast."""
    cheap: bool = False
    """True if an item is computed faster than it is written and read."""
    cut_dependent: bool = False
    """True if NumPy's vector loops choose another zero for the remaining items of a run."""
    stride_dependent: bool = False
    """True if NumPy's loops compute differently if an operand has stride 0."""

    def missing(self, column: str) -> str:
        """Return the reason why the row has no value in a column; "" if none is stated."""
        return self.lacks.get(column) or self.family.lacks.get(column, "")
