"""Views of dicts."""

from __future__ import annotations

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from .symbolic import Dict, Instance
from .value_kind import RecipeOf, ValueKind


@dataclass(frozen=True, eq=False, slots=True)
class View(ValueKind):
    """`d.keys()`, `d.values()` or `d.items()` of a dict."""

    words = "a view of a dict"
    owner: Dict | Instance
    kind: str

    def recipe(self, of: RecipeOf) -> ir.Recipe:
        """Call the method of the dict."""
        return ir.Call(getattr(dict, self.kind), (of(self.owner),))
