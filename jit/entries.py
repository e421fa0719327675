"""Makes native entries from the parts that a backend returns."""

from __future__ import annotations

from typing import Any

from .ir.graph import Graph
from .native import Entry
from .pipeline import Parts


def native_entry(
    parts: Parts,
    graph: Graph,
    *,
    n_live: int,
    owner: Any,
    options: Any,
    guards: tuple[bytes, int] = (b"", 0),
) -> Entry:
    """Return the native entry of one kernel.

    Args:
        parts: The backend's result.
        graph: The graph that the kernel computes.
        n_live: Number of slots that the caller fills.
        owner: Object whose methods C calls about bails and flags.
        options: The options under which caches find the entry; None if no cache holds it.
        guards: Packed guards of the entry itself, and their number.
    """
    packed, n_guards = guards
    return Entry(
        objects=parts.objects,
        guards=packed + parts.guards,
        n_guards=n_guards,
        loads=parts.loads,
        n_loads=parts.n_loads,
        arrays=parts.arrays,
        calls=parts.calls,
        recipes=parts.recipes,
        steps=parts.steps,
        words=parts.words,
        n_live=n_live,
        n_slots=parts.n_slots,
        n_exits=len(graph.exits),
        scratch=parts.scratch,
        reports=parts.reports,
        kernel=parts.kernel,
        keepalive=parts.keepalive,
        python_kernel=parts.python_kernel,
        owner=owner,
        options=options,
        bails=bytes(exit_.kind == "bail" for exit_ in graph.exits),
    )
