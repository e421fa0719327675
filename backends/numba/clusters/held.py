"""What LLVM might leave out of a loop, or compute for some elements only, and its flags with it.

`np.where` computes both of its arrays, and eager reports what happens in either. A select needs one
of them: LLVM moves a division to where it is needed. Nor does a comparison need what it compares:
`x - y > 0` is `x > y` to LLVM. The bits of such results are gathered in a variable, which is an
instruction for several elements, so that every one of them is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....jit.ir.graph import Value
from ....jit.ir.ops import WHERE
from ..native import Flags
from .items import Item, Stage


def avoidable(stage: Stage, in_memory: set[Item], constants: Mapping[Value, Any]) -> list[Item]:
    """The items of a stage that may report something and that nothing else makes LLVM compute."""

    def is_needed(item: Item) -> bool:
        return item in in_memory or any(needs_operands(reader) for reader in item.readers)

    def needs_operands(reader: Item) -> bool:
        if reader.lowering.flags is Flags.REPORTS:  # it is here itself where nothing needs it
            return not _has_nan(reader, constants)
        if reader.lowering.flags is Flags.SILENT or reader.lowering.holds:
            return False  # comparisons; of a cast that nobody reads those are left that it makes
        return reader.node.op is not WHERE and is_needed(reader)

    reporting = (item for item in stage.items if item.lowering.flags is Flags.REPORTS)
    return [item for item in reporting if not is_needed(item)]


def _has_nan(item: Item, constants: Mapping[Value, Any]) -> bool:
    """Whether a constant NaN is the result, whatever the other operand is."""
    known = (constants.get(operand) for operand in item.operands if isinstance(operand, Value))
    return any(number is not None and number != number for number in known)


def no_bits(item: Item) -> str:
    """What a variable for the bits starts with."""
    return f"int{_size(item)}(0)"


def hold(variable: str, item: Item, result: str) -> str:
    """A line that gathers the bits of one element."""
    part = ".real" if item.dtype.kind == "c" else ""
    return f"{variable} = int{_size(item)}({variable} | bits_of({result}{part}))"


def _size(item: Item) -> int:
    """In bits, of a number that is no pair of them."""
    return item.dtype.itemsize * (4 if item.dtype.kind == "c" else 8)
