"""Generalised ufuncs, matmul most of all: NumPy's own loop on eager's operands and strides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...jit.ir.graph import Node, Value
from ...jit.ir.signature import CoreAxis, core_axes, core_names
from ...jit.ir.types import ArrayType, Dim, ScalarType
from .inner_loops import InnerLoop, reported_flags
from .lower import loop_dtypes, loop_index
from .names import storage_name
from .writer import KernelWriter, writes


@writes("gufunc")
def write_gufunc(writer: KernelWriter, node: Node) -> bool:
    """One call of the loop for each item of the axes that broadcast."""
    ufunc: np.ufunc = node.attrs["ufunc"]
    number = _loop_number(ufunc, node)
    result = node.outputs[0]
    if number is None or not _has_known_dims(writer, result):
        return False
    memory = _result_memory(writer, result)
    with reported_flags(writer, node):
        _Product(writer, ufunc, number, node.inputs, result, memory).write()
    if isinstance(result.type, ScalarType):
        writer.scalar(result, writer.read_scalar(writer.words_of[result], result.type))
    writer.n_fused += 1
    return True


def _loop_number(ufunc: np.ufunc, node: Node) -> int | None:
    """The loop that eager calls on these operands as they are, without a cast."""
    types = [value.type for value in node.inputs]
    result = node.outputs[0].type
    dtypes = loop_dtypes(ufunc, types)
    if dtypes is None or dtypes != (*(type_.dtype for type_ in types), result.dtype):
        return None
    if any(storage_name(dtype) is None for dtype in dtypes) or result.dtype == np.float16:
        return None
    if not all(isinstance(type_, ArrayType) for type_ in types):
        return None
    return loop_index(ufunc, dtypes)


def _has_known_dims(writer: KernelWriter, result: Value) -> bool:
    """A gufunc may compute core dims of its result, and tells nobody how."""
    dims = result.type.dims if isinstance(result.type, ArrayType) else ()
    return all(isinstance(dim, int) or dim in writer.syms for dim in dims)


def _result_memory(writer: KernelWriter, result: Value) -> str:
    """Where the result goes: the address of a fresh array, or of the words of a scalar."""
    if isinstance(result.type, ArrayType):
        return writer.new_array(result).address
    word = writer.tables.reserve(2)
    writer.stands_in(result, word)
    return f"address_of(w, {word})"


class _Product:
    def __init__(
        self,
        writer: KernelWriter,
        ufunc: np.ufunc,
        number: int,
        inputs: Sequence[Value],
        result: Value,
        memory: str,
    ) -> None:
        signature = ufunc.signature
        assert signature is not None
        self.writer = writer
        self.loop = InnerLoop(writer, ufunc, number)
        self.bases = [*(writer.places[value].address for value in inputs), memory]
        self.operands: list[tuple[Sequence[Dim], Sequence[str], Sequence[CoreAxis]]] = []
        groups = core_axes(signature, [len(_dims(value)) for value in inputs])
        for value, group in zip((*inputs, result), groups, strict=True):
            strides = writer.places[value].strides if value in writer.places else ()
            self.operands.append((_dims(value), strides, group))
        self.names = dict.fromkeys(
            name.rstrip("?") for group in core_names(signature) for name in group
        )
        self.outer = len(_dims(result)) - _present(groups[-1])

    def write(self) -> None:
        """Loops over the axes that broadcast, the call inside."""
        source = self.writer.source
        dims = self.operands[-1][0]
        indices = []
        for axis in range(self.outer):
            index = source.name("i")
            source.line(f"for {index} in range({self.writer.dim(dims[axis])}):")
            source.depth += 1
            indices.append(index)
        args = [self._address(k, indices) for k in range(len(self.operands))]
        self.loop.call(args, ["1", *self._lengths()], self._steps())
        source.depth -= self.outer

    def _address(self, operand: int, indices: list[str]) -> str:
        dims, strides, group = self.operands[operand]
        parts = [self.bases[operand]]
        outer = len(dims) - _present(group)
        for axis in range(outer):
            if dims[axis] != 1:
                parts.append(f"{indices[axis - outer]} * {strides[axis]}")
        return " + ".join(parts)

    def _lengths(self) -> list[str]:
        """The length of each core name; one that is missing counts 1."""
        lengths = {name: name if name.isdigit() else "1" for name in self.names}
        for dims, _, group in self.operands:
            for core in group:
                if core.axis is not None:
                    lengths[core.name] = self.writer.dim(dims[core.axis])
        return list(lengths.values())

    def _steps(self) -> list[str]:
        """Steps of the outer axis (there is one item), then of the core axes of each operand.

        NumPy gives an axis of one item the step 0.
        """
        steps = ["0"] * len(self.operands)
        for dims, strides, group in self.operands:
            for core in group:
                if core.axis is None or dims[core.axis] == 1:
                    steps.append("0")
                elif self.writer.is_wide(dims[core.axis]):
                    steps.append(strides[core.axis])
                else:
                    length = self.writer.dim(dims[core.axis])
                    steps.append(f"{strides[core.axis]} if {length} != 1 else 0")
        return steps


def _dims(value: Value) -> tuple[Dim, ...]:
    return value.type.dims if isinstance(value.type, ArrayType) else ()


def _present(group: Sequence[CoreAxis]) -> int:
    return sum(core.axis is not None for core in group)
