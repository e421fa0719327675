"""The base classes of the kinds of symbolic values: the facts of a kind, and their defaults.

A kind is a class. It says how messages call its values, which class of objects they stand for, and
how an exit builds the object; capture asks the class and has no table of kinds. What programs do
with the objects needs a machine, and is a row of `BEHAVIOURS` in `state/behaviour.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir

if TYPE_CHECKING:
    from ....guards.sources import Source
    from .symbolic import Symbolic

RecipeOf = Callable[["Symbolic"], ir.Recipe]
"""Returns the recipe of a value; two calls with one value give one object."""


@dataclass(frozen=True, eq=False, slots=True)
class ValueKind:
    """A kind of symbolic values."""

    words: ClassVar[str] = "an object"
    """Words for a value in messages."""
    stands_for: ClassVar[type | None] = None
    """Class of the objects, if it is always the same."""

    def recipe(self, of: RecipeOf) -> ir.Recipe | None:
        """Return how an exit builds the object; None if that is unknown, or the heap tells it."""
        return None


@dataclass(frozen=True, eq=False, slots=True)
class Callee(ValueKind):
    """A kind of functions: each is true, and a call may run code of the program's."""

    words = "a function"


@dataclass(frozen=True, eq=False, slots=True)
class OfParts(ValueKind):
    """A kind of immutable objects that are determined by their parts, made here or live-ins.

    Branches and loops hand the parts over, and exploring adopts them one by one.
    """

    parts: tuple[Symbolic, ...]
    source: Source | None = None
    part_names: ClassVar[tuple[str, ...]] = ()
    """Attributes that hold the parts; with `live_in` also those of a live-in."""
    are_parts_realised: ClassVar[bool] = False
    """True if a live-in is of no use without the guards on its parts."""
    do_parts_decide_breaks: ClassVar[bool] = False
    """True if exploring distinguishes values whose parts are of different kinds."""

    @property
    def distinction(self) -> Hashable:
        """Return what two values need in common besides the kinds of their parts to be merged."""
        return None

    def recipe(self, of: RecipeOf) -> ir.Recipe | None:
        """Call the class with the parts."""
        assert self.stands_for is not None
        return ir.Call(self.stands_for, tuple(map(of, self.parts)))

    @classmethod
    def expected(cls, parts: tuple[Any, ...]) -> Any:
        """Return the object of these parts for `f.trace`; None if they do not tell it.

        A part may be `Expected` or `Unseen`.
        """
        return None

    def part_called(self, name: str) -> Symbolic | None:
        """Return the part that an attribute holds; None for other attributes."""
        names = self.part_names
        return self.parts[names.index(name)] if name in names else None


LIVE_INS: dict[type, type[OfParts]] = {}
"""Kinds whose values may be live-ins, by the class of the objects."""
_K = TypeVar("_K", bound=OfParts)


def live_in(kind: type[_K]) -> type[_K]:
    """Let live-ins of the class that a kind stands for have that kind."""
    assert kind.stands_for is not None
    LIVE_INS[kind.stands_for] = kind
    return kind
