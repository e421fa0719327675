"""Graph breaks that the program requests by `graph_break()`."""

from __future__ import annotations

from .api import graph_break
from .breaks.registry import ASKED
from .machine.breaks import GraphBreak
from .machine.handlers.builtins import builtin
from .machine.invocation import Invocation
from .machine.values import Symbolic


@builtin(graph_break, takes=(0, 0))
def _asked(call: Invocation) -> Symbolic | None:
    raise GraphBreak(ASKED, "graph_break()")
