"""Rows of ops that write into arrays, and of calls that do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import attributes as has
from .. import references as run
from .. import type_rules as typed
from ..schema import Effect, Kind, Op, TypeRule, Writes, row

__all__ = ["PUT", "SCATTER", "SORT", "STORE"]


def _write(
    name: str, reference: Callable[..., Any], signature: str, types: TypeRule, /, **more: Any
) -> Op:
    """Add an op that writes into memory; "visible" writes survive a bail."""
    more = {"effect": Effect.WRITE, "visible": has.A_BOOL, **more}
    return row(name, Kind.STORE, reference, signature, types, **more)


STORE = _write(
    *("store", run.store, "array, numeric ->", typed.stored),
    writes=Writes.FIRST,
    overwrites=True,
    one_item=True,
)
"""Writes input 1, broadcast and cast, into the memory of input 0."""

SORT = _write(
    *("sort", run.sort, "array ->", typed.along_axis), axis=has.AN_INT, writes=Writes.FIRST
)
"""Sorts an array along an axis in place."""

PUT = _write(
    *("put", run.call, "passed+ ->", typed.written_somewhere),
    call=has.A_CALL,
    writes=Writes.ANY,
    holds=True,
    one_item=True,
)
"""Calls a function that writes into some of its inputs, arrays or objects: `attrs["call"]` is an
OpaqueCall of `operator.setitem`, of a function with `out=`, or of a sorting method. If it raises,
part of the writes may have happened."""

SCATTER = _write(
    *("scatter", run.scatter, "array, numeric, numeric+ ->", typed.scattered),
    axes=has.PLACES,
    writes=Writes.FIRST,
    one_item=True,
)
"""Writes input 1, broadcast, into input 0 at the places that the other inputs give, as in GATHER.
If an index is out of bounds nothing is written."""
