"""Strings and numbers that exits compute, where the program can see them, instead of the kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from .value_kind import RecipeOf, ValueKind

if TYPE_CHECKING:
    from .symbolic import Symbolic


@dataclass(frozen=True, eq=False, slots=True)
class Text(ValueKind):
    """A str that is assembled when the program can see it."""

    words = "a str"
    stands_for = str
    function: Callable[..., str]
    parts: tuple[Symbolic, ...]

    def recipe(self, of: RecipeOf) -> ir.Recipe:
        """Call the function that assembles the str."""
        return ir.Call(self.function, tuple(map(of, self.parts)))


@dataclass(frozen=True, eq=False, slots=True)
class Computed(ValueKind):
    """A number that an exit computes instead of the kernel."""

    words = "a number"
    function: Callable[..., object]
    parts: tuple[Symbolic, ...]

    def recipe(self, of: RecipeOf) -> ir.Recipe:
        """Call the function that computes the number."""
        return ir.Call(self.function, tuple(map(of, self.parts)))
