"""Comparisons in the loop of the arithmetic, where no NaN comes along.

A comparison with NaN raises "invalid", which eager does not report, so that comparisons have loops
without arithmetic that reports it. As long as nothing raises the flag it does not matter what would
have: all is computed in one loop, and once more in loops of their own where the flag is up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..native import Flags
from ..writer import KernelWriter
from .items import Stage

_INVALID = 1
"""The bit of MXCSR."""


def may_be_together(stages: Sequence[Stage]) -> bool:
    """Whether stages in LLVM code are apart for what their flags are worth alone."""
    if len({stage.flags for stage in stages} & {Flags.SILENT, Flags.REPORTS}) < 2:
        return False
    return not any(stage.loop or stage.items[0].reduces or any(stage.modes) for stage in stages)


def write_both(
    writer: KernelWriter, together: Callable[[], None], apart: Callable[[], None]
) -> None:
    """Emits the one loop, and the others for where it has raised "invalid"."""
    source, before = writer.source, writer.source.name("before")
    source.line(f"{before} = get_status()")
    source.line(f"set_status({before} & {~_INVALID})")
    together()
    with source.indented(f"if (get_status() & {_INVALID}) != 0:  # NaN, or eager would say so"):
        source.line(f"set_status({before})")
        apart()
    with source.indented(f"elif ({before} & {_INVALID}) != 0:"):
        source.line(f"set_status(get_status() | {_INVALID})")
