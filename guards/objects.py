"""Guards on dicts, attributes and the identity of objects of the program."""

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
"""A class holds nothing under a name."""


@dataclass(frozen=True, slots=True)
class HasKeys:
    """An exact dict with exactly these keys, in this order; plain ones: str, numbers, None."""

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
    """A source that leads somewhere: a dict has the key, an object the attribute."""

    source: Source

    remedy: ClassVar[str] = "give the objects the same attributes at each call"

    def emit(self, program: GuardProgram) -> None:
        program.slot(self.source)  # C misses where it cannot fetch

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: not there now"

    def __str__(self) -> str:
        return f"{self.source} is there"


class Alike(enum.Enum):
    """What a class may hold under a name; the numbers are those of objects.h."""

    SAME = 0
    """The very object that was found, or nothing where there was nothing."""
    VALUE = 1
    """Nothing, or something that is given as it is when it is asked for."""
    FUNCTION = 2


@dataclass(frozen=True, slots=True)
class ClassAttr:
    """What the classes of an object hold under a name; attributes are looked up as plain ones are.

    The source leads to the object, or to its class.
    """

    source: Source
    name: str
    found: Grip | None
    """None for nothing."""
    of_class: bool = False
    """The source is the class."""
    sets: bool = False
    """Attributes are set as plain ones are, too."""
    has_names: bool = False
    """Objects have a dict of attributes."""
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
        """The guard for what was found, or MISSING."""
        grip = None if found is MISSING else Grip.of(found)
        return cls(source, name, grip, of_class, sets, has_names)

    @classmethod
    def like(
        cls, source: Source, name: str, alike: Alike, *, sets: bool = False, has_names: bool = False
    ) -> ClassAttr:
        """The guard for anything like what was found."""
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
    """What a class and those behind it hold under many names.

    They are looked up where the class has changed, and not at all where it has not.
    """

    kind: Grip
    name: str
    """Of the class."""
    found: dict[str, Any] = field(compare=False, repr=False)
    """By name the objects; kept alive, as functions and descriptors of types are."""
    absent: tuple[str, ...]
    """Names under which there is nothing."""
    identities: tuple[tuple[str, int], ...]
    """Of what was found."""

    remedy: ClassVar[str] = "leave the class as it is between the calls"

    @classmethod
    def of(cls, kind: type, names: Mapping[str, Any]) -> ClassHolds:
        """The guard for what a class holds now: objects by name, or MISSING."""
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
    """A class inherits from another one, or does not: `__bases__` can be set."""

    kind: Grip
    base: Grip
    names: tuple[str, str]
    answer: bool

    remedy: ClassVar[str] = "leave the bases of classes as they are between the calls"

    @classmethod
    def of(cls, kind: type, base: type) -> IsSubclass:
        """The guard for what is so now."""
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
    """No class has been registered with an abstract one: what `isinstance` says of these stays."""

    token: object

    remedy: ClassVar[str] = "register classes with abstract ones before the first call"

    @classmethod
    def now(cls) -> NoneRegistered:
        """The guard that holds until the next one is registered."""
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
    """Nobody else holds the dict of an object's attributes: two objects can share one."""

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
    """A method of another source that calls the very function."""

    source: Source
    owner: Source
    function: Grip | None
    """None for any: others look at it."""
    name: str
    """Of the function."""

    remedy: ClassVar[str] = "pass objects of one class at each call"

    @classmethod
    def of(cls, source: Source, owner: Source, function: FunctionType | None = None) -> IsMethod:
        """The guard for a method that calls this function, or any."""
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
    """Two sources lead to one object, or to two."""

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
