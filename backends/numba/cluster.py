"""One cluster as loops: flat over packed memory, or a nest whose innermost axis goes by blocks."""

from __future__ import annotations

from math import prod

import numpy as np

from ...jit.ir.graph import Value
from ...jit.ir.types import ArrayType, ScalarType
from ...jit.native import WORDS, ufunc_loop
from ...jit.passes.fuse import Cluster
from .intrinsics import storage_name
from .items import Item, Stage, items_of, stages_of
from .lower import DType
from .native import Flags
from .writer import KernelWriter

BLOCK = 512
"""Elements of a block: a handful of float64 scratch blocks stay in an L1 cache of 32 KiB."""


def write_cluster(writer: KernelWriter, cluster: Cluster) -> None:
    """Emits allocation of the outputs and the loops that fill them."""
    items = items_of(cluster)
    stages = stages_of(items, writer.attribute)
    for value in cluster.outputs:
        writer.new_array(value)
    if writer.attribute:
        for stage in stages:
            if stage.flags is Flags.REPORTS:
                writer.declare_flags(stage.items[-1].node)
    _ClusterWriter(writer, cluster, items, stages).write()


class _ClusterWriter:
    def __init__(
        self, writer: KernelWriter, cluster: Cluster, items: list[Item], stages: list[Stage]
    ) -> None:
        self.writer = writer
        self.source = writer.source
        self.cluster = cluster
        self.items = items
        self.stages = stages
        self.blocked = len(stages) > 1 or stages[0].loop
        self.scratch: dict[Item, str] = {}
        self.scalar_operands: dict[tuple[Value, DType], str] = {}
        self.scalar_memory: dict[tuple[Value, DType], str] = {}
        self.order = self._loop_order()
        self.flat = self._is_flat()

    # ---- shape of the iteration --------------------------------------------------------------

    def _arrays(self) -> list[Value]:
        """Arrays in memory that the loops touch."""
        read = [o for item in self.items for o in item.operands if isinstance(o, Value)]
        return [v for v in dict.fromkeys([*self.cluster.outputs, *read]) if _is_array(v)]

    def _loop_order(self) -> tuple[int, ...]:
        for value in self._arrays():
            type_ = value.type
            assert isinstance(type_, ArrayType)
            if type_.dims == self.cluster.dims:
                return type_.layout.order
        return tuple(range(len(self.cluster.dims)))

    def _is_flat(self) -> bool:
        """Whether one index walks all operands: full dims, no gaps, one memory order."""
        for value in self._arrays():
            type_ = value.type
            assert isinstance(type_, ArrayType)
            if all(dim == 1 for dim in type_.dims):
                continue
            same = type_.dims == self.cluster.dims and type_.layout.packed
            if not same or type_.layout.order != self.order:
                return False
        return True

    # ---- loops ---------------------------------------------------------------------------------

    def write(self) -> None:
        self._prepare()
        if self.flat:
            known = [dim for dim in self.cluster.dims if isinstance(dim, int)]
            syms = [self.writer.dim(dim) for dim in self.cluster.dims if not isinstance(dim, int)]
            factor = prod(known)
            total = " * ".join([*syms, *([str(factor)] if factor != 1 or not syms else [])])
            length = self.source.name("n")
            self.source.line(f"{length} = {total}")
            self._write_line(length, {}, inner_axis=None)
        else:
            self._write_nest(0, {})

    def _prepare(self) -> None:
        """What stands before the loops: converted scalars and scratch blocks."""
        for item in self.items:
            for value, dtype in zip(item.operands, item.lowering.operands, strict=True):
                if isinstance(value, Value) and isinstance(value.type, ScalarType):
                    self._prepare_scalar(value, dtype, item.lowering.loop is not None)
        for item in self.items:
            # A result that nobody reads is computed for the flags that it may raise.
            crosses = any(r.stage != item.stage for r in item.readers) or not item.readers
            if (crosses or self._is_loop(item)) and item.value not in self.cluster.outputs:
                offset = self.writer.tables.new_scratch(BLOCK * item.dtype.itemsize)
                name = self.scratch[item] = self.source.name("block")
                self.source.line(
                    f"{name} = w[{WORDS['SCRATCH']}] + {offset}  # {item.dtype}[{BLOCK}]"
                )

    def _is_loop(self, item: Item) -> bool:
        return item.lowering.loop is not None

    def _prepare_scalar(self, value: Value, dtype: DType, in_memory: bool) -> None:
        kind = storage_name(dtype)
        if (value, dtype) not in self.scalar_operands:
            variable = self.source.name("c")
            self._convert_scalar(variable, value, dtype)
            self.scalar_operands[value, dtype] = variable
        if in_memory and (value, dtype) not in self.scalar_memory:
            word = self.writer.tables.reserve(2)
            address = f"address_of(w, {word})"
            variable = self.scalar_operands[value, dtype]
            self.source.line(f"{kind}_at({address})[0] = {variable}")
            self.scalar_memory[value, dtype] = address

    def _convert_scalar(self, variable: str, value: Value, dtype: DType) -> None:
        """A scalar in the dtype of the loop; where eager would say something about it, it does."""
        text = self.writer.scalars[value]
        kind = storage_name(dtype)
        type_ = value.type
        assert isinstance(type_, ScalarType)
        if type_.python and type_.dtype.kind == "i" and dtype.kind in "iu" and dtype.itemsize < 9:
            limits = np.iinfo(dtype)
            high = min(int(limits.max), 2**63 - 1)
            if value not in self.writer.constants and (limits.min > -(2**63) or high < 2**63 - 1):
                condition = f"{text} < {max(int(limits.min), -(2**63))} or {text} > {high}"
                self.writer.bail_if(condition, f"{dtype} cannot hold it")
        narrows = type_.dtype.kind == "f" and dtype.kind == "f" and dtype.itemsize < 8
        status = self.source.name("status") if narrows and type_.dtype != dtype else None
        if status:
            self.source.line(f"{status} = get_status()")
        self.source.line(f"{variable} = {kind}({text})")
        if status:
            self.source.line(f"set_status({status})")
            overflow = f"fabs({variable}) == inf and fabs({text}) != inf"
            self.writer.bail_if(overflow, f"{dtype} cannot hold it")

    def _write_nest(self, depth: int, indices: dict[int, str]) -> None:
        axis = self.order[depth]
        length = self.writer.dim(self.cluster.dims[axis])
        if depth == len(self.order) - 1:
            self._write_line(length, indices, inner_axis=axis)
            return
        index = self.source.name("i")
        with self.source.indented(f"for {index} in range({length}):"):
            self._write_nest(depth + 1, {**indices, axis: index})

    def _write_line(self, length: str, indices: dict[int, str], inner_axis: int | None) -> None:
        """One run over the innermost axis (or over all memory): by blocks when there are stages."""
        bases = {value: self._base(value, indices) for value in self._arrays()}
        if not self.blocked:
            self._write_stage(self.stages[0], bases, length, inner_axis)
            return
        low, size = self.source.name("low"), self.source.name("m")
        with self.source.indented(f"for {low} in range(0, {length}, {BLOCK}):"):
            self.source.line(f"{size} = min({BLOCK}, {length} - {low})")
            moved = {}
            for value, base in bases.items():
                step = self._step(value, inner_axis)
                moved[value] = base if step == "0" else f"({base} + {low} * {step})"
            for stage in self.stages:
                self._write_stage(stage, moved, size, inner_axis)

    # ---- memory --------------------------------------------------------------------------------

    def _base(self, value: Value, indices: dict[int, str]) -> str:
        """Address of an operand at the start of a line."""
        place = self.writer.places[value]
        shift = len(self.cluster.dims) - place.type.ndim
        parts = [place.address]
        for axis, index in indices.items():
            own = axis - shift
            if own >= 0 and place.type.dims[own] != 1:
                parts.append(f"{index} * {place.strides[own]}")
        if len(parts) == 1:
            return place.address
        name = self.source.name("row")
        self.source.line(f"{name} = {' + '.join(parts)}")
        return name

    def _step(self, value: Value, inner_axis: int | None) -> str:
        """Step in bytes along the line."""
        type_ = value.type
        assert isinstance(type_, ArrayType)
        if all(dim == 1 for dim in type_.dims):
            return "0"
        if inner_axis is None:
            return str(type_.dtype.itemsize)
        own = inner_axis - (len(self.cluster.dims) - type_.ndim)
        if own < 0 or type_.dims[own] == 1 or type_.layout.signs[own] == 0:
            return "0"
        if type_.layout.unit and type_.layout.order[-1] == own and type_.layout.signs[own] == 1:
            return str(type_.dtype.itemsize)
        return self.writer.places[value].strides[own]

    def _element(self, value: Value, base: str, inner_axis: int | None, index: str) -> str:
        """Expression for one element in memory."""
        type_ = value.type
        assert isinstance(type_, ArrayType)
        kind = f"{storage_name(type_.dtype)}_at"
        step = self._step(value, inner_axis)
        if step == "0":
            return f"{kind}({base})[0]"
        if step == str(type_.dtype.itemsize):
            return f"{kind}({base})[{index}]"
        return f"{kind}({base} + {index} * {step})[0]"

    # ---- stages --------------------------------------------------------------------------------

    def _write_stage(
        self, stage: Stage, bases: dict[Value, str], length: str, inner_axis: int | None
    ) -> None:
        if stage.flags is Flags.REPORTS:
            self.writer.may_report()
        attributed = self.writer.attribute and stage.flags is Flags.REPORTS
        if attributed:
            self.source.line("set_status(get_status() & ~63)")
        if stage.loop:
            self._write_inner_loop(stage.items[0], bases, length, inner_axis)
        else:
            self._write_native(stage, bases, length, inner_axis)
        if attributed:
            variable = self.writer.flags_of(stage.items[-1].node)
            self.source.line(f"{variable} |= raised_flags()")

    def _write_native(
        self, stage: Stage, bases: dict[Value, str], length: str, inner_axis: int | None
    ) -> None:
        status = None
        if stage.flags is Flags.SILENT:
            status = self.source.name("status")
            self.source.line(f"{status} = get_status()")
        index = self.source.name("i")
        names: dict[Item | Value, str] = {}
        with self.source.indented(f"for {index} in range({length}):"):
            for item in stage.items:
                operands = [
                    self._operand(operand, dtype, names, bases, inner_axis, index, item)
                    for operand, dtype in zip(item.operands, item.lowering.operands, strict=True)
                ]
                name = names[item] = self.source.name("t")
                kind = storage_name(item.dtype)
                expression = item.lowering.template.format(*operands, t=kind)
                self.source.line(f"{name} = {kind}({expression})")
            for item in stage.items:
                if item.value in self.cluster.outputs:
                    assert item.value is not None
                    target = self._element(item.value, bases[item.value], inner_axis, index)
                    self.source.line(f"{target} = {names[item]}")
                elif item in self.scratch:
                    kind = storage_name(item.dtype)
                    self.source.line(f"{kind}_at({self.scratch[item]})[{index}] = {names[item]}")
        if status is not None:
            self.source.line(f"set_status({status})")

    def _operand(
        self,
        operand: Item | Value,
        dtype: DType,
        names: dict[Item | Value, str],
        bases: dict[Value, str],
        inner_axis: int | None,
        index: str,
        reader: Item,
    ) -> str:
        if operand in names:
            return names[operand]
        if isinstance(operand, Value):
            if isinstance(operand.type, ScalarType):
                return self.scalar_operands[operand, dtype]
            expression = self._element(operand, bases[operand], inner_axis, index)
        elif operand.value in self.cluster.outputs:
            assert operand.value is not None
            expression = self._element(operand.value, bases[operand.value], inner_axis, index)
        else:
            expression = f"{storage_name(operand.dtype)}_at({self.scratch[operand]})[{index}]"
        name = names[operand] = self.source.name("x")
        self.source.line(f"{name} = {expression}")
        return name

    def _write_inner_loop(
        self, item: Item, bases: dict[Value, str], length: str, inner_axis: int | None
    ) -> None:
        """NumPy's own loop over the block, on the memory and the strides that eager has."""
        assert item.lowering.loop is not None
        ufunc, number = item.lowering.loop
        tables = self.writer.tables
        function, data = (tables.constant_word(word) for word in ufunc_loop(ufunc, number))
        count = len(item.operands) + 1
        args, steps, dims = tables.reserve(count), tables.reserve(count), tables.reserve(1)
        for k, operand in enumerate((*item.operands, item)):
            address, step = self._memory(
                operand, item.lowering.operands[k : k + 1], bases, inner_axis
            )
            self.source.line(f"w[{args + k}] = {address}")
            self.source.line(f"w[{steps + k}] = {step}")
        self.source.line(f"w[{dims}] = {length}")
        self.writer.collect()
        places = ", ".join(f"address_of(w, {word})" for word in (args, dims, steps))
        integers = item.dtype.kind in "iu"
        if integers:
            self.source.line("x87_flags()")
        self.source.line(f"inner_loop(w[{function}], {places}, w[{data}])  # {ufunc.__name__}")
        if integers:
            flags = self.writer.flags_of(item.node) if self.writer.attribute else "raised"
            self.source.line(f"{flags} |= x87_flags()")

    def _memory(
        self,
        operand: Item | Value,
        dtype: tuple[DType, ...],
        bases: dict[Value, str],
        inner_axis: int | None,
    ) -> tuple[str, str]:
        """(address, step) of an operand or result of an inner loop."""
        if isinstance(operand, Value):
            if isinstance(operand.type, ScalarType):
                return self.scalar_memory[operand, dtype[0]], "0"
            return bases[operand], self._step(operand, inner_axis)
        if operand.value in self.cluster.outputs:
            assert operand.value is not None
            return bases[operand.value], self._step(operand.value, inner_axis)
        return self.scratch[operand], str(operand.dtype.itemsize)


def _is_array(value: Value) -> bool:
    return isinstance(value.type, ArrayType)
