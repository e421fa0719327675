"""The table of reasons why capture stops, one entry per code."""

from __future__ import annotations

from .calls import ARGUMENT, ATTRIBUTE, CALL, REQUESTED
from .control_flow import DATA_BRANCH, LOOP, TOO_LONG
from .effects import EFFECT, INTERNAL
from .entry import BreakCode
from .operands import INDEXING, LARGE, NOT_PLAIN, NUMPY_REFUSED, VARIES
from .statements import INSTRUCTION, UNBOUND

BREAKS: dict[str, BreakCode] = {
    row.code: row
    for row in (
        INSTRUCTION,
        UNBOUND,
        CALL,
        ATTRIBUTE,
        ARGUMENT,
        REQUESTED,
        NUMPY_REFUSED,
        NOT_PLAIN,
        INDEXING,
        LARGE,
        VARIES,
        DATA_BRANCH,
        LOOP,
        TOO_LONG,
        EFFECT,
        INTERNAL,
    )
}

__all__ = [
    "ARGUMENT",
    "ATTRIBUTE",
    "BREAKS",
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
    "REQUESTED",
    "TOO_LONG",
    "UNBOUND",
    "VARIES",
    "BreakCode",
]
