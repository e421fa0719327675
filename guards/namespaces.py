"""Guards on names of modules: what those of a library hold, all at once, and what is not there."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

from .frozen import dataclass
from .program import GuardProgram


@dataclass(frozen=True, slots=True)
class Holds:
    """A name of a module leads to the object that it led to at capture.

    All of them are compared where the namespace has changed, and none where it has not. Modules of
    libraries are there for ever, and so is what they hold: it is kept alive.
    """

    module: str
    name: str
    namespace: dict[str, Any] = field(compare=False, repr=False)
    object: Any = field(compare=False, repr=False)
    identities: tuple[int, int]
    """Of the namespace and of the object."""

    remedy: ClassVar[str] = "leave the functions of the library as they are"

    @classmethod
    def of(cls, namespace: dict[str, Any], name: str) -> Holds:
        """The guard that an exact dict meets, which holds the name."""
        held = namespace[name]
        return cls(str(namespace.get("__name__")), name, namespace, held, (id(namespace), id(held)))

    def emit(self, program: GuardProgram) -> None:
        names = program.relied.setdefault(self.identities[0], {})
        if not names:
            home, held = program.object(self.namespace), program.object(names)
            program.emit("HOLDS", 0, object_=home, extra=held)
        names[self.name] = self.object

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        names = program.relied[self.identities[0]]
        changed = [f"`{n}`" for n, held in names.items() if self.namespace.get(n) is not held]
        return f"module `{self.module}`: {', '.join(changed)} changed"

    def __str__(self) -> str:
        return f"`{self.module}.{self.name}` is what it was"


@dataclass(frozen=True, slots=True)
class Lacks:
    """A namespace has no such name: the first store into it puts it behind all others."""

    name: str
    namespace: dict[str, Any] = field(compare=False, repr=False)
    identity: int
    """Of the namespace."""

    remedy: ClassVar[str] = "assign the variable before the loop"

    @classmethod
    def of(cls, namespace: dict[str, Any], name: str) -> Lacks:
        """For an exact dict whose keys are plain."""
        return cls(name, namespace, id(namespace))

    def emit(self, program: GuardProgram) -> None:
        home = program.object(self.namespace)
        program.emit("LACKS", 0, object_=program.object(self.name), extra=home)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"global `{self.name}`: it was not there"

    def __str__(self) -> str:
        return f"global `{self.name}` is not there"


@dataclass(frozen=True, slots=True)
class EndsUnheard:
    """What a name leads to, if it is there, may die later than in eager: it gets another value."""

    name: str
    namespace: dict[str, Any] = field(compare=False, repr=False)
    identity: int
    """Of the namespace."""

    remedy: ClassVar[str] = "delete the object before, or keep it under another name"

    @classmethod
    def of(cls, namespace: dict[str, Any], name: str) -> EndsUnheard:
        """For an exact dict whose keys are plain."""
        return cls(name, namespace, id(namespace))

    def emit(self, program: GuardProgram) -> None:
        home = program.object(self.namespace)
        program.emit("QUIET", 0, object_=program.object(self.name), extra=home)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"global `{self.name}`: a finaliser or a callback would tell of its end"

    def __str__(self) -> str:
        return f"nobody is told of the end of global `{self.name}`"
