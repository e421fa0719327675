"""Stand-ins for live-ins of the next segment, from the values of a finished capture."""

from __future__ import annotations

from types import CellType
from typing import Any

from ..state.machine import Machine
from ..values.expected import Expected, Unseen
from ..values.symbolic import (
    Array,
    Cell,
    Dict,
    Instance,
    JittedFunction,
    Known,
    Lazy,
    List,
    Scalar,
    Symbolic,
    Tuple,
    UserFunction,
)
from ..values.value_kind import OfParts
from ..values.wording import in_words
from .lists import ListState


def expected(origin: Machine, value: Symbolic | None) -> Any:
    """Return the object that a value of `origin` will be, as far as that is known."""
    match value:
        case Array():
            dims = map(origin.builder.resolve, value.type.dims)
            return Expected(value.type, tuple(map(origin.builder.length_at_capture, dims)))
        case Scalar():
            return Expected(value.type, hint=value.value.hint)
        case Lazy() | Known() | UserFunction() | JittedFunction():
            return value.object
        case List() | Dict() | Cell() | Instance() if value.source is not None:
            return value.object
        case Tuple(items=items, named=named):
            return tuple.__new__(named or tuple, [expected(origin, item) for item in items])
        case OfParts(parts=parts):
            found = value.expected(tuple(expected(origin, part) for part in parts))
        case _:
            found = _made_here(origin, value)
    if found is not None:
        return found
    return Unseen("a variable" if value is None else in_words(value))


def _made_here(origin: Machine, value: Symbolic | None) -> Any:
    """Return a list or cell that the segment has made; None for anything else."""
    if not isinstance(value, List | Cell):
        return None
    state = origin.heap.state(value)
    if isinstance(value, Cell):
        return CellType() if state is None else CellType(expected(origin, state))
    if not isinstance(state, ListState) or state.extended or state.items is None:
        return None
    return [expected(origin, item) for item in (*state.items, *state.tail)]
