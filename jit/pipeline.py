"""Runs passes and the backend: from a captured graph to the parts of a cache entry.

`optimise_captured` runs the passes for every backend, `optimise_for_kernel` those that a backend
names in `passes`, and `compile_plan` the latter and then the backend. Defines the Backend protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from .addresses import Address
from .allotment import Allotment
from .ir.graph import Constant, Graph, Node, Recipe, Spot
from .ir.types import Sym
from .kernels import Unfinished
from .passes.clusters import Fused
from .passes.pass_manager import AT_CAPTURE, Pass, run_passes
from .passes.unused_exits import without_unused_exits


@dataclass(slots=True)
class Plan:
    """Input of a backend: a graph, and where its live-ins and results are."""

    graph: Graph
    payloads: Sequence[Recipe]
    """For each exit of the graph, the recipe of the object that it hands back."""
    param_slots: Sequence[int]
    """Slot of each graph parameter."""
    slot_of: Callable[[Any], int]
    """Returns the slot of a guard source, for recipes that hand back a live-in itself."""
    n_slots: int
    """Number of slots in use."""
    n_guards: int
    """Number of guards of the entry itself; guards of opaque results follow them."""
    objects: list[Any]
    """Objects of the entry; a backend appends its own."""
    cache: bool = True
    """True if machine code may be read from and written to disk."""
    later: bool = False
    """True if the backend may return before the machine code is compiled."""
    as_captured: Graph | None = None
    """The graph before the backend's passes, if it has any."""
    spots: list[Spot] = field(default_factory=list)
    """Instructions at which kernels bail, numbered from 1; a backend appends its own."""
    may_be_one: frozenset[Sym] = frozenset()
    """Lengths of parameters that may be 1; all others are at least 2."""


@dataclass(slots=True)
class Parts:
    """Result of a backend: those fields of a native Entry that it determines."""

    graph: Graph | None = None
    """The graph after all passes; filled in by `compile_plan`."""
    kernel: int = 0
    """Address of the machine code, 0 if `python_kernel` is used."""
    keepalive: Any = None
    unfinished: Unfinished | None = None
    """Compiles the kernel, if that has not been done yet."""
    objects: tuple[Any, ...] = ()
    """Objects of the entry; filled in by `frontends/runtime/entry.py`."""
    python_kernel: Callable[..., Any] | None = None
    n_slots: int = 0
    loads: bytes = b""
    n_loads: int = 0
    arrays: bytes = b""
    calls: bytes = b""
    guards: bytes = b""
    """Packed guards of opaque results; they follow the entry's own."""
    recipes: bytes = b""
    steps: bytes = b""
    words: bytes = b""
    """Initial words of a launch: `WORDS["FIRST"]` words for C, then the kernel's."""
    addresses: tuple[tuple[int, Address], ...] = ()
    """Words that hold addresses of this process."""
    scratch: int = 0
    parallel: int = 0
    """Number of loops whose iterations threads may share."""
    small: int = 0
    """Number of loops that would be shared if their arrays had been larger at capture."""
    releases: bool = False
    """True if long loops may run without the GIL; see `order_is_observable` in aliases.py."""
    reports: int = 0
    text: str = ""
    """Source text of the kernel, for `inspect`."""
    came_from: Callable[[], tuple[str, str]] | None = None
    """Returns the origin of the machine code, "disk" or "compiled"; and the reason why it was not
    on disk, if it should have been."""
    fused: int = 0
    """Nodes in fused loops; with none the entry gains nothing and is dropped."""
    opaque: int = 0
    """Nodes that call the real function."""
    located: list[Node] = field(default_factory=list)
    """The node of each number in the log of flags."""
    done: dict[str, int] = field(default_factory=dict)
    """Numbers of operations that the backend optimised, by the word that reports use."""
    fusion: tuple[Fused, ...] = ()
    """The clusters, each computed in one pass over memory."""
    allotments: Callable[[], tuple[Allotment, ...]] | None = None
    """Returns the memory plan of the kernel's arrays; None if the backend does not tell."""


class TooLong(Exception):  # noqa: N818 (named for its reason)
    """The text of a kernel has `lines`, more than the `most` that are compiled."""

    def __init__(self, lines: int, most: int) -> None:
        super().__init__(f"a kernel of {lines} lines, of which {most} are compiled")
        self.lines, self.most = lines, most


class Backend(Protocol):
    """Turns graphs into kernels.

    The optional attribute `passes`, a tuple of `Pass`, lists passes that run on each graph before
    `compile`, except for kernels that attribute flags.
    """

    name: str

    def compile(self, plan: Plan, attribute: bool = False) -> Parts:
        """Return the kernel of a graph; raises TooLong, or any error of the backend.

        With `attribute` the kernel logs the floating point flags of each node separately. A backend
        that issues NumPy's warnings in another way returns parts without a log.
        """


def optimise_captured(graph: Graph) -> Graph:
    """Return the captured graph after the passes that precede every backend."""
    return without_unused_exits(run_passes(AT_CAPTURE, graph))


def optimise_with(backend: Backend, graph: Graph) -> Graph:
    """Return the graph after the backend's own passes."""
    passes: tuple[Pass, ...] = getattr(backend, "passes", ())
    return run_passes(passes, graph) if passes else graph


def optimise_for_kernel(backend: Backend, plan: Plan) -> Plan:
    """Return the plan after the backend's passes; exits that became unreachable hand back None."""
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
    """Return the kernel of a plan.

    A kernel that attributes flags is compiled without the backend's passes: it needs a node for
    each place in the program that may report a flag, and the passes merge equal operations.
    """
    if not attribute:
        plan = optimise_for_kernel(backend, plan)
    parts = backend.compile(plan, attribute)
    parts.graph = plan.graph
    return parts
