"""Paths through a function: the region in which one runs, and where it has arrived."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ..values.breaks import Break, BreakCode

if TYPE_CHECKING:
    from ...bytecode.loops import Loop
    from .frame import Frame
    from .machine import Machine

RETURN = -1
"""The place where returns of an inlined function meet; no instruction, but after all of them."""


class CapturedLoop(Protocol):
    """A loop whose body is being captured, see flow/loop_bodies.py."""

    loop: Loop

    def is_inside(self, index: int) -> bool:
        """True for an instruction inside the loop, except its header."""

    def arrive(self, machine: Machine, frame: Frame) -> None:
        """Note that a path has reached the end of an iteration."""


@dataclass(frozen=True, eq=False, slots=True)
class Region:
    """The surroundings of a path."""

    stops: frozenset[int] = frozenset()
    """Instructions at which it waits for other paths."""
    loop: CapturedLoop | None = None
    """The innermost enclosing loop that is captured as a region."""
    is_conditional: bool = False
    """True in a side of a branch: a break there leaves the segment, and other paths go on."""


ANYWHERE = Region()
"""A single path up to the end of the function."""


class Pause(Exception):  # noqa: N818 (control flow, no error)
    """The segment ends before the outermost frame's current instruction, without a break.

    If it began there it is a break after all, with the kind and reason in `otherwise`.
    """

    def __init__(self, rule: str, otherwise: BreakCode, detail: str) -> None:
        super().__init__(rule)
        self.rule = rule
        """Rule of the journal."""
        self.otherwise = otherwise
        self.detail = detail


@dataclass(slots=True)
class Landing:
    """The places that the paths of a region have reached; none if all have left it."""

    frames: dict[int, Frame] = field(default_factory=dict)
    """Frames by instruction; a frame is valid only if the program is at that instruction."""
    which: ir.Value | None = None
    """The instruction as an int of the graph, if there are several."""
    ended_by: Break | None = None
    """The single path broke here."""
    pauses: str = ""
    """The single path continues in another segment: the journal's rule for that."""

    def only(self) -> Frame:
        """Return the frame if there is exactly one."""
        (frame,) = self.frames.values()
        return frame
