"""Native entries: what a backend gives, and the graph it was made of, as C takes them."""

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
    guards: bytes = b"",
    n_guards: int = 0,
) -> Entry:
    """The entry of one kernel.

    Args:
        parts: of the kernel.
        graph: what it computes.
        n_live: how many slots the caller fills.
        owner: whom C tells of bails and flags.
        options: those in which a cache finds it; None for an entry that no cache holds.
        guards: packed guards of the entry itself.
        n_guards: their number.
    """
    return Entry(
        objects=parts.objects,
        guards=guards + parts.guards,
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
