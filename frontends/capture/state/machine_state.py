"""All that the machine knows while it captures a segment, and how each part is rolled back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import TYPE_CHECKING

from ....guards.program import Guard
from ....guards.sources import Source
from ....jit import frozen
from ....jit.ir.builder import Builder
from ....jit.ir.graph import Block, Location, Node, Value
from ....jit.ir.ops import UNDO
from ...bytecode.flow import Flow
from ...runtime.capture_budget import Budget
from ..values.breaks import Break
from ..values.symbolic import Object, Outside, Symbolic, Union
from .frame import FRAMES, Frame
from .heap import Heap
from .identity_tracker import IdentityTracker, ListKey
from .memory import Memory
from .paths import Landing
from .snapshots import CONTENTS, GROWS, NESTED, SETTING, VALUE, Mark, Snapshots, stays

if TYPE_CHECKING:
    from .invocation import Invocation
    from .machine import Machine


@frozen.dataclass(frozen=True, slots=True)
class Interpreter:
    """Operations of Python that use all others: their modules import the machine's.

    They are handed in, as loops, methods of objects and functions of NumPy need them.
    """

    run: Callable[[Machine, Frame, int | None, bool], Landing]
    """`flow.running.run`: run a frame to where its paths wait or end."""
    call: Callable[[Symbolic, Invocation], Symbolic]
    """`handlers.calls.call_value`: call a callee."""


class Undone:
    """Arrays that bails restore, each by an UNDO node in the block of the whole graph."""

    def __init__(self, body: Block) -> None:
        self._body = body
        self._nodes: dict[Value, Node] = {}

    def add(self, root: Value, place: int | None) -> None:
        """Let bails restore an array; the node goes to a place in the body, or to its end."""
        nodes = self._body.nodes
        if any(node is self._nodes.get(root) for node in nodes):
            return
        node = self._nodes[root] = Node(UNDO, (root,), {}, ())
        nodes.insert(len(nodes) if place is None else place, node)

    def clear(self) -> None:
        """Forget the arrays, whose changes so far stay."""
        self._nodes.clear()

    def mark(self) -> dict[Value, Node]:
        """Return the present state."""
        return self._nodes.copy()

    def rollback(self, mark: dict[Value, Node]) -> None:
        """Remove the nodes added since; they are anywhere in the body, see `Builder.rollback`."""
        gone = [node for root, node in self._nodes.items() if mark.get(root) is not node]
        if gone:
            self._body.nodes[:] = [node for node in self._body.nodes if node not in gone]
        self._nodes = mark.copy()


@dataclass(eq=False, slots=True)
class MachineState:
    """The fields of a machine."""

    # ---- given ---------------------------------------------------------------------------------

    interpreter: Interpreter = field(metadata=SETTING)
    start: list[Symbolic | None] = field(metadata=SETTING)
    """Locals at the start of the segment."""
    base: int = field(metadata=SETTING)
    """Number of stack items below the segment's own."""
    flows: dict[CodeType, Flow] = field(metadata=stays("code has one analysis"))
    """Analysed bytecode of inlined functions, shared by the captures of one exploration."""
    left_alone: Collection[int] = field(metadata=SETTING)
    """Headers of loops not to be continued in mid-iteration, because it did not pay."""
    budget: Budget = field(metadata=stays("time that has been spent is spent"))
    """Shared by captures that belong together."""
    plain_lists: frozenset[ListKey] = field(default=frozenset(), metadata=SETTING)
    """Lists that must not grow or must not be copied, see `IdentityDiffers`."""
    varying: frozenset[str] = field(default=frozenset(), metadata=SETTING)
    """Names of lists with varying lengths, and of ints with varying values."""
    any_kind: frozenset[str] = field(default=frozenset(), metadata=SETTING)
    """Names of numbers with varying types, see `number_kinds.py`."""
    any_line: frozenset[str] = field(default=frozenset(), metadata=SETTING)
    """Those of them that are arrays in other calls, see `spread_numbers.py`."""
    takes_long: bool = field(default=False, metadata=SETTING)
    """True if a launch took long in a loop that could not be halted."""
    kept: frozenset[int] = field(default=frozenset(), metadata=SETTING)
    """Locals of the outermost frame that regions hand over although nothing reads them, because
    a later exit stores them; see `LocalsNotKept`."""
    begun_at: int = field(default=0, metadata=SETTING)
    """The instruction before which the segment begins."""

    # ---- what instructions change ----------------------------------------------------------------

    undone: Undone = field(init=False, metadata=NESTED)
    """Before the builder, which counts the nodes of the body."""
    builder: Builder = field(default_factory=Builder, metadata=NESTED)
    body: Block = field(init=False, metadata=SETTING)
    """The block of the whole graph."""
    heap: Heap = field(default_factory=Heap, metadata=NESTED)
    memory: Memory = field(default_factory=Memory, metadata=NESTED)
    identities: IdentityTracker = field(init=False, metadata=NESTED)
    assumed: dict[Hashable, bool] = field(default_factory=dict, metadata=CONTENTS)
    """Decisions assumed on the present path, such as the truth of numbers."""
    kinds: dict[Union, Symbolic | None] = field(default_factory=dict, metadata=CONTENTS)
    """Values of unions that are known on the present path."""
    guards: dict[Guard, None] = field(default_factory=dict, metadata=GROWS)
    """An ordered set."""
    param_sources: list[Source] = field(default_factory=list, metadata=GROWS)
    """Live-ins that are parameters of the graph, in their order."""
    realised: dict[Source, Symbolic] = field(default_factory=dict, metadata=GROWS)
    """The symbolic values of live-ins that an instruction has used."""
    named: list[Source] = field(default_factory=list, metadata=GROWS)
    """Globals and closure variables that were looked up: eager raises if one is gone."""
    seen: dict[int, Outside] = field(default_factory=dict, metadata=GROWS)
    """Objects from outside, by their address at capture."""
    twins: list[Outside] = field(default_factory=list, metadata=GROWS)
    """The same objects by other ways, which may lead to other objects in other calls."""
    touched: list[Outside] = field(default_factory=list, metadata=GROWS)
    """Those of them that the segment changes."""
    breaks: list[tuple[Break, Frame]] = field(default_factory=list, metadata=GROWS)
    """Breaks of branches that cannot be captured further."""
    taken_apart: list[tuple[Location, str]] = field(default_factory=list, metadata=GROWS)
    """Loops whose iterations are unrolled, with the reasons."""
    ran: list[tuple[int, int]] = field(default_factory=list, metadata=GROWS)
    """Instructions of the outermost frame that were run, with the number of nodes then."""
    checkpoint_due: bool = field(default=False, metadata=VALUE)
    """True if the instruction has an effect that a bail must not repeat."""

    # ---- what an attempt teaches the next, and what its caller puts back -------------------------

    writeable: dict[Value, tuple[Source, bool]] = field(
        default_factory=dict, metadata=stays("parameters that are gone are not asked for")
    )
    """Live-in arrays: (source, may it be written to?)."""
    took_arrays: bool = field(default=False, metadata=stays("then the kinds must not vary at all"))
    """True if a 0-d array was taken for a number of `any_kind`."""
    not_growing: set[Object] = field(
        default_factory=set, metadata=stays("the next attempt finds the same")
    )
    """Lists known to hold other things than numbers of one type."""
    ends: set[int] = field(default_factory=set, metadata=stays("the next attempt has to end there"))
    """Instructions at which it ends without a break: after loops that it may not finish."""
    no_region: str = field(
        default="a loop that goes round again", metadata=stays("it tells of what was rolled back")
    )
    """The reason why the loop tried last cannot be a region."""
    region_at: int = field(default=0, metadata=stays("each region sets it"))
    """The index of the present region's first instruction in the body."""
    folded_before: int = field(default=0, metadata=stays("each region sets it"))
    """The number of constants that calls had made before the present region."""
    steps: int = field(default=0, metadata=stays("it limits the work that is done"))
    """Number of instructions run so far."""
    taken_from: dict[Symbolic, tuple[int, int]] = field(
        default_factory=dict, metadata=stays("steps are not taken back")
    )
    """For each iterator consumed item by item, the step at which that began, and the number of
    operations made by then."""
    decomposition_count: int = field(default=0, metadata=stays("it is compared with a later count"))
    """Number of decompositions used in place of library functions."""
    depth: int = field(default=0, metadata=stays("its caller puts it back"))
    """Frames being inlined."""
    loop_depth: int = field(default=0, metadata=stays("its caller puts it back"))
    """Loops of which one iteration is being captured."""
    inlined: list[CodeType] = field(default_factory=list, metadata=stays("its caller puts it back"))
    library_until: int | None = field(default=None, metadata=stays("its caller puts it back"))
    """The step by which a library function's body must end; None outside of one."""
    unrolling: list[tuple[Symbolic, tuple[int, Mark]]] = field(
        default_factory=list, metadata=stays("a break in the loop leads back to before it")
    )
    """Loops being unrolled: the iterator, and the state before the first FOR_ITER."""
    before: tuple[int, Mark] = field(default=(0, ()), metadata=stays("each instruction sets it"))
    """The current instruction, and the state before it."""

    def __post_init__(self) -> None:
        """Make the parts that refer to others."""
        self.body = self.builder.block
        self.undone = Undone(self.body)
        self.identities = IdentityTracker(self.builder, self.heap)

    def mark(self, frame: Frame) -> Mark:
        """Return the present state, and that of a frame."""
        return MACHINES.mark(self), FRAMES.mark(frame)

    def rollback(self, frame: Frame, mark: Mark) -> None:
        """Undo everything after the mark. Handlers may hold the frame's lists, which stay."""
        of_machine, of_frame = mark
        FRAMES.rollback(frame, of_frame)
        MACHINES.rollback(self, of_machine)

    def are_made_since(self, mark: Mark, values: Sequence[Value]) -> bool:
        """True if any value of the graph was added after the mark."""
        return self.builder.are_made_since(MACHINES.part(mark[0], "builder"), values)


MACHINES = Snapshots(MachineState)
