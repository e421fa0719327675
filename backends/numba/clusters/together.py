"""Runs comparisons in the same loop as arithmetic, as long as no NaN occurs.

A comparison with NaN raises "invalid", which eager ignores, so comparisons and arithmetic that
reports flags usually have separate loops. If "invalid" was not raised at all, the distinction is
void: everything is computed in one loop, and again in separate loops only if the flag is set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....jit.platforms import PROCESSOR
from ..native import Flags
from ..writer import KernelWriter
from .items import Stage

_INVALID = PROCESSOR.invalid


def may_be_together(stages: Sequence[Stage]) -> bool:
    """True if stages in LLVM code are separate only because of how flags are treated."""
    if len({stage.flags for stage in stages} & {Flags.SILENT, Flags.REPORTS}) < 2:
        return False
    return not any(stage.loop or stage.items[0].reduces or any(stage.modes) for stage in stages)


def write_both(
    writer: KernelWriter, together: Callable[[], None], apart: Callable[[], None]
) -> None:
    """Emit the joint loop, and the separate ones for the case that "invalid" was raised."""
    source, before = writer.source, writer.source.name("before")
    source.line(f"{before} = get_status()")
    source.line(f"set_status({before} & {~_INVALID})")
    together()
    with source.indented(f"if (get_status() & {_INVALID}) != 0:", "NaN, or eager would say so"):
        source.line(f"set_status({before})")
        apart()
    with source.indented(f"elif ({before} & {_INVALID}) != 0:"):
        source.line(f"set_status(get_status() | {_INVALID})")
