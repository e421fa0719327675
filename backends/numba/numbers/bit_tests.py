"""Recognises branches on single bits, which no processor can predict.

`crc >> 1 ^ poly if crc & 1 else crc >> 1` goes either way equally often. LLVM makes one expression
of it, but in loops its x86 backend turns such expressions back into branches, assuming that three
in four are predicted correctly.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....jit.ir.graph import Node, Value
from ....jit.ir.primitives import Growth, of_node
from ....jit.ir.schema import Applies
from ....jit.ir.types import ScalarType

_OF_INTS = frozenset("bBhHiIlLqQ")


def asks_for_bits(condition: Value, makers: Mapping[Value, Node]) -> bool:
    """True if a condition depends only on some bits of an int, as in `x & 1` or `x % 2 == 0`."""
    node = makers.get(condition)
    if node is None or node.op.applies is not Applies.NUMBERS:
        return False
    row = of_node(node)
    if row.passes_bits:
        return any(asks_for_bits(value, makers) for value in node.inputs)
    if row.selects_bits:
        return _is_int(condition) and any(_constant(one, makers) for one in node.inputs)
    is_remainder = row.growth is Growth.REMAINDER
    return is_remainder and _is_int(condition) and _constant(node.inputs[1], makers) == 2


def _is_int(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.dtype.char in _OF_INTS


def _constant(value: Value, makers: Mapping[Value, Node]) -> int | None:
    node = makers.get(value)
    return None if node is None or node.constant is None else int(node.constant)
