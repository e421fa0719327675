"""The start of a capture, and its result: a segment, or the places where it ended in breaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ...guards.program import Guard
from ...guards.sources import Source
from ...jit.ir.graph import Exit, Graph, Location, Recipe, Value
from ...jit.ir.types import PY_INT, Sym
from ..bytecode import isa
from ..bytecode.flow import Flow
from ..bytecode.kinds import Kind
from ..bytecode.model import Instruction
from .state.machine import Machine
from .values.breaks import NOT_PLAIN, Break
from .values.ranges import RangeIterator
from .values.symbolic import INDEX, Scalar, Symbolic, Unknown


@dataclass(slots=True)
class Place:
    """A place at which capture of a path stops, with the machine's state there."""

    index: int
    """The instruction at which it stops, not yet executed."""
    stack: list[Symbolic]
    locals: list[Symbolic | None]
    ended_by: Break | None = None
    pauses: bool = False
    """True if nothing breaks: the next segment begins at this instruction."""

    def successors(self, flow: Flow) -> Iterator[Place]:
        """Yield the places that may follow once the instruction has run eagerly."""
        if self.pauses:
            yield replace(self, pauses=False)
            return
        instruction = flow.decoded.instructions[self.index]
        handler = instruction.handler.target if instruction.handler is not None else None
        taken = sum(isa.pops(op) for op in instruction.ops)
        stays = self.stack[: max(0, len(self.stack) - taken)]
        for index in flow.successors[self.index]:
            if index == handler:
                continue
            depth = len(flow.stack_at(index))
            results: list[Symbolic] = [Unknown("a result") for _ in range(depth - len(stays))]
            if index == self.index + 1 and self._iterates_range(instruction):
                results[-1] = Scalar(Value(PY_INT))
            stack = [*stays[:depth], *results]
            for k, what in enumerate(flow.stack_at(index)):
                stack[k] = INDEX if what is Kind.INDEX else stack[k]
            yield Place(index, stack, list(self.locals))

    def _iterates_range(self, instruction: Instruction) -> bool:
        iterates = any(op.name == isa.FOR_ITER for op in instruction.ops)
        return iterates and isinstance(self.stack[-1], RangeIterator)


@dataclass(slots=True)
class Outcome:
    """Result of a capture."""

    captured: Captured | None
    """None if nothing was recorded that is worth a segment."""
    breaks: list[Place]
    """Places where it ends in breaks; the one reached by all paths comes last."""
    ended_by: Break | None
    """The break that all paths reach; None if they return."""
    index: int
    """The instruction that all paths reach; the function's last one if none gets so far."""
    machine: Machine
    """The machine to which the symbolic values belong."""
    pauses: bool = False
    """True if nothing breaks there, but another segment has to begin."""
    pauses_by: str = ""
    """The journal's rule for ending there; "" if it ends after a loop that it may not finish."""

    @property
    def met_unsupported_object(self) -> bool:
        """True if it ends at an object that graphs cannot hold, so that another one may do."""
        return self.ended_by is not None and self.ended_by.code == NOT_PLAIN.code


@dataclass(slots=True)
class Captured:
    """One captured segment."""

    graph: Graph
    guards: list[Guard]
    sources: list[Source]
    """Source of each parameter of the graph."""
    exit: Exit
    """The last exit: where the segment is left normally."""
    ended_by: Break | None
    """None if the segment runs to the return."""
    returns: dict[int, Recipe] = field(default_factory=dict)
    """Recipes of the return values, by number of the exit that returns."""
    taken_apart: tuple[tuple[Location, str], ...] = ()
    """Loops whose iterations are in the graph one by one, with the reasons."""
    goes_round: frozenset[int] = frozenset()
    """Headers of loops that it may leave unfinished; the next launch goes on with the rest."""
    is_narrow: bool = False
    """True if it relies on computed lengths being 0 or 1, as they were at capture."""
    may_be_one: frozenset[Sym] = frozenset()
    """Lengths of parameters that may be 1; all others are at least 2."""


@dataclass(frozen=True, slots=True)
class StartState:
    """The state of a frame in which a segment begins."""

    flow: Flow
    namespace: dict[str, Any]
    locals: list[Symbolic | None]
    cells: dict[int, Symbolic]
    stack: list[Symbolic] = field(default_factory=list)
    index: int = 0
    """The first instruction of the segment."""
    below: int = 0
    """Number of the lowest stack items that belong to the context of the segment, and stay."""
