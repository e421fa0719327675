"""Checks that an innermost loop defers until after its last iteration.

LLVM can then vectorise the body, because it has no early exit. If a check fails, the bail undoes
what the loop has written since.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ....jit.checks import Check
from ....jit.ir.graph import Node
from ..numbers.ranges import is_plain, may_be_vectors
from ..places import Late
from ..writer import KernelWriter
from .interrupt_checks import is_innermost


@contextmanager
def deferring_checks(writer: KernelWriter, node: Node) -> Iterator[None]:
    """Wrap an innermost loop whose checks are deferred; other loops are written unchanged."""
    block = node.blocks[0]
    if writer.attribute or not is_innermost(block) or not is_plain(block):
        yield
        return
    lines = writer.source.lines
    begin = len(lines)
    writer.late = Late.ITERATIONS if may_be_vectors(writer, block) else Late.BRANCHES
    writer.gathers = writer.regions if node in writer.flag_barriers.moving else None
    yield
    writer.late, writer.gathers = Late.NEVER, None
    late = any("wrong |=" in line for line in lines[begin:])
    if not late:
        lines[begin:] = [line.replace("wrong < 0 or ", "") for line in lines[begin:]]
    if any("held |=" in line for line in lines[begin:]):
        writer.source.line("held = int64(0)")
        lines.insert(begin, lines.pop())
        writer.source.line("pinned(held)")
    if late:
        writer.source.line("wrong = 0")
        lines.insert(begin, lines.pop())
        writer.bail_if("wrong < 0", Check.INT)


def gathers(writer: KernelWriter, node: Node) -> bool:
    """True if a number's bits are combined in a variable, so that each iteration computes it.

    The alternative, a pinned number, keeps LLVM from forwarding stores to the next iteration and
    from vectorising. That matters in loops that store one step further on each time; elsewhere
    pinning is cheaper. In a branch, combining would require numbers that are not needed on the
    other path, and next to code that clears flags numbers must stay where they are.
    """
    if writer.gathers is None or writer.regions != writer.gathers:
        return False
    in_place = node in writer.known.beside_clearing
    return not in_place and node.outputs[0].type.dtype.char in "fd"


def gather(writer: KernelWriter, number: str) -> None:
    """Emit the line that combines a number's bits."""
    writer.source.line(f"held |= int64(bits_of({number}))")
