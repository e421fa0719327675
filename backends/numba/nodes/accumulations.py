"""`ufunc.accumulate`: running results along lines.

If LLVM code gives NumPy's bits, which is tested (`is_running`), the running result stays in a
register; NumPy's own loops reload what they have just stored. A running maximum is first computed
within groups of eight items, so that only one comparison in eight waits for the previous one.
(Blocked prefix sums, Blelloch 1990; nothing is rounded, so the order may change.)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

import numpy as np

from ....jit.ir.graph import Node
from ....jit.ir.primitives import primitive
from ....jit.ir.types import ArrayType
from ..library.names import storage_name
from ..native import NATIVE, ignored_flags, trapped_flags
from ..parallel import is_large, parallel, released, shared_loops
from ..writer import KernelWriter, writes
from .inner_loops import InnerLoop, reported_flags
from .walks import loop_of

SIDE_BY_SIDE = 8
"""Number of items in a group."""
WAITS = 4
"""Cost of one item of a dependent chain, in items of an elementwise loop."""
COLUMNS = 64
"""Least number of adjacent columns for one thread."""


@writes("accumulate")
def write_accumulate(writer: KernelWriter, node: Node) -> bool:
    """Write the running results of an array; False if there is no usable inner loop."""
    number = loop_of(node)
    if number is None:
        return False
    writer.n_fused += 1
    writer.new_array(node.outputs[0])
    ufunc, dtype = node.attrs["ufunc"], node.outputs[0].type.dtype
    modes = ignored_flags(node) or trapped_flags(node)
    if not writer.attribute and not modes and is_running(ufunc, dtype):
        status = writer.source.name("status")
        writer.source.line(f"{status} = get_status()")
        if (beside := _axis_of_neighbours(writer, node)) is not None:
            _write_side_by_side(writer, node, beside)
        else:
            with _lines(writer, node, shared=True) as line:
                _write_running(writer, ufunc, line, dtype)
        if primitive(ufunc).extreme:  # NumPy raises no flag for NaN
            writer.source.line(f"set_status({status})")
        else:
            writer.may_report()
        return True
    with reported_flags(writer, node):
        loop = InnerLoop(writer, ufunc, number)
        with _lines(writer, node, shared=False) as (target, start, count, out_step, step):
            _write_first(writer, target, start, dtype)
            loop.call(
                [target, f"{start} + {step}", f"{target} + {out_step}"],
                [f"{count} - 1"],
                [out_step, step, out_step],
            )
    return True


@contextmanager
def _lines(
    writer: KernelWriter, node: Node, *, shared: bool
) -> Iterator[tuple[str, str, str, str, str]]:
    """Write loops over the other axes, whose bodies see lines of at least one item.

    Yields the addresses of the result and of the first item, the length, and both strides. With
    `shared`, threads share the lines; NumPy's inner loops must not be shared, as they leave flags
    in the x87 unit of the thread that calls them.
    """
    source, result = writer.source, node.outputs[0]
    operand, made = writer.places[node.inputs[0]], writer.places[result]
    type_ = result.type
    assert isinstance(type_, ArrayType)
    along = node.attrs["axis"] % type_.ndim
    into, at = [made.address], [operand.address]
    around = [axis for axis in range(type_.ndim) if axis != along]
    with ExitStack() as stack:
        if not (around and shared):
            work = " * ".join([*map(writer.dim, type_.dims), str(WAITS)])
            stack.enter_context(released(writer, type_.dims, work))
        loops = shared_loops(writer, type_.dims, around, (along,), shared=shared)
        for axis, index in stack.enter_context(loops).items():
            into.append(f"{index} * {made.strides[axis]}")
            at.append(f"{index} * {operand.strides[axis]}")
        target, start, count = source.name("into"), source.name("at"), source.name("n")
        source.line(f"{target} = {' + '.join(into)}")
        source.line(f"{start} = {' + '.join(at)}")
        source.line(f"{count} = {writer.dim(type_.dims[along])}")
        with source.indented(f"if {count} > 0:"):
            yield target, start, count, made.strides[along], operand.strides[along]


def _write_first(writer: KernelWriter, target: str, start: str, dtype: np.dtype[Any]) -> None:
    kind = storage_name(dtype)
    writer.source.line(f"{kind}_at({target})[0] = {kind}_at({start})[0]")


# ---- LLVM code -----------------------------------------------------------------------------------


def _template(ufunc: np.ufunc, dtype: np.dtype[Any]) -> str:
    """Return the Numba expression over the running result and the next item."""
    row = primitive(ufunc)
    if row.extreme:
        return f"({{0}} if ({{0}} {row.extreme} {{1}}) | ({{0}} != {{0}}) else {{1}})"
    native = NATIVE[row.name]
    return native.wrapped if dtype.kind in "iu" else native.template


def _write_running(
    writer: KernelWriter,
    ufunc: np.ufunc,
    line: tuple[str, str, str, str, str],
    dtype: np.dtype[Any],
) -> None:
    source, kind, template = writer.source, storage_name(dtype), _template(ufunc, dtype)
    target, start, count, out_step, step = line
    last, index = source.name("last"), source.name("j")

    def item(place: str) -> str:
        return f"{kind}_at({start} + ({place}) * {step})[0]"

    def joined(one: str, other: str) -> str:
        return f"{kind}({template.format(one, other)})"

    source.line(f"{last} = {item('0')}")
    source.line(f"{kind}_at({target})[0] = {last}")
    first = "1"
    if primitive(ufunc).extreme:
        with source.indented(
            f"for {index} in range(1, {count} - {SIDE_BY_SIDE - 1}, {SIDE_BY_SIDE}):"
        ):
            some = [source.name("x") for _ in range(SIDE_BY_SIDE)]
            source.line(f"{some[0]} = {item(index)}")
            for k in range(1, SIDE_BY_SIDE):
                following = source.name("y")
                source.line(f"{following} = {item(f'{index} + {k}')}")
                source.line(f"{some[k]} = {joined(some[k - 1], following)}")
            for k, one in enumerate(some):
                into = f"{kind}_at({target} + ({index} + {k}) * {out_step})[0]"
                source.line(f"{into} = {joined(last, one)}")
            source.line(f"{last} = {joined(last, some[-1])}")
        first = f"1 + ({count} - 1) // {SIDE_BY_SIDE} * {SIDE_BY_SIDE}"
    rest, following = source.name("j"), source.name("y")
    with source.indented(f"for {rest} in range({first}, {count}):"):
        source.line(f"{following} = {item(rest)}")
        source.line(f"{last} = {joined(last, following)}")
        source.line(f"{kind}_at({target} + {rest} * {out_step})[0] = {last}")


def _axis_of_neighbours(writer: KernelWriter, node: Node) -> int | None:
    """Return the contiguous axis if the accumulation runs along another one, else None."""
    operand, type_ = writer.places[node.inputs[0]].type, node.outputs[0].type
    assert isinstance(type_, ArrayType)
    along = node.attrs["axis"] % type_.ndim
    inner = type_.layout.order[-1]
    stand = type_.layout.steps_by_item(inner) and operand.layout.steps_by_item(inner)
    return inner if stand and inner != along else None


def _write_side_by_side(writer: KernelWriter, node: Node, beside: int) -> None:
    """Write an accumulation that adds whole rows, so that memory is read in order.

    Threads share the outer axes; if there are none, the columns.
    """
    source, result = writer.source, node.outputs[0]
    operand, made, type_ = writer.places[node.inputs[0]], writer.places[result], result.type
    assert isinstance(type_, ArrayType)
    kind, along = storage_name(type_.dtype), node.attrs["axis"] % type_.ndim
    lengths = [writer.dim(dim) for dim in type_.dims]
    around = [axis for axis in type_.layout.order if axis not in (along, beside)]
    template = _template(node.attrs["ufunc"], type_.dtype)
    into, at, columns = [made.address], [operand.address], f"range({lengths[beside]})"
    with ExitStack() as stack:
        if not around and is_large(writer, type_.dims):
            cut = parallel(writer, lengths[beside], str(COLUMNS), lengths[along])
            mine = stack.enter_context(cut)
            columns = f"range({mine.begin}, {mine.end})"
        loops = shared_loops(writer, type_.dims, around, (along, beside))
        for axis, index in stack.enter_context(loops).items():
            into.append(f"{index} * {made.strides[axis]}")
            at.append(f"{index} * {operand.strides[axis]}")
        target, start, index, column = (source.name(name) for name in ("into", "at", "k", "j"))
        stack.enter_context(source.indented(f"for {index} in range({lengths[along]}):"))
        source.line(f"{target} = {' + '.join([*into, f'{index} * {made.strides[along]}'])}")
        source.line(f"{start} = {' + '.join([*at, f'{index} * {operand.strides[along]}'])}")
        item, place = f"{kind}_at({start})[{column}]", f"{kind}_at({target})[{column}]"
        with source.indented(f"if {index} == 0:"), source.indented(f"for {column} in {columns}:"):
            source.line(f"{place} = {item}")
        with source.indented("else:"), source.indented(f"for {column} in {columns}:"):
            last = f"{kind}_at({target} - {made.strides[along]})[{column}]"
            source.line(f"{place} = {kind}({template.format(last, item)})")


# ---- asking NumPy --------------------------------------------------------------------------------


@cache
def is_running(ufunc: np.ufunc, dtype: np.dtype[Any]) -> bool:
    """True if the template gives the bits of NumPy's loop on this machine."""
    row = primitive(ufunc)
    if not (row.extreme or row.modular):
        return False
    if not (dtype.kind in "iu" or dtype in (np.float64, np.float32)):
        return False
    if dtype.kind in "iu" and dtype.itemsize < 8 and row.modular:
        return False
    with np.errstate(all="ignore"):
        return all(
            _bits(ufunc.accumulate(line), ufunc) == _bits(_running(ufunc, line), ufunc)
            for whole in _samples(dtype)
            for line in (whole, whole[::-1], whole[::3])
        )


def _samples(dtype: np.dtype[Any]) -> Iterator[np.ndarray[Any, Any]]:
    """Yield lines with repeated numbers, and with zeros and NaNs of both signs."""
    rng = np.random.default_rng(11)
    for length in (1, 2, 9, 40, 133):
        line = rng.integers(-3, 4, length).astype(dtype)
        if dtype.kind == "f":
            line *= rng.choice(np.array([1.0, -0.0, 0.5], dtype), length)
            yield line
            line = line.copy()
            line[rng.integers(0, length, 3)] = np.array([np.nan, -np.nan, np.inf], dtype)
        yield line


def _bits(results: np.ndarray[Any, Any], ufunc: np.ufunc) -> bytes:
    """Return the bits to compare; of computed NaNs, only that they are NaN."""
    if not primitive(ufunc).extreme:
        results = np.where(results == results, results, np.abs(results))
    return results.tobytes()


def _running(ufunc: np.ufunc, line: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the running results as the template computes them."""
    made, sign = line.copy(), primitive(ufunc).extreme
    for k in range(1, len(line)):
        one, other = made[k - 1], line[k]
        if not sign:
            made[k] = ufunc(one, other)
        else:
            first = one > other if sign == ">" else one < other
            made[k] = one if first or one != one else other
    return made
