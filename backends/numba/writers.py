"""What the nodes outside clusters emit, by op: the modules of this package register it here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...jit.ir.graph import Node

if TYPE_CHECKING:
    from .writer import KernelWriter

Writer = Callable[["KernelWriter", Node], bool]
WRITERS: dict[str, Writer] = {}
"""False: not natively, make the call instead."""


def writes(name: str) -> Callable[[Writer], Writer]:
    """Registers the writer of an op."""

    def register(writer: Writer) -> Writer:
        WRITERS[name] = writer
        return writer

    return register
