"""Decoded code: instructions with their neutral operations, and the slots of the frame."""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum
from types import CodeType
from typing import Final

from ...jit.frozen import dataclass
from .codetables import Positions
from .isa import RETURN_VALUE, Op


class SlotKind(Enum):
    """Kind of a localsplus slot."""

    LOCAL = "local"
    CELL = "cell"
    """A cell that this code makes (MAKE_CELL); the slot of an argument may be one."""
    FREE = "free"
    """A cell of an enclosing function (COPY_FREE_VARS)."""


GENERATORS: Final = {0x20: "generator", 0x80: "coroutine", 0x200: "asynchronous generator"}
"""Flags of code objects whose call does not run the body yet."""


@dataclass(frozen=True, slots=True)
class Handler:
    """The destination of an exception, from the exception table."""

    target: int
    """Index of the handler's first instruction."""
    depth: int
    """Stack depth that the handler starts with."""
    lasti: bool
    """True if the offset of the raising instruction is pushed below the exception."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction, with EXTENDED_ARG folded in and without inline caches."""

    index: int
    offset: int
    """Byte offset of its first unit, EXTENDED_ARG included: where jumps to it land."""
    opcode: str
    """The name that the running version has for it."""
    arg: int
    """The raw argument; 0 for an opcode without one."""
    positions: Positions
    target: int | None
    """Index of the instruction that the raw jump names.

    The neutral jump may go further: FOR_ITER steps over END_FOR, see `isa.FOR_ITER`.
    """
    handler: Handler | None
    ops: tuple[Op, ...]
    """The neutral operations; none for NOP, RESUME, PRECALL and KW_NAMES."""

    @property
    def line(self) -> int | None:
        """Return the source line, or None for an artificial instruction."""
        return self.positions[0]

    @property
    def returns(self) -> bool:
        """True if it ends the function with a value."""
        return any(op.name == RETURN_VALUE for op in self.ops)


@dataclass(frozen=True, slots=True)
class Decoded:
    """A code object and its instructions."""

    code: CodeType
    instructions: tuple[Instruction, ...]
    localsplus: tuple[str, ...]
    """Names of the slots to which LOAD_FAST, LOAD_DEREF, LOAD_CLOSURE ... refer."""
    kinds: tuple[SlotKind, ...]
    """Kind of each slot of `localsplus`."""
    arguments: int
    """Number of first slots that the caller binds (``*args`` and ``**kwargs`` included)."""

    def index_at(self, offset: int) -> int:
        """Return the index of the instruction that covers a byte offset, such as ``frame.f_lasti``.

        `f_lasti` points behind EXTENDED_ARG, `Instruction.offset` before it; both are found.
        """
        if not 0 <= offset < len(self.code.co_code):
            raise IndexError(f"offset {offset} is outside {self.code.co_qualname}")
        return bisect_right(self.instructions, offset, key=lambda one: one.offset) - 1
