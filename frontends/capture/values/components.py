"""Traverses the components of symbolic values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from ....jit.ir import graph as ir
from .item_sources import ItemSource
from .symbolic import Object, PositionalIter, Symbolic, Tuple
from .value_kind import OfParts, ValueKind

_WITH_PARTS = ValueKind | ItemSource
"""Classes whose fields are looked into."""


def graph_values(value: Any) -> Iterator[ir.Value]:
    """Yield the graph values in a symbolic value, recursively."""
    return (part for part in _every_part(value) if isinstance(part, ir.Value))


def objects_in(value: Any) -> Iterator[Object]:
    """Yield the heap objects in a symbolic value, itself included."""
    return (part for part in _every_part(value) if isinstance(part, Object))


def _every_part(value: Any) -> Iterator[Any]:
    """Yield graph values and symbolic values in a symbolic value, itself included."""
    if isinstance(value, ir.Value):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _every_part(item)
    elif isinstance(value, dict):
        yield from _every_part(tuple(value.values()))
    elif isinstance(value, _WITH_PARTS):
        yield value
        for part in fields(value):
            if part.name not in ("source", "object", "namespace"):  # those are the program's
                yield from _every_part(getattr(value, part.name))


def parts_of(value: Symbolic) -> tuple[Symbolic, ...]:
    """Return the components of a value with shape Parts."""
    if isinstance(value, Tuple):
        return value.items
    if isinstance(value, PositionalIter):
        return () if value.position is None else (value.position,)
    assert isinstance(value, OfParts)
    return value.parts
