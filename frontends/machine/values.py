"""What stands on the symbolic stack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from types import CellType, CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from ...guards.sources import Source
from ...jit.flags import Modes
from ...jit.frozen import dataclass
from ...jit.ir import graph as ir
from ...jit.ir.types import ArrayType, ScalarType

if TYPE_CHECKING:
    from .flow.ways import Way


@dataclass(frozen=True, eq=False, slots=True)
class Null:
    """The NULL that a call sequence pushes."""


NULL = Null()


@dataclass(frozen=True, eq=False, slots=True)
class Unread:
    """An object that a source reaches; nothing is guarded until somebody looks at it."""

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
    """Where the very object comes from, when it is a live-in and not a result."""

    @property
    def type(self) -> ArrayType:
        """dtype, dims and layout."""
        assert isinstance(self.value.type, ArrayType)
        return self.value.type


@dataclass(frozen=True, eq=False, slots=True)
class Scalar:
    """A Python or NumPy scalar of the graph."""

    value: ir.Value
    source: Source | None = None
    box: ir.Value | None = None
    """Where it is told apart from equal numbers: the place of its object, see boxes.py."""

    @property
    def type(self) -> ScalarType:
        """dtype, and whether it is a Python scalar."""
        assert isinstance(self.value.type, ScalarType)
        return self.value.type


@dataclass(frozen=True, eq=False, slots=True)
class Flat:
    """`x.flat` of an array, of which no item has been taken yet."""

    owner: Array


@dataclass(frozen=True, eq=False, slots=True)
class Flags:
    """`x.flags` of an array."""

    owner: Array


@dataclass(frozen=True, eq=False, slots=True)
class Opaque:
    """An object that the graph hands on: a generator of random numbers that is made here, a str."""

    value: ir.Value
    kind: type


@dataclass(frozen=True, eq=False, slots=True)
class Tuple:
    """A tuple."""

    items: tuple[Symbolic, ...]
    source: Source | None = None
    named: type | None = None
    """The class of a named tuple."""


# ---- objects that may change: what they hold now stands in the heap --------------------------


@dataclass(frozen=True, eq=False, slots=True)
class List:
    """A list: made here, or a live-in."""

    source: Source | None = None
    object: list[Any] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Dict:
    """A dict: made here, or a live-in."""

    source: Source | None = None
    object: dict[Any, Any] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Cell:
    """A cell of a closure: made here, or a live-in."""

    name: str
    source: Source | None = None
    object: CellType | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Instance:
    """An object of a class of the user's: made here, or a live-in."""

    class_: type
    """Who uses it for a live-in sees to the guards; `kind` has one."""
    source: Source | None = None
    object: Any = None
    rely_on_class: Callable[[], None] | None = None
    """Guards that it is an object of that very class; None where that is relied on in any case."""

    @property
    def kind(self) -> type:
        """Its class, which the segment relies on from here on."""
        if self.rely_on_class is not None:
            self.rely_on_class()
        return self.class_


@dataclass(frozen=True, eq=False, slots=True)
class Iterator:
    """An iterator other than that of a `for` over a range."""


# ---- what can be called ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class UserFunction:
    """A function of the user's, known by its code: another one of that `def` may take its place."""

    object: FunctionType
    source: Source


@dataclass(frozen=True, eq=False, slots=True)
class NewFunction:
    """A function that is made here."""

    code: CodeType
    namespace: dict[str, Any]
    defaults: tuple[Symbolic, ...] = ()
    kwdefaults: dict[str, Symbolic] = field(default_factory=dict)
    closure: tuple[Cell, ...] = ()
    annotations: tuple[Symbolic, ...] = ()
    """Names and annotations in turn; since 3.14 the function that gives them."""


@dataclass(frozen=True, eq=False, slots=True)
class BoundMethod:
    """A function bound to its first argument."""

    function: Symbolic
    owner: Symbolic
    source: Source | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Partial:
    """A `functools.partial` that is made here."""

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
    """A str that is put together when somebody gets to see it."""

    function: Callable[..., str]
    parts: tuple[Symbolic, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Computed:
    """A number that an exit computes: no kernel has it."""

    function: Callable[..., object]
    parts: tuple[Symbolic, ...]


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """`d.keys()`, `d.values()` or `d.items()` of a dict."""

    owner: Dict
    kind: str


@dataclass(frozen=True, eq=False, slots=True)
class Slice:
    """A slice: start, stop, step; made here, or a live-in."""

    parts: tuple[Symbolic, ...]
    source: Source | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Range:
    """A `range` object: start, stop, step; made here, or a live-in."""

    parts: tuple[Symbolic, ...]
    source: Source | None = None


@dataclass(frozen=True, eq=False, slots=True)
class RangeIterator:
    """An iterator over a range: what is left of it, as start, stop, step."""

    parts: tuple[Symbolic, ...]
    taken: bool = False
    """The start has been handed out: what is left begins behind it."""


@dataclass(frozen=True, eq=False, slots=True)
class Walk:
    """An iterator of a `for` whose items follow from their positions."""

    way: Way
    count: Symbolic
    """How many items there are."""
    position: Symbolic | None = None
    """Of the item that has been handed out last."""


@dataclass(frozen=True, eq=False, slots=True)
class Spent:
    """The iterator of a loop that was left: from here on it is only thrown away."""


@dataclass(frozen=True, eq=False, slots=True)
class Method:
    """A method looked up on an array or scalar of the graph, not yet called."""

    owner: Array | Scalar
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class ErrorState:
    """An `np.errstate`, not entered yet."""

    given: tuple[tuple[str, str], ...]
    """The kinds of flags that it is about, and what it says about them."""
    handler: Symbolic | None
    """What it is to call; None where it does not say."""


@dataclass(frozen=True, eq=False, slots=True)
class ErrorStateEnd:
    """The `__exit__` of one that is entered."""

    entered: ErrorState
    around: Modes | None
    """What was said before; None for what `with` looks up before it enters (since 3.14)."""


@dataclass(frozen=True, eq=False, slots=True)
class Unknown:
    """Something that only running the program will tell.

    It is what a break gave, or a stack item that belongs to a loop or `with` around the segment.
    """

    what: str


@dataclass(frozen=True, eq=False, slots=True)
class NotKept:
    """What a local holds that nothing reads any more, and that a region did not hand over.

    An exit that goes on in the frame has to store it, for `locals()` and whoever reads the frame:
    there the capture starts over, and regions hand it over, see `LocalsNotKept`.
    """


NOT_KEPT = NotKept()


@dataclass(frozen=True, eq=False, slots=True)
class Untouched:
    """What a bound local holds that nothing reads after the segment begins.

    The segment does not get it. Where it has not assigned the local an exit leaves it as it is;
    None would say that the local is unbound.
    """


UNTOUCHED = Untouched()

PYTHON, NUMPY = 0, 1
"""Of a number that is Python's or NumPy's: the tags, which are places among its alternatives."""
TWINS: dict[str, tuple[type, type]] = {
    "?": (bool, np.bool_),
    "l": (int, np.int64),
    "d": (float, np.float64),
}
"""By character of the dtype, the class that Python and the one that NumPy has for a number."""
OF_BOTH: dict[str, tuple[type, type]] = {**TWINS, "D": (complex, np.complex128)}
"""With those whose arithmetic is not the same."""


@dataclass(frozen=True, eq=False, slots=True)
class Union:
    """One of several: where paths met that had brought different kinds of value."""

    tag: ir.Value
    """An int of the graph: which of them it is."""
    alternatives: tuple[tuple[int, Symbolic | None], ...]
    """Each with its number; None for a variable that is unbound."""
    twins: bool = False
    """The same number as Python's and as NumPy's, see twins.py."""
    box: ir.Value | None = None
    """As of a Scalar."""


def may_be_unbound(value: Symbolic | None) -> TypeGuard[Union]:
    """True of a variable that is unbound on some of the ways that have led here."""
    return isinstance(value, Union) and any(one is None for _, one in value.alternatives)


def with_box(number: Scalar | Union, box: ir.Value) -> Scalar | Union:
    """The number with the place of its object, of whichever kind it is."""
    if isinstance(number, Scalar):
        return replace(number, box=box)
    kinds = [(k, replace(one, box=box)) for k, one in number.alternatives if type(one) is Scalar]
    return replace(number, alternatives=tuple(kinds), box=box)


Callee = UserFunction | NewFunction | BoundMethod | Partial
Outside = List | Dict | Cell | Instance
"""What may be a live-in and change."""
Object = Outside | Iterator
"""What the heap knows."""
Symbolic = (
    Unknown
    | NotKept
    | Untouched
    | Null
    | Unread
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
    | Walk
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
