"""Guards on names of modules: names that hold an object, names that are missing."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

from .frozen import dataclass
from .program import GuardProgram


@dataclass(frozen=True, slots=True)
class Holds:
    """Guard: a name of a library module still refers to the object found at capture.

    C compares dict versions first: while a namespace is unchanged, none of its names is looked up.
    Library modules live for ever, so the guard keeps namespace and object alive.
    """

    module: str
    name: str
    namespace: dict[str, Any] = field(compare=False, repr=False)
    object: Any = field(compare=False, repr=False)
    identities: tuple[int, int]
    """Ids of the namespace and of the object."""

    remedy: ClassVar[str] = "leave the functions of the library as they are"

    @classmethod
    def of(cls, namespace: dict[str, Any], name: str) -> Holds:
        """Return the guard for a name that is in this exact dict now."""
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
    """Guard: a namespace lacks a name, so that a first store appends it to the end of the dict."""

    name: str
    namespace: dict[str, Any] = field(compare=False, repr=False)
    identity: int
    """Id of the namespace."""

    remedy: ClassVar[str] = "assign the variable before the loop"

    @classmethod
    def of(cls, namespace: dict[str, Any], name: str) -> Lacks:
        """Return the guard for an exact dict with plain keys."""
        return cls(name, namespace, id(namespace))

    def emit(self, program: GuardProgram) -> None:
        home = program.object(self.namespace)
        program.emit("LACKS", 0, object_=program.object(self.name), extra=home)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"global `{self.name}`: it was not there"

    def __str__(self) -> str:
        return f"global `{self.name}` is not there"


@dataclass(frozen=True, slots=True)
class EndsUnobserved:
    """Guard: nothing observes the end of the object a global refers to, as finalisers would.

    The segment assigns the name, and the old object may die later than in eager.
    """

    name: str
    namespace: dict[str, Any] = field(compare=False, repr=False)
    identity: int
    """Id of the namespace."""

    remedy: ClassVar[str] = "delete the object before, or keep it under another name"

    @classmethod
    def of(cls, namespace: dict[str, Any], name: str) -> EndsUnobserved:
        """Return the guard for an exact dict with plain keys."""
        return cls(name, namespace, id(namespace))

    def emit(self, program: GuardProgram) -> None:
        home = program.object(self.namespace)
        program.emit("QUIET", 0, object_=program.object(self.name), extra=home)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"global `{self.name}`: a finaliser or a weakref callback would observe its end"

    def __str__(self) -> str:
        return f"nothing observes the end of global `{self.name}`"
