"""Guards on dicts, attributes, classes, methods and the identity of user objects."""

from __future__ import annotations

import abc
import enum
from collections.abc import Mapping
from dataclasses import field
from types import FunctionType
from typing import Any, ClassVar

from .frozen import dataclass
from .grip import Grip
from .kinds import reached
from .program import GuardProgram
from .sources import Source

MISSING: Any = object()
"""Marks a name under which a class holds nothing."""


@dataclass(frozen=True, slots=True)
class HasKeys:
    """Guard: an exact dict has exactly these keys in this order; keys are str, numbers or None."""

    source: Source
    keys: tuple[Any, ...]

    remedy: ClassVar[str] = "pass dicts with the same keys at each call"

    def emit(self, program: GuardProgram) -> None:
        program.emit("KEYS", program.slot(self.source), object_=program.object(self.keys))

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        now = reached(self.source, live)
        after = list(now) if isinstance(now, dict) else type(now).__name__
        return f"{self.source}: its keys were {list(self.keys)}, now {after}"

    def __str__(self) -> str:
        return f"keys of {self.source} are {list(self.keys)}"


@dataclass(frozen=True, slots=True)
class IsThere:
    """Guard: the source reaches an object, so the dict has the key or the object the attribute."""

    source: Source

    remedy: ClassVar[str] = "give the objects the same attributes at each call"

    def emit(self, program: GuardProgram) -> None:
        program.slot(self.source)  # C misses where it cannot fetch

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: not there now"

    def __str__(self) -> str:
        return f"{self.source} is there"


class Alike(enum.Enum):
    """The allowed change of a class attribute since capture; values as in objects.h."""

    SAME = 0
    """The same object as at capture, or again no attribute."""
    VALUE = 1
    """No attribute, or an object that attribute look-up returns unchanged."""
    FUNCTION = 2


@dataclass(frozen=True, slots=True)
class ClassAttr:
    """Guard: classes of an object hold this under a name, and use the generic attribute look-up.

    The source leads to the object, or with `of_class` to its class.
    """

    source: Source
    name: str
    found: Grip | None
    """The attribute; None if the classes have none."""
    of_class: bool = False
    """True if the source leads to the class."""
    sets: bool = False
    """Attribute assignment must be the generic one too."""
    has_names: bool = False
    """Instances must have a `__dict__`."""
    alike: Alike = Alike.SAME

    remedy: ClassVar[str] = "leave the class as it is between the calls"

    @classmethod
    def of(
        cls,
        source: Source,
        name: str,
        found: Any,
        *,
        of_class: bool = False,
        sets: bool = False,
        has_names: bool = False,
    ) -> ClassAttr:
        """Return the guard for the attribute that was found, or for MISSING."""
        grip = None if found is MISSING else Grip.of(found)
        return cls(source, name, grip, of_class, sets, has_names)

    @classmethod
    def like(
        cls, source: Source, name: str, alike: Alike, *, sets: bool = False, has_names: bool = False
    ) -> ClassAttr:
        """Return a guard that also admits attributes which differ as `alike` allows."""
        return cls(source, name, None, sets=sets, has_names=has_names, alike=alike)

    def emit(self, program: GuardProgram) -> None:
        program.emit(
            "CLASS_ATTR",
            program.slot(self.source),
            a=self.sets | self.has_names << 1,
            b=int(self.of_class),
            c=self.alike.value,
            object_=program.object(self.name),
            extra=-1 if self.found is None else program.held(self.found),
        )

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: its class holds another `{self.name}` now"

    def __str__(self) -> str:
        return f"class attribute `{self.name}` of {self.source}"


@dataclass(frozen=True, slots=True)
class ClassHolds:
    """Guard: a class and its bases hold these objects under many names.

    C looks the names up again only after the class has changed (its type version tells).
    """

    kind: Grip
    name: str
    """Name of the class."""
    found: dict[str, Any] = field(compare=False, repr=False)
    """Objects by name; kept alive by the guard."""
    absent: tuple[str, ...]
    """Names that neither the class nor a base holds."""
    identities: tuple[tuple[str, int], ...]
    """Ids of the objects found, by name."""

    remedy: ClassVar[str] = "leave the class as it is between the calls"

    @classmethod
    def of(cls, kind: type, names: Mapping[str, Any]) -> ClassHolds:
        """Return the guard for what the class holds now.

        Values of `names` are objects or MISSING.
        """
        found = {name: one for name, one in names.items() if one is not MISSING}
        absent = tuple(name for name in names if name not in found)
        identities = tuple((name, id(one)) for name, one in found.items())
        return cls(Grip.of(kind), kind.__name__, found, absent, identities)

    def emit(self, program: GuardProgram) -> None:
        program.emit(
            "CLASS_HOLDS",
            0,
            a=program.object(self.absent),
            object_=program.held(self.kind),
            extra=program.object(self.found),
        )

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"class `{self.name}`: its special methods changed"

    def __str__(self) -> str:
        return f"special methods of class `{self.name}`"


@dataclass(frozen=True, slots=True)
class IsSubclass:
    """Guard: one class inherits, or does not inherit, from another.

    Programs may set `__bases__`.
    """

    kind: Grip
    base: Grip
    names: tuple[str, str]
    answer: bool

    remedy: ClassVar[str] = "leave the bases of classes as they are between the calls"

    @classmethod
    def of(cls, kind: type, base: type) -> IsSubclass:
        """Return the guard for the present answer."""
        names = (kind.__name__, base.__name__)
        inherits = any(one is base for one in kind.__mro__)
        return cls(Grip.of(kind), Grip.of(base), names, inherits)

    def emit(self, program: GuardProgram) -> None:
        kind, base = program.held(self.kind), program.held(self.base)
        program.emit("SUBCLASS", 0, a=int(self.answer), object_=kind, extra=base)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self} no longer holds"

    def __str__(self) -> str:
        kind, base = self.names
        return f"`{kind}` {'inherits' if self.answer else 'does not inherit'} from `{base}`"


@dataclass(frozen=True, slots=True)
class NoneRegistered:
    """Guard: no class was registered with an ABC since capture, so `isinstance` answers as then."""

    token: object

    remedy: ClassVar[str] = "register classes with abstract ones before the first call"

    @classmethod
    def now(cls) -> NoneRegistered:
        """Return a guard that holds until the next registration."""
        return cls(abc.get_cache_token())

    def emit(self, program: GuardProgram) -> None:
        counts = program.object(abc.get_cache_token)
        program.emit("REGISTERED", 0, object_=counts, extra=program.object(self.token))

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return "a class was registered with an abstract one"

    def __str__(self) -> str:
        return "no class is registered with an abstract one"


@dataclass(frozen=True, slots=True)
class OwnsNames:
    """Guard: no other object shares this object's attribute dict."""

    source: Source

    remedy: ClassVar[str] = "pass objects that do not share their `__dict__`"

    def emit(self, program: GuardProgram) -> None:
        program.emit("OWN_NAMES", program.slot(self.source))

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: something else holds its `__dict__` now"

    def __str__(self) -> str:
        return f"nothing else holds the `__dict__` of {self.source}"


@dataclass(frozen=True, slots=True)
class IsMethod:
    """Guard: a bound method has this owner and calls this function."""

    source: Source
    owner: Source
    function: Grip | None
    """The function; None if other guards check it."""
    name: str
    """Name of the function."""

    remedy: ClassVar[str] = "pass objects of one class at each call"

    @classmethod
    def of(cls, source: Source, owner: Source, function: FunctionType | None = None) -> IsMethod:
        """Return the guard for a method of `owner` that calls `function`; None: any function."""
        if function is None:
            return cls(source, owner, None, "")
        return cls(source, owner, Grip.of(function), function.__qualname__)

    def emit(self, program: GuardProgram) -> None:
        program.emit(
            "METHOD",
            program.slot(self.source),
            a=program.slot(self.owner),
            object_=-1 if self.function is None else program.held(self.function),
        )

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: another method now"

    def __str__(self) -> str:
        return f"{self.source} is {f'the method {self.name}' if self.name else 'a method'}"


@dataclass(frozen=True, slots=True)
class IsSame:
    """Guard: two sources reach the same object, or two distinct ones."""

    source: Source
    other: Source
    same: bool

    remedy: ClassVar[str] = "pass the same objects in the same places at each call"

    def emit(self, program: GuardProgram) -> None:
        slot, other = program.slot(self.source), program.slot(self.other)
        program.emit("SAME", slot, a=other, c=int(self.same))

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self} no longer holds"

    def __str__(self) -> str:
        return f"{self.source} {'is' if self.same else 'is not'} {self.other}"
