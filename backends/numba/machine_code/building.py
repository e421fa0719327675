"""An LLVM builder that keeps basic blocks in the order of the program's text.

llvmlite adds a block when something branches to it, so the block after an `if` would precede the
blocks inside. LLVM keeps the order given unless it knows better.

Equal exits share one block: a thousand places that bail mean a thousand edges, but not as many
blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from .operations import Operation, cast, llvm_type


class Builder(ir.IRBuilder):  # type: ignore[misc]
    """Records the order in which blocks are begun."""

    def __init__(self, entry: Any) -> None:
        self._begun: dict[Any, int] = {entry: 0}
        super().__init__(entry)

    def position_at_end(self, block: Any) -> None:
        """Continue at the end of a block."""
        self._begun.setdefault(block, len(self._begun))
        super().position_at_end(block)

    def put_in_order(self) -> None:
        """Sort the function's blocks by the order in which they were begun."""
        self.function.blocks.sort(key=lambda block: self._begun.get(block, len(self._begun)))


class Exits:
    """The exit blocks of a function; each calls a library function that does the rest."""

    def __init__(self, builder: Builder, result: Any) -> None:
        self._builder, self._result = builder, result
        self._made: dict[str, tuple[Operation, Any, list[tuple[Any, Sequence[Any]]]]] = {}
        """For each library function: its operation, its block, and the incoming edges with
        operands."""

    def go(self, name: str, made: Operation, operands: Sequence[Any]) -> None:
        """End the block with a jump to the exit that does the operation and returns its result."""
        builder = self._builder
        if name not in self._made:
            self._made[name] = made, builder.append_basic_block(), []
        _, block, ways = self._made[name]
        ways.append((builder.block, operands))
        builder.branch(block)

    def emit(self) -> None:
        """Emit the exit blocks, once all jumps to them exist."""
        builder = self._builder
        for made, block, ways in self._made.values():
            builder.position_at_end(block)
            operands = [builder.phi(llvm_type(kind)) for kind in made.operands]
            for before, values in ways:
                for phi, value in zip(operands, values, strict=True):
                    phi.add_incoming(value, before)
            result = made.emit(builder, operands)
            builder.ret(cast(builder, result, made.result, self._result))
