"""Sources: how a guarded value is reached when a segment is entered.

One description serves the guards, the report and the recipes of exits. Each source says how C
fetches it (`fetch`) and reaches it itself, for messages (`reach`); neither runs code of the
program.
"""

from __future__ import annotations

import builtins
from dataclasses import field
from types import CellType, GetSetDescriptorType, MemberDescriptorType
from typing import Any, Protocol

import numpy as np

from .frozen import dataclass
from .grip import Grip

Fields = dict[str, int]
"""Operands of a fetch: a, b, c, object_, extra."""


class Slots(Protocol):
    """The guard program, as sources see it."""

    def slot(self, source: Source) -> int:
        """The slot of another source."""

    def object(self, value: Any) -> int:
        """The index of an object of the entry."""

    def held(self, grip: Grip) -> int:
        """The index of an object that the entry refers to weakly where it can."""

    def namespace(self, globals_: dict[str, Any]) -> tuple[int, int]:
        """The indices of a globals dict and of the builtins behind it."""


@dataclass(frozen=True, slots=True)
class Live:
    """A live-in that the caller hands over: an argument, a local, a stack item."""

    index: int
    """Position among the live-ins."""
    name: str
    """How the user calls it: "argument `x`"."""

    def __str__(self) -> str:
        return self.name

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        raise AssertionError(f"a live-in has its slot already: {self}")

    def reach(self, live: tuple[Any, ...]) -> Any:
        return live[self.index]


@dataclass(frozen=True, slots=True)
class Global:
    """A global of a module, or the builtin of that name when the module has none."""

    name: str
    namespace: dict[str, Any] = field(compare=False, repr=False)
    identity: int
    """Of the namespace: two modules may have one name."""
    behind: bool = True
    """False for an attribute of a module: a builtin of the name does not stand behind it."""

    @classmethod
    def of(cls, namespace: dict[str, Any], name: str, behind: bool = True) -> Global:
        """For a name in a namespace that is kept alive."""
        return cls(name, namespace, id(namespace), behind)

    def __str__(self) -> str:
        return f"global `{self.name}`"

    def namespaces(self, program: Slots) -> tuple[int, int]:
        """The indices of its namespace and of the builtins behind it, -1 without these."""
        globals_, behind = program.namespace(self.namespace)
        return globals_, behind if self.behind else -1

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        globals_, behind = self.namespaces(program)
        name = program.object(self.name)
        return "FETCH_GLOBAL", {"b": behind, "object_": name, "extra": globals_}

    def reach(self, live: tuple[Any, ...]) -> Any:
        if self.name in self.namespace or not self.behind:
            return self.namespace[self.name]
        return vars(builtins)[self.name]


@dataclass(frozen=True, slots=True)
class Contents:
    """What a closure's cell holds."""

    name: str
    cell: CellType = field(compare=False, repr=False)
    identity: int

    def __str__(self) -> str:
        return f"closure variable `{self.name}`"

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_CELL", {"object_": program.object(self.cell)}

    def reach(self, live: tuple[Any, ...]) -> Any:
        return _contents(self.cell, self)


@dataclass(frozen=True, slots=True)
class Held:
    """What a cell holds that another source reaches: a variable that inner functions share."""

    owner: Source
    name: str

    def __str__(self) -> str:
        return f"variable `{self.name}`"

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_CELL", {"a": program.slot(self.owner)}

    def reach(self, live: tuple[Any, ...]) -> Any:
        return _contents(self.owner.reach(live), self)


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of another source, by the generic look-up."""

    owner: Source
    name: str

    def __str__(self) -> str:
        return f"{self.owner}.{self.name}"

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_ATTR", {"a": program.slot(self.owner), "object_": program.object(self.name)}

    def reach(self, live: tuple[Any, ...]) -> Any:
        owner = self.owner.reach(live)
        is_class = issubclass(type(owner), type)  # isinstance() would read its `__class__`
        behind = _bases(owner if is_class else type(owner))
        for found in (vars(kind)[self.name] for kind in behind if self.name in vars(kind)):
            if is_class or (hasattr(type(found), "__get__") and type(found) not in _PLACES):
                return found
            break
        try:  # nothing of the user's runs, and no `__dict__` is made
            return object.__getattribute__(owner, self.name)
        except AttributeError:
            raise LookupError(str(self)) from None


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a tuple or list; below zero from its end."""

    owner: Source
    index: int

    def __str__(self) -> str:
        return f"{self.owner}[{self.index}]"

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_ITEM", {"a": program.slot(self.owner), "c": self.index}

    def reach(self, live: tuple[Any, ...]) -> Any:
        return self.owner.reach(live)[self.index]


@dataclass(frozen=True, slots=True)
class Length:
    """How many items a tuple or list has."""

    owner: Source

    def __str__(self) -> str:
        return f"len({self.owner})"

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_LENGTH", {"a": program.slot(self.owner)}

    def reach(self, live: tuple[Any, ...]) -> Any:
        return len(self.owner.reach(live))


@dataclass(frozen=True, slots=True)
class Number:
    """A number of one of several types, as a Python float or int of the same value."""

    owner: Source
    kinds: int
    """The types, as `numbers.py` numbers them."""
    whole: bool
    """An int is made of it."""
    exact: bool = False
    """An int is one that a float holds exactly."""

    def __str__(self) -> str:
        return str(self.owner)

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        how = self.whole | self.exact << 1
        fields = {"a": program.slot(self.owner), "b": how, "c": self.kinds}
        return "FETCH_NUMBER", fields

    def reach(self, live: tuple[Any, ...]) -> Any:
        number = self.owner.reach(live)
        return int(number) if self.whole else float(number)


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of Python's numbers, all of them floats or all ints, as the array that it makes."""

    owner: Source
    whole: bool
    """They are ints."""

    def __str__(self) -> str:
        return str(self.owner)

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_LISTED", {"a": program.slot(self.owner), "b": int(self.whole)}

    def reach(self, live: tuple[Any, ...]) -> Any:
        numbers = self.owner.reach(live)
        if any(type(one) is not (int if self.whole else float) for one in numbers):
            raise LookupError(str(self))
        if self.whole and not all(-(2**63) <= one < 2**63 for one in numbers):
            raise LookupError(str(self))
        return np.array(numbers, np.int64 if self.whole else np.float64)


@dataclass(frozen=True, slots=True)
class Reduced:
    """What an iterator of Python's says of itself: how to make one that stands where it does.

    Its exact type is guarded before: a range, an array, `reversed`, `enumerate` or `zip`.
    """

    owner: Source

    def __str__(self) -> str:
        return f"state of {self.owner}"

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_REDUCED", {"a": program.slot(self.owner)}

    def reach(self, live: tuple[Any, ...]) -> Any:
        return self.owner.reach(live).__reduce__()


@dataclass(frozen=True, slots=True)
class Key:
    """The value under a key of an exact dict."""

    owner: Source
    key: Any

    def __str__(self) -> str:
        return f"{self.owner}[{self.key!r}]"

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_KEY", {"a": program.slot(self.owner), "object_": program.object(self.key)}

    def reach(self, live: tuple[Any, ...]) -> Any:
        return self.owner.reach(live)[self.key]


@dataclass(frozen=True, slots=True)
class ClosureCell:
    """A cell of another function's closure."""

    owner: Source
    index: int
    name: str

    def __str__(self) -> str:
        return f"variable `{self.name}` of {self.owner}"

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_CLOSURE", {"a": program.slot(self.owner), "c": self.index}

    def reach(self, live: tuple[Any, ...]) -> Any:
        return (self.owner.reach(live).__closure__ or ())[self.index]


@dataclass(frozen=True, slots=True)
class Defaults:
    """The tuple of another function's defaults, or the dict of its keyword defaults."""

    owner: Source
    keywords: bool = False

    def __str__(self) -> str:
        return f"{'keyword ' if self.keywords else ''}defaults of {self.owner}"

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_DEFAULTS", {"a": program.slot(self.owner), "c": int(self.keywords)}

    def reach(self, live: tuple[Any, ...]) -> Any:
        name = "__kwdefaults__" if self.keywords else "__defaults__"
        found = getattr(self.owner.reach(live), name, None)
        if found is None:
            raise LookupError(str(self))
        return found


@dataclass(frozen=True, slots=True)
class Super:
    """What `super(cls, owner).name` finds, as it stands in the class."""

    owner: Source
    cls: Grip
    name: str
    of_class: bool = False
    """The source leads to the class of the owner: an object that is made in the segment."""

    def __str__(self) -> str:
        return f"super().{self.name} of {self.owner}"

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_SUPER", {
            "a": program.slot(self.owner),
            "c": int(self.of_class),
            "object_": program.held(self.cls),
            "extra": program.object(self.name),
        }

    def reach(self, live: tuple[Any, ...]) -> Any:
        reached = self.owner.reach(live)
        behind, cls = _bases(reached if self.of_class else type(reached)), self.cls.get()
        after = behind[behind.index(cls) + 1 :] if cls in behind else ()
        for kind in after:
            if self.name in vars(kind):
                return vars(kind)[self.name]
        raise LookupError(str(self))


@dataclass(frozen=True, slots=True)
class Fixed:
    """An object that another guard has settled: a default, a function of a class."""

    object: Grip
    name: str

    @classmethod
    def of(cls, object_: Any, name: str) -> Fixed:
        """For an object that is alive."""
        return cls(Grip.of(object_), name)

    def __str__(self) -> str:
        return self.name

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_OBJECT", {"object_": program.held(self.object)}

    def reach(self, live: tuple[Any, ...]) -> Any:
        return self.object.get()


_PLACES = (MemberDescriptorType, GetSetDescriptorType)
"""Descriptors of C: slots, and what builtin types show."""
_bases = type.__dict__["__mro__"].__get__
"""The classes behind a class: a metaclass may answer otherwise, in code of the user's."""


def _contents(cell: CellType, source: Source) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        raise LookupError(str(source)) from None


Source = (
    Live
    | Global
    | Contents
    | Held
    | Attribute
    | Item
    | Length
    | Number
    | Listed
    | Reduced
    | Key
    | ClosureCell
    | Defaults
    | Super
    | Fixed
)
"""`reach` raises LookupError when nothing is there."""
