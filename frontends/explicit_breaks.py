"""Graph breaks that the program requests by `graph_break()`."""

from __future__ import annotations

from .api import graph_break
from .breaks.registry import ASKED
from .capture.handlers.builtins import builtin
from .capture.state.invocation import Invocation
from .capture.values.breaks import GraphBreak
from .capture.values.symbolic import Symbolic


@builtin(graph_break, takes=(0, 0))
def _asked(call: Invocation) -> Symbolic | None:
    raise GraphBreak(ASKED, "graph_break()")
