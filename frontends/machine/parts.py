"""What a symbolic value is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from ...jit.ir import graph as ir
from .flow.ways import WalkedArray
from .values import Known, Range, RangeIterator, Slice, Symbolic, Tuple, Walk

_MODULES = (Known.__module__, WalkedArray.__module__)
"""Where the classes of symbolic values stand."""


def graph_values(value: Any) -> Iterator[ir.Value]:
    """The graph values in a symbolic value, those of its parts too."""
    if isinstance(value, ir.Value):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from graph_values(item)
    elif isinstance(value, dict):
        yield from graph_values(tuple(value.values()))
    elif is_dataclass(value) and type(value).__module__ in _MODULES:
        for part in fields(value):
            if part.name not in ("source", "object", "namespace"):  # what is the program's
                yield from graph_values(getattr(value, part.name))


def parts_of(value: Symbolic) -> tuple[Symbolic, ...]:
    """The parts of what Parts stands for."""
    if isinstance(value, Tuple):
        return value.items
    if isinstance(value, Walk):
        return () if value.position is None else (value.position,)
    assert isinstance(value, Slice | Range | RangeIterator)
    return value.parts
