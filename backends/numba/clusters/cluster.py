"""Writes a cluster: memory for its outputs, and the stages that fill them tile by tile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace

import numpy as np

from ....jit.checks import Check
from ....jit.ir.graph import Value
from ....jit.ir.references import ELIDED_FROM
from ....jit.ir.schema import Applies
from ....jit.ir.types import ArrayType, ScalarType
from ....jit.native import WORDS
from ....jit.passes.clusters import Cluster
from ..library.names import storage_name
from ..llvm_flags.folding import NOTHING, foldable
from ..llvm_flags.forced_results import combine_bits, no_bits, unforced
from ..native import Flags
from ..nodes.inner_loops import InnerLoop, kept_flags
from ..nodes.reductions import check_lengths, make_room, read_result
from ..nodes.walks import walk_of
from ..numbers.constants import operand_in_word, read_word
from ..numbers.conversions import convert_number
from ..trapped import is_trapped, keep, trapped
from ..writer import KernelWriter
from .at_once import is_stored_at_once, look_at_memory, stored_at_once
from .in_place import room_for, target_for
from .items import BLOCK, Item, Stage, items_of, stages_of
from .lower import DType, Lowering
from .nest import Nest, Tile
from .reduced import Reduced, start
from .row_groups import sees_vectors
from .row_sums import Names, RowSums, is_by_rows
from .short_lines import ShortSums, lengths_of, may_be_short
from .tile_memory import Rooms, TileMemory
from .together import may_be_together, write_both


def write_cluster(writer: KernelWriter, cluster: Cluster) -> None:
    """Emit the allocation of outputs and the loops that fill them."""
    at_once = is_stored_at_once(writer, cluster)
    for value in cluster.outputs:
        if not at_once and value in writer.direct and writer.direct[value].visible:
            del writer.direct[value]
    with stored_at_once(writer, cluster) if at_once else nullcontext():
        _write(writer, cluster)


def _write(writer: KernelWriter, cluster: Cluster) -> None:
    items = items_of(cluster)
    stages = stages_of(items, writer.attribute)
    reductions = [item for item in items if item.reduces]
    results = [item.node.outputs[0] for item in reductions]
    for item in reductions:
        runs = walk_of(item.node)
        assert runs is not None
        check_lengths(writer, item.node, runs)
    overwrites = False
    targets: dict[Value, Value] = {}
    for value in cluster.outputs:
        if value in results:
            make_room(writer, value)
            continue
        target = target_for(writer, items, stages, value)
        if target is not None:
            look_at_memory(writer, items, stages, value)
            targets[value] = target
            writer.places[value] = writer.places[target]
            overwrites = True
            continue
        dying = room_for(writer, items, stages, value)
        if dying is None:
            writer.new_array(value)
        else:
            writer.take_over(value, dying)
            overwrites = True
    if writer.attribute:
        for stage in stages:
            if stage.flags is Flags.REPORTS:
                writer.attributed.declare(stage.items[-1].node)
    apart = _ClusterWriter(writer, cluster, items, stages, targets)
    if overwrites or writer.attribute or not may_be_together(stages):
        apart.write()
    else:
        joined = items_of(cluster)
        together = stages_of(joined, attribute=False, together=True)
        both = _ClusterWriter(writer, cluster, joined, together, targets)
        write_both(writer, both.write, apart.write)
    for value in results:
        read_result(writer, value)


class _ClusterWriter:
    def __init__(
        self,
        writer: KernelWriter,
        cluster: Cluster,
        items: list[Item],
        stages: list[Stage],
        targets: dict[Value, Value],
    ) -> None:
        """Create it; `targets` are existing arrays in which some outputs are placed."""
        self.writer = writer
        self.source = writer.source
        self.cluster = cluster
        self.items = items
        self.stages = stages
        self.reductions = {i: Reduced(writer, i) for i in items if i.reduces}
        self.blocked = len(stages) > 1 or stages[0].loop
        self.swapped: dict[Item, str] = {}
        """For items with "swaps": the variable that tells if their operands are exchanged."""
        self.holds = self.source.name("holds") if any(i.lowering.holds for i in items) else ""
        """Variable that stays true while all inputs are in the range where templates equal NumPy.
        """
        native = (stage for stage in stages if not stage.loop)
        self.foldable = frozenset(i for stage in native for i in foldable(stage, writer.known))
        self.nothing = ""
        """Variable with -0.0 whose value is hidden from LLVM."""
        self.scalar_operands: dict[tuple[Value, DType], str] = {}
        self.stay = {
            operand
            for item in items
            if item.lowering.loop is None
            for k, operand in enumerate(item.operands)
            if isinstance(operand, Value)
            and operand in writer.known.constants
            and not operand_in_word(item.node, k, item.lowering.operands[k])
        }
        """Constants that LLVM may see."""
        read = [o for item in items for o in item.operands if isinstance(o, Value)]
        results = {one.result: one.accumulator() for one in self.reductions.values()}
        written = [targets.get(v, v) for v in cluster.outputs if v not in results]
        arrays = [v for v in dict.fromkeys([*written, *read]) if _is_array(v)]
        self.nest = Nest(writer, cluster, arrays, results)
        self.nest.sees_vectors = sees_vectors(items)
        self.row_sums: RowSums | None = None
        if is_by_rows(writer, stages, self.reductions):
            self.row_sums = RowSums(writer, stages[0], self.reductions, cluster.outputs)
            self.row_sums.prepare(self.nest)
        self.rooms = Rooms(self.nest, cluster.outputs, targets)

    def write(self) -> None:
        """Write the code before the loops, and the loops."""
        self._prepare()
        start(self.nest, list(self.reductions.values()))
        if self.holds:
            self.source.line(f"{self.holds} = True")
        self.nest.write(self._write_tile, blocked=self.blocked, holds=self.holds)
        self.nest.ties.finish()
        if self.holds:
            self.writer.bail_if(f"not {self.holds}", Check.RANGE)

    def _prepare(self) -> None:
        """Write converted scalars and scratch blocks, which precede the loops."""
        if self.foldable:
            self.nothing = self.source.name("nothing")
            word = self.writer.tables.constant_word(NOTHING)
            self.source.line(f"{self.nothing} = float64_at(address_of(w, {word}))[0]")
        for item in self.items:
            for value, dtype in zip(item.operands, item.lowering.operands, strict=True):
                if isinstance(value, Value) and isinstance(value.type, ScalarType):
                    self._prepare_scalar(value, dtype, item.lowering.loop is not None)
        for item in self.items:
            if "swaps" in item.node.attrs:
                name = self.swapped[item] = self.source.name("swapped")
                least = ELIDED_FROM // item.dtype.itemsize
                self.source.line(f"{name} = {self.nest.total()} >= {least}")
        for item in self.items:
            # An unread result of LLVM code is computed for its flags: `_pinned_results` keeps it.
            crosses = any(r.stage != item.stage for r in item.readers)
            if (crosses or self._is_loop(item)) and item.value not in self.cluster.outputs:
                assert self.blocked, "a block holds no more than a tile"
                offset = self.writer.tables.new_scratch(BLOCK * item.dtype.itemsize)
                name = self.rooms.scratch[item] = self.source.name("block")
                place = f"w[{WORDS['SCRATCH']}] + {offset}"
                self.source.scratch_line(name, place, f"{item.dtype}[{BLOCK}]")

    def _is_loop(self, item: Item) -> bool:
        return item.lowering.loop is not None

    def _prepare_scalar(self, value: Value, dtype: DType, in_memory: bool) -> None:
        kind = storage_name(dtype)
        constant = self._constant_word(value, dtype, in_memory)
        if in_memory and constant is not None:
            self.rooms.scalars[value, dtype] = f"address_of(w, {constant})"
            return
        if (value, dtype) not in self.scalar_operands:
            variable = self.source.name("c")
            if constant is not None:
                self.source.line(f"{variable} = {read_word(constant, kind)}")
            else:
                convert_number(self.writer, variable, value, dtype)
                if value in self.writer.known.constants and self._is_hidden(value, dtype):
                    self.source.line(f"{variable} = pinned({variable})")
            self.scalar_operands[value, dtype] = variable
        if in_memory and (value, dtype) not in self.rooms.scalars:
            word = self.writer.tables.reserve(2)
            address = f"address_of(w, {word})"
            variable = self.scalar_operands[value, dtype]
            self.source.line(f"{kind}_at({address})[0] = {variable}")
            self.rooms.scalars[value, dtype] = address

    def _constant_word(self, value: Value, dtype: DType, in_memory: bool) -> int | None:
        """Return the word of a constant that LLVM need not see.

        NumPy's loops read any number there.
        """
        if in_memory or value not in self.stay:
            return self.writer.constants.word(value, dtype)
        return None

    def _is_hidden(self, value: Value, dtype: DType) -> bool:
        """True if a constant must be hidden from LLVM.

        With `1 / where(mask, x, 1)` LLVM would use a visible 1 to divide first and select
        afterwards, and flags of elements not selected would be reported. With a NaN bound of `clip`
        it would drop computations whose result is NaN anyway. With neutral constants, as in `x *
        1.0` or `x - 0.0`, it would drop an operation that reports signalling NaNs.
        """
        number = self.writer.known.constants[value]
        readers = [item for item in self.items if value in item.operands]
        chosen = any(item.node.op.selects for item in readers)
        compared = any(item.lowering.flags is Flags.SILENT for item in readers)
        neutral = number in (-1, 0, 1) and any(
            item.node.op.applies is Applies.ITEMS for item in readers
        )
        return dtype.char in "fdFD" and (chosen or neutral or (compared and number != number))

    # ---- stages --------------------------------------------------------------------------------

    def _write_tile(self, tile: Tile) -> None:
        if tile.rows != "1" and may_be_short(self.writer, self.stages, self.reductions):
            for length in lengths_of(self.writer, tile.length):
                short = replace(tile, length=length)
                self._write_native(self.stages[0], short, ShortSums(self.reductions))
            with self.source.indented("else:"):
                self._write_stages(tile)
            return
        self._write_stages(tile)

    def _write_stages(self, tile: Tile) -> None:
        if self.row_sums is not None:
            self._write_row_sums(self.row_sums, tile)
            return
        for stage in self.stages:
            self._write_stage(stage, tile)

    def _write_stage(self, stage: Stage, tile: Tile) -> None:
        if stage.flags is Flags.REPORTS:
            self.writer.may_report()
        attributed = self.writer.attribute and stage.flags is Flags.REPORTS
        status = None
        node = stage.items[-1].node
        alone = stage.flags is Flags.REPORTS and not stage.loop and is_trapped(self.writer, node)
        if stage.ignored and stage.flags is Flags.REPORTS and not attributed and not alone:
            status = self.source.name("status")
            self.source.line(f"{status} = get_status()")
        if attributed:
            self.source.line("set_status(get_status() & ~63)")
        if stage.items[0].reduces:
            item = stage.items[0]
            self.reductions[item].add_tile(item, TileMemory(self.rooms, tile), tile)
        elif stage.loop:
            self._write_inner_loop(stage.items[0], tile)
        else:
            with trapped(self.writer, node) if alone else nullcontext():
                self._write_native(stage, tile)
        if attributed:
            keep(self.writer, node, "raised_flags()")
        if status is not None:
            self.source.line(f"set_status({status} | (get_status() & {~stage.ignored}))")

    def _write_row_sums(self, sums: RowSums, tile: Tile) -> None:
        stage = self.stages[0]

        def elements(memory: TileMemory, index: str, names: Names) -> Mapping[Item | Value, str]:
            return self._write_elements(stage, memory, index, sums, names)

        sums.write(tile, self.rooms, elements, lambda memory: self._pinned_results(stage, memory))

    def _write_native(self, stage: Stage, tile: Tile, sums: ShortSums | None = None) -> None:
        """Write a loop over the items of each line; `sums` are short sums computed in it."""
        status = None
        if stage.flags is Flags.SILENT:
            status = self.source.name("status")
            self.source.line(f"{status} = get_status()")
        memory = TileMemory(self.rooms, tile)
        sums = sums or ShortSums({})
        with self._pinned_results(stage, memory) as held, ExitStack() as stack:
            row = "0"
            if tile.rows != "1":
                row = self.source.name("k")
                stack.enter_context(self.source.indented(f"for {row} in range({tile.rows}):"))
                memory.move_to(row)
            sums.begin()
            index = self.source.name("i")
            with self.source.indented(f"for {index} in range({tile.length}):"):
                names = self._write_elements(stage, memory, index, sums)
                sums.add(names)
                for item, variable in held.items():
                    self.source.line(combine_bits(variable, item, names[item]))
            sums.finish(row)
        if status is not None:
            self.source.line(f"set_status({status})")

    @contextmanager
    def _pinned_results(self, stage: Stage, memory: TileMemory) -> Iterator[dict[Item, str]]:
        """Define variables around the loops for results that LLVM might otherwise drop."""
        in_memory = {item for item in stage.items if item in memory}
        held = {
            item: self.source.name("held") for item in unforced(stage, in_memory, self.writer.known)
        }
        for item, variable in held.items():
            self.source.line(f"{variable} = {no_bits(item)}")
        yield held
        for variable in held.values():
            self.source.line(f"pinned({variable})")

    def _write_elements(
        self,
        stage: Stage,
        memory: TileMemory,
        index: str,
        sums: ShortSums | RowSums,
        given: Names | None = None,
    ) -> Mapping[Item | Value, str]:
        names: Names = given or {}
        for item in stage.items:
            operands = []
            for operand, dtype in zip(item.operands, item.lowering.operands, strict=True):
                if isinstance(operand, Value) and isinstance(operand.type, ScalarType):
                    operands.append(self.scalar_operands[operand, dtype])
                    continue
                if operand not in names:
                    names[operand] = self.source.name("x")
                    self.source.line(f"{names[operand]} = {memory.element(operand, index)}")
                operands.append(names[operand])
            if item in self.foldable:
                operands[0] = f"({operands[0]} + {self._nothing_of(item.lowering.operands[0])})"
            if item.lowering.holds:
                operands[0] = self._held_to(item.lowering, operands[0])
            name = names[item] = self.source.name("t")
            kind = storage_name(item.dtype)
            expression = item.lowering.template.format(*operands, t=kind)
            self.source.line(f"{name} = {kind}({expression})")
        for item in stage.items:
            if item in memory and not (item in self.rooms.scratch and sums.is_left_out(item)):
                self.source.line(f"{memory.element(item, index)} = {names[item]}")
        return names

    def _nothing_of(self, dtype: DType) -> str:
        """Return -0.0 in a precision in which adding it does not change the operand."""
        return f"float32({self.nothing})" if dtype == np.float32 else self.nothing

    def _held_to(self, lowering: Lowering, operand: str) -> str:
        """Return the operand, or zero where the template would differ from NumPy; this is noted."""
        holds = self.source.name("ok")
        self.source.line(f"{holds} = {lowering.holds.format(operand)}")
        self.source.line(f"{self.holds} = {self.holds} & {holds}")
        return f"({operand} if {holds} else {storage_name(lowering.operands[0])}(0.0))"

    def _write_inner_loop(self, item: Item, tile: Tile) -> None:
        """Call NumPy's inner loop on the tile, with eager's memory and strides.

        If every operand continues from line to line without a gap, one call suffices.
        """
        assert item.lowering.loop is not None
        operands = (*item.operands, item)
        memory = TileMemory(self.rooms, tile)
        length, joined = tile.length, False
        with kept_flags(self.writer, item.node), ExitStack() as stack:
            if tile.rows != "1":
                joined = all(memory.is_one_line(operand) for operand in operands)
                if joined:
                    length = f"{tile.rows} * {tile.length}"
                else:
                    row = self.source.name("k")
                    stack.enter_context(self.source.indented(f"for {row} in range({tile.rows}):"))
                    memory.move_to(row)
            args, steps = [], []
            for k, operand in enumerate(operands):
                address, step = memory.of(operand, item.lowering.operands[k : k + 1], joined)
                args.append(address)
                steps.append(step)
            if item in self.swapped:
                for texts in (args, steps):
                    one, other = texts[:2]
                    choice = f"{{}} if {self.swapped[item]} else {{}}"
                    texts[:2] = choice.format(other, one), choice.format(one, other)
            InnerLoop(self.writer, *item.lowering.loop).go_over(args, length, steps)


def _is_array(value: Value) -> bool:
    return isinstance(value.type, ArrayType)
