"""Breaks that the program asks for: `graph_break()`."""

from __future__ import annotations

from .api import graph_break
from .machine.breaks import BREAKS, BreakCode, GraphBreak
from .machine.handlers.calls import BUILTINS
from .machine.machine import Frame, Machine
from .machine.values import Symbolic

ASKED = BREAKS["FJ204"] = BreakCode(
    "FJ204",
    "the program asks for a break here",
    "remove the call of graph_break() to join the segments around it",
)


def _asked(
    machine: Machine,
    frame: Frame,
    arguments: tuple[Symbolic, ...],
    keywords: dict[str, Symbolic],
) -> Symbolic | None:
    raise GraphBreak(ASKED, "graph_break()")


BUILTINS[graph_break] = _asked
