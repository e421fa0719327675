"""Flags that an `np.errstate` block traps: the kernel bails as soon as one is raised.

Eager continues from the last checkpoint and raises, warns or calls a handler as the block demands,
whatever mode the caller has set. The attributing kernel logs flags that end in a warning like all
others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...jit.checks import Check
from ...jit.ir.graph import Node
from .native import escalated_flags, ignored_flags, trapped_flags
from .writer import KernelWriter


def is_trapped(writer: KernelWriter, node: Node) -> bool:
    """True if this kernel checks the node's flags right after the node."""
    return not writer.attribute and trapped_flags(node) != 0


@contextmanager
def trapped(writer: KernelWriter, node: Node) -> Iterator[None]:
    """Wrap code that may raise trapped flags: save earlier flags, check new ones at the end."""
    source = writer.source
    writer.collect()
    source.line("x87_flags()")
    source.line("set_status(get_status() & ~63)")
    yield
    own = source.name("flags")
    source.line(f"{own} = raised_flags() | x87_flags()")
    check = Check.LIBRARY if escalated_flags(node) else Check.FLAG  # the attributing kernel warns
    writer.bail_if(f"{own} & {trapped_flags(node)} != 0", check)
    source.line(f"raised |= {own} & {~(ignored_flags(node) | trapped_flags(node))}")
    source.line("set_status(get_status() & ~63)")


def keep(writer: KernelWriter, node: Node, raised: str) -> None:
    """Add flags to those of a node; used by the attributing kernel only."""
    escalated = escalated_flags(node)
    if escalated:
        own = writer.source.name("own")
        writer.source.line(f"{own} = {raised}")
        writer.bail_if(f"{own} & {escalated} != 0", Check.LIBRARY)
        raised = own
    writer.attributed.keep(node, raised)
