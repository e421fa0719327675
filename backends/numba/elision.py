"""Handles temporaries that NumPy's operators reuse as output: the kernel is for smaller ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...jit.checks import Check
from ...jit.ir.graph import Node
from ...jit.ir.references import ELIDED_FROM
from ...jit.ir.types import ArrayType

if TYPE_CHECKING:
    from .writer import KernelWriter


def keep_small(writer: KernelWriter, nodes: Iterable[Node]) -> None:
    """Bail if a result is so large that eager would compute it into an operand."""
    for node in nodes:
        if "small" not in node.attrs:
            continue
        type_ = node.outputs[0].type
        assert isinstance(type_, ArrayType)
        items = " * ".join(map(writer.dim, type_.dims))
        least = ELIDED_FROM // type_.dtype.itemsize
        writer.bail_if(f"{items} >= {least}", Check.LARGE)
