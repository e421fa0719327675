"""Graph breaks that the program requests by `graph_break()`."""

from __future__ import annotations

from .breaks.registry import REQUESTED
from .capture.handlers.builtins import builtin
from .capture.state.invocation import Invocation
from .capture.values.breaks import GraphBreak
from .capture.values.symbolic import Symbolic
from .context import graph_break


@builtin(graph_break, takes=(0, 0))
def _graph_break(call: Invocation) -> Symbolic | None:
    raise GraphBreak(REQUESTED, "graph_break()")
