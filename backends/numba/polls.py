"""Long loops look after signals and other threads: how much work goes by between two looks."""

from __future__ import annotations

from ...jit.ir.graph import Block, Node
from ...jit.ir.ops import FOR, LOOP, Kind
from ...jit.ir.types import ArrayType
from ...jit.native import WORDS
from .inner_loops import lower_x87_flags
from .writer import KernelWriter

OFTEN = 4096
"""So many turns with a few operations on numbers are some microseconds."""
ARRAYS = 256
"""For so many of them a turn counts that makes arrays."""


def begin_work(writer: KernelWriter) -> None:
    """Before a loop."""
    if not writer.loops:
        lower_x87_flags(writer)


def tell_turns(writer: KernelWriter, block: Block, start: str, stop: str) -> None:
    """Before a `for`: the work of one that does not look by itself."""
    if _is_told_before(writer, block):
        writer.source.line(f"work += abs({stop} - {start})")


def poll(writer: KernelWriter, block: Block, *, counted: bool) -> None:
    """At the begin of a turn; `counted`: the number of turns is known before."""
    if counted and _is_told_before(writer, block, inside=True):
        return
    weight = ARRAYS if any(map(_makes_arrays, block.nodes)) else 1
    raised = -1 if writer.attribute else "raised"
    writer.source.line(f"work += {weight}")
    with writer.source.indented(f"if work >= {OFTEN}:"):
        writer.source.line(f"w[{WORDS['WORK']}] += work")
        writer.source.line("work = 0")
        late = "wrong < 0 or " if writer.looks_late else ""
        writer.bail_if(f"{late}poll(w, {raised}) != 0", "an exception or a warning waits")


def _is_told_before(writer: KernelWriter, block: Block, *, inside: bool = False) -> bool:
    """A short loop in a loop, which looks at each of its turns instead."""
    around = len(writer.loops) - inside
    inner = any(node.op in (FOR, LOOP) or _makes_arrays(node) for node in block.every_node())
    return around > 0 and not inner


def _makes_arrays(node: Node) -> bool:
    fresh = node.op.kind is not Kind.VIEW
    return fresh and any(isinstance(value.type, ArrayType) for value in node.outputs)
