"""Proves by intervals that indices and ints of loop nests stay in range.

If a check before the nest shows that each array is large enough for all iterations, accesses need
no bounds checks and sums of loop variables no overflow checks. Interval bounds are linear in values
known before the nest, so that most conditions reduce to true at once.
"""

from __future__ import annotations

from dataclasses import field

from ....jit.frozen import dataclass
from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.indexing import Index, NewAxis, Number, Ref, Span
from ....jit.ir.intervals import Interval, point
from ....jit.ir.ops import (
    DIM,
    Kind,
)
from ....jit.ir.primitives import Growth, of_node
from ....jit.ir.primitives import Linear as Form
from ....jit.ir.schema import Applies
from ....jit.ir.types import ArrayType, ScalarType, Sym
from ..writer import KernelWriter, Trust

FAR = 2**40
"""Sums of a few ints below this magnitude cannot overflow 64 bits."""
MOST = 1024
"""Limit on the sum of a bound's factors."""


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear combination of kernel variables, plus a constant."""

    terms: tuple[tuple[str, int], ...] = ()
    number: int = 0

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """Return `self + factor * other`."""
        terms = dict(self.terms)
        for name, times in other.terms:
            terms[name] = terms.get(name, 0) + factor * times
        kept = tuple(sorted((name, times) for name, times in terms.items() if times))
        return Linear(kept, self.number + factor * other.number)

    def __add__(self, other: Linear) -> Linear:
        return self.plus(other)

    def __sub__(self, other: Linear) -> Linear:
        return self.plus(other, -1)

    def __neg__(self) -> Linear:
        return Linear().plus(self, -1)

    def __mul__(self, factor: int) -> Linear:
        return Linear().plus(self, factor)

    @property
    def is_small(self) -> bool:
        """True if factors and constant are small, so that evaluating it cannot overflow."""
        return sum(abs(times) for _, times in self.terms) < MOST and abs(self.number) < FAR

    def __str__(self) -> str:
        parts = [name if times == 1 else f"{times} * {name}" for name, times in self.terms]
        return " + ".join([*parts, *([str(self.number)] if self.number or not parts else [])])


@dataclass(eq=False, slots=True)
class Nest:
    """The analysis of one nest."""

    writer: KernelWriter
    makers: dict[Value, Node]
    """The node that defines each value of the graph."""
    inside: set[Value]
    """Values defined in the nest."""
    known: dict[Value, Interval | None] = field(default_factory=dict)
    conditions: dict[str, None] = field(default_factory=dict)
    atoms: set[str] = field(default_factory=set)
    """Variables other than lengths, which may be far from zero."""
    trust: Trust = field(default_factory=Trust)

    # ---- intervals ---------------------------------------------------------------------------

    def interval(self, value: Value) -> Interval | None:
        """Return the interval of an int, or None."""
        if value not in self.known:
            self.known[value] = None  # for a loop parameter, which is no index
            self.known[value] = self._interval(value)
        return self.known[value]

    def _interval(self, value: Value) -> Interval | None:
        if not isinstance(value.type, ScalarType) or value.type.dtype.char not in "l?":
            return None
        maker = self.makers.get(value)
        if maker is not None:
            if maker.op.is_constant:
                return _single(Linear((), int(maker.constant)))
            if maker.op is DIM:
                return self._length(maker)
            if maker.op.applies is Applies.NUMBERS:
                made = self._operator(maker)
                if made is not None and made.low.is_small and made.high.is_small:
                    if value in self.inside:
                        self.trust.ints.add(maker)
                    return made
        if value in self.inside or value not in self.writer.scalars:
            return None
        name = self.writer.scalars[value]
        self.atoms.add(name)
        return _single(Linear(((name, 1),)))

    def _length(self, maker: Node) -> Interval | None:
        type_ = maker.inputs[0].type
        assert isinstance(type_, ArrayType)
        length = self.dim(type_, maker.attrs["axis"])
        return None if length is None else _single(length)

    def dim(self, type_: ArrayType, axis: int) -> Linear | None:
        """Return the length of an axis, if it is known before the nest."""
        dim = type_.dims[axis]
        if not isinstance(dim, Sym):
            return Linear((), dim)
        return Linear(((self.writer.syms[dim], 1),)) if dim in self.writer.syms else None

    def _operator(self, node: Node) -> Interval | None:
        row = of_node(node)
        operands = [self.interval(value) for value in node.inputs]
        if row.growth is Growth.REMAINDER:
            return self._modulo(operands[1])
        found = [one for one in operands if one is not None]
        if row.linear is None or row.interval is None or len(found) < len(operands):
            return None
        if row.linear is not Form.PRODUCT:
            return row.interval(found)
        factors = [_constant(one) for one in found]
        if factors[0] is None:
            found, factors = found[::-1], factors[::-1]
        return None if factors[0] is None else row.interval((point(factors[0]), found[1]))

    def _modulo(self, divisor: Interval | None) -> Interval | None:
        """Return the interval of a remainder by a positive divisor."""
        if divisor is None or any(name in self.atoms for name, _ in divisor.low.terms):
            return None
        if not self.holds(divisor.low.plus(Linear((), -1))):
            return None
        return Interval(Linear(), divisor.high.plus(Linear((), -1)))

    # ---- conditions --------------------------------------------------------------------------

    def holds(self, number: Linear) -> bool:
        """Assume `number >= 0` from here on; return False if that is never true."""
        if not number.terms:
            return number.number >= 0
        if not number.is_small:
            return False
        lengths = all(times > 0 and name not in self.atoms for name, times in number.terms)
        if lengths and number.number >= 0:
            return True
        self.conditions[f"{number} >= 0"] = None
        return True

    # ---- nodes -------------------------------------------------------------------------------

    def visit(self, block: Block) -> None:
        """Analyse a block and nested blocks."""
        for node in block.nodes:
            if node.op.counted:
                self.known[node.blocks[0].params[0]] = self.index(node)
            elif node.op.indexes:
                self._access(node)
            for inner in node.blocks:
                self.visit(inner)

    def index(self, node: Node) -> Interval | None:
        """Return the interval of a loop variable; an empty range needs no separate case."""
        start, stop, step = (self.interval(value) for value in node.inputs[:3])
        if start is None or stop is None or step is None:
            return None
        if step.high.terms == () and step.high.number < 0:
            return Interval(stop.low.plus(Linear((), 1)), start.high)
        if self.holds(step.low.plus(Linear((), -1))):
            return Interval(start.low, stop.high.plus(Linear((), -1)))
        return None

    def _access(self, node: Node) -> None:
        index: Index = node.attrs["index"]
        type_ = node.inputs[0].type
        assert isinstance(type_, ArrayType)
        axis = 0
        for part in index.parts:
            if isinstance(part, NewAxis):
                continue
            if not isinstance(part, Span):
                length = self.dim(type_, axis)
                if length is not None and self._fits(node, part, length):
                    self.trust.axes.add((node, axis))
            axis += 1

    def _fits(self, node: Node, part: Number, length: Linear) -> bool:
        last = length.plus(Linear((), -1))
        if not isinstance(part, Ref):
            return self.holds(
                last.plus(Linear((), -part)) if part >= 0 else length.plus(Linear((), part))
            )
        found = self.interval(node.inputs[1 + part.position])
        if found is None:
            return False
        before = dict(self.conditions)
        if self.holds(found.low) and self.holds(last.plus(found.high, -1)):
            return True
        self.conditions = before
        return False


def _single(number: Linear) -> Interval:
    return Interval(number, number)


def _constant(interval: Interval) -> int | None:
    """Return the one number of an interval, or None."""
    low = interval.low
    return low.number if not low.terms and low == interval.high else None


def is_plain(block: Block, *, ufuncs: bool = False) -> bool:
    """True if a nest consists of numbers, element accesses and loops only.

    `ufuncs`: ufuncs of numbers may be called, too.
    """
    return all(
        node.op.kind is Kind.SCALAR
        or (ufuncs and _is_of_numbers(node))
        or node.op.hands_over
        or node.op.indexes
        or node.op.overwrites
        or node.op.is_nullary
        for node in block.every_node()
    )


def _is_of_numbers(node: Node) -> bool:
    values = (*node.inputs, *node.outputs)
    numbers = all(isinstance(value.type, ScalarType) for value in values)
    return node.op.applies is Applies.ITEMS and numbers


def is_innermost(block: Block) -> bool:
    """True if the block contains no loop."""
    return not any(node.op.loops for node in block.every_node())


def may_be_vectors(writer: KernelWriter, block: Block) -> bool:
    """True if LLVM may vectorise the iterations: only numbers, and no bounds checks."""
    if not is_innermost(block) or any(node.op.branches for node in block.nodes):
        return False
    trust = writer.trust
    if trust is None or not is_plain(block):
        return False
    accesses = [node for node in block.nodes if node.op.indexes]
    return all((node, axis) in trust.axes for node in accesses for axis in _looked_at(node))


def _looked_at(node: Node) -> list[int]:
    """Return the axes on which an access has an index to check."""
    index: Index = node.attrs["index"]
    parts = [part for part in index.parts if not isinstance(part, NewAxis)]
    return [axis for axis, part in enumerate(parts) if not isinstance(part, Span)]


def trusted_nest(writer: KernelWriter, node: Node) -> tuple[Trust, list[str]] | None:
    """Return (what needs no checks in a `for` nest, conditions for that), or None."""
    block, around = node.blocks[0], writer.trust
    if writer.attribute or not is_plain(block, ufuncs=True):
        return None
    if around is not None and (around.complete or not is_innermost(block)):
        return None
    nodes = (node, *block.every_node())
    inside = {value for one in nodes[1:] for value in one.outputs}
    inside.update(value for one in nodes for inner in one.blocks for value in inner.params)
    nest = Nest(writer, writer.known.makers, inside)
    nest.known[block.params[0]] = nest.index(node)
    nest.visit(block)
    found = nest.trust
    if around is not None:
        if found.axes <= around.axes:
            return None
        found = Trust(found.axes | around.axes, found.ints | around.ints)
    if not found.axes:
        return None
    near = [f"-{FAR} < {name} < {FAR}" for name in sorted(nest.atoms)]
    return found, [*near, *nest.conditions]
