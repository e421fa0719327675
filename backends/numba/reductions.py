"""Reductions by NumPy's own inner loop, walked as `ufunc.reduce` walks; sums of ints by our own.

The axes are taken in the order of memory and neighbours that can be one are one; the fastest of
what is left is the inner loop, the others are loops around it. A ufunc with an identity starts from
it; one without starts from the first items, which are then left out. The equality tests in
tests/backends/numba/test_reductions.py prove this for the layouts that `walk_of` takes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...jit.ir.graph import Node
from ...jit.ir.types import ArrayType, Dim, ScalarType
from .inner_loops import InnerLoop, reported_flags
from .lower import HALF, loop_index
from .names import storage_name
from .nodes import constant_text
from .writer import KernelWriter, writes


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring axes that are walked as one."""

    axes: tuple[int, ...]
    reduced: bool


@writes("reduce")
def write_reduce(writer: KernelWriter, node: Node) -> bool:
    """Writes the reduction of an array in memory."""
    runs = walk_of(node)
    exact = is_exact(node)
    number = None if exact else loop_of(node)
    if runs is None or not (exact or number is not None):
        return False
    if number is not None:
        _check_lengths(writer, node, runs)
    writer.n_fused += 1
    result = node.outputs[0]
    if isinstance(result.type, ArrayType):
        writer.new_array(result)
    else:
        writer.stands_in(result, writer.tables.reserve(2))
    if number is None:
        _Reduction(writer, node, runs, None).write()
    else:
        with reported_flags(writer, node):
            _Reduction(writer, node, runs, InnerLoop(writer, node.attrs["ufunc"], number)).write()
    if isinstance(result.type, ScalarType):
        writer.scalar(result, writer.read_scalar(writer.words_of[result], result.type))
    return True


def loop_of(node: Node) -> int | None:
    """The loop that reduces without a cast; None when eager casts, or nothing native holds it."""
    dtype = node.outputs[0].type.dtype
    if node.inputs[0].type.dtype != dtype or storage_name(dtype) is None or dtype == HALF:
        return None
    return loop_index(node.attrs["ufunc"], (dtype, dtype, dtype))


def is_exact(node: Node) -> bool:
    """Whether it sums ints or bools in 64 bits: the same in any order, and without a flag."""
    source, result = node.inputs[0].type.dtype, node.outputs[0].type.dtype
    sums = node.attrs["ufunc"] is np.add and source.kind in "biu"
    return sums and result.kind in "iu" and result.itemsize == 8


def reduced_axes(node: Node) -> frozenset[int]:
    """The axes that disappear, counted from the front."""
    type_ = node.inputs[0].type
    assert isinstance(type_, ArrayType)
    axis = node.attrs["axis"]
    if axis is None:
        return frozenset(range(type_.ndim))
    axes = axis if isinstance(axis, tuple) else (axis,)
    return frozenset(one % type_.ndim for one in axes if type_.ndim)  # 0-d arrays take 0 and -1


def walk_of(node: Node) -> list[Run] | None:
    """The runs of axes from slowest to fastest, or None for a layout that is not proved."""
    type_ = node.inputs[0].type
    if not isinstance(type_, ArrayType) or any(sign < 1 for sign in type_.layout.signs):
        return None
    reduced = reduced_axes(node)
    packed = type_.layout.packed
    if not packed and len(reduced) > 1:
        return None  # NumPy copies to buffers first, and sums over these
    runs: list[Run] = []
    for axis in type_.layout.order:
        if type_.dims[axis] == 1:
            continue
        if packed and runs and runs[-1].reduced is (axis in reduced):
            runs[-1] = Run((*runs[-1].axes, axis), runs[-1].reduced)
        else:
            runs.append(Run((axis,), axis in reduced))
    return runs if runs and any(run.reduced for run in runs) else None


def _check_lengths(writer: KernelWriter, node: Node, runs: list[Run]) -> None:
    """A length of 1 would be walked in another way; no items at all are eager's business."""
    type_ = node.inputs[0].type
    assert isinstance(type_, ArrayType)
    dims: list[Dim] = [type_.dims[axis] for run in runs for axis in run.axes]
    if type_.ndim == 1:  # there is one way, and without an identity nothing to begin with
        if node.attrs["ufunc"].identity is None and not writer.is_wide(dims[0]):
            writer.bail_if(f"{writer.dim(dims[0])} == 0", "eager raises")
        return
    short = [f"{writer.dim(dim)} < 2" for dim in dims if not writer.is_wide(dim)]
    if short:
        writer.bail_if(" or ".join(dict.fromkeys(short)), "another way to reduce")


class _Reduction:
    def __init__(
        self, writer: KernelWriter, node: Node, runs: list[Run], loop: InnerLoop | None
    ) -> None:
        self.writer = writer
        self.source = writer.source
        self.runs = runs
        self.loop = loop
        self.identity = node.attrs["ufunc"].identity
        self.operand = writer.places[node.inputs[0]]
        self.result = node.outputs[0]
        self.dtype = self.result.type.dtype
        self.out_steps = self._out_steps(node)

    def _out_steps(self, node: Node) -> dict[int, str]:
        """Step of the result along each axis of the operand that stays."""
        if isinstance(self.result.type, ScalarType):
            return {}
        strides = self.writer.places[self.result].strides
        kept = [axis for axis in range(self.operand.type.ndim) if axis not in reduced_axes(node)]
        if node.attrs["keepdims"]:
            return {axis: strides[axis] for axis in kept}
        return dict(zip(kept, strides, strict=True))

    def write(self) -> None:
        """Loops around the inner loop, from the slowest run to the fastest."""
        out = self._out_address()
        if self.identity is not None:
            self._start_from_identity(out)
        into, at, firsts = [out], [self.operand.address], []
        for run in self.runs[:-1]:
            index = self.source.name("i")
            self.source.line(f"for {index} in range({self._length(run)}):")
            self.source.depth += 1
            at.append(f"{index} * {self._step(run)}")
            if run.reduced:
                firsts.append(f"{index} == 0")
            else:
                into.append(f"{index} * {self._out_step(run)}")
        self._write_inner(" + ".join(into), " + ".join(at), " and ".join(firsts))
        self.source.depth -= len(self.runs) - 1

    def _out_address(self) -> str:
        if isinstance(self.result.type, ScalarType):
            return f"address_of(w, {self.writer.words_of[self.result]})"
        return self.writer.places[self.result].address

    def _start_from_identity(self, out: str) -> None:
        kind = storage_name(self.dtype)
        type_ = ScalarType(self.dtype, python=False)
        literal = constant_text(np.asarray(self.identity).astype(self.dtype)[()], type_)
        kept = [run for run in self.runs if not run.reduced]
        total = " * ".join(self._length(run) for run in kept) or "1"
        index = self.source.name("i")
        with self.source.indented(f"for {index} in range({total}):"):
            self.source.line(f"{kind}_at({out})[{index}] = {literal}")

    def _write_inner(self, into: str, at: str, first: str) -> None:
        """The fastest run; at the first visit of a result without identity, items are copied."""
        run = self.runs[-1]
        source = self.source
        target, start, count = source.name("into"), source.name("at"), source.name("n")
        source.line(f"{target} = {into}")
        source.line(f"{start} = {at}")
        source.line(f"{count} = {self._length(run)}")
        step = self._step(run)
        out_step = "0" if run.reduced else self._out_step(run)
        if self.identity is None:
            with source.indented(f"if {first or 'True'}:"):
                self._copy_first(run, target, start, count)
        if self.loop is None:
            self._sum(run, (target, out_step), (start, step), count)
            return
        steps = [out_step, step, out_step]
        self.loop.call([target, start, target], [count], steps)

    def _copy_first(self, run: Run, target: str, start: str, count: str) -> None:
        kind = storage_name(self.dtype)
        source = self.source
        if run.reduced:
            source.line(f"{kind}_at({target})[0] = {kind}_at({start})[0]")
            source.line(f"{start} += {self._step(run)}")
            source.line(f"{count} -= 1")
            return
        index = source.name("j")
        with source.indented(f"for {index} in range({count}):"):
            source.line(
                f"{kind}_at({target} + {index} * {self._out_step(run)})[0] = "
                f"{kind}_at({start} + {index} * {self._step(run)})[0]"
            )
        source.line(f"{count} = 0")

    def _sum(self, run: Run, into: tuple[str, str], at: tuple[str, str], count: str) -> None:
        """Items added up where LLVM sees them; each an address and its step."""
        source, kind = self.source, storage_name(self.dtype)
        index, (target, out_step), (start, step) = source.name("j"), into, at
        cell = storage_name(self.operand.type.dtype)
        by_item = step == str(self.operand.type.dtype.itemsize)
        place = f"{start})[{index}]" if by_item else f"{start} + {index} * {step})[0]"
        item = f"{kind}({cell}_at({place})"
        if not run.reduced:
            with source.indented(f"for {index} in range({count}):"):
                place = f"{kind}_at({target} + {index} * {out_step})[0]"
                source.line(f"{place} = wrapped_add({place}, {item})")
            return
        total = source.name("sum")
        source.line(f"{total} = {kind}_at({target})[0]")
        with source.indented(f"for {index} in range({count}):"):
            source.line(f"{total} = wrapped_add({total}, {item})")
        source.line(f"{kind}_at({target})[0] = {total}")

    def _length(self, run: Run) -> str:
        return " * ".join(self.writer.dim(self.operand.type.dims[axis]) for axis in run.axes)

    def _step(self, run: Run) -> str:
        axis = run.axes[-1]
        if self.operand.type.layout.steps_by_item(axis):
            return str(self.operand.type.dtype.itemsize)
        return self.operand.strides[axis]

    def _out_step(self, run: Run) -> str:
        return self.out_steps[run.axes[-1]]
