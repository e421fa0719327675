"""llvmlite's builder, but that the blocks of a function come to stand as its text does.

A block is made where somebody branches to it, and begun where its statements are emitted: the one
behind an `if` would stand before all that is in the `if`. LLVM keeps that order where it knows
nothing better.

Ways out that do the same have one block: where a thousand places bail there are a thousand edges to
it, and not so many blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from .operations import Operation, cast, llvm_type


class Builder(ir.IRBuilder):  # type: ignore[misc]
    """Notes in which order blocks are begun."""

    def __init__(self, entry: Any) -> None:
        self._begun: dict[Any, int] = {entry: 0}
        super().__init__(entry)

    def position_at_end(self, block: Any) -> None:
        """Goes on in a block."""
        self._begun.setdefault(block, len(self._begun))
        super().position_at_end(block)

    def put_in_order(self) -> None:
        """The blocks of the function, in the order in which they were begun."""
        self.function.blocks.sort(key=lambda block: self._begun.get(block, len(self._begun)))


class Exits:
    """The blocks in which a function ends: in each a function of the library does the rest."""

    def __init__(self, builder: Builder, result: Any) -> None:
        self._builder, self._result = builder, result
        self._made: dict[str, tuple[Operation, Any, list[tuple[Any, Sequence[Any]]]]] = {}
        """By the function's name: its block, and from where one comes there with what."""

    def go(self, name: str, made: Operation, operands: Sequence[Any]) -> None:
        """Ends the block with a jump to where the operation is done and its result returned."""
        builder = self._builder
        if name not in self._made:
            self._made[name] = made, builder.append_basic_block(), []
        _, block, ways = self._made[name]
        ways.append((builder.block, operands))
        builder.branch(block)

    def emit(self) -> None:
        """The blocks, when all that leads to them is there."""
        builder = self._builder
        for made, block, ways in self._made.values():
            builder.position_at_end(block)
            operands = [builder.phi(llvm_type(kind)) for kind in made.operands]
            for before, values in ways:
                for phi, value in zip(operands, values, strict=True):
                    phi.add_incoming(value, before)
            result = made.emit(builder, operands)
            builder.ret(cast(builder, result, made.result, self._result))
