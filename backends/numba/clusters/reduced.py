"""Reductions of values that a cluster computes, while these are still in the cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial

from ....jit.ir.graph import Value
from ....jit.ir.primitives import ufunc_of
from ....jit.ir.types import ArrayType
from ..library.names import storage_name
from ..native import Flags, number_of
from ..nodes.inner_loops import InnerLoop, kept_flags
from ..nodes.reductions import identity_text, out_address, out_steps, start_from_identity
from ..nodes.walks import is_exact, is_extreme, walk_of
from ..writer import KernelWriter
from .fusion import goes_by_blocks
from .items import Item, Stage
from .leaves import Leaves
from .lower import HALF
from .nest import Accumulator, Nest, Tile
from .pairwise import Halves
from .ties import AllTies, Ties
from .tile_memory import TileMemory


def reduced_of_one_stage(writer: KernelWriter, stages: Sequence[Stage]) -> Sequence[Stage]:
    """Return the stages after the first one, if that is LLVM code and may stand in their loops."""
    native, *others = stages
    is_code = not (writer.attribute or native.loop or native.items[0].reduces)
    is_reported = native.flags is not Flags.SILENT and not any(any(one.modes) for one in stages)
    return others if is_code and is_reported else ()


class Reduced:
    """One reduction in a cluster."""

    def __init__(self, writer: KernelWriter, item: Item) -> None:
        self.writer = writer
        self.source = writer.source
        self.node = item.node
        self.operand = item.lowering.operands[0]
        self.result = item.node.outputs[0]
        self.kind = storage_name(self.result.type.dtype)
        runs = walk_of(item.node)
        assert runs is not None
        self.runs = runs
        self.along_lines = runs[-1].reduced
        """True if each line is reduced to one item; else its items are added to the results' items.
        """
        loop = None if self.is_by_halves else item.lowering.loop
        self.loop = InnerLoop(writer, *loop) if loop else None
        floats = self.result.type.dtype.kind == "f"
        self.ties = Ties(writer, item.node) if is_extreme(item.node) and floats else None
        self.halves: Halves | None = None
        self.sums = ""
        """Variable with the address of the sums of blocks, if these are joined later."""

    def accumulator(self) -> Accumulator:
        """Return the place of the result, with strides along axes longer than 1."""
        steps = out_steps(self.writer, self.node)
        moving = {axis: steps[axis] for axis in self._kept}
        return Accumulator(out_address(self.writer, self.result), moving)

    @property
    def _kept(self) -> list[int]:
        return [axis for run in self.runs if not run.reduced for axis in run.axes]

    @property
    def is_by_halves(self) -> bool:
        """True if lines are summed by halves."""
        return self.along_lines and not is_exact(self.node) and not is_extreme(self.node)

    def begin(self) -> None:
        """Write code before the loops that initialises the results."""
        type_ = self.node.inputs[0].type
        assert isinstance(type_, ArrayType)
        total = " * ".join(self.writer.dim(type_.dims[axis]) for axis in self._kept) or "1"
        start_from_identity(self.writer, self.node, total)

    def join_in(self, halves: Halves) -> None:
        """Let `halves` sum the lines of this reduction."""
        assert goes_by_blocks(self.node)
        assert self.kind is not None
        self.halves = halves
        self.sums = halves.new_sums(self.kind, self.result.type.dtype.itemsize)

    def add_tile(self, item: Item, memory: TileMemory, tile: Tile) -> None:
        """Add a tile to the results, line by line."""
        with ExitStack() as stack:
            if self.loop is not None:
                stack.enter_context(kept_flags(self.writer, self.node))
            row = "0"
            if tile.rows != "1":
                row = self.source.name("k")
                stack.enter_context(self.source.indented(f"for {row} in range({tile.rows}):"))
                memory.move_to(row)
            operand = memory.of(item.operands[0], item.lowering.operands, False)
            self._add(operand, memory.result(item), tile.length, row)

    def _add(
        self, operand: tuple[str, str], result: tuple[str, str], length: str, row: str
    ) -> None:
        """Add a block of one line; operand and result are (address, stride)."""
        if self.halves is not None:
            self.set_sum(row, f"pairwise_{self.kind}({operand[0]}, {length})")
            return
        if self.loop is None:
            self._add_exactly(operand, result, length)
            return
        (at, step), (into, out_step) = operand, result
        self.loop.call([into, at, into], [length], [out_step, step, out_step])
        if self.ties is not None:
            self.ties.look(into, operand, length)

    @property
    def is_joined(self) -> bool:
        """True if a line may be reduced in parts, and the results of these in any order."""
        return is_exact(self.node) or (is_extreme(self.node) and self.result.type.dtype != HALF)

    def begin_part(self, own: str) -> None:
        """Write the initial value of one part of a line, at its address."""
        self.source.line(f"{self.kind}_at({own})[0] = {identity_text(self.node)}")
        if self.ties is not None:
            self.ties.begin()

    def join_parts(self, leaves: Leaves, room: str) -> None:
        """Combine the results of all parts."""
        result = f"{self.kind}_at({out_address(self.writer, self.result)})[0]"
        if is_exact(self.node):
            leaves.join([(room, self.kind or "")])
            self.source.line(f"{result} = wrapped_add({result}, {self.kind}_at({room})[0])")
            return
        leaf, item, status = (self.source.name(name) for name in ("leaf", "x", "status"))
        self.source.line(f"{status} = get_status()")  # comparisons with NaN raise flags
        with self.source.indented(f"for {leaf} in range({leaves.count}):"):
            self.source.line(f"{item} = {self.kind}_at({room})[{leaf}]")
            sign = ufunc_of(self.node).extreme
            with self.source.indented(f"if ({item} {sign} {result}) | ({item} != {item}):"):
                self.source.line(f"{result} = {item}")
        self.source.line(f"set_status({status})")

    def set_sum(self, row: str, total: str) -> None:
        """Store the sum of a block of a line that is summed by halves."""
        assert self.halves is not None
        place = f"{self.halves.top} + {row}" if row != "0" else self.halves.top
        self.source.line(f"{self.kind}_at({self.sums})[{place}] = {total}")

    def _add_exactly(self, operand: tuple[str, str], result: tuple[str, str], length: str) -> None:
        """Add ints, whose order does not matter, in a loop that LLVM can vectorise."""
        source, index = self.source, self.source.name("i")
        cell, (at, step), (into, out_step) = storage_name(self.operand), operand, result
        by_item = step == str(self.operand.itemsize)
        place = f"({at})[{index}]" if by_item else f"({at} + {index} * {step})[0]"
        item = f"{self.kind}({number_of(f'{cell}_at{place}', self.operand)})"
        if self.along_lines:
            total = source.name("sum")
            source.line(f"{total} = {self.kind}_at({into})[0]")
            with source.indented(f"for {index} in range({length}):"):
                source.line(f"{total} = wrapped_add({total}, {item})")
            source.line(f"{self.kind}_at({into})[0] = {total}")
            return
        by_item = out_step == str(self.result.type.dtype.itemsize)
        place = f"({into})[{index}]" if by_item else f"({into} + {index} * {out_step})[0]"
        with source.indented(f"for {index} in range({length}):"):
            source.line(f"{self.kind}_at{place} = wrapped_add({self.kind}_at{place}, {item})")

    def write_lines(self, tile: Tile) -> None:
        """Store the sums of whole lines as results."""
        base, step = tile.bases[self.result], tile.row_steps.get(self.result, "0")
        if tile.rows == "1":
            total = f"{self.kind}(0) + {self.kind}_at({self.sums})[0]"  # 0 + -0.0 is 0.0
            self.source.line(f"{self.kind}_at({base})[0] = {total}")
            return
        row = self.source.name("k")
        with self.source.indented(f"for {row} in range({tile.rows}):"):
            into = f"{self.kind}_at({base} + {row} * {step})[0]"
            self.source.line(f"{into} = {self.kind}(0) + {self.kind}_at({self.sums})[{row}]")


def start(nest: Nest, reductions: Sequence[Reduced]) -> None:
    """Write code before a nest's loops, and set how its lines are split."""
    by_halves = [one for one in reductions if one.is_by_halves]
    others = [one for one in reductions if one not in by_halves]
    for one in others:
        one.begin()
    nest.ties = AllTies(nest.writer, [one.ties for one in others if one.ties is not None])
    nest.ties.begin()
    halves = Halves(nest.source, nest.writer.tables) if by_halves else None
    if all(one.is_joined for one in others):
        nest.by_leaves = partial(_by_leaves, halves, others, nest.ties)
    if halves is None:
        return
    for one in by_halves:
        assert nest.flat or len(one.runs[-1].axes) == 1, "a line of several axes is walked as one"
        one.join_in(halves)

    def finish(tile: Tile) -> None:
        for one in by_halves:
            one.write_lines(tile)

    nest.halves, nest.finish = halves, finish


@contextmanager
def _by_leaves(
    halves: Halves | None, joined: Sequence[Reduced], ties: AllTies, leaves: Leaves
) -> Iterator[tuple[tuple[str, str], Mapping[Value, str]]]:
    """Process the parts of a line that threads share, each with its own results."""
    rooms = [(one, leaves.room(one.kind or "")) for one in joined]
    sums = nullcontext() if halves is None else halves.of_leaves(leaves)
    with ties.watched_parts(leaves) as keep_ties:
        with sums as keep, leaves.iterations() as (leaf, low, count):
            own = {
                one.result: f"({room} + {leaf} * {one.result.type.dtype.itemsize})"
                for one, room in rooms
            }
            for one, _ in rooms:
                one.begin_part(own[one.result])
            if keep is None:
                high = leaves.source.name("high")
                leaves.source.line(f"{high} = {low} + {count}")
                yield (low, high), own
            else:
                yield (low, count), own
                keep(leaf)
            keep_ties(leaf)
        for one, room in rooms:
            one.join_parts(leaves, room)
