"""Graph breaks as exceptions and records; `frontends/breaks/registry.py` explains the codes."""

from __future__ import annotations

from ....jit.frozen import dataclass
from ....jit.ir.graph import Location
from ...breaks.registry import (
    ARGUMENT,
    ATTRIBUTE,
    CALL,
    DATA_BRANCH,
    EFFECT,
    INDEXING,
    INSTRUCTION,
    INTERNAL,
    LARGE,
    LOOP,
    NOT_PLAIN,
    NUMPY_REFUSED,
    TOO_LONG,
    UNBOUND,
    VARIES,
    BreakCode,
)

__all__ = [
    "ARGUMENT",
    "ATTRIBUTE",
    "CALL",
    "DATA_BRANCH",
    "EFFECT",
    "INDEXING",
    "INSTRUCTION",
    "INTERNAL",
    "LARGE",
    "LOOP",
    "NOT_PLAIN",
    "NUMPY_REFUSED",
    "TOO_LONG",
    "UNBOUND",
    "VARIES",
    "Break",
    "BreakCode",
    "GraphBreak",
    "OnlyWarns",
]


def in_file(name: str) -> str:
    """Name a file in a detail; reports show it if it differs from the break's file."""
    return f"\0{name}\0"


class GraphBreak(Exception):  # noqa: N818 (control flow, no error)
    """Capture cannot continue past the current instruction."""

    def __init__(self, code: BreakCode, detail: str, *, guess: bool | None = None) -> None:
        """Create it; `guess`: the reason is an unknown value, and another value may be fine.

        None if that follows from the operands of the instruction.
        """
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.guess = guess


class OnlyWarns(GraphBreak):
    """A library function would warn on this path, which few inputs reach."""


@dataclass(frozen=True, slots=True)
class Break:
    """The place and the reason of the end of a capture."""

    code: str
    title: str
    detail: str
    hint: str
    location: Location
    index: int
    predicted: bool = True
    """False while exploring if the only reason is that a value is not known yet."""
