"""Graphs to text and back: the same text, and the same graph, but for what no text holds."""

from __future__ import annotations

import contextlib
import dataclasses
import struct
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any

import numpy as np

from framejit.jit import pipeline
from framejit.jit.flags import NO_MODES
from framejit.jit.ir.constant_text import constant_text
from framejit.jit.ir.graph import Block, Exit, Graph, Node, Recipe, Value
from framejit.jit.ir.library_names import Placeholder
from framejit.jit.ir.parse import parse_graph
from framejit.jit.ir.text import print_graph
from framejit.jit.passes.pass_manager import AT_CAPTURE, FOR_KERNELS, Pass


def check_round_trip(graph: Graph) -> None:
    """Asserts that the text of a graph gives that graph, and the graph that text."""
    text = print_graph(graph)
    parsed = parse_graph(text)

    assert print_graph(parsed) == text
    assert differing(graph, parsed) is None


@contextlib.contextmanager
def all_graphs_round_trip() -> Iterator[list[Graph]]:
    """Checks each graph that is captured meanwhile, after each pass too; gives those captured.

    The graphs after capture are also put through the passes for kernels, whatever the backend.
    """
    captured: list[Graph] = []
    run_passes = pipeline.run_passes

    def checked(passes: tuple[Pass, ...], graph: Graph) -> Graph:
        check_round_trip(graph)
        for one in passes:
            graph = run_passes((one,), graph)
            check_round_trip(graph)
        if passes is AT_CAPTURE:
            captured.append(graph)
            copy = parse_graph(print_graph(graph))
            for one in FOR_KERNELS:
                copy = run_passes((one,), copy)
                check_round_trip(copy)
        return graph

    pipeline.run_passes = checked
    try:
        yield captured
    finally:
        pipeline.run_passes = run_passes


def differing(graph: Graph, parsed: Graph) -> str | None:
    """Return the first difference of a graph and the one read from its text, or None."""
    return _Comparison().graphs(graph, parsed)


class _Comparison:
    def __init__(self) -> None:
        self._values: dict[Value, Value] = {}
        """Values of the parsed graph by those of the other."""
        self._recipes: dict[Recipe, Recipe] = {}

    def graphs(self, one: Graph, other: Graph) -> str | None:
        """Compare whole graphs."""
        if not self._defined(one.params, other.params):
            return "parameters"
        if {self._values[v]: n for v, n in one.bounds.items()} != other.bounds:
            return "bounds"
        found = self._blocks(one.body, other.body)
        if found is not None:
            return found
        if len(one.exits) != len(other.exits):
            return "the number of exits"
        both = zip(one.exits, other.exits, strict=True)
        return next((f"exit {k}" for k, pair in enumerate(both) if not self._exits(*pair)), None)

    def _defined(self, one: tuple[Value, ...], other: tuple[Value, ...]) -> bool:
        self._values.update(zip(one, other, strict=False))
        return [value.type for value in one] == [value.type for value in other]

    def _read(self, one: tuple[Value, ...], other: tuple[Value, ...]) -> bool:
        return tuple(self._values[value] for value in one) == other

    def _blocks(self, one: Block, other: Block) -> str | None:
        if not self._defined(one.params, other.params) or len(one.nodes) != len(other.nodes):
            return "the parameters of a block, or the number of its nodes"
        for first, second in zip(one.nodes, other.nodes, strict=True):
            found = self._nodes(first, second)
            if found is not None:
                return found
        return None if self._read(one.results, other.results) else "the results of a block"

    def _nodes(self, one: Node, other: Node) -> str | None:
        same = (
            one.op is other.op
            and self._read(one.inputs, other.inputs)
            and self._defined(one.outputs, other.outputs)
            and _modes(one) == _modes(other)
            and len(one.blocks) == len(other.blocks)
            and are_same(dict(one.attrs), dict(other.attrs))
            and list(one.attrs) == list(other.attrs)
        )
        if not same:
            return f"{one.op.name} {one.attrs} {other.attrs}"
        found = (self._blocks(*pair) for pair in zip(one.blocks, other.blocks, strict=True))
        return next((text for text in found if text is not None), None)

    def _exits(self, one: Exit, other: Exit) -> bool:
        same = (one.at, one.kind, one.deletes, one.nulls) == (
            *(other.at, other.kind, other.deletes, other.nulls),
        )
        first, second = (
            (*exit_.effects, *exit_.recipes, *(slot for slot, _ in exit_.stores))
            for exit_ in (one, other)
        )
        self._recipes.clear()
        return same and self._same(first, second)

    def _same(self, one: Any, other: Any) -> bool:
        """Compare recipes and their parts; an object in several places must be so in both."""
        if isinstance(one, Value):
            if one not in self._values:  # no node makes it any more
                return self._defined((one,), (other,))
            return self._values[one] is other
        if isinstance(one, Recipe):
            if type(one) is not type(other):
                return False
            if _makes_an_object(one) and self._recipes.setdefault(one, other) is not other:
                return False
            return self._same(_fields(one), _fields(other))
        if type(one) is tuple and type(other) is tuple:
            return len(one) == len(other) and all(map(self._same, one, other))
        return are_same(one, other)


def _makes_an_object(recipe: Recipe) -> bool:
    return type(recipe).__name__ in ("Build", "Call", "Do")


def _modes(node: Node) -> Any:
    return NO_MODES if node.location is None else node.location.modes


def _fields(one: Any) -> tuple[Any, ...]:
    return tuple(getattr(one, field.name) for field in dataclasses.fields(one))


def are_same(one: Any, other: Any) -> bool:
    """True for constants and attributes that are the same to the last bit, or named the same."""
    if isinstance(other, Placeholder):
        return constant_text(one) == f"<{other.text}>" or str(one) == other.text
    if type(one) is not type(other):
        return False
    if isinstance(one, float | complex) and not isinstance(one, np.generic):
        return _bits(one) == _bits(other)
    if isinstance(one, np.generic):
        return one.dtype.char == other.dtype.char and one.tobytes() == other.tobytes()
    if isinstance(one, np.dtype):
        return one == other and one.char == other.char
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(are_same, one, other))
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(are_same(one[k], other[k]) for k in one)
    if isinstance(one, attrgetter):
        return repr(one) == repr(other)
    if dataclasses.is_dataclass(one) and not isinstance(one, type):
        return are_same(_fields(one), _fields(other))
    return bool(one is other or one == other)


def _bits(number: complex) -> bytes:
    return struct.pack("<dd", number.real, number.imag)
