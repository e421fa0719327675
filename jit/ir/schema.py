"""The parts of rows of the op table: classes of values, attributes, effects, and the row itself.

The rows are in `ops.py`, and `verify.py` checks graphs against them. A new kind of fact about ops
is a field of `Op` here; a new op is a row there.
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
    """Families of ops by how results follow from inputs; backends choose their strategy by it."""

    ELEMENTWISE = enum.auto()
    """Each result element follows from one element of each input, after broadcasting."""
    VIEW = enum.auto()
    """Another view of the memory of input 0; no data is moved."""
    REDUCE = enum.auto()
    """Removes axes of input 0."""
    SCAN = enum.auto()
    """Each result element follows from the elements of input 0 before it along an axis."""
    CORE = enum.auto()
    """Core axes of the inputs are combined; the remaining axes broadcast."""
    FIND = enum.auto()
    """Searches the inputs for items, indices or counts."""
    CREATE = enum.auto()
    """A new array or list from scalars."""
    SCALAR = enum.auto()
    """Scalars in, scalar out."""
    OPAQUE = enum.auto()
    """The real function is called."""
    STORE = enum.auto()
    """Writes into memory, of input 0 unless the op says otherwise."""
    CONTROL = enum.auto()
    """Regions, checkpoints and exits."""


class Effect(enum.Enum):
    """An effect of a node that is visible outside of it; passes keep the order of effects."""

    WRITE = "a write to memory"
    """A write to arrays; for PUT also to random generators and Python lists."""
    LIST = "a change of a list"
    DRAW = "a draw from a generator"
    """A draw, or the making of a generator: each run makes another object."""
    UNDO = "a promise to undo"
    COMPARE = "a comparison of memory"
    HALT = "a test for a halted loop"
    CHECKPOINT = "a checkpoint"
    LEAVE = "an exit"
    BAIL = "a bail"
    JUMP = "an end of an iteration"
    REGION = "a region"


# ---- classes of values ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Operand:
    """A class of values, recognised by their types."""

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
"""The words that signatures consist of."""


@dataclass(frozen=True, slots=True)
class Operands:
    """The inputs, or the results, of an op's nodes."""

    fixed: tuple[Operand, ...]
    rest: Operand | None
    """Class of those after the fixed ones; None if there are no more."""
    least: int
    most: int | None
    """Largest number of them, including the fixed ones; None if unlimited."""

    @staticmethod
    def of(text: str) -> Operands:
        """Parse one side of a signature, `array, int*`; `+` is one or more, `?` one or none."""
        words = [word.strip() for word in text.split(",") if word.strip()]
        fixed = tuple(OPERANDS[word] for word in words if word[-1] not in "*+?")
        more = words[len(fixed) :]
        least = len(fixed) + sum(word[-1] == "+" for word in more)
        most = None if any(word[-1] in "*+" for word in more) else len(words)
        return Operands(fixed, OPERANDS[more[0][:-1]] if more else None, least, most)

    def may_be(self, count: int) -> bool:
        """True if nodes may have this many."""
        return self.least <= count and (self.most is None or count <= self.most)

    @property
    def count(self) -> str:
        """Describe for messages how many there may be."""
        if self.most is None:
            return f"{self.least} or more"
        return f"{self.least}" if self.most == self.least else f"{self.least} to {self.most}"

    def at(self, place: int) -> Operand:
        """Return the class of the one at this position."""
        if place < len(self.fixed):
            return self.fixed[place]
        assert self.rest is not None
        return self.rest


# ---- attributes ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attr:
    """An attribute of nodes and the values that it may have."""

    name: str
    holds: Callable[[Any], bool]
    required: bool = True


def optional(attr: Attr) -> Attr:
    """Return the same attribute, but one that nodes may lack."""
    return replace(attr, required=False)


def one_of(*values: str) -> Attr:
    """Return an attribute that is one of these words."""
    return Attr(f"one of {', '.join(map(repr, values))}", values.__contains__)


def or_none(attr: Attr) -> Attr:
    """Return the attribute, with None allowed as its value."""
    return Attr(f"{attr.name}, or None", lambda value: value is None or attr.holds(value))


def is_int(value: Any) -> bool:
    """True for a Python int that is not a bool."""
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
LOCALS_AFTER = one_of("one iteration", "inner iterations", "never")
A_SIDE = one_of("left", "right")
SIDES = Attr('a tuple of "left" and "right"', _are_sides)
A_BOOL = Attr("a bool", lambda value: type(value) is bool)
A_MARK = optional(Attr("True", lambda value: value is True))
"""An attribute that a node either lacks or has as True."""
AN_INDEX = Attr("a basic index", lambda value: isinstance(value, Index))
A_CALL = Attr("an opaque call", lambda value: isinstance(value, OpaqueCall))
A_NEST = Attr("a nest", lambda value: isinstance(value, Nest))


# ---- rows ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Typing:
    """The facts about one node that type rules use."""

    op: Op
    attrs: Attrs
    inputs: tuple[Type, ...]
    outputs: tuple[Type, ...]
    hints: tuple[Any, ...]
    """Values of scalar inputs at capture; None if unknown."""


TypeRule = Callable[[Typing], str | None]
"""Checks a node's types: returns what was expected if they do not fit, else None."""


@dataclass(frozen=True, eq=False, slots=True)
class Op:
    """A row of the op table."""

    name: str
    kind: Kind
    reference: Callable[..., Any] | None
    """`reference(attrs, *inputs)` evaluates the op with NumPy. It defines the op, runs it in the
    numpy backend, and gives result types when run on examples."""
    takes: Operands
    gives: Operands
    attrs: Mapping[str, Attr]
    """All attributes that nodes may have."""
    types: TypeRule
    """How result types follow from inputs and attributes."""
    effect: Effect | None = None
    """The effect of a node besides its results, exceptions and flags; None if there is none."""
    blocks: int = 0
    """Number of regions of its nodes."""
    ends: bool = False
    """True if nothing after such a node in its block runs."""
    on_top: bool = False
    """True if it may not occur in a region."""
    reads: bool = True
    """False if the result depends on the lengths of arrays only, not on their items."""
    silent: bool = False
    """True if a node never raises, warns or leaves, whatever its inputs are."""
    loops: bool = False
    """True if control may pass through its block several times."""
    computes: bool = False
    """True if a NaN in the result may be one that the operation computed, not an operand's."""
    holds: bool = False
    """True if a node may keep its inputs alive: exits hand them out, regions pass them on, and
    the result of a call may be a view of them."""
    hands_over: bool = False
    """True for branches, loops and jumps, which pass values between blocks (`edges.py`)."""
    makes: bool = False
    """True if results that are arrays are new ones."""
    only_reads: bool = False
    """True if nodes only read items, and their results share no memory with inputs: an input may be
    replaced by an equal array."""
    of_numbers: bool = False
    """True if the result is a number that follows from numbers and lengths."""
    moves: bool = False
    """True if it only moves values or control, so that the processor's flags stay as they are."""
    by_method: bool = False
    """True if a node calls a method of its ufunc, whose name is in warnings."""


_MAKES = (Kind.ELEMENTWISE, Kind.REDUCE, Kind.SCAN, Kind.CORE, Kind.FIND, Kind.CREATE)
_ONLY_READ = (Kind.ELEMENTWISE, Kind.REDUCE, Kind.SCALAR)
_MOVE = (Kind.CONTROL, Kind.VIEW)
_BY_METHOD = (Kind.REDUCE, Kind.SCAN)

OPS: dict[str, Op] = {}
"""All rows by name."""


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
    silent: bool = False,
    loops: bool = False,
    computes: bool = False,
    holds: bool = False,
    of_numbers: bool = False,
    moves: bool = False,
    **attrs: Attr,
) -> Op:
    """Add a row; `signature` has the classes of inputs and results: `array, int* -> array`."""
    takes, gives = map(Operands.of, signature.split("->"))
    hands_over = blocks > 0 or effect is Effect.JUMP
    op = OPS[name] = Op(
        *(name, kind, reference, takes, gives, attrs, types),
        effect=effect,
        blocks=blocks,
        ends=ends,
        on_top=on_top,
        reads=reads,
        silent=silent,
        loops=loops,
        computes=computes,
        holds=holds or hands_over or kind is Kind.OPAQUE,
        hands_over=hands_over,
        makes=kind in _MAKES,
        only_reads=kind in _ONLY_READ,
        of_numbers=of_numbers,
        moves=moves or kind in _MOVE,
        by_method=kind in _BY_METHOD,
    )
    return op
