"""Checks results of opaque calls with the guards that compiled kernels use.

A number read at run time may decide a dtype (`pascal(n, exact=exact)`), and data may decide a
memory order; capture has seen only one of the possible results.
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
    """True if a result has this type, except for lengths above one."""
    return _guarded(type_).failed_guard((result,)) is None


@lru_cache(maxsize=1000)
def _guarded(type_: Type) -> Entry:
    """Return an entry that has only the guards and is never launched."""
    objects: list[Any] = []
    guards = result_guards(type_, 0, 1, objects)
    parts = Parts(
        python_kernel=lambda slot: None, objects=tuple(objects), n_slots=1, words=bytes(8 * 64)
    )
    graph = Graph((), Block((), []), [Exit(0, "return")])
    return native_entry(parts, graph, n_live=1, owner=None, options=None, guards=guards)
