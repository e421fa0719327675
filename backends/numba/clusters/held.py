"""What LLVM might leave out of a loop, or compute for some elements only, and its flags with it.

`np.where` computes both of its arrays, and eager reports what happens in either. A select needs one
of them: LLVM moves a division to where it is needed. Nor does a comparison need what it compares:
`x - y > 0` is `x > y` to LLVM; nor a sum one operand where it knows that the other is NaN; and what
is stored in a few items that are stored into again is not needed at all. The bits of such results
are gathered in a variable, which is an instruction for several elements, so that every one of them
is needed.
"""

from __future__ import annotations

from ....jit.ir.graph import Value
from ....jit.ir.ops import WHERE
from ..native import Flags
from ..numbers.foreseen import is_hidden
from ..numbers.known import Known
from .items import Item, Stage


def avoidable(stage: Stage, in_memory: set[Item], known: Known) -> list[Item]:
    """The items of a stage that may report something and that nothing else makes LLVM compute."""
    may_be_nan: set[Item] = set()

    def swallows(operand: Item | Value) -> bool:
        if isinstance(operand, Item):
            return operand in may_be_nan
        return operand in known.nans and not is_hidden(operand.type)

    def is_needed(item: Item) -> bool:
        lasts = item in in_memory and (item.value is None or is_hidden(item.value.type))
        return lasts or any(needs_operands(reader) for reader in item.readers)

    def needs_operands(reader: Item) -> bool:
        if reader.lowering.flags is Flags.REPORTS:  # it is here itself where nothing needs it
            return not any(map(swallows, reader.operands))
        if reader.lowering.flags is Flags.SILENT or reader.lowering.holds:
            return False  # comparisons; of a cast that nobody reads those are left that it makes
        return reader.node.op is not WHERE and is_needed(reader)

    for item in stage.items:
        if item.dtype.kind in "fc" and any(map(swallows, item.operands)):
            may_be_nan.add(item)
    reporting = (item for item in stage.items if item.lowering.flags is Flags.REPORTS)
    return [item for item in reporting if not is_needed(item)]


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
