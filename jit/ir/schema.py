"""The vocabulary of the op table: what a row can say about inputs, results, attributes and effects.

`ops.py` writes rows in these words, and `verify.py` holds graphs against them. A new fact about all
ops is a field of `Op` here and a word for its values; a new op is a row there.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..frozen import dataclass
from .indexing import Index
from .nests import Nest
from .opaque import OpaqueCall
from .types import ArrayType, ListType, ObjectType, ScalarType, Type, is_held

Attrs = Mapping[str, Any]


class Kind(enum.Enum):
    """How a backend goes about an op."""

    ELEMENTWISE = enum.auto()
    """One result element from one element of each input, after broadcasting."""
    VIEW = enum.auto()
    """No data moves: another window on the memory of input 0."""
    REDUCE = enum.auto()
    """Axes of input 0 disappear."""
    SCAN = enum.auto()
    """Each result element from those of input 0 before it along an axis."""
    CORE = enum.auto()
    """The core axes of all inputs together make those of the result; the others broadcast."""
    FIND = enum.auto()
    """Items, places or counts, found by going through the inputs."""
    CREATE = enum.auto()
    """A fresh array from scalars."""
    SCALAR = enum.auto()
    """Scalars in, scalar out."""
    OPAQUE = enum.auto()
    """The real function is called."""
    STORE = enum.auto()
    """Something is written into memory, of input 0 unless the op says otherwise."""
    CONTROL = enum.auto()
    """Regions, checkpoints and exits."""


class Effect(enum.Enum):
    """What something outside of a node can see of it; passes keep the order of effects."""

    WRITE = "a write to memory"
    """Of arrays; what PUT does to generators and lists of Python's as well."""
    LIST = "a change of a list"
    DRAW = "a draw from a generator"
    """Also the making of one: each is another object."""
    UNDO = "a promise to undo"
    COMPARE = "a comparison of memory"
    HALT = "a look whether a loop was halted"
    CHECKPOINT = "a checkpoint"
    LEAVE = "an exit"
    BAIL = "a bail"
    JUMP = "an end of an iteration"
    REGION = "a region"


# ---- classes of values ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Operand:
    """A class of values, by their types."""

    name: str
    holds: Callable[[Type], bool]


def _is_number(type_: Type) -> bool:
    return type(type_) is ScalarType


def _is_array(type_: Type) -> bool:
    return type(type_) is ArrayType


def _is_object(type_: Type) -> bool:
    return isinstance(type_, ObjectType)


OPERANDS = {
    "array": Operand("an array", _is_array),
    "number": Operand("a number", _is_number),
    "numeric": Operand("an array or a number", lambda t: _is_array(t) or _is_number(t)),
    "int": Operand("an int", lambda t: _is_number(t) and t.dtype.kind in "iu"),
    "bool": Operand("a bool", lambda t: _is_number(t) and t.dtype.kind == "b"),
    "mask": Operand("an array of bools", lambda t: _is_array(t) and t.dtype.kind == "b"),
    "list": Operand("a list of numbers", lambda t: type(t) is ListType),
    "object": Operand("an object", _is_object),
    "stateful": Operand("an array or an object", lambda t: _is_array(t) or _is_object(t)),
    "passed": Operand("an array, a number or an object", lambda t: type(t) is not ListType),
    "any": Operand("a value", lambda t: True),
}
"""The words of signatures."""


@dataclass(frozen=True, slots=True)
class Operands:
    """The inputs, or the results, that nodes of an op have."""

    fixed: tuple[Operand, ...]
    rest: Operand | None
    """The class of those behind the fixed ones."""
    least: int
    most: int | None
    """How many there are, with the fixed ones; None for any number."""

    @staticmethod
    def of(text: str) -> Operands:
        """From one side of a signature: `array, int*`; `+` is one or more, `?` one or none."""
        words = [word.strip() for word in text.split(",") if word.strip()]
        fixed = tuple(OPERANDS[word] for word in words if word[-1] not in "*+?")
        more = words[len(fixed) :]
        least = len(fixed) + sum(word[-1] == "+" for word in more)
        most = None if any(word[-1] in "*+" for word in more) else len(words)
        return Operands(fixed, OPERANDS[more[0][:-1]] if more else None, least, most)

    def may_be(self, count: int) -> bool:
        """True if there may be so many."""
        return self.least <= count and (self.most is None or count <= self.most)

    @property
    def count(self) -> str:
        """How many there may be, in words."""
        if self.most is None:
            return f"{self.least} or more"
        return f"{self.least}" if self.most == self.least else f"{self.least} to {self.most}"

    def at(self, place: int) -> Operand:
        """The class of one of them."""
        if place < len(self.fixed):
            return self.fixed[place]
        assert self.rest is not None
        return self.rest


# ---- attributes ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attr:
    """What an attribute may be."""

    name: str
    holds: Callable[[Any], bool]
    required: bool = True


def optional(attr: Attr) -> Attr:
    """The same for an attribute that a node need not have."""
    return replace(attr, required=False)


def one_of(*values: str) -> Attr:
    """One of some words."""
    return Attr(f"one of {', '.join(map(repr, values))}", values.__contains__)


def or_none(attr: Attr) -> Attr:
    """The same, or None."""
    return Attr(f"{attr.name}, or None", lambda value: value is None or attr.holds(value))


def is_int(value: Any) -> bool:
    """True for an int of Python's that is no bool."""
    return type(value) is int


def _are_ints(value: Any) -> bool:
    return type(value) is tuple and all(map(is_int, value))


def _are_places(value: Any) -> bool:
    return type(value) is tuple and all(one is None or is_int(one) for one in value)


def _are_sides(value: Any) -> bool:
    return value in ((), ("left",), ("right",), ("left", "right"))


A_UFUNC = Attr("a ufunc", lambda value: isinstance(value, np.ufunc))
A_UFUNC_OR_NONE = or_none(A_UFUNC)
A_FUNCTION = Attr("a function", callable)
A_DTYPE = Attr("a dtype", lambda value: isinstance(value, np.dtype))
A_NUMBER = Attr("a number that graphs hold", is_held)
AN_ELEMENT_OR_NONE = or_none(Attr("a NumPy number", lambda value: isinstance(value, np.generic)))
AN_INT = Attr("an int", is_int)
A_COUNT = Attr("an int from 0 on", lambda value: is_int(value) and value >= 0)
AXES = Attr("a tuple of axes", _are_ints)
AXIS_OR_AXES = or_none(Attr("an axis, or several", lambda value: is_int(value) or _are_ints(value)))
PLACES = Attr("for each axis the place of its index, or None", _are_places)
AN_ORDER = one_of("K", "A", "C", "F")
A_PART = one_of("real", "imag")
INSTRUCTIONS = Attr("a tuple of instructions", _are_ints)
TURNS = one_of("each turn", "turns within", "no turn")
A_SIDE = one_of("left", "right")
SIDES = Attr('a tuple of "left" and "right"', _are_sides)
A_BOOL = Attr("a bool", lambda value: type(value) is bool)
NOTED = optional(Attr("True", lambda value: value is True))
AN_INDEX = Attr("a basic index", lambda value: isinstance(value, Index))
A_CALL = Attr("an opaque call", lambda value: isinstance(value, OpaqueCall))
A_NEST = Attr("a nest", lambda value: isinstance(value, Nest))


# ---- rows ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Typing:
    """What a type rule is told of one node."""

    op: Op
    attrs: Attrs
    inputs: tuple[Type, ...]
    outputs: tuple[Type, ...]
    hints: tuple[Any, ...]
    """What the inputs were at capture, None where nobody knows."""


TypeRule = Callable[[Typing], str | None]
"""What was expected of a node whose types do not fit each other; None for all others."""


@dataclass(frozen=True, eq=False, slots=True)
class Op:
    """One row of the table."""

    name: str
    kind: Kind
    reference: Callable[..., Any] | None
    """`reference(attrs, *inputs)` evaluates the op with NumPy: the meaning of the op, the numpy
    backend, and (on small examples) the type rule."""
    takes: Operands
    gives: Operands
    attrs: Mapping[str, Attr]
    """A node has no other attributes than these."""
    types: TypeRule
    """How the types of the results follow from inputs and attributes."""
    effect: Effect | None = None
    """What something outside the graph can see of it; None: nobody can see that it ran."""
    blocks: int = 0
    """Regions that its nodes have."""
    ends: bool = False
    """Nothing behind it in its block is come to."""
    on_top: bool = False
    """It stands in no region."""
    reads: bool = True
    """What it gives of arrays depends on their items, and not on their lengths alone."""


OPS: dict[str, Op] = {}
"""All rows, by name."""


def row(
    name: str,
    kind: Kind,
    reference: Callable[..., Any] | None,
    signature: str,
    types: TypeRule,
    /,
    *,
    effect: Effect | None = None,
    blocks: int = 0,
    ends: bool = False,
    on_top: bool = False,
    reads: bool = True,
    **attrs: Attr,
) -> Op:
    """A new row; `signature` has the classes of inputs and results, as `array, int* -> array`."""
    takes, gives = map(Operands.of, signature.split("->"))
    rest = effect, blocks, ends, on_top, reads
    op = OPS[name] = Op(name, kind, reference, takes, gives, attrs, types, *rest)
    return op
