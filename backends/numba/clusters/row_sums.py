"""Sums over slower axes, added while the summands are in registers.

NumPy adds one row after the other to the row of the results. The sums of a row are independent of
each other, so that LLVM may vectorise the loop over them; each keeps the order of its summands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from ....jit.frozen import dataclass
from ....jit.ir.graph import Value
from ....jit.ir.primitives import ufunc_of
from ....jit.ir.types import ArrayType
from ..library.names import ROW_PRODUCTS
from ..llvm_flags.constant_to_llvm import is_hidden
from ..llvm_flags.forced_results import combine_bits
from ..writer import KernelWriter
from .items import Item, Stage
from .nest import Nest, Tile
from .reduced import Reduced, reduced_of_one_stage
from .tile_memory import Rooms, TileMemory

ROWS = 4
"""Number of rows that are added at once, so that sums are read and written less often."""

Names = dict[Item | Value, str]
Elements = Callable[[TileMemory, str, Names], Mapping[Item | Value, str]]
"""Writes the code for one item of a row, given the variables that are there already."""
Held = Callable[[TileMemory], AbstractContextManager[dict[Item, str]]]


@dataclass(frozen=True, slots=True)
class Factors:
    """The operands of a product: a number for each row, and a line for each row."""

    number: Value
    line: Value
    total: Item
    """The sum."""


def is_by_rows(
    writer: KernelWriter, stages: Sequence[Stage], reductions: Mapping[Item, Reduced]
) -> bool:
    """True if a cluster consists of one stage of LLVM code and of sums of its results by rows."""
    others = reduced_of_one_stage(writer, stages)
    return bool(others) and all(_adds_rows(one.items[0], reductions) for one in others)


def _adds_rows(item: Item, reductions: Mapping[Item, Reduced]) -> bool:
    one = reductions.get(item)
    if one is None or one.along_lines or one.loop is None or not ufunc_of(item.node).adds:
        return False
    is_float = one.result.type.dtype in (np.float64, np.float32)
    return is_float and isinstance(item.operands[0], Item) and is_hidden(one.result.type)


class RowSums:
    """The sums of a cluster that `is_by_rows`."""

    def __init__(
        self,
        writer: KernelWriter,
        stage: Stage,
        reductions: Mapping[Item, Reduced],
        outputs: Sequence[Value],
    ) -> None:
        self._writer, self._source = writer, writer.source
        self._reductions = reductions
        self._outputs = outputs
        self._factors = self._found_factors(stage)

    def _found_factors(self, stage: Stage) -> list[tuple[Value, Value, Item]]:
        """Return both orders of the operands if all that is summed is one product of arrays."""
        if len(stage.items) != 1 or len(self._reductions) != 1:
            return []
        (item,), (total,) = stage.items, self._reductions
        factors = [operand for operand in item.operands if isinstance(operand, Value)]
        if not self.is_left_out(item) or item.node.attrs.get("ufunc") is not np.multiply:
            return []
        if len(factors) < 2 or not all(isinstance(one.type, ArrayType) for one in factors):
            return []
        one, other = factors
        return [(one, other, total), (other, one, total)]

    def is_left_out(self, item: Item) -> bool:
        """True if an item is read by the sums only and needs no memory."""
        return item.value not in self._outputs and all(
            reader in self._reductions for reader in item.readers
        )

    def prepare(self, nest: Nest) -> None:
        """Set how a nest goes over the rows of a product.

        Where the line does not move along an axis of the results, the axes that are reduced become
        the inner ones: then the sums of a row are done before those of the next one begin.
        """
        inner = nest.order[-1]
        product = self._product(lambda value: nest.known_step(value, inner))
        if product is None:
            return
        outer = nest.order[:-1]
        result = self._reductions[product.total].result
        kept = [axis for axis in outer if nest.known_step(result, axis) != "0"]
        if any(nest.known_step(product.line, axis) == "0" for axis in kept):
            reduced = (axis for axis in outer if axis not in kept)
            nest.order = (*kept, *reduced, inner)
        nest.whole_rows = nest.order[-2] not in kept

    def _product(self, step: Callable[[Value], str]) -> Factors | None:
        """Return the operands if it is a sum of products with `row_products`, else None."""
        for number, line, total in self._factors:
            itemsize = str(total.dtype.itemsize)
            result = self._reductions[total].result
            if step(number) == "0" and step(line) == step(result) == itemsize:
                return Factors(number, line, total)
        return None

    # ---- text ------------------------------------------------------------------------------------

    def write(self, tile: Tile, rooms: Rooms, elements: Elements, held: Held) -> None:
        """Write the sums of the rows of a tile."""
        self._writer.may_report()
        memory = TileMemory(rooms, tile)
        product = self._product(tile.steps.__getitem__)
        if product is not None:
            self._write_product(product, tile, memory)
            return
        with held(memory) as kept:
            for rows in self._groups(tile):
                self._write_rows(rows, tile, memory, elements, kept)

    def _write_product(self, product: Factors, tile: Tile, memory: TileMemory) -> None:
        one = self._reductions[product.total]
        name = next(name for name in ROW_PRODUCTS if name.endswith(one.kind or " "))
        rows, steps = (
            tile.rows,
            [tile.row_steps.get(v, "0") for v in (product.number, product.line)],
        )
        around: AbstractContextManager[object] = nullcontext()
        if tile.row_steps.get(one.result, "0") != "0":  # each row has sums of its own
            row = self._source.name("k")
            around = self._source.indented(f"for {row} in range({rows}):")
            rows, steps = "1", ["0", "0"]
        with around:
            if rows == "1" != tile.rows:
                memory.move_to(row)
            (x, _), (y, _) = (memory.of(v, (), False) for v in (product.number, product.line))
            into, _ = memory.result(product.total)
            given = (into, x, steps[0], y, steps[1], rows, tile.length)
            self._source.line(f"{name}({', '.join(given)})")

    def _groups(self, tile: Tile) -> Iterator[Sequence[str]]:
        """Emit loops over the rows; yield those that are added at once."""
        if tile.rows == "1":
            yield ("",)
            return
        first = "0"
        if all(tile.row_steps.get(one.result) == "0" for one in self._reductions.values()):
            row, first = self._source.name("k"), f"{tile.rows} // {ROWS} * {ROWS}"
            with self._source.indented(f"for {row} in range(0, {tile.rows} - {ROWS - 1}, {ROWS}):"):
                yield [f"({row} + {k})" for k in range(ROWS)]
        row = self._source.name("k")
        with self._source.indented(f"for {row} in range({first}, {tile.rows}):"):
            yield (row,)

    def _write_rows(
        self,
        rows: Sequence[str],
        tile: Tile,
        memory: TileMemory,
        elements: Elements,
        held: Mapping[Item, str],
    ) -> None:
        """Write the loop over the items of some rows."""
        still = [value for value, step in tile.steps.items() if step == "0"]
        before: list[Names] = []
        for row in rows:
            memory.move_to(row)
            before.append({value: self._source.name("x") for value in still})
            for value, name in before[-1].items():
                self._source.line(f"{name} = {memory.element(value, '0')}")
        index = self._source.name("i")
        with self._source.indented(f"for {index} in range({tile.length}):"):
            found = []
            for row, names in zip(rows, before, strict=True):
                memory.move_to(row)
                found.append(elements(memory, index, dict(names)))
                for item, variable in held.items():
                    self._source.line(combine_bits(variable, item, found[-1][item]))
            for item in self._reductions:
                self._add(
                    item, memory.total(item, index), [names[item.operands[0]] for names in found]
                )

    def _add(self, item: Item, place: str, summands: Sequence[str]) -> None:
        kind, total = self._reductions[item].kind, self._source.name("sum")
        self._source.line(f"{total} = {place}")
        for name in summands:
            self._source.line(f"{total} = {kind}({total} + {name})")
        self._source.line(f"{place} = {total}")
