"""Sources: paths by which an object is reached when a segment is entered.

Guards, reports and recipes of exits share one description. Each source tells C how to fetch the
object (`fetch`) and can reach it itself for messages (`reach`); neither runs code of the user's.
"""

from __future__ import annotations

import builtins
from dataclasses import field
from types import CellType, GetSetDescriptorType, MemberDescriptorType
from typing import Any, Protocol, TypedDict

from .conversions import IndexOf, Listed, Number, Spread
from .frozen import dataclass
from .grip import Grip
from .words import named


class Fields(TypedDict, total=False):
    """Operands of an instruction; those that are left out are 0, -1 for `object_` and `extra`."""

    a: int
    b: int
    c: int
    object_: int
    extra: int


class Slots(Protocol):
    """The part of a guard program that sources use."""

    def slot(self, source: Source) -> int:
        """Return the slot of the object that another source reaches."""

    def object(self, value: Any) -> int:
        """Return the index of an object that the entry keeps alive."""

    def held(self, grip: Grip) -> int:
        """Return the index of an object that the entry references weakly where possible."""

    def namespace(self, globals_: dict[str, Any]) -> tuple[int, int]:
        """Return the indices of a globals dict and of the builtins it falls back to."""


@dataclass(frozen=True, slots=True)
class Live:
    """A live-in passed by the caller: an argument, a local, a stack item."""

    index: int
    """Position among the live-ins."""
    name: str
    """Description in the user's terms: "argument `x`"."""

    def __str__(self) -> str:
        return self.name

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        raise AssertionError(f"a live-in has its slot already: {self}")

    def reach(self, live: tuple[Any, ...]) -> Any:
        return live[self.index]


@dataclass(frozen=True, slots=True)
class Global:
    """A global of a module, or the builtin of that name if the module lacks it."""

    name: str
    namespace: dict[str, Any] = field(compare=False, repr=False)
    identity: int
    """Id of the namespace, since two modules may have the same name."""
    behind: bool = True
    """True if a missing name is looked up in the builtins; False for attributes of modules."""

    @classmethod
    def of(cls, namespace: dict[str, Any], name: str, behind: bool = True) -> Global:
        """Return the source for a name of a namespace, which it keeps alive."""
        return cls(name, namespace, id(namespace), behind)

    def __str__(self) -> str:
        return f"global `{self.name}`"

    def namespaces(self, program: Slots) -> tuple[int, int]:
        """Return the indices of the namespace and of its builtins, or -1 for no builtins."""
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
    """The contents of a known closure cell."""

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
    """The contents of a cell that another source reaches: a variable shared by inner functions."""

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
    """An attribute of another source, by generic attribute look-up."""

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
    """An item of a tuple or list; negative indices count from the end."""

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
    """The length of a tuple or list."""

    owner: Source

    def __str__(self) -> str:
        return f"len({self.owner})"

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_LENGTH", {"a": program.slot(self.owner)}

    def reach(self, live: tuple[Any, ...]) -> Any:
        return len(self.owner.reach(live))


@dataclass(frozen=True, slots=True)
class Reduced:
    """`__reduce__()` of a built-in iterator, which tells how to build one at the same position.

    Its exact type is guarded first: over a range or array, `reversed`, `enumerate` or `zip`.
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
        return f"{self.owner}[{named(self.key)}]"

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_KEY", {"a": program.slot(self.owner), "object_": program.object(self.key)}

    def reach(self, live: tuple[Any, ...]) -> Any:
        return self.owner.reach(live)[self.key]


@dataclass(frozen=True, slots=True)
class ClosureCell:
    """A cell in the closure of another function."""

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
    """The defaults tuple of another function, or its dict of keyword defaults."""

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
    """The attribute that `super(cls, owner).name` finds in the class dict, unbound."""

    owner: Source
    cls: Grip
    name: str
    of_class: bool = False
    """True if the source leads to the owner's class, as for objects made in the segment."""

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
    """An object that another guard has fixed already: a default, a function of a class."""

    object: Grip
    name: str

    @classmethod
    def of(cls, object_: Any, name: str) -> Fixed:
        """Return the source of a living object."""
        return cls(Grip.of(object_), name)

    def __str__(self) -> str:
        return self.name

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_OBJECT", {"object_": program.held(self.object)}

    def reach(self, live: tuple[Any, ...]) -> Any:
        return self.object.get()


_PLACES = (MemberDescriptorType, GetSetDescriptorType)
"""Descriptor types written in C: slots, and attributes of builtin types."""
_bases = type.__dict__["__mro__"].__get__
"""Reads the MRO of a class without running code of its metaclass."""


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
    | IndexOf
    | Spread
    | Reduced
    | Key
    | ClosureCell
    | Defaults
    | Super
    | Fixed
)
"""Any source; its `reach` raises LookupError if there is no object."""
