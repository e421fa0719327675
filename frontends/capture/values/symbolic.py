"""The symbolic values on the machine's stack and in its locals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from types import CellType, CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeGuard

from ....guards.sources import Source
from ....jit.flags import Modes
from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.types import ArrayType, ScalarType

if TYPE_CHECKING:
    from .item_sources import ItemSource


@dataclass(frozen=True, eq=False, slots=True)
class Null:
    """The NULL that a call sequence pushes."""


NULL = Null()
INDEX = Null()
"""The NULL of an iterator, see `bytecode.kinds.Kind.INDEX`."""


@dataclass(frozen=True, eq=False, slots=True)
class Lazy:
    """A live-in that no instruction has used yet, so that no guard is needed for it.

    `realise` in `state/live.py` adds the guards, and returns the value in its place.
    """

    source: Source
    object: Any


@dataclass(frozen=True, eq=False, slots=True)
class Known:
    """A Python object known at capture: a constant, or an object whose identity is guarded."""

    object: Any
    source: Source | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Array:
    """An ndarray of the graph."""

    value: ir.Value
    source: Source | None = None
    """Source of the object itself if it is a live-in instead of a result."""

    @property
    def type(self) -> ArrayType:
        """The dtype, dims and layout."""
        assert isinstance(self.value.type, ArrayType)
        return self.value.type


@dataclass(frozen=True, eq=False, slots=True)
class Scalar:
    """A Python or NumPy scalar of the graph."""

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
class Flat:
    """`x.flat` of an array, not yet iterated."""

    owner: Array


@dataclass(frozen=True, eq=False, slots=True)
class Flags:
    """`x.flags` of an array."""

    owner: Array


@dataclass(frozen=True, eq=False, slots=True)
class Opaque:
    """An object that the graph passes on: a random generator made here, a str."""

    value: ir.Value
    kind: type


@dataclass(frozen=True, eq=False, slots=True)
class Tuple:
    """A tuple."""

    items: tuple[Symbolic, ...]
    source: Source | None = None
    named: type | None = None
    """Class of a named tuple."""


# ---- objects that may change: what they hold now stands in the heap --------------------------


@dataclass(frozen=True, eq=False, slots=True)
class List:
    """A list, made here or a live-in."""

    source: Source | None = None
    object: list[Any] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Dict:
    """A dict, made here or a live-in."""

    source: Source | None = None
    object: dict[Any, Any] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Cell:
    """A closure cell, made here or a live-in."""

    name: str
    source: Source | None = None
    object: CellType | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Instance:
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
class Iterator:
    """An iterator, except that of a `for` over a range."""


# ---- what can be called ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class UserFunction:
    """A user's function, identified by its code; another one from the same `def` may replace it."""

    object: FunctionType
    source: Source


@dataclass(frozen=True, eq=False, slots=True)
class NewFunction:
    """A function made here."""

    code: CodeType
    namespace: dict[str, Any]
    defaults: tuple[Symbolic, ...] = ()
    kwdefaults: dict[str, Symbolic] = field(default_factory=dict)
    closure: tuple[Cell, ...] = ()
    annotations: tuple[Symbolic, ...] = ()
    """Names and annotations alternately; since 3.14 the function that computes them."""


@dataclass(frozen=True, eq=False, slots=True)
class BoundMethod:
    """A function bound to its first argument."""

    function: Symbolic
    owner: Symbolic
    source: Source | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Partial:
    """A `functools.partial` made here."""

    function: Symbolic
    arguments: tuple[Symbolic, ...]
    keywords: dict[str, Symbolic]


@dataclass(frozen=True, eq=False, slots=True)
class SuperObject:
    """`super(cls, owner)`."""

    cls: type
    owner: Instance


@dataclass(frozen=True, eq=False, slots=True)
class Text:
    """A str that is assembled when the program can see it."""

    function: Callable[..., str]
    parts: tuple[Symbolic, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Computed:
    """A number that an exit computes instead of the kernel."""

    function: Callable[..., object]
    parts: tuple[Symbolic, ...]


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """`d.keys()`, `d.values()` or `d.items()` of a dict."""

    owner: Dict | Instance
    kind: str


@dataclass(frozen=True, eq=False, slots=True)
class Slice:
    """A slice (start, stop, step), made here or a live-in."""

    parts: tuple[Symbolic, ...]
    source: Source | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Range:
    """A `range` object (start, stop, step), made here or a live-in."""

    parts: tuple[Symbolic, ...]
    source: Source | None = None


@dataclass(frozen=True, eq=False, slots=True)
class RangeIterator:
    """An iterator over a range: start, stop and step of the remaining numbers."""

    parts: tuple[Symbolic, ...]
    taken: bool = False
    """True if the start has been handed out already."""


@dataclass(frozen=True, eq=False, slots=True)
class PositionalIter:
    """The iterator of a `for` that computes each item from its position: `x[i]` for an array."""

    item_source: ItemSource
    """How an item is computed from its position."""
    count: Symbolic
    """Number of items."""
    position: Symbolic | None = None
    """Position of the item handed out last."""


@dataclass(frozen=True, eq=False, slots=True)
class Spent:
    """The iterator of a loop that was left; it is only discarded."""


@dataclass(frozen=True, eq=False, slots=True)
class Method:
    """A method of an array or scalar of the graph, looked up but not yet called."""

    owner: Array | Scalar
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class ErrorState:
    """An `np.errstate` that has not been entered."""

    given: tuple[tuple[str, str], ...]
    """(kind of flag, mode) pairs."""
    handler: Symbolic | None
    """Handler to call; None if not given."""


@dataclass(frozen=True, eq=False, slots=True)
class ErrorStateEnd:
    """The `__exit__` of an entered `np.errstate`."""

    entered: ErrorState
    around: Modes | None
    """The modes before it; None for what `with` looks up before entering (since 3.14)."""


@dataclass(frozen=True, eq=False, slots=True)
class Unknown:
    """A value known only at run time.

    It is the result of a break, or a stack item of a loop or `with` around the segment.
    """

    what: str


@dataclass(frozen=True, eq=False, slots=True)
class NotKept:
    """The content of a local that nothing reads any more and that a region did not hand over.

    An exit that continues in the frame has to store it, as `locals()` can show it: then the capture
    is repeated and regions hand it over, see `LocalsNotKept`.
    """


NOT_KEPT = NotKept()


@dataclass(frozen=True, eq=False, slots=True)
class Untouched:
    """The content of a bound local that nothing reads after the segment begins.

    It is not passed to the segment. If the segment does not assign the local, exits leave it as it
    is; None would mean that it is unbound.
    """


UNTOUCHED = Untouched()


@dataclass(frozen=True, eq=False, slots=True)
class Union:
    """One of several kinds of value, where paths with different kinds have met."""

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


Callee = UserFunction | NewFunction | BoundMethod | Partial
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
    | Flat
    | Flags
    | Opaque
    | Slice
    | Range
    | RangeIterator
    | PositionalIter
    | Spent
    | Method
    | Object
    | Callee
    | SuperObject
    | Text
    | Computed
    | View
    | Union
    | ErrorState
    | ErrorStateEnd
)
