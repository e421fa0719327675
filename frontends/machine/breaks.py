"""Graph breaks as they happen; `frontends/breaks/registry.py` says what each code means."""

from __future__ import annotations

from ...jit.frozen import dataclass
from ...jit.ir.graph import Location
from ..breaks.registry import (
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
    """A file in a detail: reports tell of it where it is another than that of the break."""
    return f"\0{name}\0"


class GraphBreak(Exception):  # noqa: N818
    """Capture cannot go on past the current instruction."""

    def __init__(self, code: BreakCode, detail: str, *, guess: bool | None = None) -> None:
        """`guess`: a value that is not known yet is the reason, and another may come.

        None where that follows from the operands of the instruction.
        """
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.guess = guess


class OnlyWarns(GraphBreak):
    """A way of a library's function on which it warns: few data lead there."""


@dataclass(frozen=True, slots=True)
class Break:
    """Where and why capture stopped."""

    code: str
    title: str
    detail: str
    hint: str
    location: Location
    index: int
    foreseen: bool = True
    """False while exploring when the reason is only that a value is not known yet."""
