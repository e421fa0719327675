"""Guards on types, identities, values, functions and lengths of Python objects.

Each guard emits the instructions that C checks and, after a miss, says in words what has changed.
"""

from __future__ import annotations

import struct
from dataclasses import field
from types import FunctionType
from typing import Any, ClassVar

from .conversions import IndexOf, Listed, Number, Spread
from .frozen import dataclass
from .grip import Grip
from .program import GuardProgram
from .sources import Global, Source
from .words import named


def reached(source: Source, live: tuple[Any, ...]) -> Any:
    """Return the object that a source reaches now, or the word "nothing" if it reaches none."""
    try:
        return source.reach(live)
    except LookupError:
        return "nothing"


def a_type(value: Any) -> str:
    """Return the name of the value's type with an article, for messages: "an int"."""
    return _with_article(type(value).__name__)


def _with_article(name: str) -> str:
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


@dataclass(frozen=True, slots=True)
class IsType:
    """Guard: an object has exactly this type."""

    source: Source
    kind: Grip
    name: str
    """Name of the type."""

    remedy: ClassVar[str] = "pass numbers and objects of the same types at each call"

    @classmethod
    def of(cls, source: Source, object_: Any) -> IsType:
        """Return the guard for the type of this object."""
        return cls.exactly(source, type(object_))

    @classmethod
    def exactly(cls, source: Source, kind: type) -> IsType:
        """Return the guard for exactly this class."""
        return cls(source, Grip.of(kind), kind.__name__)

    def emit(self, program: GuardProgram) -> None:
        if self._is_int():
            program.emit("INT64", program.slot(self.source))
        else:
            program.emit("TYPE", program.slot(self.source), object_=program.held(self.kind))

    def _is_int(self) -> bool:
        return self.kind.strong is int

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        now = reached(self.source, live)
        if type(now) is int and self._is_int():
            return f"{self.source}: does not fit 64 bits now"
        return f"{self.source}: was {_with_article(self.name)}, now {a_type(now)}"

    def __str__(self) -> str:
        fits = " of at most 64 bits" if self._is_int() else ""
        return f"{self.source}: {self.name}{fits}"


@dataclass(frozen=True, slots=True)
class IsObject:
    """Guard: a source reaches the object seen at capture. A global is compared without a slot."""

    source: Source
    object: Grip

    remedy: ClassVar[str] = "pass the same object at each call; make functions and classes once"

    @classmethod
    def of(cls, source: Source, object_: Any) -> IsObject:
        """Return the guard for this object."""
        return cls(source, Grip.of(object_))

    def emit(self, program: GuardProgram) -> None:
        expected = program.held(self.object)
        if isinstance(self.source, Global):
            globals_, builtins = self.source.namespaces(program)
            name = program.object(self.source.name)
            program.emit("GLOBAL_IS", 0, b=builtins, c=expected, object_=name, extra=globals_)
        else:
            program.emit("IS", program.slot(self.source), object_=expected)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: another object now"

    def __str__(self) -> str:
        return f"{self.source} is {named(self.object.get())}"


@dataclass(frozen=True, slots=True)
class IsValue:
    """Guard: a Python value (None, bool, number, str, bytes) that the capture specialised on."""

    source: Source
    value: Any

    remedy: ClassVar[str] = "its value decides: pass few different ones, or decide before the call"

    def emit(self, program: GuardProgram) -> None:
        slot = program.slot(self.source)
        if self.value is None or isinstance(self.value, bool):
            program.emit("IS", slot, object_=program.object(self.value))
        elif type(self.value) is int and -(2**63) <= self.value < 2**63:
            program.emit("INT_IS", slot, c=self.value)
        elif type(self.value) is float:
            program.emit("FLOAT_BITS", slot, c=struct.unpack("q", struct.pack("d", self.value))[0])
        else:
            program.emit("EQUAL", slot, object_=program.object(self.value))

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        now = _shortened(repr(reached(self.source, live)))
        before = _shortened(repr(self.value))
        return f"{self.source}: was {before}, which decided something; now {now}"

    def __str__(self) -> str:
        return f"{self.source} == {self.value!r}"


@dataclass(frozen=True, slots=True)
class HasSign:
    """Guard: the sign of an int that the capture specialised on."""

    source: Source
    sign: int

    remedy: ClassVar[str] = "its sign decides: compare it with a number, or decide before the call"

    def emit(self, program: GuardProgram) -> None:
        program.emit("INT_SIGN", program.slot(self.source), a=self.sign)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: another sign now"

    def __str__(self) -> str:
        return f"sign of {self.source} is {self.sign}"


@dataclass(frozen=True, slots=True)
class IsBelow:
    """Guard: an int is below a bound in magnitude; loops that count from it stay in 64 bits."""

    source: Source
    bound: int
    """The guard holds if `abs(value) < bound`."""

    remedy: ClassVar[str] = "nothing: there is one kernel for small ints and one for big ones"

    def emit(self, program: GuardProgram) -> None:
        program.emit("INT_BELOW", program.slot(self.source), c=self.bound)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: was between -{self._bound} and {self._bound}, now it is not"

    @property
    def _bound(self) -> str:
        return f"2**{self.bound.bit_length() - 1}"

    def __str__(self) -> str:
        return f"{self.source}: between -{self._bound} and {self._bound}"


@dataclass(frozen=True, slots=True)
class IsFunction:
    """Guard: an inlined user function has the same code, defaults and globals as at capture.

    Functions made by one `def` that differ only in their closures meet the same guard. Defaults may
    have guards of their own (`Defaults`) instead: keyword defaults always, as their dict can
    change, positional ones with `looks_at_defaults`. The defaults and globals compared here are
    kept alive, because neither a tuple nor a dict can be referenced weakly.
    """

    source: Source
    name: str
    """Qualified name of the function."""
    code: Grip
    defaults: tuple[Any, ...] | None = field(compare=False, repr=False)
    namespace: dict[str, Any] = field(compare=False, repr=False)
    identities: tuple[int, int]
    """Ids of the defaults and of the globals."""
    has_keywords: bool
    """True if the function has keyword defaults."""
    looks_at_defaults: bool

    remedy: ClassVar[str] = "make the function once, and leave its code and defaults as they are"

    @classmethod
    def of(cls, source: Source, function: FunctionType, looks_at: bool = False) -> IsFunction:
        """Return the guard for a function.

        `looks_at`: other guards compare its positional defaults.
        """
        defaults = None if looks_at else function.__defaults__
        namespace = function.__globals__
        code, identities = Grip.of(function.__code__), (id(defaults), id(namespace))
        has = bool(function.__kwdefaults__)
        name = function.__qualname__
        return cls(source, name, code, defaults, namespace, identities, has, looks_at)

    def emit(self, program: GuardProgram) -> None:
        def index(value: Any) -> int:
            return -1 if value is None else program.object(value)

        program.emit(
            "FUNCTION",
            program.slot(self.source),
            a=int(self.has_keywords),
            b=index(self.namespace),
            c=int(self.looks_at_defaults),
            object_=program.held(self.code),
            extra=index(self.defaults),
        )

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: its code or its defaults changed"

    def __str__(self) -> str:
        return f"{self.source} has the code of {self.name}"


@dataclass(frozen=True, slots=True)
class IsConverted:
    """Guard: C can convert a number to the kernel's type, or a list of numbers to an array."""

    source: Number | Listed | Spread

    remedy: ClassVar[str] = "pass numbers of the usual types, and lists of floats or of ints"

    def emit(self, program: GuardProgram) -> None:
        program.slot(self.source)  # C misses where it cannot convert

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        now = a_type(reached(self.source.owner, live))
        return f"{self.source}: {now} now, which is not {self._made}"

    @property
    def _made(self) -> str:
        if isinstance(self.source, Spread):
            return f"a number, or an array of floats as long as {self.source.like}"
        numbers = "ints" if self.source.whole else "floats"
        if isinstance(self.source, Listed):
            return f"a list of {'lists of ' * (self.source.part == 'rows')}{numbers}"
        return f"a number that counts like {numbers} here"

    def __str__(self) -> str:
        return f"{self.source}: {self._made}"


@dataclass(frozen=True, slots=True)
class IsFound:
    """Guard: C finds an object in a list, comparing nothing but identities."""

    source: IndexOf

    remedy: ClassVar[str] = "look for objects that are in the list; leave `==` to `object`"

    def emit(self, program: GuardProgram) -> None:
        program.slot(self.source)  # C misses where it does not find it

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: not found now by comparing identities"

    def __str__(self) -> str:
        return f"{self.source} is found"


@dataclass(frozen=True, slots=True)
class HasLength:
    """Guard: a tuple or list has this length."""

    source: Source
    length: int

    remedy: ClassVar[str] = "pass tuples and lists of one length, or an array in their place"

    def emit(self, program: GuardProgram) -> None:
        program.emit("LENGTH", program.slot(self.source), c=self.length)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        now = reached(self.source, live)
        after = len(now) if isinstance(now, tuple | list) else a_type(now)
        return f"{self.source}: its length was {self.length}, now {after}"

    def __str__(self) -> str:
        return f"len({self.source}) == {self.length}"


@dataclass(frozen=True, slots=True)
class IsUnshared:
    """Guard: an object has only the references that the call itself accounts for."""

    source: Source
    holders: int

    remedy: ClassVar[str] = "loop over a range, an array, or `iter()` of one made in the statement"

    def emit(self, program: GuardProgram) -> None:
        program.emit("UNSHARED", program.slot(self.source), c=self.holders)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: somebody else holds it now"

    def __str__(self) -> str:
        return f"{self.source} is nobody else's"
