"""Memory plan of a kernel's arrays, as a backend reports it."""

from __future__ import annotations

from collections.abc import Iterable

from .frozen import dataclass
from .ir.graph import Graph, Recipe, Value, leaves
from .ir.ops import Kind
from .ir.types import ArrayType


@dataclass(frozen=True, slots=True)
class Allotment:
    """The memory of one array of a kernel."""

    value: Value
    role: str
    """"argument", "result" or "temporary"."""
    view_of: Value | None = None
    """The array that it is a view of."""
    reuses: Value | None = None
    """The earlier array whose memory it takes over."""


def role_of(value: Value, params: Iterable[Value], results: Iterable[Value]) -> str:
    """Return what an array is to the caller of the kernel: argument, result or temporary."""
    if value in params:
        return "argument"
    return "result" if value in results else "temporary"


def allotments(graph: Graph, payloads: Iterable[Recipe]) -> tuple[Allotment, ...]:
    """Return a plan in which each operation has an array of its own, except views."""
    results = {value for payload in payloads for value in leaves(payload)}
    found = [Allotment(one, "argument") for one in graph.params if isinstance(one.type, ArrayType)]
    for node in graph.nodes():
        base = node.inputs[0] if node.op.kind is Kind.VIEW else None
        found += [
            Allotment(one, role_of(one, (), results), base)
            for one in node.outputs
            if isinstance(one.type, ArrayType)
        ]
    return tuple(found)
