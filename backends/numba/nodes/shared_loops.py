"""Loops of the program that threads share.

The iterations are run in rounds of some milliseconds, with a poll after each; threads share those
of one round. If arrays overlap at run time, one thread runs them in order. Where an iteration
bails, the kernel bails after the round: eager then repeats all of it from where a bail goes to, and
so raises the exception of the first iteration that has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import prod
from operator import itemgetter

from ....jit.analysis.dependence import Dependent
from ....jit.checks import Check
from ....jit.frozen import dataclass
from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.indexing import Index, Ref
from ....jit.ir.ops import Kind
from ....jit.ir.primitives import Linear, of_node
from ....jit.ir.schema import Applies
from ....jit.ir.types import ArrayType, Dim, Sym
from ....jit.threads import EVERYWHERE
from ..parallel import LARGE as LARGE_ARRAY
from ..parallel import parallel
from ..writer import KernelWriter
from .interrupt_checks import halt_of, poll
from .stores import extent

ROUND = 1 << 23
"""Items of simple arithmetic in one round."""
LARGE = 1 << 21
"""Items of simple arithmetic, at capture, from which threads share a loop."""
FAR = 1 << 20
"""Cap on the estimate of an inner loop's iterations."""
MANY = 64
"""Iterations from which threads share a loop rather than large arrays inside of it."""
MOST_NOTES = 48
"""Chunks of a loop return their notes as bits of one int, between those of flags and of bails."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A loop that threads share."""

    items: str
    """Expression: the work of an iteration, in items of simple arithmetic."""
    disjoint: Sequence[tuple[Value, Value]]
    """Arrays that must not overlap."""
    notes: tuple[int, ...]
    """For each value of the loop's state: the number that iterations may set it to."""


def shared(writer: KernelWriter, node: Node) -> Shared | None:
    """Return the way in which threads share a `for` loop; None, and note the reason, if not."""
    checks_all = writer.trust is not None and not writer.trust.axes
    if writer.attribute or writer.in_threads or checks_all:
        return None
    estimate = _Work(writer)
    _, items, work = estimate.of_loop(node)
    shares_arrays = estimate.largest >= LARGE_ARRAY and estimate.trips[node] < MANY
    if not EVERYWHERE and (work < LARGE or shares_arrays):
        return None
    found = _found(writer, node, items if estimate.is_known else "")
    if isinstance(found, Dependent):
        writer.in_order[found.reason] += estimate.largest < LARGE_ARRAY
        return None
    return found


def _found(writer: KernelWriter, node: Node, items: str) -> Shared | Dependent:
    notes = _notes(writer, node)
    if isinstance(notes, Dependent):
        return notes
    found = writer.dependence.through_items(node)
    if isinstance(found, Dependent):
        return found
    if not items:
        return Dependent("it is not known how long an iteration takes")
    if not all(_stays(writer, one, axis) for one, axis in found.in_bounds):
        return Dependent("an index may be negative")
    pairs = [sorted(pair, key=lambda one: writer.places[one].address) for pair in found.disjoint]
    return Shared(items, [(one, other) for one, other in sorted(pairs, key=str)], notes)


def _notes(writer: KernelWriter, node: Node) -> tuple[int, ...] | Dependent:
    """Return the notes of a loop that threads can run, but for the arrays that it uses."""
    nodes = [*node.blocks[0].every_node()]
    notes = writer.dependence.through_state(node)
    if isinstance(notes, Dependent):
        return notes
    if len(notes) > MOST_NOTES:
        return Dependent(f"it notes more than {MOST_NOTES} things")
    if ends := writer.dependence.through_control(node):
        return ends
    if not all(map(_computes, nodes)):
        return Dependent("it calls functions, or makes arrays by them")
    if any(one.op.loops and not one.op.counted for one in nodes):
        return Dependent("it is not known how long an iteration takes")
    return notes


def _computes(node: Node) -> bool:
    """True for operations whose code a thread can run: loops over items, and what needs no code."""
    op = node.op
    moves = op.hands_over or op.indexes or op.overwrites or op.is_nullary or op.kind is Kind.VIEW
    return moves or (op.only_reads and op.applies is not Applies.LINES)


def _stays(writer: KernelWriter, node: Node, axis: int) -> bool:
    """True if an index is in bounds, or the iteration bails."""
    if writer.trust is not None and (node, axis) in writer.trust.axes:
        return True
    index: Index = node.attrs["index"]
    part, naturals = index.of_axis(axis), writer.known.naturals_at(node)
    return isinstance(part, Ref) and node.inputs[1 + part.position] in naturals


@contextmanager
def iterating_in_rounds(
    writer: KernelWriter, node: Node, how: Shared
) -> Iterator[tuple[str, str, str]]:
    """Wrap the loop over some iterations; yield its bounds."""
    source = writer.source
    start, stop, step = (writer.scalars[value] for value in node.inputs[:3])
    first, left, now, most, unit, items, origin = map(
        source.name, ("first", "left", "now", "most", "unit", "items", "origin")
    )
    disjoint = _disjointness(writer, how.disjoint)
    state = [writer.scalars[value] for value in node.state]
    notes = dict(zip(state, how.notes, strict=True))
    writer.bail_if(f"add_overflows({stop}, {step})", Check.INT)  # where the last chunk ends
    source.line(f"{items} = min(max(1, {how.items}), {FAR * FAR})")
    source.line(f"{most} = max(1, {ROUND} // {items})")
    source.line(f"{first} = {start}")
    source.line(f"{left} = trip_count({start}, {stop}, {step})")
    with source.indented(f"while {left} > 0:"):
        source.line(f"{now} = min({left}, {most})")
        source.line(f"{left} -= {now}")
        source.line(f"{origin} = {first}", "which changes, so that it is no literal")
        source.line(f"{unit} = 1 if {disjoint} else {now}" if disjoint else f"{unit} = 1")
        with parallel(writer, now, unit, items, notes=notes) as iterations:
            low, high = source.name("low"), source.name("high")
            source.line(f"{low} = {origin} + {iterations.begin} * {step}")
            source.line(f"{high} = {origin} + {iterations.end} * {step}")
            writer.in_threads = True
            yield low, high, step
            writer.in_threads = False
        source.line(f"{first} += {now} * {step}")
        if not writer.counted_ahead:
            halt = replace(halt_of(writer, node, first), begun="")
            poll(writer, f"{now} * {items}", halt)


def _disjointness(writer: KernelWriter, pairs: Sequence[tuple[Value, Value]]) -> str:
    """Emit the comparison of extents; return the variable that is true if none overlap, or ""."""
    if not pairs:
        return ""
    values = dict.fromkeys(value for pair in pairs for value in pair)
    extents = {value: extent(writer, writer.places[value]) for value in values}
    conditions = []
    for one, other in pairs:
        (low, high), (other_low, other_high) = extents[one], extents[other]
        conditions.append(f"({high} <= {other_low} or {other_high} <= {low})")
    disjoint = writer.source.name("apart")
    writer.source.line(f"{disjoint} = {' and '.join(conditions)}")
    return disjoint


# ---- work ----------------------------------------------------------------------------------------


class _Work:
    """Estimates of the work of iterations, in operations: as text, and as it was at capture."""

    def __init__(self, writer: KernelWriter) -> None:
        self._writer = writer
        self._indices: dict[Value, tuple[str, int | None]] = {}
        """For variables of the loops around: what to take for them."""
        self.is_known = True
        """False if the text does not count iterations, as their number is computed in the loop."""
        self.trips: dict[Node, int] = {}
        """The number of iterations at capture, for each counted loop."""
        self.largest = 0
        """Items of the largest array of an operation, at capture."""
        self._sliced = dict(_slices(writer.graph.nodes()))
        self._initial = {
            param: value
            for node in writer.graph.nodes()
            if node.op.loops
            for param, value in zip(node.state, node.initial, strict=True)
        }

    def of_loop(self, loop: Node) -> tuple[str, str, int]:
        """Return the number of iterations, the work of one, and that of all at capture.

        What is not known counts as one iteration.
        """
        if not loop.op.counted:
            return "1", *self._of_block(loop.blocks[0])
        start, stop, step = (self._number(value) for value in loop.inputs[:3])
        self.is_known = self.is_known and "" not in (start[0], stop[0])
        known = None not in (start[1], stop[1], step[1])
        middle = ((start[1] or 0) + (stop[1] or 0)) // 2 if known else None
        self._indices[loop.blocks[0].params[0]] = f"({start[0]} + {stop[0]}) // 2", middle
        text, work = self._of_block(loop.blocks[0])
        count = len(range(start[1] or 0, stop[1] or 0, step[1] or 1)) if known else 1
        self.trips[loop] = count
        return f"abs({stop[0]} - {start[0]})", text, count * work

    def _of_block(self, block: Block) -> tuple[str, int]:
        texts, here, work = [], 1, 0
        for node in block.nodes_of_iteration():
            if node.op.loops:
                length, text, inner = self.of_loop(node)
                texts.append(f"min({length}, {FAR}) * ({text})")
                work += inner
            elif node.op.kind is Kind.VIEW or not _arrays(node):
                here += not node.op.is_constant
            else:
                items, number = max(map(self._items, _arrays(node)), key=itemgetter(1))
                self.largest = max(self.largest, number)
                texts.append(items)
                work += number
        return " + ".join([str(here), *texts]), here + work

    def _items(self, type_: ArrayType) -> tuple[str, int]:
        """Return the number of items of an array, as text and as it was at capture."""
        dims = [self._dim(dim) for dim in type_.dims]
        return " * ".join(text for text, _ in dims) or "1", prod(number for _, number in dims)

    def _dim(self, dim: Dim) -> tuple[str, int]:
        """Return a length; for a slice that the loop takes, half of what it is taken from."""
        if not isinstance(dim, Sym):
            return str(dim), dim
        if dim in self._writer.syms:
            return self._writer.syms[dim], self._writer.graph.lengths.get(dim, 1)
        if dim not in self._sliced:
            return "1", 1
        text, number = self._dim(self._sliced[dim])
        return f"({text} // 2)", number // 2

    def _number(self, value: Value) -> tuple[str, int | None]:
        """Return an int as text, "" if it cannot be written here, and as it was at capture."""
        if value in self._writer.known.constants:
            constant = int(self._writer.known.constants[value])
            return str(constant), constant
        if value in self._indices:
            return self._indices[value]
        text, number = self._writer.scalars.get(value, ""), self._at_capture(value)
        maker = self._writer.known.makers.get(value)
        linear = None if maker is None else of_node(maker).linear
        if maker is not None and linear in (Linear.SUM, Linear.DIFFERENCE):
            (one, left), (other, right) = map(self._number, maker.inputs)
            sign = 1 if linear is Linear.SUM else -1
            if not text and one and other:
                text = f"({one} {'+' if sign > 0 else '-'} {other})"
            number = number if left is None or right is None else left + sign * right
        return text, number

    def _at_capture(self, value: Value) -> int | None:
        maker = self._writer.known.makers.get(value)
        if maker is not None and not maker.op.reads:  # it is a length
            return self._length(maker.inputs[0], maker.attrs["axis"])
        return value.hint if isinstance(value.hint, int) else None

    def _length(self, array: Value, axis: int) -> int | None:
        """Return a length at capture; that of an array which loops hand on is its first one."""
        assert isinstance(array.type, ArrayType)
        dim = array.type.dims[axis]
        if not isinstance(dim, Sym):
            return dim
        if dim in self._writer.graph.lengths or array not in self._initial:
            return self._writer.graph.lengths.get(dim)
        return self._length(self._initial[array], axis)


def _arrays(node: Node) -> list[ArrayType]:
    """Return the types of the arrays over whose items an operation goes."""
    values = () if node.op.kind is Kind.SCALAR else (*node.inputs, *node.outputs)
    return [value.type for value in values if isinstance(value.type, ArrayType)]


def _slices(nodes: Iterable[Node]) -> Iterator[tuple[Sym, Dim]]:
    """Yield lengths of slices, with the lengths of the axes that these are taken from."""
    for node in nodes:
        if node.op.kind is Kind.VIEW and node.op.indexes:
            base, taken = node.inputs[0].type, node.outputs[0].type
            assert isinstance(base, ArrayType)
            assert isinstance(taken, ArrayType)
            for dim, axis in zip(taken.dims, node.attrs["index"].axes(), strict=True):
                if axis is not None and isinstance(dim, Sym) and dim not in base.dims:
                    yield dim, base.dims[axis]
