"""Detects extremes whose bits depend on the order in which items are compared.

The largest number is the same in any order. But NumPy's loops return either zero if both signs
occur, and any of several NaNs, or NumPy's own: in these cases the kernel bails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from ....jit.checks import Check
from ....jit.ir.graph import Node
from ....jit.ir.types import ScalarType
from ..library.names import storage_name
from ..nodes.reductions import out_address
from ..writer import KernelWriter
from .leaves import Leaves


class AllTies:
    """Those of all reductions of a cluster; each thread looks at the results that it makes."""

    def __init__(self, writer: KernelWriter, ties: Sequence[Ties]) -> None:
        self._writer, self._ties = writer, ties
        self.holds = writer.source.name("alike") if ties else ""
        """Variable that stays true while no result depends on the order; "" without ties."""

    def begin(self) -> None:
        """Write the initial value before all loops."""
        if self.holds:
            self._writer.source.line(f"{self.holds} = True")

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Emit the loops that make whole results in the block."""
        for one in self._ties:
            one.begin()
        yield
        self._look()

    @contextmanager
    def watched_parts(self, leaves: Leaves) -> Iterator[Callable[[str], None]]:
        """Emit the loop over parts of a line, and what joins them, in the block.

        Yields what emits the end of a part, of which it takes the number.
        """
        rooms = [(one, [leaves.room(one.bits) for _ in range(2)]) for one in self._ties]

        def keep(leaf: str) -> None:
            for one, pair in rooms:
                one.keep(pair, leaf)

        yield keep
        for one, pair in rooms:
            one.join(leaves, pair)
        self._look()

    def _look(self) -> None:
        for one in self._ties:
            self._writer.source.line(f"{self.holds} = {self.holds} & ({one.told()})")

    def finish(self) -> None:
        """Write the check after all loops: bail if several kinds of zeros or NaNs were met."""
        if self.holds:
            self._writer.bail_if(f"not {self.holds}", Check.ORDER_OF_ITEMS)


class Ties:
    """The zeros or NaNs met by one reduction of floats while its result was zero or NaN."""

    def __init__(self, writer: KernelWriter, node: Node) -> None:
        self._writer = writer
        self._source = writer.source
        self._result = node.outputs[0]
        dtype = self._result.type.dtype
        self._kind = storage_name(dtype)
        self.bits = f"int{8 * dtype.itemsize}"
        self._zero = int(dtype.type(-0.0).view(self.bits))
        self._nan = int(dtype.type(np.nan).view(self.bits))
        self._some = self._every = ""
        """Variables: bits set in at least one of them, and in all of them; all ones for none."""

    def begin(self) -> None:
        """Write the initial values before the loops of one thread, in variables of their own."""
        self._some, self._every = self._source.name("some"), self._source.name("every")
        self._source.line(f"{self._some} = {self.bits}(0)")
        self._source.line(f"{self._every} = {self.bits}(-1)")

    def keep(self, rooms: Sequence[str], leaf: str) -> None:
        """Store what was found in one part of a line."""
        for room, name in zip(rooms, (self._some, self._every), strict=True):
            self._source.line(f"{self.bits}_at({room})[{leaf}] = {name}")

    def join(self, leaves: Leaves, rooms: Sequence[str]) -> None:
        """Combine the findings of all parts."""
        self.begin()
        leaf = self._source.name("leaf")
        with self._source.indented(f"for {leaf} in range({leaves.count}):"):
            for room, name, sign in zip(rooms, (self._some, self._every), "|&", strict=True):
                part = f"{self.bits}_at({room})[{leaf}]"
                self._source.line(f"{name} = {self.bits}({name} {sign} {part})")

    def look(self, into: str, operand: tuple[str, str], length: str) -> None:
        """Write code after a block's loop that inspects its items if the result is zero or NaN.

        Comparisons of the result raise no flag; those of the items may, so flags are restored.
        """
        source, (at, step) = self._source, operand
        found, status, index, item, alike = (
            source.name(name) for name in ("found", "status", "j", "x", "alike")
        )
        by_item = step == str(self._result.type.dtype.itemsize)
        place = f"({at})[{index}]" if by_item else f"({at} + {index} * {step})[0]"
        source.line(f"{found} = {self._kind}_at({into})[0]")
        with source.indented(f"if unlikely({self._is_one(found)}):"):
            source.line(f"{status} = get_status()")
            with source.indented(f"for {index} in range({length}):"):
                source.line(f"{item} = {self._kind}_at{place}")
                source.line(f"{alike} = ({item} == {found}) | ({item} != {item})")
                for name, sign, none in ((self._some, "|", 0), (self._every, "&", -1)):
                    bits = f"(bits_of({item}) if {alike} else {self.bits}({none}))"
                    source.line(f"{name} = {self.bits}({name} {sign} {bits})")
            source.line(f"set_status({status})")

    def told(self) -> str:
        """Return the condition that one kind at most was met.

        With several results it is unknown which of them met the zeros.
        """
        known = " or ".join(f"{self._some} == {bits}" for bits in (0, self._zero, self._nan))
        told = f"{self._every} == -1 or ({self._some} == {self._every} and ({known}))"
        if isinstance(self._result.type, ScalarType):
            result = f"{self._kind}_at({out_address(self._writer, self._result)})[0]"
            return f"not ({self._is_one(result)}) or {told}"
        return told

    @staticmethod
    def _is_one(number: str) -> str:
        return f"({number} == 0) | ({number} != {number})"
