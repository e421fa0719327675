"""The iteration space of a cluster: loops over lines, and the tiles that they are cut into.

Axes are walked in the order of memory. Neighbouring axes that turn out to follow each other without
a gap in every operand are walked as one line; that is seen when the kernel runs. Lines are cut into
blocks, and short lines are taken several at a time, so that a block is worth a call of an inner
loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from math import prod

from ....jit.frozen import dataclass
from ....jit.ir.graph import Value
from ....jit.ir.types import ArrayType
from ....jit.passes.clusters import Cluster
from ..parallel import is_large, parallel
from ..writer import KernelWriter
from .cut import Bounds, Cut, lines_at_once, range_of
from .fusion import axes_of, is_flat, is_one_line
from .items import BLOCK
from .leaves import Leaves
from .pairwise import Halves


@dataclass(frozen=True, slots=True)
class Tile:
    """What one run of the stages works on: `rows` lines of `length` elements."""

    rows: str
    """Expression, "1" where there is never more than one."""
    length: str
    bases: dict[Value, str]
    """Address of the first element of each operand."""
    row_steps: dict[Value, str]
    """Bytes from one line to the next."""
    steps: dict[Value, str]
    """Bytes from one element to the next; "0" for an operand that stays where it is."""


ByLeaves = Callable[[Leaves], AbstractContextManager[tuple[tuple[str, str], Mapping[Value, str]]]]
"""Around what is done with a part of a line: the bounds of its blocks, as the line is parted, and
where its results stand."""


@dataclass(frozen=True, slots=True)
class Accumulator:
    """Where the result of a reduction stands, as an operand that stays along the reduced axes."""

    address: str
    steps: dict[int, str]
    """Of the axes that stay."""


class Nest:
    """Loops around the tiles of one cluster."""

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
        """How lines are parted; None for blocks that are equal."""
        self.by_leaves: ByLeaves | None = None
        """How one line that is reduced is shared by threads, where that is possible."""
        self.finish: Callable[[Tile], None] | None = None
        """Emits what is done with lines whose blocks are done with."""

    def is_one_line(self, value: Value) -> bool:
        """Whether one index over all of memory walks this operand as the nest walks."""
        return is_one_line(_type(value), self.dims, self.order)

    def write(self, body: Callable[[Tile], None], *, blocked: bool, holds: str = "") -> None:
        """Emits the loops; `body` emits what is done with one tile.

        `holds` is a variable that is false where what the tiles compute is not NumPy's.
        """
        if self.flat:
            self._write_flat(body, blocked, holds)
            return
        for value in self.arrays:
            for axis in self.order:
                self._steps[value, axis] = self._new_step(value, axis)
        lengths = self._lengths() if self.accumulators else self._collapsed()
        several = blocked and len(self.order) > 1
        if self._is_parallel and (axes := self._axes_to_cut()):
            rows = self.order[-2] if several else -1
            in_order = {axis: lengths[axis] for axis in self.order}
            cut = Cut(self.source, axes, in_order, self.total(), rows)
            with parallel(self.writer, cut.turns, cut.step, cut.size, holds) as turns:
                self._write_axes(body, blocked, cut.bounds(turns), cut.at_once)
            return
        bounds = {axis: ("0", lengths[axis]) for axis in self.order}
        at_once = ""
        if several:
            at_once = self.source.name("at_once")
            self.source.line(f"{at_once} = {lines_at_once(lengths[self.order[-1]])}")
        self._write_axes(body, blocked, bounds, at_once)

    @property
    def _is_parallel(self) -> bool:
        return is_large(self.writer, self.dims)

    def _axes_to_cut(self) -> list[int]:
        """Axes along which no turn needs what another one has made, from slowest to fastest."""
        kept = [one.steps for one in self.accumulators.values()]
        return [axis for axis in self.order if all(axis in steps for steps in kept)]

    def _write_flat(self, body: Callable[[Tile], None], blocked: bool, holds: str) -> None:
        """One line over all of memory."""
        length = self.source.name("n")
        self.source.line(f"{length} = {self.total()}")
        steps = {value: self._flat_step(value) for value in self.arrays}
        bases = {value: self._address(value) for value in self.arrays}
        if self._is_parallel and not self.accumulators:
            with parallel(self.writer, length, str(BLOCK), "1", holds) as turns:
                bounds = turns.begin, turns.end
                self._write_line(body, "1", bounds, bases, {}, steps, blocked)
        elif self._is_parallel and self.by_leaves is not None and not holds:
            with self.by_leaves(Leaves(self.writer, length)) as (bounds, own):
                self._write_blocks(body, "1", bounds, {**bases, **own}, {}, steps)
            self._finish("1", length, bases, {}, steps)
        else:
            self._write_line(body, "1", ("0", length), bases, {}, steps, blocked)

    def _write_axes(
        self, body: Callable[[Tile], None], blocked: bool, bounds: Bounds, at_once: str
    ) -> None:
        """Loops over the axes; where `at_once` says how many, several lines are taken at a time."""
        inner = self.order[-1]
        steps = {value: self._step(value, inner) for value in self.arrays}
        with ExitStack() as stack:
            indices: dict[int, str] = {}
            for axis in self.order[: -2 if at_once else -1]:
                index = indices[axis] = self.source.name("i")
                header = f"for {index} in {range_of(bounds[axis])}:"
                stack.enter_context(self.source.indented(header))
            if at_once:
                self._write_rows(body, bounds, at_once, indices, steps)
            else:
                bases = {value: self._base(value, indices) for value in self.arrays}
                self._write_line(body, "1", bounds[inner], bases, {}, steps, blocked)

    def _write_rows(
        self,
        body: Callable[[Tile], None],
        bounds: Bounds,
        at_once: str,
        indices: dict[int, str],
        steps: dict[Value, str],
    ) -> None:
        """Several lines at a time when they are short."""
        axis, inner = self.order[-2:]
        (low, high), first, rows = bounds[axis], self.source.name("first"), self.source.name("rows")
        with self.source.indented(f"for {first} in range({low}, {high}, {at_once}):"):
            self.source.line(f"{rows} = min({at_once}, {high} - {first})")
            bases = {value: self._base(value, {**indices, axis: first}) for value in self.arrays}
            row_steps = {value: self._step(value, axis) for value in self.arrays}
            self._write_line(body, rows, bounds[inner], bases, row_steps, steps, True)

    def _write_line(
        self,
        body: Callable[[Tile], None],
        rows: str,
        bounds: tuple[str, str],
        bases: dict[Value, str],
        row_steps: dict[Value, str],
        steps: dict[Value, str],
        blocked: bool,
    ) -> None:
        begin, end = bounds
        if not blocked:
            length = end
            if begin != "0":
                length = self.source.name("n")
                self.source.line(f"{length} = {end} - {begin}")
            body(Tile(rows, length, self._moved(bases, begin, steps), row_steps, steps))
            return
        self._write_blocks(body, rows, bounds, bases, row_steps, steps)
        self._finish(rows, end, bases, row_steps, steps)

    def _write_blocks(
        self,
        body: Callable[[Tile], None],
        rows: str,
        bounds: tuple[str, str],
        bases: dict[Value, str],
        row_steps: dict[Value, str],
        steps: dict[Value, str],
    ) -> None:
        """The blocks of a line; of one that is halved the bounds are its begin and its length."""
        blocks = self._equal_blocks if self.halves is None else self.halves.blocks
        with blocks(*bounds) as (low, size):
            body(Tile(rows, size, self._moved(bases, low, steps), row_steps, steps))

    def _finish(
        self,
        rows: str,
        length: str,
        bases: dict[Value, str],
        row_steps: dict[Value, str],
        steps: dict[Value, str],
    ) -> None:
        if self.finish is not None:
            self.finish(Tile(rows, length, bases, row_steps, steps))

    @staticmethod
    def _moved(bases: dict[Value, str], by: str, steps: dict[Value, str]) -> dict[Value, str]:
        """Where lines begin that begin so many items later."""
        return {
            value: base if "0" in (by, steps[value]) else f"({base} + {by} * {steps[value]})"
            for value, base in bases.items()
        }

    @contextmanager
    def _equal_blocks(self, begin: str, end: str) -> Iterator[Sequence[str]]:
        low, size = self.source.name("low"), self.source.name("m")
        with self.source.indented(f"for {low} in range({begin}, {end}, {BLOCK}):"):
            self.source.line(f"{size} = min({BLOCK}, {end} - {low})")
            yield low, size

    # ---- lengths and steps -------------------------------------------------------------------

    def total(self) -> str:
        """The number of items."""
        syms = [self.writer.dim(dim) for dim in self.dims if not isinstance(dim, int)]
        factor = prod(dim for dim in self.dims if isinstance(dim, int))
        return " * ".join([*syms, *([str(factor)] if factor != 1 or not syms else [])])

    def _lengths(self) -> dict[int, str]:
        return {axis: self.writer.dim(self.dims[axis]) for axis in self.order}

    def _collapsed(self) -> dict[int, str]:
        """Lengths of the axes; axes that follow each other without a gap are one at run time."""
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

    def _may_follow(self, axis: int) -> bool:
        """No operand stays along one of the two axes and moves along the other."""
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
        """Address of an operand at the start of a line."""
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

    def _new_step(self, value: Value, axis: int) -> str:
        """Bytes per index along an axis: a number where the layout tells it, else a variable."""
        if value in self.accumulators:
            return self.accumulators[value].steps.get(axis, "0")
        type_ = _type(value)
        own = axis - (len(self.dims) - type_.ndim)
        layout = type_.layout
        if own < 0 or type_.dims[own] == 1 or layout.signs[own] == 0:
            return "0"
        if layout.steps_by_item(own):
            return str(type_.dtype.itemsize)
        name = self.source.name("step")
        self.source.line(f"{name} = {self.writer.places[value].strides[own]}")
        return name


def _type(value: Value) -> ArrayType:
    assert isinstance(value.type, ArrayType)
    return value.type


def _is_single(value: Value) -> bool:
    return all(dim == 1 for dim in _type(value).dims)
