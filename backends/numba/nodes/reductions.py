"""Reductions by NumPy's inner loop in the order of `ufunc.reduce`; some sums by our own code.

Axes are taken in memory order and merged where possible; the fastest run is the inner loop, the
others are loops around it. A ufunc with an identity starts from it; one without starts from the
first items, which are then skipped. tests/unit/backends/numba/test_reductions.py proves equality
for the layouts that `walk_of` accepts.
"""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from typing import Any

import numpy as np

from ....jit.checks import Check
from ....jit.ir.graph import Node, Value
from ....jit.ir.primitives import ufunc_of
from ....jit.ir.types import ArrayType, Dim, ScalarType
from ..clusters.cut import Bounds, Cut, range_of
from ..clusters.leaves import Leaves, sum_of
from ..clusters.pairwise import is_pairwise
from ..library.names import storage_name
from ..native import ignored_flags, number_of, trapped_flags
from ..parallel import is_large, parallel, row_loop
from ..row_loops import RowLoop
from ..writer import KernelWriter, writes
from .control import constant_text
from .inner_loops import InnerLoop, reported_flags
from .walks import Run, is_exact, is_extreme, loop_of, reduced_axes, walk_of


@writes("reduce")
def write_reduce(writer: KernelWriter, node: Node) -> bool:
    """Write the reduction of an array in memory."""
    runs = walk_of(node)
    exact = is_exact(node)
    number = None if exact else loop_of(node)
    if runs is None or not (exact or number is not None):
        return False
    if number is not None:
        check_lengths(writer, node, runs)
    writer.n_fused += 1
    make_room(writer, node.outputs[0])
    if number is None or _is_added_here(writer, node, runs):
        if number is not None:
            writer.may_report()
        _Reduction(writer, node, runs, None).write()
    else:
        loop = InnerLoop(writer, node.attrs["ufunc"], number)
        by_rows = writer.row_loops.rows is not None
        with nullcontext() if by_rows else reported_flags(writer, node):
            _Reduction(writer, node, runs, loop).write()
    read_result(writer, node.outputs[0])
    return True


def _is_added_here(writer: KernelWriter, node: Node, runs: list[Run]) -> bool:
    """True if it sums lines of floats without gaps and its flags need no separate treatment."""
    layout = writer.places[node.inputs[0]].type.layout
    by_item = runs[-1].reduced and layout.steps_by_item(runs[-1].axes[-1])
    modes = ignored_flags(node) | trapped_flags(node)
    return by_item and not writer.attribute and not modes and is_pairwise(node)


def make_room(writer: KernelWriter, result: Value) -> None:
    """Reserve memory for a result: an array, or the words of a number."""
    if isinstance(result.type, ArrayType):
        writer.new_array(result)
    else:
        writer.stands_in(result, writer.tables.reserve(2))


def read_result(writer: KernelWriter, result: Value) -> None:
    """Define a scalar result that is in its words."""
    if isinstance(result.type, ScalarType):
        writer.scalar(result, writer.read_scalar(writer.words_of[result], result.type))


def out_address(writer: KernelWriter, result: Value) -> str:
    """Return the address of a result's first item."""
    if isinstance(result.type, ScalarType):
        return f"address_of(w, {writer.words_of[result]})"
    return writer.places[result].address


def out_steps(writer: KernelWriter, node: Node) -> dict[int, str]:
    """Return the strides of the result along the operand's remaining axes.

    Where the layout determines them they are numbers, so that LLVM sees lines without gaps.
    """
    result, operand = node.outputs[0], node.inputs[0].type
    if isinstance(result.type, ScalarType):
        return {}
    assert isinstance(operand, ArrayType)
    assert isinstance(result.type, ArrayType)
    type_, strides = result.type, [*writer.places[result].strides]
    for axis, dim in enumerate(type_.dims):
        if dim != 1 and type_.layout.steps_by_item(axis):
            strides[axis] = str(type_.dtype.itemsize)
    kept = [axis for axis in range(operand.ndim) if axis not in reduced_axes(node)]
    if node.attrs["keepdims"]:
        return {axis: strides[axis] for axis in kept}
    return dict(zip(kept, strides, strict=True))


def start_from_identity(writer: KernelWriter, node: Node, total: str) -> None:
    """Set `total` items of a result to the identity, or to the value that acts as one."""
    result = node.outputs[0]
    kind, out = storage_name(result.type.dtype), out_address(writer, result)
    index = writer.source.name("i")
    with writer.source.indented(f"for {index} in range({total}):"):
        writer.source.line(f"{kind}_at({out})[{index}] = {identity_text(node)}")


def identity_text(node: Node) -> str:
    """Return the text of the identity, or of the value that acts as one."""
    dtype = node.outputs[0].type.dtype
    identity = np.asarray(_identity(node)).astype(dtype)[()]
    return constant_text(identity, ScalarType(dtype, python=False))


def _identity(node: Node) -> Any:
    """Return the neutral element, also for extremes, for which NumPy has none."""
    ufunc, dtype = node.attrs["ufunc"], node.outputs[0].type.dtype
    if not is_extreme(node):
        return ufunc.identity
    largest = ufunc_of(node).extreme == "<"
    if dtype.kind == "f":
        return np.inf if largest else -np.inf
    return np.iinfo(dtype).max if largest else np.iinfo(dtype).min


def check_lengths(writer: KernelWriter, node: Node, runs: list[Run]) -> None:
    """Bail if lengths would make NumPy reduce in another order, or if several axes are empty.

    NumPy skips axes of length 1. If all of the fastest run have it and stay, it reduces along lines
    inside them; if the reduced ones have it, each result has one item. The order does not matter
    for ints and bools.
    """
    type_ = node.inputs[0].type
    assert isinstance(type_, ArrayType)
    dims: list[Dim] = [type_.dims[axis] for run in runs for axis in run.axes]
    if type_.ndim == 1:  # there is one way, and without an identity nothing to begin with
        if node.attrs["ufunc"].identity is None and not writer.is_wide(dims[0]):
            writer.bail_if(f"{writer.dim(dims[0])} == 0", Check.RAISES)
        return
    fastest = [type_.dims[axis] for axis in runs[-1].axes]
    matters = type_.dtype.kind not in "biu"
    if matters and not runs[-1].reduced and not any(map(writer.is_wide, fastest)):
        lines = " * ".join(map(writer.dim, fastest))
        writer.bail_if(f"{lines} == 1", Check.REDUCTION)
    empty = [f"{writer.dim(dim)} == 0" for dim in dims if not writer.is_wide(dim)]
    if empty:
        writer.bail_if(" or ".join(dict.fromkeys(empty)), Check.EMPTY)


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
        self.node = node
        self.out_steps = out_steps(writer, node)

    def write(self) -> None:
        """Write loops around the inner loop, from the slowest run to the fastest."""
        if self.identity is not None:
            stay = [run for run in self.runs if not run.reduced]
            total = " * ".join(self._length(run) for run in stay) or "1"
            start_from_identity(self.writer, self.node, total)
        lengths = {number: self._length(run) for number, run in enumerate(self.runs)}
        kept = [number for number, run in enumerate(self.runs) if not run.reduced]
        if self.writer.row_loops.rows is not None:
            self._write_by_rows(lengths)
        elif not is_large(self.writer, self.operand.type.dims):
            self._write_loops({number: ("0", length) for number, length in lengths.items()})
        elif kept:
            total = " * ".join(lengths.values())
            cut = Cut(self.source, kept, lengths, total, -1, whole_rows=False)
            with parallel(self.writer, cut.iterations, cut.step, cut.size) as iterations:
                self._write_loops(cut.bounds(iterations))
        elif len(self.runs) == 1 and (self.loop is None or is_extreme(self.node)):
            self._write_leaves(lengths[0])
        else:
            self._write_loops({number: ("0", length) for number, length in lengths.items()})

    def _write_by_rows(self, lengths: dict[int, str]) -> None:
        """Write the reduction of some rows, with the flags of these."""
        dims = [self.writer.dim(dim) for dim in self.operand.type.dims]
        per_row = " * ".join(dims[axis] for axis in self.runs[0].axes[1:]) or "1"
        loop = RowLoop(dims[0], per_row, "1", " * ".join(dims[1:]))
        bounds = {number: ("0", length) for number, length in lengths.items()}
        flags = nullcontext() if self.loop is None else reported_flags(self.writer, self.node)
        with row_loop(self.writer, loop) as some, flags:
            self._write_loops(bounds | {0: (some.begin, some.end)})

    def _write_leaves(self, length: str) -> None:
        """Write the reduction of one line by parts, for threads: a sum, or an extreme."""
        kind, step = storage_name(self.dtype) or "", self._step(self.runs[0])
        leaves = Leaves(self.writer, length)
        totals = leaves.room(kind)
        with leaves.iterations() as (leaf, low, count):
            total = f"({totals} + {leaf} * {self.dtype.itemsize})"
            if self.loop is None:
                nothing = "-0.0" if self.dtype.kind == "f" else "0"
                self.source.line(f"{kind}_at({total})[0] = {kind}({nothing})")
            self._write_inner(total, f"{self.operand.address} + {low} * {step}", "", count)
        out = out_address(self.writer, self.result)
        result = f"{kind}_at({out})[0]"
        if self.loop is None:
            leaves.join([(totals, kind)])
            self.source.line(f"{result} = {sum_of(kind, result, f'{kind}_at({totals})[0]')}")
            return
        itemsize = str(self.dtype.itemsize)
        self.source.line(f"{result} = {kind}_at({totals})[0]")
        others = [out, f"{totals} + {itemsize}", out]
        self.loop.call(others, [f"{leaves.count} - 1"], ["0", itemsize, "0"])
        if self.dtype.kind == "f":  # the order decides between zeros of both signs, and among NaNs
            found = self.source.name("found")
            self.source.line(f"{found} = {result}")
            with self.source.indented(f"if ({found} == 0) | ({found} != {found}):"):
                self._write_loops({0: ("0", length)})

    def _write_loops(self, bounds: Bounds) -> None:
        """Write loops in which each result is reduced by one thread."""
        into = [out_address(self.writer, self.result)]
        at, firsts = [self.operand.address], []
        with ExitStack() as blocks:
            for number, run in enumerate(self.runs[:-1]):
                index = self.source.name("i")
                header = f"for {index} in {range_of(bounds[number])}:"
                blocks.enter_context(self.source.indented(header))
                at.append(f"{index} * {self._step(run)}")
                if run.reduced:
                    firsts.append(f"{index} == 0")
                else:
                    into.append(f"{index} * {self._out_step(run)}")
            low, high = bounds[len(self.runs) - 1]
            run, count = self.runs[-1], high
            if low != "0":
                at.append(f"{low} * {self._step(run)}")
                into.append(f"{low} * {self._out_step(run)}")
                count = f"{high} - {low}"
            self._write_inner(" + ".join(into), " + ".join(at), " and ".join(firsts), count)

    def _write_inner(self, into: str, at: str, first: str, length: str) -> None:
        """Write the fastest run; without an identity, the first visit copies items instead."""
        run = self.runs[-1]
        source = self.source
        target, start, count = source.name("into"), source.name("at"), source.name("n")
        source.line(f"{target} = {into}")
        source.line(f"{start} = {at}")
        source.line(f"{count} = {length}")
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
        """Write a sum in code that LLVM sees; operands are (address, stride).

        Ints may be added in any order, floats are added along the line.
        """
        source, kind = self.source, storage_name(self.dtype)
        index, (target, out_step), (start, step) = source.name("j"), into, at
        cell = storage_name(self.operand.type.dtype)
        if self.dtype.kind == "f":
            source.line(f"{kind}_at({target})[0] += pairwise_{kind}({start}, {count})")
            return
        by_item = step == str(self.operand.type.dtype.itemsize)
        place = f"{start})[{index}]" if by_item else f"{start} + {index} * {step})[0]"
        item = f"{kind}({number_of(f'{cell}_at({place}', self.operand.type.dtype)})"
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
