"""Paths through a function: how far one runs by itself, and where it has come to."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ..breaks import Break, BreakCode

if TYPE_CHECKING:
    from ..frame import Frame
    from .turns import LoopCapture

RETURN = -1
"""Where the returns of a function that is called here meet: no instruction, but behind all."""


@dataclass(frozen=True, eq=False, slots=True)
class Region:
    """What a path runs in."""

    stops: frozenset[int] = frozenset()
    """Where it meets others, and waits."""
    loop: LoopCapture | None = None
    """The innermost loop around it that is one region."""
    is_arm: bool = False
    """Other paths may be taken instead: what cannot be captured is left to eager there."""


ANYWHERE = Region()
"""A path that is alone, to the end of the function."""


class Pause(Exception):  # noqa: N818
    """The segment ends before the instruction of the frame itself that runs: nothing breaks.

    Where it began there too that is a break: `otherwise` says of what kind, and why.
    """

    def __init__(self, rule: str, otherwise: BreakCode, detail: str) -> None:
        super().__init__(rule)
        self.rule = rule
        """Of the journal."""
        self.otherwise = otherwise
        self.detail = detail


@dataclass(slots=True)
class Landing:
    """Where the paths of a region have come to; none where all have left it."""

    frames: dict[int, Frame] = field(default_factory=dict)
    """By instruction; what a frame holds counts only where that is where the program is."""
    which: ir.Value | None = None
    """The instruction, as an int of the graph, where there are several."""
    ended_by: Break | None = None
    """The one path cannot be captured any further."""
    pauses: str = ""
    """The one path goes on in a segment of its own: the rule of the journal by which it does."""

    def only(self) -> Frame:
        """The frame, where there is one."""
        (frame,) = self.frames.values()
        return frame
