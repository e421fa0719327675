"""The symbolic machine: executes neutral instructions on symbolic values.

An instruction takes effect completely or not at all: before each one the machine marks its state,
and a GraphBreak rolls back to the mark, so that eager can continue from there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable, Sequence
from contextlib import contextmanager
from types import CodeType
from typing import TYPE_CHECKING, Any

from ....guards.objects import IsSame
from ....guards.program import Guard
from ....guards.sources import Source
from ....jit.frozen import dataclass
from ....jit.ir.builder import Builder
from ....jit.ir.graph import Block, Location, Node, Value
from ....jit.ir.ops import OPERATOR, STORE, UNDO, Op
from ....jit.ir.types import ArrayType
from ...bytecode.flow import Flow
from ...capture_budget import Budget
from ..values import folding
from ..values.breaks import EFFECT, Break, GraphBreak
from ..values.symbolic import Instance, Iterator, Object, Outside, Symbolic, Union
from .changed_arrays import arrays_changed_by, guard_writeable
from .distinct_objects import keep_apart, keep_from_sharing
from .frame import Frame
from .heap import Heap
from .identity_tracker import Plain, SameObjects
from .memory import Memory
from .paths import Landing

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


@dataclass(frozen=True, slots=True)
class Interpreter:
    """Operations of Python that use all others: their modules import this one.

    They are handed in, as loops, methods of objects and functions of NumPy need them.
    """

    run: Callable[[Machine, Frame, int | None, bool], Landing]
    """`flow.running.run`: run a frame to where its paths wait or end."""
    call: Callable[[Symbolic, Invocation], Symbolic]
    """`handlers.calls.call_value`: call a callee."""


class Machine:
    """Captures one segment."""

    def __init__(
        self,
        interpreter: Interpreter,
        start: list[Symbolic | None],
        base: int,
        flows: dict[CodeType, Flow],
        left_alone: Collection[int] = (),
        budget: Budget | None = None,
    ) -> None:
        self._interpreter = interpreter
        self.budget = budget or Budget()
        """Shared by captures that belong together."""
        self.start = start
        """Locals at the start of the segment."""
        self.base = base
        """Number of stack items below the segment's own."""
        self.flows = flows
        """Analysed bytecode of inlined functions, shared by the captures of one exploration."""
        self.left_alone = left_alone
        """Headers of loops not to be continued in mid-iteration, because it did not pay."""
        self.builder = Builder()
        self.body = self.builder.block
        """The block of the whole graph."""
        self.assumed: dict[Hashable, bool] = {}
        """Decisions assumed on the present path, such as the truth of numbers."""
        self.kinds: dict[Union, Symbolic | None] = {}
        """Values of unions that are known on the present path."""
        self.breaks: list[tuple[Break, Frame]] = []
        """Breaks of branches that cannot be captured further."""
        self.taken_apart: list[tuple[Location, str]] = []
        """Loops whose iterations are unrolled, with the reasons."""
        self.no_region = "a loop that goes round again"
        """Why the loop tried last cannot be a region."""
        self._undone: dict[Value, Node] = {}
        """Arrays that bails restore, with their UNDO nodes."""
        self._region_at = self.folded_before = 0
        """Where the present region begins in the body, and the constants that calls had made."""
        self.guards: dict[Guard, None] = {}  # an ordered set
        self.param_sources: list[Source] = []
        self.writeable: dict[Value, tuple[Source, bool]] = {}
        """Live-in arrays: (source, may it be written to?)."""
        self.realised: dict[Source, Symbolic] = {}
        self.memory = Memory()
        self.heap = Heap()
        self.plain_lists: frozenset[Plain] = frozenset()
        """Lists that must not grow or must not be copied, see `SameObject`."""
        self.varying: frozenset[str] = frozenset()
        """Names of lists with varying lengths, and of ints with varying values."""
        self.any_kind: frozenset[str] = frozenset()
        """Names of numbers with varying types, see `number_kinds.py`."""
        self.took_arrays = False
        """True if a 0-d array was taken for such a number."""
        self.takes_long = False
        """True if a launch took long in a loop that could not be halted."""
        self.kept: frozenset[int] = frozenset()
        """Locals of the outermost frame that regions hand over although nothing reads them, because
        a later exit stores them; see `LocalsNotKept`."""
        self.same_objects = SameObjects(self.builder, self.heap)
        self.not_growing: set[Object] = set()
        """Lists known to hold other things than numbers of one type."""
        self.named: list[Source] = []
        """Globals and closure variables that were looked up: eager raises if one is gone."""
        self.seen: dict[int, Outside] = {}
        """Objects from outside, by their address at capture."""
        self.touched: list[Outside] = []
        """Those of them that the segment changes."""
        self.depth = self.turning = 0
        """Frames being inlined; loops of which one iteration is being captured."""
        self.inlined: list[CodeType] = []
        self.begun_at = 0
        """The instruction before which the segment begins."""
        self.ends: set[int] = set()
        """Instructions at which it ends without a break: after loops that it may not finish."""
        self.steps = 0
        """Number of instructions run so far."""
        self.taken_from: dict[Symbolic, int] = {}
        """For each iterator consumed item by item, the step at which that began."""
        self.own_bodies = 0
        """Number of decompositions used in place of library functions."""
        self.library_until: int | None = None
        """The step by which a library function's body must end; None outside of one."""
        self._passed: list[tuple[int, int]] = []
        """Instructions of the outermost frame that were run, with the number of nodes then."""
        self.checkpoint_due = False
        """True if the instruction has an effect that a bail must not repeat."""
        self._log: list[Source] = []
        self._loops: list[tuple[Symbolic, tuple[int, Any]]] = []
        """Loops being unrolled: the iterator, and the state before the first FOR_ITER."""
        self._before: tuple[int, Any] = (0, None)
        """The current instruction, and the state before it."""

    # ---- guards and live-ins -----------------------------------------------------------------

    def guard(self, guard: Guard) -> None:
        """Rely on a condition from here on."""
        self.guards.setdefault(guard)

    def remember(self, source: Source, value: Symbolic) -> None:
        """Record the symbolic value of a source; rolled back with the rest."""
        self.realised[source] = value
        self._log.append(source)

    def one_of(self, value: Symbolic | None) -> Symbolic | None:
        """Resolve a union as far as the present path knows it; None if it is unbound."""
        while isinstance(value, Union) and value in self.kinds:
            value = self.kinds[value]
        return value

    # ---- objects -------------------------------------------------------------------------------

    def meet(self, found: Outside) -> Outside:
        """Return the one value of a mutable live-in, however it is reached."""
        assert found.source is not None
        if (known := self.seen.get(id(found.object))) is not None:
            assert known.source is not None
            if found.source != known.source:
                self.guard(IsSame(found.source, known.source, True))
            return known
        for other in self.touched:
            keep_apart(self, found, other)
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
        for other in self.seen.values():
            keep_apart(self, of, other)
        if isinstance(of, Instance):
            keep_from_sharing(self, of)
        self.touched.append(of)

    # ---- effects -------------------------------------------------------------------------------

    def meet_values(self, output: Value, values: Sequence[Value]) -> None:
        """Note that `output` is one of these values, depending on the path."""
        if isinstance(output.type, ArrayType):
            self.memory.meet(output, values)
        else:
            self.same_objects.meet(output, values)

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
        undone = visible and self.takes_back(changing, may_stop_midway)
        attrs = {**attrs, "visible": visible and not undone}
        self.builder.effect(op, inputs, attrs, location)
        if visible and not undone:
            self.changed_for_good()

    def takes_back(self, changing: Sequence[Value], may_stop_midway: bool) -> bool:
        """Return True if a bail will undo the changes that follow to arrays or a generator.

        Otherwise call `changed_for_good` after the change.
        """
        undone = may_stop_midway or self.depth > 0 or self.is_inner
        if undone:
            for one in changing:
                self._undo(one)
        return undone

    def changed_for_good(self) -> None:
        """Let bails lead to behind this instruction from here on."""
        self.memory.epoch += 1
        self.checkpoint_due = True

    def _undo(self, root: Value) -> None:
        """Let bails restore an array.

        Checkpoints are impossible in regions and in inlined functions.
        """
        nodes = self.body.nodes
        if any(node is self._undone.get(root) for node in nodes):
            return
        node = self._undone[root] = Node(UNDO, (root,), {}, ())
        nodes.insert(self._region_at if self.is_inner else len(nodes), node)

    def checkpoint_taken(self) -> None:
        """Note that bails lead to behind all changes so far."""
        self._undone.clear()
        self.checkpoint_due = False

    def mark(self, frame: Frame) -> tuple[Any, ...]:
        """Return the present state."""
        return (
            self.builder.mark(),
            len(self.guards),
            len(self.param_sources),
            len(self._log),
            list(frame.stack),
            list(frame.locals),
            dict(frame.cells),
            self.memory.epoch,
            self.heap.mark(),
            len(self.touched),
            len(self.seen),
            len(self.named),
            len(self._passed),
            dict(self.assumed),
            dict(self.kinds),
            len(self.breaks),
            dict(self._undone),
            len(self.taken_apart),
            frame.modes,
            frame.moves_since,
            len(self.same_objects.puts),
        )

    def rollback(self, frame: Frame, mark: tuple[Any, ...]) -> None:
        """Undo everything after the mark."""
        builder, guards, sources, log, stack, locals_, cells, *rest = mark
        frame.stack[:], frame.locals[:] = stack, locals_  # handlers may hold these lists
        frame.cells.clear()
        frame.cells.update(cells)
        epoch, heap, touched, seen, named, passed, assumed, kinds, *others = rest
        breaks, undone, turns, frame.modes, frame.moves_since, puts = others
        del self.same_objects.puts[puts:]
        self.assumed, self.kinds = dict(assumed), dict(kinds)  # the mark may be used again
        del self.breaks[breaks:]
        del self.taken_apart[turns:]
        gone = [node for root, node in self._undone.items() if undone.get(root) is not node]
        self.body.nodes[:] = [node for node in self.body.nodes if node not in gone]
        self._undone = dict(undone)
        self.heap.rollback(heap)
        del self.touched[touched:]
        del self.named[named:]
        del self._passed[passed:]
        while len(self.seen) > seen:
            self.seen.popitem()
        self.memory.epoch = epoch
        self.checkpoint_due = False
        self.builder.rollback(builder)
        while len(self.guards) > guards:
            self.guards.popitem()
        del self.param_sources[sources:]
        for source in self._log[log:]:
            del self.realised[source]
        del self._log[log:]

    # ---- running -------------------------------------------------------------------------------

    @contextmanager
    def inner_block(self, block: Block) -> Generator[None]:
        """Capture into the block of a region; left on a break."""
        outer = self.builder.block
        if outer is self.body:
            self._region_at, self.folded_before = len(outer.nodes), folding.made
        self.builder.block = block
        around = self.heap.enter_region()
        kept = self._loops, self._before, dict(self.assumed), dict(self.kinds)
        self._loops = []
        try:
            yield
        finally:
            self.builder.block = outer
            self._loops, self._before, self.assumed, self.kinds = kept
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
        return self._interpreter.run(self, frame, limit, begun)

    def call(self, callee: Symbolic, call: Invocation) -> Symbolic:
        """Return the result of a call, or raise a GraphBreak that names the callee."""
        return self._interpreter.call(callee, call)

    def begin(self, frame: Frame, mark: tuple[Any, ...]) -> None:
        """Note that an instruction of the outermost frame is about to run."""
        self._before = frame.index, mark

    def passed(self, index: int) -> None:
        """Note that an instruction of the outermost frame has run."""
        self._passed.append((index, len(self.body.nodes)))

    def passed_in_vain(self) -> list[int]:
        """Return the outermost frame's instructions that ran before any array was involved.

        Once a segment makes an array, the program's own array is known better than the graph's.
        """
        nodes = self.body.nodes
        numbers = next((k for k, node in enumerate(nodes) if node.op is not OPERATOR), len(nodes))
        return [at for at, count in self._passed if count <= numbers]

    def unrolled_loop(self, frame: Frame) -> bool:
        """Go back to before the loop being unrolled; return False if there is none."""
        if self.depth or not self._loops:
            return False
        _, (frame.index, mark) = self._loops[0]
        self.rollback(frame, mark)
        self._loops.clear()
        return True

    def begin_loop(self, frame: Frame, iterator: Symbolic) -> None:
        """Note that a loop is consumed item by item, with the frame at its FOR_ITER."""
        if self.depth == 0 and all(known is not iterator for known, _ in self._loops):
            self._loops.append((iterator, self._before))

    def end_loop(self, iterator: Symbolic) -> None:
        """Note that such a loop has ended or was left."""
        if self.depth == 0:
            self._loops = [loop for loop in self._loops if loop[0] is not iterator]
