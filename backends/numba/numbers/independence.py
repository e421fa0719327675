"""Finds loops of the program whose iterations do not depend on each other.

An iteration then reads nothing that another one writes, and no two write to the same item: each
array that is written to is accessed with the loop variable, plus one constant, along one axis. All
other arrays that are read must not overlap it, which may be left to a check at run time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....jit.analysis.aliases import Aliases
from ....jit.frozen import dataclass
from ....jit.ir.edges import edges
from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.indexing import Index, NewAxis, Ref
from ....jit.ir.ops import Kind
from ....jit.ir.schema import Applies, Jump
from ....jit.ir.types import ArrayType, ScalarType
from .bounds import begun_with

MOST_NOTES = 48
"""Chunks of a loop return their notes as bits of one int, between those of flags and of bails."""
Makers = dict[Value, Node]
Line = tuple[int, int]
"""An axis that is indexed with the loop variable, and the constant that is added to it."""


@dataclass(frozen=True, slots=True)
class Independent:
    """A loop whose iterations may run in any order."""

    in_bounds: frozenset[tuple[Node, int]]
    """Accesses, with the axis along which they must be in bounds: else an index that is negative
    could be that of another iteration."""
    disjoint: frozenset[frozenset[Value]]
    """Pairs of arrays that must not overlap."""
    notes: tuple[int, ...]
    """For each value of the state, which only notes what iterations have done: the number that some
    of them set it to."""


@dataclass(frozen=True, slots=True)
class Dependent:
    """A loop whose iterations may depend on each other."""

    reason: str


@dataclass(frozen=True, eq=False, slots=True)
class _Access:
    """One access to an array from outside."""

    array: Value
    node: Node | None
    """The node that takes a part of the array; None for all of it."""
    lines: frozenset[Line]
    writes: bool


def independence(loop: Node, makers: Makers, aliases: Aliases) -> Independent | Dependent:
    """Return what is needed to run the iterations of a `for` loop in any order, or why not to."""
    block = loop.blocks[0]
    notes = tuple(_Notes(loop, makers).found())
    if len(notes) < len(loop.state):
        return Dependent("an iteration uses what the one before has computed")
    if len(notes) > MOST_NOTES:
        return Dependent(f"it notes more than {MOST_NOTES} things")
    if len(loop.outputs) > len(loop.state) or breaks(block):
        return Dependent("an iteration may end the loop")
    if not all(map(_computes, block.every_node())):
        return Dependent("it calls functions, or makes arrays by them")
    if any(node.op.loops and not node.op.counted for node in block.every_node()):
        return Dependent("it is not known how long an iteration takes")
    return _Loop(block, makers).found(aliases, notes)


def _computes(node: Node) -> bool:
    """True for operations whose code a thread can run: loops over items, and what needs no code."""
    op = node.op
    moves = op.hands_over or op.indexes or op.overwrites or op.is_nullary or op.kind is Kind.VIEW
    return moves or (op.only_reads and op.applies is not Applies.LINES)


def breaks(block: Block) -> bool:
    """True if the block has a BREAK of this loop, not of an inner one."""
    return any(
        node.op.jump is Jump.BREAK or (not node.op.loops and any(map(breaks, node.blocks)))
        for node in block.nodes
    )


class _Notes:
    """Values of a loop's state that iterations leave alone, or set to a constant."""

    def __init__(self, loop: Node, makers: Makers) -> None:
        self._loop, self._makers = loop, makers
        self._sources: dict[Value, list[Value]] = {}
        """Values that may be handed over to a value."""
        for edge in edges(loop.blocks[0], loop):
            for target, value in edge:
                self._sources.setdefault(target, []).append(value)
        self._used: set[Value] = set()
        for node in loop.blocks[0].every_node():
            first = 3 if node.op.counted else 1 if node.op.branches else 0
            self._used.update(node.inputs[:first] if node.op.hands_over else node.inputs)

    def found(self) -> Iterator[int]:
        """Yield the constants, up to a value that is more than a note."""
        for note in self._loop.state:
            constants = {*self._constants(self._sources.get(note, []), {note})}
            is_int = isinstance(note.type, ScalarType) and note.type.dtype.char == "l"
            if len(constants) != 1 or not is_int or not self._is_only_handed_on(note):
                return
            number = constants.pop()
            if number is None:
                return
            yield number

    def _is_only_handed_on(self, note: Value) -> bool:
        """True if no operation in the loop reads the value, whatever it is called there."""
        names, count = {note}, 0
        while len(names) > count:
            count = len(names)
            names |= {target for target, values in self._sources.items() if names & {*values}}
        return names.isdisjoint(self._used)

    def _constants(self, values: Sequence[Value], seen: set[Value]) -> Iterator[int | None]:
        """Yield the ints that may be handed over; None for what is no constant."""
        for value in values:
            maker = self._makers.get(value)
            if maker is not None and maker.op.is_constant:
                yield maker.constant if type(maker.constant) is int else None
            elif value not in seen:
                seen.add(value)
                found = None if value in self._loop.state else self._sources.get(value)
                yield from (None,) if found is None else self._constants(found, seen)


class _Loop:
    """The accesses to arrays in the body of one loop."""

    def __init__(self, block: Block, makers: Makers) -> None:
        self._makers = makers
        self._index = block.params[0]
        nodes = [*block.every_node()]
        self._inside = {value for node in nodes for value in node.outputs}
        self._inside.update(value for node in nodes for one in node.blocks for value in one.params)
        self._accesses: list[_Access] = []
        self._is_known = all(map(self._note, nodes))

    def found(self, aliases: Aliases, notes: tuple[int, ...]) -> Independent | Dependent:
        """Return what the accesses mean."""
        if not self._is_known:
            return Dependent("an iteration picks the array that it uses")
        arrays = dict.fromkeys(one.array for one in self._accesses)
        in_bounds: set[tuple[Node, int]] = set()
        disjoint: set[frozenset[Value]] = set()
        for array in dict.fromkeys(one.array for one in self._accesses if one.writes):
            assert isinstance(array.type, ArrayType)
            if array.type.layout.may_share_items:
                return Dependent("items of an array that is written to may share memory")
            accesses = [one for one in self._accesses if one.array is array]
            common = frozenset.intersection(*(one.lines for one in accesses))
            if not common:
                return Dependent("iterations may use the same items of an array")
            axis = min(common)[0]
            in_bounds.update((one.node, axis) for one in accesses if one.node is not None)
            others = (one for one in arrays if not aliases.are_disjoint(array, one))
            disjoint.update(frozenset((array, one)) for one in others if one is not array)
        return Independent(frozenset(in_bounds), frozenset(disjoint), notes)

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
        self._accesses.append(_Access(array, node, lines, writes))
        return True

    def _lines(self, node: Node) -> Iterator[Line]:
        """Yield the axes of an access along which iterations differ."""
        index: Index = node.attrs["index"]
        parts = (part for part in index.parts if not isinstance(part, NewAxis))
        for axis, part in enumerate(parts):
            if isinstance(part, Ref):
                number, more = begun_with(node.inputs[1 + part.position], self._makers)
                if number is self._index:
                    yield axis, more
