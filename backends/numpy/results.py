"""Whether an opaque call gave what the graph was made for: the guards that compiled kernels ask.

A number that is read at run time may decide about a dtype (`pascal(n, exact=exact)`), and data may
decide about an order in memory. Capture has seen one of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ...jit.entries import native_entry
from ...jit.ir.graph import Block, Exit, Graph
from ...jit.ir.types import Type
from ...jit.native import Entry
from ...jit.pipeline import Parts
from ...jit.results import result_guards


def is_of(type_: Type, result: Any) -> bool:
    """Whether a result has this type, lengths of more than one item aside."""
    return _guarded(type_).failed_guard((result,)) is None


@lru_cache(maxsize=1000)
def _guarded(type_: Type) -> Entry:
    """An entry that is never launched."""
    objects: list[Any] = []
    guards, count = result_guards(type_, 0, 1, objects)
    parts = Parts(
        python_kernel=lambda slot: None, objects=tuple(objects), n_slots=1, words=bytes(8 * 64)
    )
    graph = Graph((), Block((), []), [Exit(0, "return")])
    return native_entry(
        parts, graph, n_live=1, owner=None, options=None, guards=guards, n_guards=count
    )
