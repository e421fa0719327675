"""Detects extremes whose bits depend on the order in which items are compared.

The largest number is the same in any order. But NumPy's loops return either zero if both signs
occur, and any of several NaNs, or NumPy's own: in these cases the kernel bails.
"""

from __future__ import annotations

import numpy as np

from ....jit.checks import Check
from ....jit.ir.graph import Node
from ....jit.ir.types import ScalarType
from ..library.names import storage_name
from ..nodes.reductions import out_address
from ..writer import KernelWriter


class Ties:
    """The zeros or NaNs met by one reduction of floats while its result was zero or NaN."""

    def __init__(self, writer: KernelWriter, node: Node) -> None:
        self._writer = writer
        self._source = writer.source
        self._result = node.outputs[0]
        dtype = self._result.type.dtype
        self._kind = storage_name(dtype)
        self._bits = f"int{8 * dtype.itemsize}"
        self._zero = int(dtype.type(-0.0).view(self._bits))
        self._nan = int(dtype.type(np.nan).view(self._bits))
        self._some = writer.source.name("some")
        """Variable: bits set in at least one of them."""
        self._every = writer.source.name("every")
        """Variable: bits set in all of them; all ones if there are none."""

    def begin(self) -> None:
        """Write the initial values before the loops."""
        self._source.line(f"{self._some} = {self._bits}(0)")
        self._source.line(f"{self._every} = {self._bits}(-1)")

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
                    bits = f"(bits_of({item}) if {alike} else {self._bits}({none}))"
                    source.line(f"{name} = {self._bits}({name} {sign} {bits})")
            source.line(f"set_status({status})")

    def check(self) -> None:
        """Write the check after the loops: bail if several kinds were met.

        With several results it is unknown which of them met the zeros.
        """
        known = " or ".join(f"{self._some} == {bits}" for bits in (0, self._zero, self._nan))
        told = f"{self._every} == -1 or ({self._some} == {self._every} and ({known}))"
        condition = f"not ({told})"
        if isinstance(self._result.type, ScalarType):
            result = f"{self._kind}_at({out_address(self._writer, self._result)})[0]"
            condition = f"({self._is_one(result)}) and {condition}"
        self._writer.bail_if(condition, Check.ORDER_OF_ITEMS)

    @staticmethod
    def _is_one(number: str) -> str:
        return f"({number} == 0) | ({number} != {number})"
