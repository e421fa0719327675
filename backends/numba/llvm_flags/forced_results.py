"""Forces LLVM to compute what it could drop, or skip for some elements, losing its flags.

`np.where` computes both arrays, and eager reports flags of both. A select needs one value per
element, so LLVM would move a division into that case. It also turns `x - y > 0` into `x > y`, drops
an addend if the other is known to be NaN, and drops stores that are overwritten. The bits of such
results are combined in a variable, one instruction per vector, so that each one is needed.
"""

from __future__ import annotations

from ....jit.ir.graph import Value
from ..clusters.items import Item, Stage
from ..native import Flags
from ..numbers.known import Known
from .constant_to_llvm import is_hidden


def unforced(stage: Stage, in_memory: set[Item], known: Known) -> list[Item]:
    """Return the items that may report flags and that nothing else forces LLVM to compute."""
    may_be_nan: set[Item] = set()

    def swallows(operand: Item | Value) -> bool:
        if isinstance(operand, Item):
            return operand in may_be_nan
        return operand in known.nans and not is_hidden(operand.type)

    def is_needed(item: Item) -> bool:
        lasts = item in in_memory and (item.value is None or is_hidden(item.value.type))
        return lasts or any(needs_operands(reader) for reader in item.readers)

    def needs_operands(reader: Item) -> bool:
        if reader.lowering.flags is Flags.REPORTS:  # if unread, it is in this list itself
            return not any(map(swallows, reader.operands))
        if reader.lowering.flags is Flags.SILENT or reader.lowering.holds:
            return False  # comparisons, or a cast that is not read
        return not reader.node.op.selects and is_needed(reader)

    for item in stage.items:
        if item.dtype.kind in "fc" and any(map(swallows, item.operands)):
            may_be_nan.add(item)
    reporting = (item for item in stage.items if item.lowering.flags is Flags.REPORTS)
    return [item for item in reporting if not is_needed(item)]


def no_bits(item: Item) -> str:
    """Return the initial value of the variable that combines the bits of an item."""
    return f"int{_size(item)}(0)"


def combine_bits(variable: str, item: Item, result: str) -> str:
    """Return a line that combines an element's bits into the variable."""
    part = ".real" if item.dtype.kind == "c" else ""
    return f"{variable} = int{_size(item)}({variable} | bits_of({result}{part}))"


def _size(item: Item) -> int:
    """Return the size in bits of a real number."""
    return item.dtype.itemsize * (4 if item.dtype.kind == "c" else 8)
