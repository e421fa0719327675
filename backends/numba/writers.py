"""Registry of the functions that write nodes outside clusters, by op."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...jit.ir.graph import Node

if TYPE_CHECKING:
    from .writer import KernelWriter

Writer = Callable[["KernelWriter", Node], bool]
WRITERS: dict[str, Writer] = {}
"""A writer returns False if NumPy should be called instead."""


def writes(name: str) -> Callable[[Writer], Writer]:
    """Register the writer of an op."""

    def register(writer: Writer) -> Writer:
        WRITERS[name] = writer
        return writer

    return register
