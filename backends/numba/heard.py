"""Flags that a block of `np.errstate` hears of: where one is raised, the kernel is left at once.

Eager then goes on from the last checkpoint, and raises, warns or calls as the block says, whatever
is said around the call. In the attributing kernel, flags that end in a warning are handed over as
those of other ops are.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...jit.checks import Check
from ...jit.ir.graph import Node
from .native import heard_flags, quiet_flags, told_flags
from .writer import KernelWriter


def is_heard(writer: KernelWriter, node: Node) -> bool:
    """Whether the flags of a node are looked at where they are raised, in this kernel."""
    return not writer.attribute and heard_flags(node) != 0


@contextmanager
def heard(writer: KernelWriter, node: Node) -> Iterator[None]:
    """Around what raises the flags of such a node; those from before are kept aside."""
    source = writer.source
    writer.collect()
    source.line("x87_flags()")
    source.line("set_status(get_status() & ~63)")
    yield
    own = source.name("flags")
    source.line(f"{own} = raised_flags() | x87_flags()")
    check = Check.LIBRARY if told_flags(node) else Check.FLAG  # another kernel gives warnings
    writer.bail_if(f"{own} & {heard_flags(node)} != 0", check)
    source.line(f"raised |= {own} & {~(quiet_flags(node) | heard_flags(node))}")
    source.line("set_status(get_status() & ~63)")


def keep(writer: KernelWriter, node: Node, raised: str) -> None:
    """In the attributing kernel: adds flags to those of a node."""
    told = told_flags(node)
    if told:
        own = writer.source.name("own")
        writer.source.line(f"{own} = {raised}")
        writer.bail_if(f"{own} & {told} != 0", Check.LIBRARY)
        raised = own
    writer.attributed.keep(node, raised)
