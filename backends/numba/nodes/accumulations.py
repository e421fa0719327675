"""`ufunc.accumulate`: the running results of lines, each made of the one before it.

Where LLVM code has the bits of NumPy, which is asked (`is_running`), the last result is kept in a
register; NumPy's own loops read what they have just written. The largest so far of eight items is
first found among these: only one of eight comparisons waits for the one before it. (Prefix sums by
blocks, Blelloch 1990; no number is rounded here, so that the order may change.)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

import numpy as np

from ....jit.ir.graph import Node
from ....jit.ir.types import ArrayType
from ..library.names import storage_name
from ..native import WRAPPING, heard_flags, quiet_flags
from ..writer import KernelWriter, writes
from .inner_loops import InnerLoop, reported_flags
from .walks import loop_of

SIDE_BY_SIDE = 8
"""Items of which the largest so far are found without the items before them."""
LARGEST = {"maximum": ">", "minimum": "<"}
TEMPLATES = {
    "add": "{0} + {1}",
    "multiply": "{0} * {1}",
    **{
        name: f"({{0}} if ({{0}} {sign} {{1}}) | ({{0}} != {{0}}) else {{1}})"
        for name, sign in LARGEST.items()
    },
}
"""Numba expressions for the result so far and the next item, by the name of the ufunc."""


@writes("accumulate")
def write_accumulate(writer: KernelWriter, node: Node) -> bool:
    """Writes the running results of an array in memory; False: no loop of NumPy's is native."""
    number = loop_of(node)
    if number is None:
        return False
    writer.n_fused += 1
    writer.new_array(node.outputs[0])
    ufunc, dtype = node.attrs["ufunc"], node.outputs[0].type.dtype
    modes = quiet_flags(node) or heard_flags(node)
    if not writer.attribute and not modes and is_running(ufunc, dtype):
        status = writer.source.name("status")
        writer.source.line(f"{status} = get_status()")
        with _lines(writer, node) as line:
            _write_running(writer, ufunc.__name__, line, dtype)
        if ufunc.__name__ in LARGEST:  # NaN raises nothing in NumPy
            writer.source.line(f"set_status({status})")
        else:
            writer.may_report()
        return True
    with reported_flags(writer, node):
        loop = InnerLoop(writer, ufunc, number)
        with _lines(writer, node) as (target, start, count, out_step, step):
            _write_first(writer, target, start, dtype)
            loop.call(
                [target, f"{start} + {step}", f"{target} + {out_step}"],
                [f"{count} - 1"],
                [out_step, step, out_step],
            )
    return True


@contextmanager
def _lines(writer: KernelWriter, node: Node) -> Iterator[tuple[str, str, str, str, str]]:
    """Loops over the other axes, in which a line has an item at least.

    Gives the addresses of its result and of its first item, its length, and the steps of both.
    """
    source, result = writer.source, node.outputs[0]
    operand, made = writer.places[node.inputs[0]], writer.places[result]
    type_ = result.type
    assert isinstance(type_, ArrayType)
    along = node.attrs["axis"] % type_.ndim
    into, at = [made.address], [operand.address]
    with ExitStack() as stack:
        for axis in range(type_.ndim):
            if axis != along:
                index = source.name("i")
                loop = f"for {index} in range({writer.dim(type_.dims[axis])}):"
                stack.enter_context(source.indented(loop))
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


def _template(name: str, dtype: np.dtype[Any]) -> str:
    wraps = dtype.kind in "iu" and name in WRAPPING
    return WRAPPING[name] if wraps else TEMPLATES[name]


def _write_running(
    writer: KernelWriter, name: str, line: tuple[str, str, str, str, str], dtype: np.dtype[Any]
) -> None:
    source, kind, template = writer.source, storage_name(dtype), _template(name, dtype)
    target, start, count, out_step, step = line
    last, index = source.name("last"), source.name("j")

    def item(place: str) -> str:
        return f"{kind}_at({start} + ({place}) * {step})[0]"

    def joined(one: str, other: str) -> str:
        return f"{kind}({template.format(one, other)})"

    source.line(f"{last} = {item('0')}")
    source.line(f"{kind}_at({target})[0] = {last}")
    first = "1"
    if name in LARGEST:
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


# ---- asking NumPy --------------------------------------------------------------------------------


@cache
def is_running(ufunc: np.ufunc, dtype: np.dtype[Any]) -> bool:
    """Whether the template has the bits of this NumPy's loop, on this machine."""
    if ufunc.__name__ not in TEMPLATES or getattr(np, ufunc.__name__) is not ufunc:
        return False
    if not (dtype.kind in "iu" or dtype in (np.float64, np.float32)):
        return False
    if dtype.kind in "iu" and dtype.itemsize < 8 and ufunc.__name__ in WRAPPING:
        return False
    with np.errstate(all="ignore"):
        return all(
            _bits(ufunc.accumulate(line), ufunc) == _bits(_running(ufunc.__name__, line), ufunc)
            for whole in _samples(dtype)
            for line in (whole, whole[::-1], whole[::3])
        )


def _samples(dtype: np.dtype[Any]) -> Iterator[np.ndarray[Any, Any]]:
    """Lines of numbers of which some are the same, and zeros and NaN of both signs."""
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
    """Those that count: of a NaN that was computed none but that it is one."""
    if ufunc.__name__ not in LARGEST:
        results = np.where(results == results, results, np.abs(results))
    return results.tobytes()


def _running(name: str, line: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The running results, as the template makes them."""
    made = line.copy()
    for k in range(1, len(line)):
        one, other = made[k - 1], line[k]
        if name == "add":
            made[k] = one + other
        elif name == "multiply":
            made[k] = one * other
        else:
            first = one > other if name == "maximum" else one < other
            made[k] = one if first or one != one else other
    return made
