"""Lists of numbers that are items of a list from outside."""

from __future__ import annotations

import operator

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from .value_kind import OfParts, RecipeOf


@dataclass(frozen=True, eq=False, slots=True)
class InnerList(OfParts):
    """One of the lists in a list from outside: (that list, its place there).

    See arrays/inner_lists.py.
    """

    words = "a list in a list"
    stands_for = list

    def recipe(self, of: RecipeOf) -> ir.Recipe:
        """Take the very list out of the one that holds it."""
        return ir.Call(operator.getitem, tuple(map(of, self.parts)))
