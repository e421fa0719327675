"""The loops of a cluster over lines, and the tiles that lines are cut into.

Axes are traversed in memory order. Adjacent axes that turn out at run time to have no gap between
them in any operand become one line. Lines are cut into blocks, and several short lines form a tile,
so that a tile is worth a call of an inner loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from math import prod

from ....jit.frozen import dataclass
from ....jit.ir.graph import Value
from ....jit.ir.types import ArrayType, Dim
from ....jit.passes.clusters import Cluster
from ..parallel import is_large, parallel, row_loop
from ..row_loops import RowLoop
from ..writer import KernelWriter
from .cut import LINE, Bounds, Cut, lines_at_once, range_of
from .fusion import axes_of, is_flat, is_one_line
from .items import BLOCK
from .leaves import Leaves
from .pairwise import Halves
from .ties import AllTies

LOOPS_OF_NUMPY = 8
"""Cost of an item that goes through NumPy's inner loops, in items of simple arithmetic."""


@dataclass(frozen=True, slots=True)
class Tile:
    """The unit on which the stages run: `rows` lines of `length` elements."""

    rows: str
    """Expression, "1" where there is never more than one."""
    length: str
    bases: dict[Value, str]
    """Address of the first element of each operand."""
    row_steps: dict[Value, str]
    """Bytes between lines."""
    steps: dict[Value, str]
    """Bytes between elements; "0" for an operand that does not advance."""


ByLeaves = Callable[[Leaves], AbstractContextManager[tuple[tuple[str, str], Mapping[Value, str]]]]
"""Context for the parts of a shared line: yields the bounds of their blocks and the addresses of
their results."""


@dataclass(frozen=True, slots=True)
class Accumulator:
    """The result of a reduction, as an operand that does not advance along reduced axes."""

    address: str
    steps: dict[int, str]
    """Strides of the axes that stay."""


class Nest:
    """The loops around the tiles of one cluster."""

    def __init__(
        self,
        writer: KernelWriter,
        cluster: Cluster,
        arrays: Sequence[Value],
        accumulators: Mapping[Value, Accumulator],
    ) -> None:
        self.writer = writer
        self.source = writer.source
        self.dims = cluster.dims
        self.accumulators = accumulators
        self.arrays = [*arrays, *accumulators]
        self.order = axes_of(cluster, arrays)
        total = not any(one.steps for one in accumulators.values())
        self.flat = total and is_flat(cluster, arrays)
        self._steps: dict[tuple[Value, int], str] = {}
        self.halves: Halves | None = None
        """The halving of lines; None for blocks of equal size."""
        self.by_leaves: ByLeaves | None = None
        """The division of one reduced line among threads, if there is one."""
        self.whole_rows = False
        """True if a tile has all rows along an axis that is reduced, as no block holds them."""
        self.sees_vectors = True
        """True if a line over all items has to be cut where vectors of NumPy's loops end."""
        self.ties = AllTies(writer, [])
        self.finish: Callable[[Tile], None] | None = None
        """Emits code that runs once all blocks of some lines are done."""

    def is_one_line(self, value: Value) -> bool:
        """True if one linear index traverses this operand as the nest does."""
        return is_one_line(_type(value), self.dims, self.order)

    def write(self, body: Callable[[Tile], None], *, blocked: bool, holds: str = "") -> None:
        """Emit the loops; `body` emits the code for one tile.

        `holds` is a variable that is false once a tile's results differ from NumPy's.
        """
        by_rows = self.writer.row_loops.rows is not None
        if self.flat and by_rows:
            self._write_flat_by_rows(body, blocked)
            return
        if self.flat:
            self._write_flat(body, blocked, holds)
            return
        for value in self.arrays:
            for axis in self.order:
                self._steps[value, axis] = self._new_step(value, axis)
        lengths = self._lengths() if self.accumulators or by_rows else self._collapsed()
        if self.whole_rows:
            self._join_rows(lengths)
        several = blocked and len(self.order) > 1
        if not by_rows and self._is_parallel(blocked) and (axes := self._axes_to_cut()):
            rows = self.order[-2] if several else -1
            in_order = {axis: lengths[axis] for axis in self.order}
            cut = Cut(self.source, axes, in_order, self.total(), rows, self.whole_rows)
            size = f"{cut.size} * {_weight(blocked)}"
            holds = holds or self.ties.holds
            with parallel(self.writer, cut.iterations, cut.step, size, holds) as iterations:
                self._write_axes(body, blocked, cut.bounds(iterations), cut.at_once)
            return
        bounds = {axis: ("0", lengths[axis]) for axis in self.order}
        at_once = ""
        few = lines_at_once(lengths[self.order[-1]])
        if several:
            at_once = self.source.name("at_once")
            lines = lengths[self.order[-2]] if self.whole_rows else few
            self.source.line(f"{at_once} = {lines}")
        if by_rows:
            units = {self.order[-1]: str(LINE)} | ({self.order[-2]: few} if several else {})
            loop = self._loop_over_rows(units.get(0, "1"), blocked)
            with row_loop(self.writer, loop) as some:
                self._write_axes(body, blocked, bounds | {0: (some.begin, some.end)}, at_once)
            return
        self._write_axes(body, blocked, bounds, at_once)

    def _loop_over_rows(self, unit: str, blocked: bool, per_row: str = "1") -> RowLoop:
        rows, items = self.writer.dim(self.dims[0]), self._product(self.dims[1:])
        return RowLoop(rows, per_row, unit, items, _weight(blocked))

    def _is_parallel(self, blocked: bool) -> bool:
        return is_large(self.writer, self.dims, _weight(blocked))

    def _axes_to_cut(self) -> list[int]:
        """Return axes along which iterations are independent, from slowest to fastest."""
        kept = [one.steps for one in self.accumulators.values()]
        return [axis for axis in self.order if all(axis in steps for steps in kept)]

    def _write_flat(self, body: Callable[[Tile], None], blocked: bool, holds: str) -> None:
        """Write one line over all of memory."""
        length = self.source.name("n")
        self.source.line(f"{length} = {self.total()}")
        steps = {value: self._flat_step(value) for value in self.arrays}
        bases = {value: self._address(value) for value in self.arrays}
        line = Tile("1", length, bases, {}, steps)
        large = self._is_parallel(blocked)
        if large and not self.accumulators:
            size = str(_weight(blocked))
            with parallel(self.writer, length, str(BLOCK), size, holds) as iterations:
                bounds = iterations.begin, iterations.end
                self._write_line(body, line, bounds, blocked)
        elif large and self.by_leaves is not None and not holds:
            with self.by_leaves(Leaves(self.writer, length)) as (bounds, own):
                self._write_blocks(body, replace(line, bases={**line.bases, **own}), bounds)
            self._finish(line)
        else:
            with self.ties.watched():
                self._write_line(body, line, ("0", length), blocked)

    def _write_flat_by_rows(self, body: Callable[[Tile], None], blocked: bool) -> None:
        """Write one line over the memory of some rows."""
        others = self._product(self.dims[1:])
        unit = f"max(1, {BLOCK} // min({BLOCK}, {others} & -({others})))"
        steps = {value: self._flat_step(value) for value in self.arrays}
        bases = {value: self._address(value) for value in self.arrays}
        loop = self._loop_over_rows(unit if self.sees_vectors else "1", blocked, others)
        with row_loop(self.writer, loop) as iterations:
            line = Tile("1", iterations.end, bases, {}, steps)
            self._write_line(body, line, (iterations.begin, iterations.end), blocked)

    def _write_axes(
        self, body: Callable[[Tile], None], blocked: bool, bounds: Bounds, at_once: str
    ) -> None:
        """Write loops over the axes; `at_once`, if given, is the number of lines per tile."""
        inner = self.order[-1]
        steps = {value: self._step(value, inner) for value in self.arrays}
        with self.ties.watched(), ExitStack() as stack:
            indices: dict[int, str] = {}
            for axis in self.order[: -2 if at_once else -1]:
                index = indices[axis] = self.source.name("i")
                header = f"for {index} in {range_of(bounds[axis])}:"
                stack.enter_context(self.source.indented(header))
            if at_once:
                self._write_rows(body, bounds, at_once, indices, steps)
            else:
                bases = {value: self._base(value, indices) for value in self.arrays}
                line = Tile("1", bounds[inner][1], bases, {}, steps)
                self._write_line(body, line, bounds[inner], blocked)

    def _write_rows(
        self,
        body: Callable[[Tile], None],
        bounds: Bounds,
        at_once: str,
        indices: dict[int, str],
        steps: dict[Value, str],
    ) -> None:
        """Write a loop that takes several lines at a time if they are short."""
        axis, inner = self.order[-2:]
        (low, high), first, rows = bounds[axis], self.source.name("first"), self.source.name("rows")
        with self.source.indented(f"for {first} in range({low}, {high}, {at_once}):"):
            self.source.line(f"{rows} = min({at_once}, {high} - {first})")
            bases = {value: self._base(value, {**indices, axis: first}) for value in self.arrays}
            row_steps = {value: self._step(value, axis) for value in self.arrays}
            lines = Tile(rows, bounds[inner][1], bases, row_steps, steps)
            self._write_line(body, lines, bounds[inner], blocked=True)

    def _write_line(
        self, body: Callable[[Tile], None], line: Tile, bounds: tuple[str, str], blocked: bool
    ) -> None:
        """Write the items of whole lines between two bounds."""
        begin, end = bounds
        if not blocked:
            length = end
            if begin != "0":
                length = self.source.name("n")
                self.source.line(f"{length} = {end} - {begin}")
            body(self._part(line, begin, length))
            return
        self._write_blocks(body, line, bounds)
        self._finish(replace(line, length=end))

    def _write_blocks(
        self, body: Callable[[Tile], None], line: Tile, bounds: tuple[str, str]
    ) -> None:
        """Write the loop over the blocks of a line; a halved line is given by begin and length."""
        blocks = self._equal_blocks if self.halves is None else self.halves.blocks
        with blocks(*bounds) as (low, size):
            body(self._part(line, low, size))

    def _finish(self, line: Tile) -> None:
        if self.finish is not None:
            self.finish(line)

    @staticmethod
    def _part(line: Tile, begin: str, length: str) -> Tile:
        """Return the part of some lines from an item on."""
        bases = {
            value: base
            if "0" in (begin, line.steps[value])
            else f"({base} + {begin} * {line.steps[value]})"
            for value, base in line.bases.items()
        }
        return replace(line, length=length, bases=bases)

    @contextmanager
    def _equal_blocks(self, begin: str, end: str) -> Iterator[Sequence[str]]:
        low, size = self.source.name("low"), self.source.name("m")
        with self.source.indented(f"for {low} in range({begin}, {end}, {BLOCK}):"):
            self.source.line(f"{size} = min({BLOCK}, {end} - {low})")
            yield low, size

    # ---- lengths and steps -------------------------------------------------------------------

    def total(self) -> str:
        """Return the number of items."""
        return self._product(self.dims)

    def _product(self, dims: Sequence[Dim]) -> str:
        syms = [self.writer.dim(dim) for dim in dims if not isinstance(dim, int)]
        factor = prod(dim for dim in dims if isinstance(dim, int))
        return " * ".join([*syms, *([str(factor)] if factor != 1 or not syms else [])])

    def _lengths(self) -> dict[int, str]:
        return {axis: self.writer.dim(self.dims[axis]) for axis in self.order}

    def _collapsed(self) -> dict[int, str]:
        """Emit the lengths of axes; adjacent axes without a gap become one at run time."""
        lengths = self._lengths()
        inner = self.order[-1]
        outer = list(reversed(self.order[:-1]))
        count = 0
        while count < len(outer) and self._may_follow(outer[count]):
            count += 1
        if not count:
            return lengths
        for axis in (inner, *outer[:count]):
            name = self.source.name("n")
            self.source.line(f"{name} = {lengths[axis]}")
            lengths[axis] = name
        with ExitStack() as stack:
            for axis in outer[:count]:
                stack.enter_context(self.source.indented(f"if {self._follows(axis, lengths)}:"))
                self.source.line(f"{lengths[inner]} *= {lengths[axis]}")
                self.source.line(f"{lengths[axis]} = 1")
        return lengths

    def _join_rows(self, lengths: dict[int, str]) -> None:
        """Emit the lengths of reduced axes; the rows of two become those of one at run time."""
        if len(self.order) < 3:
            return
        outer, rows = self.order[-3:-1]
        if any({outer, rows} & {*one.steps} for one in self.accumulators.values()):
            return
        for axis in (rows, outer):
            name = self.source.name("n")
            self.source.line(f"{name} = {lengths[axis]}")
            lengths[axis] = name
        follows = " and ".join(
            f"{self._step(value, outer)} == {lengths[rows]} * {self._step(value, rows)}"
            for value in self.arrays
            if value not in self.accumulators
        )
        with self.source.indented(f"if {follows}:"):
            self.source.line(f"{lengths[rows]} *= {lengths[outer]}")
            self.source.line(f"{lengths[outer]} = 1")

    def _may_follow(self, axis: int) -> bool:
        """True unless an operand advances along one of the two axes but not along the other."""
        inner = self.order[-1]
        return all(
            (self._step(value, axis) == "0") == (self._step(value, inner) == "0")
            for value in self.arrays
        )

    def _follows(self, axis: int, lengths: dict[int, str]) -> str:
        inner = self.order[-1]
        conditions = [
            f"{self._step(value, axis)} == {lengths[inner]} * {self._step(value, inner)}"
            for value in self.arrays
            if self._step(value, inner) != "0"
        ]
        return " and ".join(conditions) or "True"

    def _base(self, value: Value, indices: dict[int, str]) -> str:
        """Return the address of an operand at the start of a line."""
        address = self._address(value)
        parts = [
            f"{index} * {self._step(value, axis)}"
            for axis, index in indices.items()
            if self._step(value, axis) != "0"
        ]
        if not parts:
            return address
        name = self.source.name("row")
        self.source.line(f"{name} = {' + '.join([address, *parts])}")
        return name

    def _address(self, value: Value) -> str:
        if value in self.accumulators:
            return self.accumulators[value].address
        return self.writer.places[value].address

    def _flat_step(self, value: Value) -> str:
        return (
            "0"
            if value in self.accumulators or _is_single(value)
            else str(_type(value).dtype.itemsize)
        )

    def _step(self, value: Value, axis: int) -> str:
        return self._steps[value, axis]

    def known_step(self, value: Value, axis: int) -> str:
        """Return the stride of an axis if the layout determines it, else ""."""
        if value in self.accumulators:
            return self.accumulators[value].steps.get(axis, "0")
        type_ = _type(value)
        own = axis - (len(self.dims) - type_.ndim)
        layout = type_.layout
        if own < 0 or type_.dims[own] == 1 or layout.signs[own] == 0:
            return "0"
        return str(type_.dtype.itemsize) if layout.steps_by_item(own) else ""

    def _new_step(self, value: Value, axis: int) -> str:
        """Return the stride of an axis: a number if the layout determines it, else a variable."""
        if known := self.known_step(value, axis):
            return known
        name, own = self.source.name("step"), axis - (len(self.dims) - _type(value).ndim)
        self.source.line(f"{name} = {self.writer.places[value].strides[own]}")
        return name


def _type(value: Value) -> ArrayType:
    assert isinstance(value.type, ArrayType)
    return value.type


def _is_single(value: Value) -> bool:
    return all(dim == 1 for dim in _type(value).dims)


def _weight(blocked: bool) -> int:
    return LOOPS_OF_NUMPY if blocked else 1
