"""The symbolic machine: executes neutral instructions on symbolic values.

An instruction either happens whole or not at all: before each one the machine marks where it
stands, and a GraphBreak rolls back to the mark, so that eager can go on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ...guards.kinds import IsWriteable
from ...guards.program import Guard
from ...guards.sources import Source
from ...jit.ir.builder import Builder
from ...jit.ir.graph import Block, Exit, Graph, Location, Recipe, Value
from ...jit.ir.ops import CHECKPOINT, LEAVE, STORE, Op
from ..bytecode import Decoded, Flow, isa, why_no_entry
from .breaks import EFFECT, INSTRUCTION, NUMPY_REFUSED, GraphBreak
from .memory import Memory
from .values import Known, Null, Symbolic, Unknown, recipe

Handler = Callable[["Machine", "Frame", Any], "int | None"]
HANDLERS: dict[str, Handler] = {}
"""What each neutral operation does; a result is the index of the instruction to go on at."""


def handles(*names: str) -> Callable[[Handler], Handler]:
    """Registers a handler for operations."""

    def register(handler: Handler) -> Handler:
        for name in names:
            HANDLERS[name] = handler
        return handler

    return register


@dataclass(eq=False, slots=True)
class Frame:
    """A frame under symbolic execution."""

    flow: Flow
    namespace: dict[str, Any]
    """Globals."""
    locals: list[Symbolic | None]
    """By localsplus slot; None where nothing is known to be bound."""
    cells: dict[int, Symbolic]
    """What the cells of free variables hold."""
    stack: list[Symbolic] = field(default_factory=list)
    index: int = 0

    @property
    def decoded(self) -> Decoded:
        """The instructions."""
        return self.flow.decoded

    def location(self) -> Location:
        """Where the current instruction stands in the user's program."""
        code = self.decoded.code
        line = self.decoded.instructions[self.index].line or code.co_firstlineno
        module = self.namespace.get("__name__", "<unknown>")
        return Location(code.co_filename, line, code.co_qualname, module, self.namespace)


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


@dataclass(slots=True)
class Captured:
    """One captured segment."""

    graph: Graph
    guards: list[Guard]
    sources: list[Source]
    """The source of each parameter of the graph."""
    exit: Exit
    ended_by: Break | None
    """None when the segment runs to the return."""
    returned: Recipe | None = None
    """What the return gives back, when the segment runs to it."""


class Machine:
    """Captures one segment."""

    def __init__(self, start: list[Symbolic | None], base: int) -> None:
        self.start = start
        """Locals at the start of the segment."""
        self.base = base
        """Stack items below the segment's own."""
        self.builder = Builder()
        self.guards: list[Guard] = []
        self.param_sources: list[Source] = []
        self.writeable: dict[Value, tuple[Source, bool]] = {}
        """Live-in arrays: where they come from, and whether they may be written to."""
        self.realised: dict[Source, Symbolic] = {}
        self.memory = Memory()
        self.depth = 0
        """Frames being inlined."""
        self.steps = 0
        """Instructions run so far."""
        self._checkpoint_due = False
        self._log: list[Source] = []

    # ---- guards and live-ins -----------------------------------------------------------------

    def guard(self, guard: Guard) -> None:
        """Relies on a condition from here on."""
        if guard not in self.guards:
            self.guards.append(guard)

    def remember(self, source: Source, value: Symbolic) -> None:
        """The symbolic value that a source stands for, until rolled back."""
        self.realised[source] = value
        self._log.append(source)

    # ---- effects -------------------------------------------------------------------------------

    def share(self, view: Value, base: Value) -> None:
        """`view` is a window on the memory of `base`."""
        self.memory.share(view, base)

    def write(self, target: Value, value: Value, location: Location) -> None:
        """Stores a finished value into the memory of an array.

        Raises:
            GraphBreak: the array is read-only or not the segment's to judge; or, inside an inlined
                call, the write could be seen from outside.
        """
        visible = self.memory.is_visible(target)
        self._guard_writeable(self.memory.root(target))
        if visible and self.depth:
            raise GraphBreak(EFFECT, "a write to an array from outside, in a function called here")
        self.builder.effect(STORE, (target, value), {"visible": visible}, location)
        if visible:
            self.memory.epoch += 1
            self._checkpoint_due = True

    def _guard_writeable(self, root: Value) -> None:
        if self.memory.is_made_here(root):
            return
        if root not in self.writeable:
            raise GraphBreak(EFFECT, "a write into the result of a call, which may be read-only")
        source, writeable = self.writeable[root]
        if not writeable:
            raise GraphBreak(NUMPY_REFUSED, f"{source} is read-only")
        self.guard(IsWriteable(source))

    def take_checkpoint(self, frame: Frame) -> None:
        """From here on bails lead to the instruction that the frame stands before."""
        if why_no_entry(frame.flow, frame.index) is not None:
            raise GraphBreak(EFFECT, "the state after this statement cannot be taken over")
        self.leave(frame, self.start, self.base, "bail", CHECKPOINT)
        self._checkpoint_due = False

    def _mark(self, frame: Frame) -> tuple[Any, ...]:
        return (
            self.builder.mark(),
            len(self.guards),
            len(self.param_sources),
            len(self._log),
            list(frame.stack),
            list(frame.locals),
            dict(frame.cells),
            self.memory.epoch,
        )

    def _rollback(self, frame: Frame, mark: tuple[Any, ...]) -> None:
        builder, guards, sources, log, frame.stack, frame.locals, frame.cells, epoch = mark
        self.memory.epoch = epoch
        self._checkpoint_due = False
        self.builder.rollback(builder)
        del self.guards[guards:]
        del self.param_sources[sources:]
        for source in self._log[log:]:
            del self.realised[source]
        del self._log[log:]

    # ---- running -------------------------------------------------------------------------------

    @contextmanager
    def region(self, params: tuple[Value, ...]) -> Iterator[Block]:
        """A block of its own for what is captured inside; left behind on a break."""
        outer = self.builder.block
        self.builder.block = Block(params, [])
        try:
            yield self.builder.block
        finally:
            self.builder.block = outer

    def run(self, frame: Frame, stop: int = -1, limit: int | None = None) -> Break | None:
        """Runs until a return or instruction `stop` (None) or a break; the frame stands before it.

        Stack items that were there before the segment and are Unknown stay where they are: an
        instruction that would take them is a break.
        """
        instructions = frame.decoded.instructions
        below = frame.stack[: self.base] if self.depth == 0 else []
        while True:
            if frame.index == stop or (limit is not None and self.steps >= limit):
                return None
            instruction = instructions[frame.index]
            self.steps += 1
            if any(op.name == "RETURN_VALUE" for op in instruction.ops):
                return None
            mark = self._mark(frame)
            at = frame.index
            try:
                target = None
                for op in instruction.ops:
                    target = self._step(frame, op.name, op.arg)
                if any(a is not b for a, b in zip(below, frame.stack, strict=False)) or len(
                    frame.stack
                ) < len(below):
                    raise GraphBreak(INSTRUCTION, f"{instruction.opcode} of what lies below")
                frame.index = at + 1 if target is None else target
                if self._checkpoint_due and self.depth == 0:
                    self.take_checkpoint(frame)
            except GraphBreak as error:
                self._rollback(frame, mark)
                frame.index = at
                code = error.code
                taken = sum(isa.pops(op) for op in instruction.ops)
                guessing = any(isinstance(v, Unknown) for v in frame.stack[-taken:] if taken)
                return Break(
                    code.code,
                    code.title,
                    error.detail,
                    code.hint,
                    frame.location(),
                    frame.index,
                    not guessing,
                )

    def _step(self, frame: Frame, name: str, arg: Any) -> int | None:
        handler = HANDLERS.get(name)
        if handler is None:
            raise GraphBreak(INSTRUCTION, f"instruction {name}")
        return handler(self, frame, arg)

    def returned(self, frame: Frame) -> Symbolic:
        """What the return instruction that the frame stands before gives back."""
        first = frame.decoded.instructions[frame.index].ops[0]
        if first.name == "LOAD_CONST":
            return Known(first.arg)
        return frame.stack[-1]

    # ---- leaving -------------------------------------------------------------------------------

    def leave(
        self,
        frame: Frame,
        start: list[Symbolic | None],
        base: int,
        kind: str,
        op: Op = LEAVE,
    ) -> Exit:
        """Ends the segment before the frame's current instruction (CHECKPOINT: allows to end it).

        Locals that the segment assigned are stored there, but not before a return: they would die
        with the frame, unseen.

        Args:
            frame: The frame as it stands.
            start: Its locals at the start of the segment.
            base: How many stack items the segment found below its own and left alone.
            kind: "return", "break" or "bail".
            op: LEAVE or CHECKPOINT.

        Raises:
            GraphBreak: something on the stack or in a local cannot be built outside the graph.
        """
        stores: list[tuple[int, Recipe]] = []
        deletes = []
        for slot, (before, now) in enumerate(zip(start, frame.locals, strict=True)):
            if now is before or kind == "return":
                continue
            if now is None:
                deletes.append(slot)
            else:
                stores.append((slot, _recipe(now)))
        items = frame.stack[base:]
        nulls = tuple(k for k, value in enumerate(items) if isinstance(value, Null))
        pushes = tuple(_recipe(value) for value in items if not isinstance(value, Null))
        exit_ = Exit(frame.index, kind, tuple(stores), pushes, tuple(deletes), nulls)
        self.builder.leave(exit_, op)
        return exit_


def _recipe(value: Symbolic) -> Recipe:
    made = recipe(value)
    if made is None:
        raise GraphBreak(INSTRUCTION, f"a {type(value).__name__} cannot leave a segment")
    return made
