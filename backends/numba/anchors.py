"""Which numbers LLVM has to compute where they stand: something in the same block needs them.

The others it may leave out, or compute behind the loop or on the one way that reads them, and then
the flags are lost that eager would report.
"""

from __future__ import annotations

from ...jit.ir.graph import Block, Value
from ...jit.ir.ops import BREAK, CONTINUE, Kind


def anchored(block: Block) -> set[Value]:
    """The values that a block itself needs; what it only hands over is not among them."""
    found: set[Value] = set()
    for node in reversed(block.nodes):
        if node.op in (BREAK, CONTINUE):
            continue
        if node.op.kind is not Kind.SCALAR or not found.isdisjoint(node.outputs):
            found.update(node.inputs)
    return found
