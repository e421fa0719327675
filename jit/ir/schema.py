"""The columns of the table of ops: classes of values, kinds, effects, and the row itself.

The rows are in `primitives/`, a family a file, and `verify.py` checks graphs against them. A new
kind of fact about ops is a field of `Op` here; a new op is a row there.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..frozen import dataclass
from .attributes import Attr
from .intervals import Interval
from .types import ArrayType, ListType, ObjectType, ScalarType, Type

if TYPE_CHECKING:
    from .graph import Node, Value

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


class Applies(enum.Enum):
    """The way in which a node applies the function or ufunc that it carries as an attribute."""

    NUMBERS = enum.auto()
    """A function of numbers, to numbers."""
    ITEMS = enum.auto()
    """A ufunc, item by item."""
    REDUCE = enum.auto()
    """The method `reduce` of a ufunc, to lines or whole arrays."""
    ACCUMULATE = enum.auto()
    """The method `accumulate` of a ufunc, to lines."""
    LINES = enum.auto()
    """A function that is no ufunc, to lines."""
    CORE = enum.auto()
    """A generalised ufunc, to core axes."""


class Jump(enum.Enum):
    """The target of a jump at the end of a block."""

    CONTINUE = enum.auto()
    """To the next iteration of the innermost loop."""
    BREAK = enum.auto()
    """Out of the innermost loop."""


class Writes(enum.Enum):
    """The inputs that a node changes."""

    FIRST = enum.auto()
    """Input 0: an array, a list or a generator."""
    ANY = enum.auto()
    """Perhaps each array or object among them."""


class AxisOrder(enum.Enum):
    """Order of the axes of a new array in memory."""

    C = enum.auto()
    """As in a C-contiguous array."""
    FIRST = enum.auto()
    """As in input 0; arbitrary strides of axes with length 1 count."""
    OPERANDS = enum.auto()
    """By the strides of all operands. The type has fixed the place of axes with length 1."""


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


Numbers = Mapping["Value", Any]
"""Values of the constants of a graph."""
SilenceRule = Callable[["Node", Numbers], bool]
"""True if a node raises, warns and leaves for no inputs of its types; constants are known."""


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
    """The rule that gives the result types for inputs and attributes."""
    lacks: Mapping[str, str] = field(default_factory=dict)
    """The reason why the row has no value in a column that its kind needs."""

    # ---- effects
    effect: Effect | None = None
    """The effect of a node besides its results, exceptions and flags; None if there is none."""
    writes: Writes | None = None
    """The inputs that it changes; None if none."""
    overwrites: bool = False
    """True if it assigns input 1 to all items of input 0, and reads none of these."""
    resizes: bool = False
    """True if it changes the length of the list that is input 0."""
    silent: bool = False
    """True if a node never raises, warns or leaves, whatever its inputs are."""
    silent_if: SilenceRule | None = None
    """Tells of a node that it never does. None if it always may, or never does."""
    moves: bool = False
    """True if it only moves values or control, so that the processor's flags stay as they are."""

    # ---- results
    applies: Applies | None = None
    """The way in which it applies the function or ufunc of a node; None if nodes carry none."""
    computes: bool = False
    """True if a NaN in the result may be one that the operation computed, not an operand's."""
    selects: bool = False
    """True if each item of the result is that of input 1 or of input 2, as input 0 decides."""
    is_constant: bool = False
    """True if the result is the number `attrs["value"]`."""
    converts: bool = False
    """True if it converts items to the dtype `attrs["dtype"]`."""
    indexes: bool = False
    """True if it applies the basic index `attrs["index"]`, whose numbers are inputs 1, 2, ..."""
    in_order: bool = False
    """True for views that hold all items of their input in the same order."""
    axis_order: AxisOrder | None = None
    """Order of the axes of a new array in memory; None if NumPy is asked on examples only."""
    interval: Callable[[Attrs], Interval] | None = None
    """The interval of an int result that does not depend on operands. Functions of numbers have
    rules of their own (`Primitive.interval`)."""
    gufunc: Callable[[Attrs], np.ufunc] | None = None
    """The generalised ufunc that computes the result; its signature says how core axes match."""
    reads: bool = True
    """False if the result depends on the lengths of arrays only, not on their items."""
    of_numbers: bool = False
    """True if the result is a number that follows from numbers and lengths."""
    makes: bool = False
    """True if results that are arrays are new ones."""
    only_reads: bool = False
    """True if nodes only read items, and their results share no memory with inputs: an input may be
    replaced by an equal array."""
    one_item: bool = False
    """True if a node on 1-d arrays without gaps needs no other kernel for one item: NumPy's result
    has the same dtype, axes and order in memory as those of longer arrays."""
    holds: bool = False
    """True if a node may keep its inputs alive: exits hand them out, regions pass them on, and
    the result of a call may be a view of them."""

    # ---- control
    blocks: int = 0
    """Number of regions of its nodes."""
    branches: bool = False
    """True if control passes through one of its blocks, as input 0 decides."""
    loops: bool = False
    """True if control may pass through its block several times."""
    counted: bool = False
    """True for loops over `range(*inputs[:3])`; the block's first parameter is the index."""
    jump: Jump | None = None
    """The target of its jump; None if it does not jump."""
    ends: bool = False
    """True if nothing after such a node in its block runs."""
    on_top: bool = False
    """True if it may not occur in a region."""
    hands_over: bool = False
    """True for branches, loops and jumps, which pass values between blocks (`edges.py`)."""

    @property
    def by_method(self) -> bool:
        """True if warnings name a method of the ufunc instead of the ufunc."""
        return self.applies in (Applies.REDUCE, Applies.ACCUMULATE, Applies.LINES)

    @property
    def is_nullary(self) -> bool:
        """True if nodes take no inputs."""
        return self.takes.most == 0


NEEDS: Mapping[Kind, tuple[str, ...]] = {
    Kind.ELEMENTWISE: ("reference", "silent", "applies", "axis_order"),
    Kind.VIEW: ("reference", "silent"),
    Kind.REDUCE: ("reference", "silent", "applies", "axis_order"),
    Kind.SCAN: ("reference", "silent", "applies", "axis_order"),
    Kind.CORE: ("reference", "silent", "applies", "axis_order", "gufunc"),
    Kind.FIND: ("reference", "silent", "axis_order"),
    Kind.CREATE: ("reference", "silent", "axis_order"),
    Kind.SCALAR: ("reference", "silent", "interval"),
    Kind.OPAQUE: ("reference", "effect"),
    Kind.STORE: ("reference", "effect", "writes"),
    Kind.CONTROL: ("reference", "effect"),
}
"""Columns in which rows of a kind have a value, or else a reason in `lacks`. A rule in `silent_if`
counts as `silent`."""

_MAKES = (Kind.ELEMENTWISE, Kind.REDUCE, Kind.SCAN, Kind.CORE, Kind.FIND, Kind.CREATE)
_ONLY_READ = (Kind.ELEMENTWISE, Kind.REDUCE, Kind.SCALAR)
_MOVE = (Kind.CONTROL, Kind.VIEW)

OPS: dict[str, Op] = {}
"""All rows by name."""


def row(
    name: str,
    kind: Kind,
    reference: Callable[..., Any] | None,
    signature: str,
    types: TypeRule,
    /,
    **more: Any,
) -> Op:
    """Add a row; `signature` has the classes of inputs and results: `array, int* -> array`.

    `more` has the attributes of nodes, and values of other columns.
    """
    takes, gives = map(Operands.of, signature.split("->"))
    attrs = {key: one for key, one in more.items() if isinstance(one, Attr)}
    facts = {key: one for key, one in more.items() if key not in attrs}
    hands_over = facts.get("blocks", 0) > 0 or "jump" in facts
    facts["holds"] = facts.get("holds", False) or hands_over or kind is Kind.OPAQUE
    facts["moves"] = facts.get("moves", False) or kind in _MOVE
    op = OPS[name] = Op(
        *(name, kind, reference, takes, gives, attrs, types),
        hands_over=hands_over,
        makes=kind in _MAKES,
        only_reads=kind in _ONLY_READ,
        **facts,
    )
    return op
