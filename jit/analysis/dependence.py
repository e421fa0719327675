"""Dependence analysis: which iterations of a `for` loop need others, and which items they share.

An iteration depends on others through control if one of them may end the loop, through the state
that CONTINUE hands to the next one, and through items of arrays if one writes what another reads
or writes.

For items the analysis finds, for each array, the lines along which iterations keep apart: axes that
each access indexes with the loop's index plus one constant. The lines of several accesses are those
that all of them have (the strong SIV test of Goff, Kennedy and Tseng, PLDI 1991). Arrays without
such a line must not be written to; others that are read must not overlap those that are, which a
backend may leave to a check at run time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from ..frozen import dataclass
from ..ir.edges import edges
from ..ir.graph import Block, Graph, Node, Value
from ..ir.indexing import Index, NewAxis, Ref
from ..ir.ops import Kind
from ..ir.types import ArrayType, ScalarType
from .aliases import Aliases
from .offsets import Offset, offsets_of
from .solver import backward

Makers = Mapping[Value, Node]
Line = tuple[int, int]
"""An axis that is indexed with the loop's index, and the constant that is added to it."""
Lines = frozenset[Line]


@dataclass(frozen=True, slots=True)
class Dependent:
    """Iterations may depend on each other."""

    reason: str


@dataclass(frozen=True, slots=True)
class Separate:
    """No iteration uses an item that another one writes, under two conditions."""

    in_bounds: frozenset[tuple[Node, int]]
    """Accesses, with the axis along which they must be in bounds: else an index that is negative
    could be that of another iteration."""
    disjoint: frozenset[frozenset[Value]]
    """Pairs of arrays that must not overlap."""


@dataclass(frozen=True, eq=False, slots=True)
class _Access:
    """One access to an array from outside of the loop."""

    array: Value
    node: Node | None
    """The node that takes a part of the array; None for all of it."""
    lines: Lines
    writes: bool


class Dependence:
    """The dependences between iterations of the loops of one graph."""

    def __init__(self, graph: Graph, makers: Makers, aliases: Aliases) -> None:
        self._graph, self._makers, self._aliases = graph, makers, aliases

    @cached_property
    def _offsets(self) -> Mapping[Value, Offset]:
        return offsets_of(self._graph, self._makers)

    def through_control(self, loop: Node) -> Dependent | None:
        """Return the dependence if an iteration may end the loop, else None."""
        if len(loop.outputs) > len(loop.state) or loop.blocks[0].breaks:
            return Dependent("an iteration may end the loop")
        return None

    def through_state(self, loop: Node) -> Dependent | tuple[int, ...]:
        """Return the dependence if an iteration uses the state that another one has left.

        Else each value of the state only notes that an iteration has done something: return, for
        each, the number that iterations set it to. The order in which they do is irrelevant.
        """
        notes = tuple(_State(loop, self._makers).notes())
        if len(notes) < len(loop.state):
            return Dependent("an iteration uses what the one before has computed")
        return notes

    def through_items(self, loop: Node) -> Dependent | Separate:
        """Return the dependence if an iteration may use an item that another one writes."""
        found = _Accesses(loop.blocks[0], self._makers, self._offsets)
        if not found.are_known:
            return Dependent("an iteration picks the array that it uses")
        return _between(found.accesses, self._aliases)


def _between(accesses: Sequence[_Access], aliases: Aliases) -> Dependent | Separate:
    """Return the dependence between accesses of different iterations."""
    arrays = dict.fromkeys(one.array for one in accesses)
    in_bounds: set[tuple[Node, int]] = set()
    disjoint: set[frozenset[Value]] = set()
    for array in dict.fromkeys(one.array for one in accesses if one.writes):
        assert isinstance(array.type, ArrayType)
        if array.type.layout.may_share_items:
            return Dependent("items of an array that is written to may share memory")
        own = [one for one in accesses if one.array is array]
        common = frozenset.intersection(*(one.lines for one in own))
        if not common:
            return Dependent("iterations may use the same items of an array")
        axis = min(common)[0]
        in_bounds.update((one.node, axis) for one in own if one.node is not None)
        others = (one for one in arrays if not aliases.are_disjoint(array, one))
        disjoint.update(frozenset((array, one)) for one in others if one is not array)
    return Separate(frozenset(in_bounds), frozenset(disjoint))


class _State:
    """Values of a loop's state that iterations leave alone, or set to a constant."""

    def __init__(self, loop: Node, makers: Makers) -> None:
        self._state, self._makers = loop.state, makers
        self._sources: dict[Value, list[Value]] = {}
        """Values that may be handed over to a value."""
        self._targets: dict[Value, list[Value]] = {}
        for edge in edges(loop.blocks[0], loop):
            for target, value in edge:
                self._sources.setdefault(target, []).append(value)
                self._targets.setdefault(value, []).append(target)
        self._used: set[Value] = set()
        for node in loop.blocks[0].every_node():
            first = 3 if node.op.counted else 1 if node.op.branches else 0
            self._used.update(node.inputs[:first] if node.op.hands_over else node.inputs)

    def notes(self) -> Iterator[int]:
        """Yield the constants, up to a value that is more than a note."""
        for note in self._state:
            constants = self._constants(note)
            is_int = isinstance(note.type, ScalarType) and note.type.dtype.char == "l"
            if len(constants) != 1 or not is_int or not self._is_only_handed_on(note):
                return
            number = constants.pop()
            if number is None:
                return
            yield number

    def _is_only_handed_on(self, note: Value) -> bool:
        """True if no operation in the loop reads the value, whatever it is called there."""
        names = backward([note], lambda value: self._targets.get(value, ()))
        return names.isdisjoint(self._used)

    def _constants(self, note: Value) -> set[int | None]:
        """Return the ints that iterations hand over to a value; None for what is no constant."""
        reached = backward(self._sources.get(note, ()), self._handed_over)
        return {
            self._constant(value)
            for value in reached
            if value is not note and not self._handed_over(value)
        }

    def _handed_over(self, value: Value) -> Sequence[Value]:
        """Return the values that an iteration may hand over to a value of its own."""
        return () if value in self._state else self._sources.get(value, ())

    def _constant(self, value: Value) -> int | None:
        maker = self._makers.get(value)
        return maker.constant if maker is not None and type(maker.constant) is int else None


class _Accesses:
    """The accesses of one iteration to arrays from outside of the loop."""

    def __init__(self, block: Block, makers: Makers, offsets: Mapping[Value, Offset]) -> None:
        self._makers, self._offsets = makers, offsets
        self._index = block.params[0]
        nodes = [*block.every_node()]
        self._inside = {value for node in nodes for value in node.outputs}
        self._inside.update(value for node in nodes for one in node.blocks for value in one.params)
        self.accesses: list[_Access] = []
        self.are_known = all(map(self._note, nodes))
        """False if a node's array is not known; `accesses` is then incomplete."""

    def _note(self, node: Node) -> bool:
        """Note the accesses of a node; False if it is unknown what it accesses."""
        if node.op.overwrites:
            target, *others = node.inputs
            return self._access(target, writes=True) and self._read(others)
        if node.op.kind is Kind.VIEW:
            return True
        if node.op.indexes:
            return self._access(node.inputs[0], node)
        if node.op.only_reads and node.op.kind is not Kind.SCALAR:
            return self._read(node.inputs)
        values = (*node.inputs, *node.outputs, *(v for one in node.blocks for v in one.params))
        is_length = node.op.kind is Kind.SCALAR
        return is_length or not any(isinstance(value.type, ArrayType) for value in values)

    def _read(self, values: Sequence[Value]) -> bool:
        return all(self._access(one) for one in values if isinstance(one.type, ArrayType))

    def _access(self, array: Value, node: Node | None = None, *, writes: bool = False) -> bool:
        """Note an access to an array, or to the part that a node takes of it.

        Nobody else sees an array that the iteration has made.
        """
        while array in self._inside:
            node = self._makers.get(array)
            if node is None or node.op.kind is not Kind.VIEW:
                return node is not None and node.op.makes
            array = node.inputs[0]
        if node is not None and not node.op.indexes:
            node = None
        lines = frozenset(self._lines(node)) if node is not None else frozenset()
        self.accesses.append(_Access(array, node, lines, writes))
        return True

    def _lines(self, node: Node) -> Iterator[Line]:
        """Yield the axes of an access along which iterations keep apart."""
        index: Index = node.attrs["index"]
        parts = (part for part in index.parts if not isinstance(part, NewAxis))
        for axis, part in enumerate(parts):
            if isinstance(part, Ref):
                offset = self._offsets.get(node.inputs[1 + part.position])
                if offset is not None and offset.base is self._index:
                    yield axis, offset.added
