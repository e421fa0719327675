"""Overflow checks of ints in short branches, placed after the branch.

LLVM turns `k = 3 * k + 1 if k % 2 else k // 2` into one expression if neither branch has an exit. A
branch that is linear in a number from outside cannot overflow 64 bits if that number is small
enough; otherwise the kernel bails, whichever branch was taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.primitives import Linear, of_node
from ....jit.ir.schema import Applies
from ....jit.ir.types import ScalarType
from ..writer import KernelWriter

_LINEAR = (Linear.SUM, Linear.DIFFERENCE, Linear.PRODUCT)
_BITS = 62
Term = tuple[Value, int, int]
"""(number from outside the branch, factor, summand)."""


def checks_after_branch(writer: KernelWriter, node: Node) -> list[str]:
    """Return conditions to bail on after a branch.

    Operations covered by them are not checked inside.
    """
    inside = (one.op for branch in node.blocks for one in branch.nodes)
    if not all(op.is_constant or op.applies is Applies.NUMBERS for op in inside):
        return []
    limits: dict[Value, int] = {}
    for branch in node.blocks:
        for one, (number, factor, added) in _linear(branch, writer.known.makers):
            bits = max(abs(factor), abs(added)).bit_length() + 1
            if one not in writer.known.cannot_overflow and bits <= _BITS // 2:
                limits[number] = min(_BITS - bits, limits.get(number, _BITS))
                writer.checked_after_branch.add(one)
    return [
        f"uint64(wrapped_add({writer.scalars[number]}, {2**bits})) >= {2 ** (bits + 1)}"
        for number, bits in limits.items()
    ]


def _linear(branch: Block, makers: Mapping[Value, Node]) -> Iterator[tuple[Node, Term]]:
    """Yield operations of a branch that are linear in an int from outside."""
    found: dict[Value, Term] = {}
    inside = {value for node in branch.nodes for value in node.outputs}
    for node in branch.nodes:
        if of_node(node).linear not in _LINEAR:
            continue
        if not all(_is_long(value) for value in (*node.inputs, *node.outputs)):
            continue
        made = _combined(node, [_operand(value, found, inside, makers) for value in node.inputs])
        if made is not None:
            found[node.outputs[0]] = made
            yield node, made


def _is_long(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.dtype.char == "l"


def _operand(
    value: Value, found: Mapping[Value, Term], inside: set[Value], makers: Mapping[Value, Node]
) -> int | Term | None:
    maker = makers.get(value)
    if maker is not None and maker.op.is_constant:
        return int(maker.constant)
    return found.get(value) if value in inside else (value, 1, 0)


def _combined(node: Node, operands: list[int | Term | None]) -> Term | None:
    """Combine a linear operand with a constant."""
    one, other = operands
    function, is_product = node.attrs["function"], of_node(node).linear is Linear.PRODUCT
    if isinstance(one, tuple) and isinstance(other, int):
        number, factor, added = one
        if is_product:
            return number, factor * other, added * other
        return number, factor, function(added, other)
    if isinstance(one, int) and isinstance(other, tuple):
        number, factor, added = other
        if is_product:
            return number, factor * one, added * one
        return number, function(0, factor), function(one, added)
    return None
