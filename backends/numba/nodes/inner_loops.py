"""Calls of NumPy's inner loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import numpy as np

from ....jit.addresses import LoopAddress
from ....jit.ir.graph import Node
from ....jit.native import loop_keeps_flags
from ..clusters.faster import faster
from ..native import ignored_flags, trapped_flags
from ..trapped import is_trapped, keep, trapped
from ..writer import KernelWriter


class InnerLoop:
    """One loop of one ufunc: `loop(char **args, intp *dims, intp *steps, void *data)`."""

    def __init__(self, writer: KernelWriter, ufunc: np.ufunc, number: int) -> None:
        tables = writer.tables
        self._writer = writer
        self.ufunc, self.number = ufunc, number
        self._name = ufunc.__name__
        self._function, self._data = (
            tables.address_word(LoopAddress(ufunc, number, part)) for part in (0, 1)
        )

    def call(self, args: Sequence[str], dims: Sequence[str], steps: Sequence[str]) -> None:
        """Emit one call; arguments are expressions, strides in bytes."""
        source = self._writer.source
        places = []
        for expressions in (args, dims, steps):
            first = self._writer.tables.reserve(len(expressions))
            places.append(f"address_of(w, {first})")
            for k, expression in enumerate(expressions):
                source.line(f"w[{first + k}] = {expression}")
        source.line(
            f"inner_loop(w[{self._function}], {', '.join(places)}, w[{self._data}])",
            self._name,
        )

    def go_over(self, args: Sequence[str], length: str, steps: Sequence[str]) -> None:
        """Emit the loop over a line of items, or a faster equivalent."""
        name = faster(self.ufunc, self.number)
        if name is None:
            self.call(args, [length], steps)
            return
        places = ", ".join(f"{arg}, {step}" for arg, step in zip(args, steps, strict=True))
        self._writer.source.line(
            f"{name}(w[{self._function}], w[{self._data}], {places}, {length})"
        )


@contextmanager
def kept_flags(writer: KernelWriter, node: Node) -> Iterator[None]:
    """Wrap inner loops, which may clear flags and raise flags of their own.

    Integer and vectorised loops report overflow in the x87 unit. In loops of the kernel its flags
    stay set: those from before have been handled, see `lower_x87_flags`.
    """
    if is_trapped(writer, node):
        with trapped(writer, node):
            yield
        return
    source = writer.source
    writer.collect()
    if writer.loops and not writer.attribute:
        yield
        source.line("raised |= x87_status()")
        return
    source.line("x87_flags()")
    yield
    if writer.attribute:
        keep(writer, node, "x87_flags()")
    else:
        source.line(f"raised |= x87_flags() & {~ignored_flags(node)}")


@contextmanager
def reported_flags(writer: KernelWriter, node: Node) -> Iterator[None]:
    """Wrap the inner loops that make up a node: flags they raise are the node's."""
    if writer.attribute:
        writer.attributed.declare(node)
        writer.source.line("set_status(get_status() & ~63)")
    with kept_flags(writer, node):
        yield
    if writer.attribute:
        keep(writer, node, "raised_flags()")
    writer.may_report()


@contextmanager
def kept_flags_of_one(writer: KernelWriter, node: Node, loop: InnerLoop) -> Iterator[None]:
    """Wrap a loop over a single element, where nanoseconds count.

    Most loops clear no flags, and the flags are then read only after the enclosing loops.
    """
    if writer.attribute or not writer.loops or trapped_flags(node):
        with kept_flags(writer, node):
            yield
        return
    if not keeps_flags(loop.ufunc, loop.number):
        writer.collect()
    yield
    writer.x87_in_loops = True


@cache
def keeps_flags(ufunc: np.ufunc, number: int) -> bool:
    """True if a call for one element leaves earlier flags set.

    NumPy's loops that clear flags do so at their end, whatever the elements were.
    """
    operands, results = ufunc.types[number].split("->")
    if not set(operands + results) <= set("?fd"):
        return False
    for sample in (0.5, 1.0, 0.0, 2.5e3, np.nan):
        with np.errstate(all="ignore"):
            cells = [np.array([sample]).astype(char) for char in operands + results]
        if not loop_keeps_flags(ufunc, number, tuple(cell.ctypes.data for cell in cells)):
            return False
    return True


def lower_x87_flags(writer: KernelWriter) -> None:
    """Clear x87 flags before the outermost loop, and after calls of the interpreter."""
    writer.source.line("x87_flags()")
