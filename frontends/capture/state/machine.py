"""The symbolic machine: executes neutral instructions on symbolic values.

An instruction takes effect completely or not at all: before each one the machine marks its state,
and a GraphBreak rolls back to the mark, so that eager can continue from there.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ....guards.conversions import Listed
from ....guards.objects import IsSame
from ....guards.program import Guard
from ....guards.sources import Source
from ....jit.ir.graph import Block, Location, Value
from ....jit.ir.ops import STORE, Op
from ....jit.ir.schema import Applies
from ....jit.ir.types import ArrayType
from ..values import folding
from ..values.breaks import EFFECT, GraphBreak
from ..values.symbolic import Instance, Iterator, List, Object, Outside, Symbolic, Union
from .changed_arrays import arrays_changed_by, guard_writeable
from .distinct_objects import guard_distinct, guard_own_names, may_be_two
from .frame import Frame
from .machine_state import MachineState
from .paths import Landing
from .snapshots import Mark

if TYPE_CHECKING:
    from .invocation import Invocation

Handler = Callable[["Machine", "Frame", Any], "int | None"]
HANDLERS: dict[str, Handler] = {}
"""Handlers of the neutral operations; a result is the index of the next instruction."""


def handles(*names: str) -> Callable[[Handler], Handler]:
    """Register a handler for operations."""

    def register(handler: Handler) -> Handler:
        for name in names:
            HANDLERS[name] = handler
        return handler

    return register


class Machine(MachineState):
    """Captures one segment."""

    __slots__ = ()

    # ---- guards and live-ins -----------------------------------------------------------------

    def guard(self, guard: Guard) -> None:
        """Rely on a condition from here on."""
        self.guards.setdefault(guard)

    def remember(self, source: Source, value: Symbolic) -> None:
        """Record the symbolic value of a source; rolled back with the rest."""
        assert source not in self.realised, "a rollback takes away what came last"
        self.realised[source] = value

    def one_of(self, value: Symbolic | None) -> Symbolic | None:
        """Resolve a union as far as the present path knows it; None if it is unbound."""
        while isinstance(value, Union) and value in self.kinds:
            value = self.kinds[value]
        return value

    # ---- objects -------------------------------------------------------------------------------

    def meet(self, found: Outside) -> Outside:
        """Return the one value of a mutable live-in, however it is reached.

        What is reached by way of objects that differ from call to call has a value for each way.
        """
        assert found.source is not None
        if (known := self.seen.get(id(found.object))) is not None:
            assert known.source is not None
            if found.source != known.source and may_be_two(self, found, known):
                self.twins.append(found)
                return found
            if found.source != known.source:
                self.guard(IsSame(found.source, known.source, True))
            return known
        for other in self.touched:
            guard_distinct(self, found, other)
        self.seen[id(found.object)] = found
        return found

    def change(
        self, of: Object, state: Any, function: Callable[..., object], *arguments: Symbolic
    ) -> None:
        """Change the state of an object; for one from outside, the exit calls `function`.

        The call is `function(object, *arguments)`.

        Raises:
            GraphBreak: in the body of a region.
        """
        self.heap.change(of, state)
        if isinstance(of, Iterator) or of.source is None:
            return
        self.touch(of)
        self.heap.do(function, of, *arguments)

    def touch(self, of: Outside) -> None:
        """Note that an outside object changes; guards tell it from all other objects met."""
        if of in self.touched:
            return
        if isinstance(of, List) and any(_is_of_inner_lists(source) for source in self.realised):
            raise GraphBreak(EFFECT, "a change of a list, which may be in a list that is read")
        for other in (*self.seen.values(), *self.twins):
            guard_distinct(self, of, other)
        if isinstance(of, Instance):
            guard_own_names(self, of)
        self.touched.append(of)

    # ---- effects -------------------------------------------------------------------------------

    def meet_values(self, output: Value, values: Sequence[Value]) -> None:
        """Note that `output` is one of these values, depending on the path."""
        if isinstance(output.type, ArrayType):
            self.memory.meet(output, values)
        else:
            self.identities.meet(output, values)

    def share(self, view: Value, base: Value) -> None:
        """Note that `view` is a view of the memory of `base`."""
        self.memory.share(view, base)

    def write(self, target: Value, value: Value, location: Location) -> None:
        """Store a finished value into the memory of an array.

        Raises:
            GraphBreak: the array is read-only, or its memory is not known well enough.
        """
        self.change_memory(STORE, target, (target, value), {}, location)

    def change_memory(
        self,
        op: Op,
        target: Value,
        inputs: tuple[Value, ...],
        attrs: dict[str, Any],
        location: Location,
        may_stop_midway: bool = False,
    ) -> None:
        """Add an op that writes into the memory of an array.

        With `may_stop_midway` part of it may be written when it raises.

        Raises:
            GraphBreak: the array is read-only, or its memory is not known well enough.
        """
        if isinstance(target.type, ArrayType) and not target.type.layout.nested:
            raise GraphBreak(EFFECT, "a write to memory of which axes overlap")
        visible = self.memory.is_visible(target)
        changing = arrays_changed_by(self, target)
        for one in changing:
            guard_writeable(self, one)
        undone = visible and self.undone_by_bail(changing, may_stop_midway)
        attrs = {**attrs, "visible": visible and not undone}
        self.builder.effect(op, inputs, attrs, location)
        if visible and not undone:
            self.changed_for_good()

    def undone_by_bail(self, changing: Sequence[Value], may_stop_midway: bool) -> bool:
        """Return True if a bail will undo the changes that follow to arrays or a generator.

        Otherwise call `changed_for_good` after the change.
        """
        undone = may_stop_midway or self.depth > 0 or self.is_inner  # no checkpoints are possible
        if undone:
            for one in changing:
                self.undone.add(one, self.region_at if self.is_inner else None)
        return undone

    def changed_for_good(self) -> None:
        """Let bails lead to behind this instruction from here on."""
        self.memory.epoch += 1
        self.checkpoint_due = True

    def checkpoint_taken(self) -> None:
        """Note that bails lead to behind all changes so far."""
        self.undone.clear()
        self.checkpoint_due = False

    # ---- running -------------------------------------------------------------------------------

    @contextmanager
    def inner_block(self, block: Block) -> Generator[None]:
        """Capture into the block of a region; left on a break."""
        outer = self.builder.block
        if outer is self.body:
            self.region_at, self.folded_before = len(outer.nodes), folding.made
        self.builder.block = block
        around = self.heap.enter_region()
        kept = self.unrolling, self.before, dict(self.assumed), dict(self.kinds)
        self.unrolling = []
        try:
            yield
        finally:
            self.builder.block = outer
            self.unrolling, self.before, self.assumed, self.kinds = kept
            self.heap.leave_region(around)

    @contextmanager
    def writing(self, block: Block) -> Generator[None]:
        """Append nodes to a block that has been captured."""
        outer, self.builder.block = self.builder.block, block
        try:
            yield
        finally:
            self.builder.block = outer

    @property
    def is_inner(self) -> bool:
        """True if the present block is that of a region."""
        return self.builder.block is not self.body

    def run(self, frame: Frame, limit: int | None = None, begun: bool = False) -> Landing:
        """Run a frame to where its paths wait or end, at most `limit` instructions of it.

        With `begun` it may be at such a place at first.
        """
        return self.interpreter.run(self, frame, limit, begun)

    def call(self, callee: Symbolic, call: Invocation) -> Symbolic:
        """Return the result of a call, or raise a GraphBreak that names the callee."""
        return self.interpreter.call(callee, call)

    def begin(self, frame: Frame, mark: Mark) -> None:
        """Note that an instruction of the outermost frame is about to run."""
        self.before = frame.index, mark

    def passed(self, index: int) -> None:
        """Note that an instruction of the outermost frame has run."""
        self.ran.append((index, len(self.body.nodes)))

    def passed_in_vain(self) -> list[int]:
        """Return the outermost frame's instructions that ran before any array was involved.

        Once a segment makes an array, the program's own array is known better than the graph's.
        """
        nodes = self.body.nodes
        numbers = next(
            (k for k, node in enumerate(nodes) if node.op.applies is not Applies.NUMBERS),
            len(nodes),
        )
        return [at for at, count in self.ran if count <= numbers]

    def unrolled_loop(self, frame: Frame) -> bool:
        """Go back to before the loop being unrolled; return False if there is none."""
        if self.depth or not self.unrolling:
            return False
        _, (frame.index, mark) = self.unrolling[0]
        self.rollback(frame, mark)
        self.unrolling.clear()
        return True

    def begin_loop(self, frame: Frame, iterator: Symbolic) -> None:
        """Note that a loop is consumed item by item, with the frame at its FOR_ITER."""
        if self.depth == 0 and all(known is not iterator for known, _ in self.unrolling):
            self.unrolling.append((iterator, self.before))

    def end_loop(self, iterator: Symbolic) -> None:
        """Note that such a loop has ended or was left."""
        if self.depth == 0:
            self.unrolling = [loop for loop in self.unrolling if loop[0] is not iterator]


def _is_of_inner_lists(source: Source) -> bool:
    """True for what a launch is given of the lists in a list, see arrays/inner_lists.py."""
    return isinstance(source, Listed) and source.part == "rows"
