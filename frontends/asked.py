"""Breaks that the program asks for: `graph_break()`."""

from __future__ import annotations

from .api import graph_break
from .machine.breaks import BREAKS, BreakCode, GraphBreak
from .machine.handlers.builtins import builtin
from .machine.invocation import Invocation
from .machine.values import Symbolic

ASKED = BREAKS["FJ204"] = BreakCode(
    "FJ204",
    "the program asks for a break here",
    "remove the call of graph_break() to join the segments around it",
)


@builtin(graph_break, takes=(0, 0))
def _asked(call: Invocation) -> Symbolic | None:
    raise GraphBreak(ASKED, "graph_break()")
