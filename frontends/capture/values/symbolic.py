"""The symbolic values on the machine's stack and in its locals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from types import CellType, CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from ....guards.sources import Source
from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.types import ArrayType, ScalarType
from ....jit.native import Dispatcher
from .value_kind import Callee, ValueKind

if TYPE_CHECKING:
    from .item_sources import ItemSource


@dataclass(frozen=True, eq=False, slots=True)
class Null(ValueKind):
    """The NULL that a call sequence pushes."""

    words = "something made earlier in the line"


NULL = Null()
INDEX = Null()
"""The NULL of an iterator, see `bytecode.kinds.Kind.INDEX`."""


@dataclass(frozen=True, eq=False, slots=True)
class Lazy(ValueKind):
    """A live-in that no instruction has used yet, so that no guard is needed for it.

    `realise` in `state/live.py` adds the guards, and returns the value in its place.
    """

    source: Source
    object: Any


@dataclass(frozen=True, eq=False, slots=True)
class Known(ValueKind):
    """A Python object known at capture: a constant, or an object whose identity is guarded."""

    object: Any
    source: Source | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Array(ValueKind):
    """An ndarray of the graph."""

    words = "an array"
    stands_for = np.ndarray
    value: ir.Value
    source: Source | None = None
    """Source of the object itself if it is a live-in instead of a result."""

    @property
    def type(self) -> ArrayType:
        """The dtype, dims and layout."""
        assert isinstance(self.value.type, ArrayType)
        return self.value.type


@dataclass(frozen=True, eq=False, slots=True)
class Scalar(ValueKind):
    """A Python or NumPy scalar of the graph."""

    words = "a number"
    value: ir.Value
    source: Source | None = None
    box: ir.Value | None = None
    """Place of its object in a table, if its identity matters; see number_identity.py."""

    @property
    def type(self) -> ScalarType:
        """The dtype, and whether it is a Python scalar."""
        assert isinstance(self.value.type, ScalarType)
        return self.value.type


@dataclass(frozen=True, eq=False, slots=True)
class Opaque(ValueKind):
    """An object that the graph passes on: a random generator made here, a str."""

    value: ir.Value
    kind: type


@dataclass(frozen=True, eq=False, slots=True)
class Tuple(ValueKind):
    """A tuple."""

    words = "a tuple"
    items: tuple[Symbolic, ...]
    source: Source | None = None
    named: type | None = None
    """Class of a named tuple."""


# ---- objects that may change: what they hold now stands in the heap --------------------------


@dataclass(frozen=True, eq=False, slots=True)
class List(ValueKind):
    """A list, made here or a live-in."""

    words = "a list"
    stands_for = list
    source: Source | None = None
    object: list[Any] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Dict(ValueKind):
    """A dict, made here or a live-in."""

    words = "a dict"
    stands_for = dict
    source: Source | None = None
    object: dict[Any, Any] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Cell(ValueKind):
    """A closure cell, made here or a live-in."""

    name: str
    source: Source | None = None
    object: CellType | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Instance(ValueKind):
    """An object of a user's class, made here or a live-in."""

    class_: type
    """Class; users of it for a live-in must add guards, as `kind` does."""
    source: Source | None = None
    object: Any = None
    rely_on_class: Callable[[], None] | None = None
    """Guards that it is of exactly that class; None if that is guarded already."""

    @property
    def kind(self) -> type:
        """Return its class, on which the segment then relies."""
        if self.rely_on_class is not None:
            self.rely_on_class()
        return self.class_


@dataclass(frozen=True, eq=False, slots=True)
class Iterator(ValueKind):
    """An iterator, except that of a `for` over a range."""

    words = "an iterator"


# ---- what can be called ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class UserFunction(Callee):
    """A user's function, identified by its code; another one from the same `def` may replace it."""

    stands_for = FunctionType
    object: FunctionType
    source: Source


@dataclass(frozen=True, eq=False, slots=True)
class JittedFunction(Callee):
    """A decorated function, identified by the code that its decorator was given."""

    stands_for = Dispatcher
    object: Dispatcher
    source: Source


@dataclass(frozen=True, eq=False, slots=True)
class NewFunction(Callee):
    """A function made here."""

    stands_for = FunctionType
    code: CodeType
    namespace: dict[str, Any]
    defaults: tuple[Symbolic, ...] = ()
    kwdefaults: dict[str, Symbolic] = field(default_factory=dict)
    closure: tuple[Cell, ...] = ()
    annotations: tuple[Symbolic, ...] = ()
    """Names and annotations alternately; since 3.14 the function that computes them."""


@dataclass(frozen=True, eq=False, slots=True)
class BoundMethod(Callee):
    """A function bound to its first argument."""

    words = "a method"
    function: Symbolic
    owner: Symbolic
    source: Source | None = None


@dataclass(frozen=True, eq=False, slots=True)
class PositionalIter(ValueKind):
    """The iterator of a `for` that computes each item from its position: `x[i]` for an array."""

    words = "an iterator"
    item_source: ItemSource
    """Gives an item from its position."""
    count: Symbolic
    """Number of items."""
    position: Symbolic | None = None
    """Position of the item handed out last."""


@dataclass(frozen=True, eq=False, slots=True)
class Spent(ValueKind):
    """The iterator of a loop that was left; it is only discarded."""

    words = "an iterator"


@dataclass(frozen=True, eq=False, slots=True)
class Method(ValueKind):
    """A method of an array or scalar of the graph, looked up but not yet called."""

    words = "a method"
    owner: Array | Scalar
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Unknown(ValueKind):
    """A value known only at run time.

    It is the result of a break, or a stack item of a loop or `with` around the segment.
    """

    words = "something made earlier in the line"
    what: str


@dataclass(frozen=True, eq=False, slots=True)
class NotKept(ValueKind):
    """The content of a local that nothing reads any more and that a region did not hand over.

    An exit that continues in the frame has to store it, as `locals()` can show it: then the capture
    is repeated and regions hand it over, see `LocalsNotKept`.
    """


NOT_KEPT = NotKept()


@dataclass(frozen=True, eq=False, slots=True)
class Untouched(ValueKind):
    """The content of a bound local that nothing reads after the segment begins.

    It is not passed to the segment. If the segment does not assign the local, exits leave it as it
    is; None would mean that it is unbound.
    """


UNTOUCHED = Untouched()


@dataclass(frozen=True, eq=False, slots=True)
class Union(ValueKind):
    """One of several kinds of value, where paths with different kinds have met."""

    words = "a value of one of several kinds"
    tag: ir.Value
    """An int of the graph that tells which."""
    alternatives: tuple[tuple[int, Symbolic | None], ...]
    """(tag, value) pairs; None for an unbound variable."""
    either_number: bool = False
    """True for one number as Python's and as NumPy's, whose kind is decided at run time."""
    box: ir.Value | None = None
    """Place of its object, as for a Scalar."""


def may_be_unbound(value: Symbolic | None) -> TypeGuard[Union]:
    """True for a variable that is unbound on some of the paths that led here."""
    return isinstance(value, Union) and any(one is None for _, one in value.alternatives)


Outside = List | Dict | Cell | Instance
"""Mutable values that may be live-ins."""
Object = Outside | Iterator
"""Values whose state is in the heap."""
Symbolic = (
    Unknown
    | NotKept
    | Untouched
    | Null
    | Lazy
    | Known
    | Array
    | Scalar
    | Tuple
    | Opaque
    | PositionalIter
    | Spent
    | Method
    | Object
    | Union
    | UserFunction
    | JittedFunction
    | NewFunction
    | BoundMethod
    | ValueKind
)
