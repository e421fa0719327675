"""Rows of calls of functions outside the graph. Those that write are in `stores.py`."""

from __future__ import annotations

from typing import Any

from .. import attributes as has
from .. import references as run
from .. import type_rules as typed
from ..schema import Effect, Kind, Op, TypeRule, Writes, row
from ..type_rules import freely

__all__ = ["DRAW", "ITEMS", "MAKE", "OPAQUE"]


def _call(name: str, signature: str, types: TypeRule = freely, /, **more: Any) -> Op:
    """Add an op that calls the OpaqueCall `attrs["call"]`."""
    if "effect" not in more:
        more["lacks"] = {"effect": "it calls pure functions"}
    return row(name, Kind.OPAQUE, run.call, signature, types, call=has.A_CALL, **more)


OPAQUE = _call("opaque", "passed* -> passed", owned=has.A_MARK, computes=True)
"""Calls a pure function outside the graph; `attrs["call"]` is an OpaqueCall."""

ITEMS = _call("items", "passed* -> passed*", typed.nested, nest=has.A_NEST, computes=True)
"""Calls a pure function that returns a tuple or list: each item is a result of the node."""

DRAW = _call(
    *("draw", "object, passed* -> passed"),
    visible=has.A_BOOL,
    owned=has.A_MARK,
    effect=Effect.DRAW,
    writes=Writes.FIRST,
)
"""Calls a method of input 0, a random generator, and changes its state."""

MAKE = _call("make", "passed* -> object", effect=Effect.DRAW)
"""Calls a constructor of a random generator; each run makes another object."""
