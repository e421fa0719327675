"""From a graph to the parts of a cache entry; owns the Backend protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, Protocol

from .ir.graph import Graph, Node, Recipe

LOADING = RLock()
"""Held by backends while foreign code that has locks of its own loads kernels: a fork waits."""
COMPILING = RLock()
"""Held by backends while foreign code compiles, for it changes what all threads share."""
MachineCode = tuple[int, Any]
"""The address of a kernel, and what keeps it there."""


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


@dataclass(slots=True)
class Parts:
    """What a backend gives: the fields of a native Entry that are its business."""

    kernel: int = 0
    """Address of machine code, 0 when `python_kernel` is used."""
    keepalive: Any = None
    unfinished: Callable[[], MachineCode] | None = None
    """What compiles the kernel, in any thread, where that is not done yet."""
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
    scratch: int = 0
    reports: int = 0
    text: str = ""
    """Source of the kernel, for `inspect`."""
    came_from: Callable[[], tuple[str, str]] | None = None
    """Tells where machine code came from, "disk" or "compiled", and why it could not be found on
    disk where that is not as it should be."""
    fused: int = 0
    """Nodes that run in fused loops."""
    opaque: int = 0
    """Nodes that call the real function."""
    located: list[Node] = field(default_factory=list)
    """Attributing kernels: the node of each number in the log of flags."""
    done: dict[str, int] = field(default_factory=dict)
    """What passes have done for the kernel, in words of the report, each with a number."""


class Backend(Protocol):
    """Turns graphs into kernels."""

    name: str

    def compile(self, plan: Plan, attribute: bool = False) -> Parts:
        """The kernel of a graph; raises only for errors of its own.

        With `attribute` the kernel keeps the flags of each node apart and logs them; a backend that
        issues NumPy's warnings in another way gives parts without a log.
        """
