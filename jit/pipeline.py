"""From what capture recorded to the parts of a cache entry: the only place where passes are run.

`optimise_captured` runs the passes that every backend gets; `optimise_for_kernel` those that a
backend names in `passes`; `compile_plan` runs the latter and then the backend. Owns the Backend
protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from .addresses import Address
from .allotment import Allotment
from .ir.graph import Constant, Graph, Node, Recipe, Spot
from .kernels import Unfinished
from .passes.clusters import Fused
from .passes.halts import without_unused_exits
from .passes.pass_manager import AT_CAPTURE, Pass, run_passes


@dataclass(slots=True)
class Plan:
    """What a backend is given: a graph and where its live-ins stand."""

    graph: Graph
    payloads: Sequence[Recipe]
    """For each exit of the graph, the object it hands back."""
    param_slots: Sequence[int]
    """The slot of each graph parameter."""
    slot_of: Callable[[Any], int]
    """The slot of a guard source, for recipes that hand back a live-in itself."""
    n_slots: int
    """Slots in use."""
    n_guards: int
    """Guards of the entry itself; guards of results come after them."""
    objects: list[Any]
    """The entry's objects; a backend appends its own."""
    cache: bool = True
    """Whether machine code may be kept on disk, and taken from there."""
    later: bool = False
    """Whether machine code that has to be compiled may come later; a backend may do it at once."""
    as_captured: Graph | None = None
    """The graph before the passes of the backend, if there were any."""
    spots: list[Spot] = field(default_factory=list)
    """Instructions that kernels bail at, by number from 1 on; a backend appends its own."""


@dataclass(slots=True)
class Parts:
    """What a backend gives: the fields of a native Entry that are its business."""

    graph: Graph | None = None
    """What was compiled, after all passes; filled in by `compile_plan`."""
    kernel: int = 0
    """Address of machine code, 0 when `python_kernel` is used."""
    keepalive: Any = None
    unfinished: Unfinished | None = None
    """What compiles the kernel, where that is not done yet."""
    objects: tuple[Any, ...] = ()
    """The objects of the entry, filled in by the composer."""
    python_kernel: Callable[..., Any] | None = None
    n_slots: int = 0
    loads: bytes = b""
    n_loads: int = 0
    arrays: bytes = b""
    calls: bytes = b""
    guards: bytes = b""
    """Guards of opaque results; they come after the entry's own."""
    recipes: bytes = b""
    steps: bytes = b""
    words: bytes = b""
    """What a launch begins with: `WORDS["FIRST"]` words of C's, then those of the kernel."""
    addresses: tuple[tuple[int, Address], ...] = ()
    """Words that hold addresses of this process."""
    scratch: int = 0
    parallel: int = 0
    """Loops whose turns threads may share."""
    small: int = 0
    """Those that would be such if their arrays had been larger at capture."""
    reports: int = 0
    text: str = ""
    """Source of the kernel, for `inspect`."""
    came_from: Callable[[], tuple[str, str]] | None = None
    """Tells where machine code came from, "disk" or "compiled", and why it could not be found on
    disk where that is not as it should be."""
    fused: int = 0
    """Nodes that run in fused loops; without any the entry gains nothing, and is dropped."""
    opaque: int = 0
    """Nodes that call the real function."""
    located: list[Node] = field(default_factory=list)
    """The node of each number in the log of flags."""
    done: dict[str, int] = field(default_factory=dict)
    """What passes have done for the kernel, in words of the report, each with a number."""
    fusion: tuple[Fused, ...] = ()
    """The clusters that the backend computes, each in one pass over memory."""
    allotments: Callable[[], tuple[Allotment, ...]] | None = None
    """Tells where the arrays of the kernel stand; None where the backend does not tell."""


class TooLong(Exception):  # noqa: N818
    """The text of a kernel has so many `lines`, more than the `most` that are compiled."""

    def __init__(self, lines: int, most: int) -> None:
        super().__init__(f"a kernel of {lines} lines, of which {most} are compiled")
        self.lines, self.most = lines, most


class Backend(Protocol):
    """Turns graphs into kernels.

    A backend may have an attribute `passes`, a tuple of `Pass`: they are run on each graph before
    `compile` gets it, but for kernels that attribute flags. Without it there are none.
    """

    name: str

    def compile(self, plan: Plan, attribute: bool = False) -> Parts:
        """The kernel of a graph; raises for errors of its own, and TooLong.

        With `attribute` the kernel keeps the flags of each node apart and logs them; a backend that
        issues NumPy's warnings in another way gives parts without a log.
        """


def optimise_captured(graph: Graph) -> Graph:
    """The graph that every backend is given, from the one that capture recorded."""
    return without_unused_exits(run_passes(AT_CAPTURE, graph))


def optimise_with(backend: Backend, graph: Graph) -> Graph:
    """The graph after the passes of a backend."""
    passes: tuple[Pass, ...] = getattr(backend, "passes", ())
    return run_passes(passes, graph) if passes else graph


def optimise_for_kernel(backend: Backend, plan: Plan) -> Plan:
    """The plan after the passes of a backend; exits that became unreachable hand back None."""
    graph = optimise_with(backend, plan.graph)
    if graph is plan.graph:
        return plan
    used = {node.attrs.get("exit") for node in graph.nodes()}
    payloads = [
        payload if number in used else Constant(None)
        for number, payload in enumerate(plan.payloads)
    ]
    return replace(plan, graph=graph, payloads=payloads, as_captured=plan.graph)


def compile_plan(backend: Backend, plan: Plan, attribute: bool = False) -> Parts:
    """The kernel of a plan.

    A kernel that attributes flags is compiled without the backend's passes: it needs a node for
    each place in the program that may report one, and the passes merge equal operations.
    """
    if not attribute:
        plan = optimise_for_kernel(backend, plan)
    parts = backend.compile(plan, attribute)
    parts.graph = plan.graph
    return parts
