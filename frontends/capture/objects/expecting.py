"""Stand-ins for live-ins of the next segment, from the values of a finished capture."""

from __future__ import annotations

from types import CellType
from typing import Any

from ....jit.ir.types import PY_INT
from ..state.machine import Machine
from ..values.expected import Expected, Unseen
from ..values.symbolic import (
    Array,
    Cell,
    Dict,
    Instance,
    Known,
    Lazy,
    List,
    Range,
    RangeIterator,
    Scalar,
    Slice,
    Symbolic,
    Tuple,
    UserFunction,
)
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
        case Lazy(object=there) | Known(object=there) | UserFunction(object=there):
            return there
        case List() | Dict() | Cell() | Instance() if value.source is not None:
            return value.object
        case Tuple(items=items, named=named):
            return tuple.__new__(named or tuple, [expected(origin, item) for item in items])
        case Slice(parts=parts):
            return slice(*(expected(origin, part) for part in parts))
        case Range(parts=parts):
            return _range(origin, parts)
        case RangeIterator(parts=parts):
            found = _range(origin, parts)
            return iter(found) if isinstance(found, range) else found
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


def _range(origin: Machine, parts: tuple[Symbolic, ...]) -> range | Unseen:
    """Return a range; an unknown start, as in a running loop, is the first number."""
    start, stop, step = (_int(origin, part) for part in parts)
    if stop is None or not step:
        return Unseen("a range")
    return range(start or 0, stop, step)


def _int(origin: Machine, value: Symbolic) -> int | None:
    there = expected(origin, value)
    if type(there) is Expected:
        return there.hint if there.type == PY_INT else None
    return there if type(there) is int else None
