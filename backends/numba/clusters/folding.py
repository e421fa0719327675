"""What LLVM may know of the numbers of a loop before it runs: what it computes then raises no flag.

`(i - i) / (i - i)` of ints is 0.0 / 0.0 to it, and a constant. Floats it does not simplify so, as
each may be NaN; a float is known only where it comes from ints, bools and constants alone, or from
an array of a few items that it may hold in registers, see numbers/foreseen.py. One operand that
nobody knows is enough for an operation to be left to the processor: where there is none, -0.0 from
a word of the kernel is added to one, which leaves every number as it is. What raises no flag, see
magnitudes.py, LLVM may know. The same keeps casts that undo each other apart.
"""

from __future__ import annotations

from ....jit.ir.graph import Value
from ....jit.ir.ops import CAST, WHERE
from ....jit.ir.types import ArrayType
from ..native import Flags
from ..numbers.foreseen import is_hidden
from ..numbers.known import Known
from .items import Item, Stage
from .magnitudes import Magnitudes

NOTHING = -(2**63)
"""The bits of -0.0, as an int."""


def foldable(stage: Stage, known: Known) -> frozenset[Item]:
    """The items of a stage that report flags and of whose operands LLVM may know all."""
    unknown: set[Item | Value] = {
        operand
        for item in stage.items
        for operand in item.operands
        if isinstance(operand, Value)
        and isinstance(operand.type, ArrayType)
        and operand.type.dtype.kind in "fc"
        and (operand not in known.foreseen or is_hidden(operand.type))
    }
    found = []
    magnitudes = Magnitudes(known.constants)
    for item in stage.items:
        if _takes_back(item):
            found.append(item)
            unknown.add(item)
            continue
        if magnitudes.is_quiet(item):
            continue
        if item.lowering.flags is Flags.REPORTS:
            if not any(_is_unknown(operand, item, unknown) for operand in item.operands):
                found.append(item)
            unknown.add(item)
        elif _stays_unknown(item, unknown):
            unknown.add(item)
    return frozenset(found)


def _takes_back(item: Item) -> bool:
    """True for a cast of what may have come of the opposite cast, as a copy or one of several.

    `x.astype('f8').astype('f4')` is x to LLVM, signalling NaNs too, which eager quiets and reports.
    """
    operand = item.operands[0]
    return (
        item.lowering.template == "{0}"
        and item.dtype.kind == item.lowering.operands[0].kind == "f"
        and item.dtype.itemsize < item.lowering.operands[0].itemsize
        and isinstance(operand, Item)
        and operand.stage == item.stage
        and (operand.node.op is CAST or operand.lowering.flags is not Flags.REPORTS)
    )


def _is_unknown(operand: Item | Value, item: Item, unknown: set[Item | Value]) -> bool:
    """Whether a float is in memory, or computed of one that is."""
    if operand in unknown:
        return True
    return isinstance(operand, Item) and operand.stage != item.stage and operand.dtype.kind in "fc"


def _stays_unknown(item: Item, unknown: set[Item | Value]) -> bool:
    known = [not _is_unknown(operand, item, unknown) for operand in item.operands]
    if item.node.op is WHERE and item.value is not None:
        condition = item.operands[0]
        if isinstance(condition, Item) and condition.stage == item.stage:
            return not any(known[1:])
        return not all(known[1:])
    return item.dtype.kind in "fc" and not any(known)
