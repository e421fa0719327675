"""What the turns of an innermost loop leave to be looked at behind it.

LLVM then has no way out of its turns, and nothing in them whose place it has to keep. A bail undoes
what the loop has written since an int got too big.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ....jit.checks import Check
from ....jit.ir.graph import Node
from ..numbers.ranges import is_plain, may_be_vectors
from ..places import Late
from ..writer import KernelWriter
from .polls import is_innermost


@contextmanager
def looked_at_behind(writer: KernelWriter, node: Node) -> Iterator[None]:
    """Around a loop, if it is an innermost one."""
    block = node.blocks[0]
    if writer.attribute or not is_innermost(block) or not is_plain(block):
        yield
        return
    lines = writer.source.lines
    begin = len(lines)
    writer.late = Late.TURNS if may_be_vectors(writer, block) else Late.ARMS
    writer.gathers = writer.regions if node in writer.anchors.moving else None
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
    """Whether the bits of a number are gathered, so that each turn has to compute it.

    What is pinned keeps LLVM from handing on what a turn has stored to the next turn, and from
    making vectors, in loops of which each turn stores one step on; in others it costs less. On a
    branch gathered bits would ask for numbers that are not needed there, and beside what clears
    flags numbers have to stay where they are.
    """
    if writer.gathers is None or writer.regions != writer.gathers:
        return False
    in_place = node in writer.known.beside_clearing
    return not in_place and node.outputs[0].type.dtype.char in "fd"


def gather(writer: KernelWriter, number: str) -> None:
    """A line that gathers the bits of a number."""
    writer.source.line(f"held |= int64(bits_of({number}))")
