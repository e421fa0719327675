"""Finds operations that LLVM could evaluate at compile time, whose flags would then be lost.

Of ints, `(i - i) / (i - i)` is the constant 0.0 / 0.0 to LLVM. It does not simplify unknown floats
like this, as each may be NaN. It knows a float only if that derives from ints, bools and constants,
or from an array of few items kept in registers (constant_to_llvm.py). One unknown operand
forces an operation to run, so where there is none, a hidden -0.0 is added to an operand, which
changes no number. Operations that cannot raise flags (magnitudes.py) need none of this. Pairs of
casts that undo each other are protected in the same way.
"""

from __future__ import annotations

from ....jit.ir.graph import Value
from ....jit.ir.types import ArrayType
from ..clusters.items import Item, Stage
from ..native import Flags
from ..numbers.known import Known
from .constant_to_llvm import is_hidden
from .magnitudes import Magnitudes

NOTHING = -(2**63)
"""The bits of -0.0 as an int."""


def foldable(stage: Stage, known: Known) -> frozenset[Item]:
    """Return the items of a stage that report flags and whose operands LLVM may all know."""
    unknown: set[Item | Value] = {
        operand
        for item in stage.items
        for operand in item.operands
        if isinstance(operand, Value)
        and isinstance(operand.type, ArrayType)
        and operand.type.dtype.kind in "fc"
        and (operand not in known.constant_to_llvm or is_hidden(operand.type))
    }
    found = []
    magnitudes = Magnitudes(known.constants)
    for item in stage.items:
        if _takes_back(item):
            found.append(item)
            unknown.add(item)
            continue
        if magnitudes.raises_no_flag(item):
            continue
        if item.lowering.flags is Flags.REPORTS:
            if not any(_is_unknown(operand, item, unknown) for operand in item.operands):
                found.append(item)
            unknown.add(item)
        elif _stays_unknown(item, unknown):
            unknown.add(item)
    return frozenset(found)


def _takes_back(item: Item) -> bool:
    """True for a cast that may undo the opposite cast.

    To LLVM `x.astype('f8').astype('f4')` is x even for signalling NaNs, which eager quiets and
    reports.
    """
    operand = item.operands[0]
    return (
        item.lowering.template == "{0}"
        and item.dtype.kind == item.lowering.operands[0].kind == "f"
        and item.dtype.itemsize < item.lowering.operands[0].itemsize
        and isinstance(operand, Item)
        and operand.stage == item.stage
        and (operand.node.op.converts or operand.lowering.flags is not Flags.REPORTS)
    )


def _is_unknown(operand: Item | Value, item: Item, unknown: set[Item | Value]) -> bool:
    """True if LLVM cannot know a float: it is loaded from memory, or computed from one that is."""
    if operand in unknown:
        return True
    return isinstance(operand, Item) and operand.stage != item.stage and operand.dtype.kind in "fc"


def _stays_unknown(item: Item, unknown: set[Item | Value]) -> bool:
    known = [not _is_unknown(operand, item, unknown) for operand in item.operands]
    if item.node.op.selects and item.value is not None:
        condition = item.operands[0]
        if isinstance(condition, Item) and condition.stage == item.stage:
            return not any(known[1:])
        return not all(known[1:])
    return item.dtype.kind in "fc" and not any(known)
