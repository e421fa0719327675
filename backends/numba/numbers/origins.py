"""Tracks the identity of numbers through merges of paths.

A merged number is a variable of the kernel, from which exits build an object. In eager it keeps its
identity: after `if c: t = s`, `t` may be the object that the caller passed as `s`, or a number that
the program computed and also returns elsewhere. So the variable is accompanied by a second one: the
slot of the object plus 1, or 0 for a number without one. The first recipe that needs the object of
a slot puts it there (recipe.c).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ....jit.analysis.solver import backward
from ....jit.ir.edges import edges
from ....jit.ir.graph import Block, Graph, Node, Value
from ....jit.ir.primitives import of_node, primitive
from ....jit.ir.schema import Applies
from ....jit.ir.types import ScalarType
from ..source import Source
from ..words import Tables


class Origins:
    """Slots of the objects of one kernel's numbers."""

    def __init__(
        self, graph: Graph, wanted: Iterable[Value], source: Source, tables: Tables
    ) -> None:
        """Create it; `wanted` are the values from which recipes build objects."""
        self._followed, self._sources = _to_follow(graph, {*filter(_is_object, wanted)})
        self._source = source
        self._tables = tables
        self._texts: dict[Value, str] = {}

    def of(self, value: Value) -> str:
        """Return an expression for the origin of a number: a variable or a constant."""
        return self._texts.get(value, "0")

    def is_followed(self, value: Value) -> bool:
        """True if a number has a variable for its origin."""
        return value in self._followed

    def stands_in(self, param: Value, slot: int) -> None:
        """Record the slot of a live-in's object."""
        if param in self._sources:
            self._texts[param] = str(slot + 1)

    def make_slots(self) -> None:
        """Reserve slots for computed numbers whose object is needed in two places."""
        for value in self._sources:
            if value not in self._followed and value not in self._texts:
                self._texts[value] = str(self._tables.fresh_slot() + 1)

    def follow(self, value: Value, origin: str | None = None) -> None:
        """Declare the origin variable of a number if it needs one, as a copy of `origin` or new."""
        if value in self._followed:
            if origin is None:
                origin = self._source.name("whose")
                self._source.line(f"{origin} = 0")
            self._texts[value] = origin

    def follow_choice(self, node: Node, operands: Sequence[str]) -> None:
        """Assign the origin of a number that is one of its node's operands."""
        (value,) = node.outputs
        if value in self._followed and _gives_an_operand(node):
            origins = [self.of(one) for one in node.inputs]
            chooses = of_node(node).chooses
            text = origins[0]
            if chooses is not None:
                second = f"{operands[-1]} {primitive(chooses).symbol} {operands[0]}"
                text = f"{origins[-1]} if {second} else {origins[0]}"
            name = self._texts[value] = self._source.name("whose")
            self._source.line(f"{name} = {text}")

    def found(self, value: Value) -> None:
        """Give a number computed in a region its slot, after the region."""
        if value in self._sources and value in self._followed:
            with self._source.indented(f"if {self._texts[value]} == 0:"):
                self._source.line(f"{self._texts[value]} = {self._tables.fresh_slot() + 1}")


def _to_follow(graph: Graph, wanted: set[Value]) -> tuple[frozenset[Value], dict[Value, None]]:
    """Return (region results that may be existing objects, numbers that need a slot).

    The latter are in graph order, because slot numbers appear in the kernel's text.
    """
    flow = _Flow()
    flow.follow(graph)
    needed = backward(wanted, lambda value: flow.given.get(value, ())) & flow.given.keys()
    users: dict[Value, set[Value]] = defaultdict(set)
    for value in filter(needed.__contains__, flow.given):
        for one in flow.given[value]:
            users[one].add(value)

    def has_slot(value: Value, by: set[Value]) -> bool:
        if value in graph.params:
            return True
        twice = value in wanted or (value not in needed and len(by) > 1)
        return twice and value not in flow.within_loops

    sources = dict.fromkeys(value for value, by in users.items() if has_slot(value, by))
    reached = backward(
        {value for one in sources for value in users[one]}, lambda value: users.get(value, ())
    )
    return frozenset(reached & needed), sources


def _gives_an_operand(node: Node) -> bool:
    """True if an operation returns one of its operands: `min(a, b)`, `+a` of a Python float."""
    if node.op.applies is not Applies.NUMBERS:
        return False
    row, type_ = of_node(node), node.inputs[0].type
    if row.returns_operand:
        is_python = isinstance(type_, ScalarType) and type_.python
        return is_python and type_.dtype.kind in row.returns_operand
    return row.chooses is not None and len(node.inputs) == 2


def _is_object(value: Value) -> bool:
    """True if programs can observe a number's identity; ints and bools of Python's do not count."""
    type_ = value.type
    if not isinstance(type_, ScalarType):
        return False
    return type_.dtype.kind not in ("bi" if type_.python else "b")


@dataclass(slots=True)
class _Flow:
    """Flow of numbers through regions and loops."""

    given: dict[Value, dict[Value, None]] = field(default_factory=lambda: defaultdict(dict))
    """For each number from a region, the numbers that it may be; both in graph order."""
    within_loops: set[Value] = field(default_factory=set)
    """Numbers that are new in each iteration, or never defined."""

    def follow(self, graph: Graph) -> None:
        """Record the flow of a graph."""
        self._find_choices(graph.body, in_loop=False)
        for edge in edges(graph.body):
            self._hand_over(edge.targets, edge.values)

    def _find_choices(self, block: Block, in_loop: bool) -> None:
        if in_loop:
            self.within_loops.update(block.params)
        for node in block.nodes:
            if in_loop or node.op.is_nullary:
                self.within_loops.update(node.outputs)
            if _gives_an_operand(node):
                for value in node.inputs:
                    self._hand_over(node.outputs, (value,))
            for inner in node.blocks:
                self._find_choices(inner, in_loop or node.op.loops)

    def _hand_over(self, targets: Sequence[Value], values: Sequence[Value]) -> None:
        for target, value in zip(targets, values, strict=True):
            if _is_object(target):
                self.given[target][value] = None
