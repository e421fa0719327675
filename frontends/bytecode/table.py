"""The shape of a version table: everything that differs between CPython versions, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from types import CodeType

from ...jit.frozen import dataclass
from .isa import Op
from .model import SlotKind


@dataclass(slots=True)
class Context:
    """What a row may look at while one code object is decoded."""

    code: CodeType
    kinds: tuple[SlotKind, ...]
    target: int = -1
    """Index of the raw jump target of the current instruction."""
    keywords: tuple[str, ...] = ()
    """Left by KW_NAMES for the next CALL."""
    previous: Op | None = None
    """The last operation of the instruction before; CALL_KW finds its names there."""


Row = Callable[[Context, int], tuple[Op, ...]]
"""From the raw argument of an instruction to its operations."""


@dataclass(frozen=True, slots=True)
class StubOpcodes:
    """The few opcodes that a stub is written in, by their names on this version."""

    callee: tuple[str, str]
    """PUSH_NULL and LOAD_CONST, in the order in which a call wants them."""
    before_call: tuple[str, ...]
    """Opcodes that precede CALL with the same argument."""
    load_cell: str
    jump_if_none: str
    jump_if_not_none: str
    jump_if_false: str


@dataclass(frozen=True, slots=True)
class Table:
    """All facts about one version."""

    version: tuple[int, int]
    rows: Mapping[str, Row]
    caches: Mapping[str, int]
    """Inline cache units behind an opcode, where there are any."""
    jumps: Mapping[str, int]
    """Jumping opcodes and their direction: 1 forward, -1 backward."""
    merges_locations: bool
    """Neighbours with equal positions share one entry of the line table."""
    stub: StubOpcodes
    no_stub_at: Mapping[str, str] = field(default_factory=dict)
    """Opcodes that no stub may precede, each with the reason."""
    no_stub_after: Mapping[str, str] = field(default_factory=dict)
    """Opcodes that no stub may follow, each with the reason."""
    prefixes: frozenset[str] = frozenset()
    """Opcodes without operations that belong to the CALL behind them."""
