"""Algebraic simplification: removes array operations whose result equals one of their operands.

Only identities that hold bit for bit are used: `x * 1` and `x - 0.0` are `x`, but `x + 0.0` is not,
since it turns -0.0 into 0.0. The removed operations raise no floating point flags. (LLVM's
InstCombine does the same for scalars, but only within one loop, and not for NumPy's functions.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..analysis.side_effects import may_write
from ..ir.graph import Block, Graph, Node, Value
from ..ir.primitives import UFUNCS
from ..ir.primitives.schema import Primitive, Unit
from ..ir.schema import Applies
from ..ir.types import ArrayType
from .uses import private_values

Makers = Mapping[Value, Node]
Rule = Callable[[Node, Makers], "Value | None"]
"""Returns a value that equals the node's result, or None; ignored if its type differs."""


def simplified(graph: Graph) -> Graph:
    """Return the graph without operations whose result equals another value bit for bit."""
    if any(map(may_write, graph.nodes())):
        return graph  # an operand may have been overwritten by then
    makers = {value: node for node in graph.nodes() for value in node.outputs}
    return replace(graph, body=_simplified(graph.body, makers, private_values(graph), {}))


def _simplified(
    block: Block, makers: dict[Value, Node], private: set[Value], replacements: dict[Value, Value]
) -> Block:
    left: list[Node] = []
    for old in block.nodes:
        node = replace(old, inputs=tuple(replacements.get(value, value) for value in old.inputs))
        for value in node.outputs:
            makers[value] = node
        same = _same_as(node, makers) if private.issuperset(node.outputs) else None
        if same is not None:
            replacements[node.outputs[0]] = same
            continue
        blocks = tuple(_simplified(inner, makers, private, replacements) for inner in node.blocks)
        left.append(replace(node, blocks=blocks))
    return Block(
        block.params, left, tuple(replacements.get(value, value) for value in block.results)
    )


def _same_as(node: Node, makers: Makers) -> Value | None:
    if not node.outputs or not isinstance(node.outputs[0].type, ArrayType):
        return None
    found = (rule(node, makers) for rule in _rules_of(node))
    return next((value for value in found if value and value.type == node.outputs[0].type), None)


def _rules_of(node: Node) -> tuple[Rule, ...]:
    if node.op.applies is Applies.ITEMS:
        return RULES.get(node.attrs["ufunc"], ())
    return (_of_equals,) if node.op.selects else (_cast_and_back,) if node.op.converts else ()


def _is_alike(maker: Node, node: Node) -> bool:
    """True if another node applies the ufunc of this one too, item by item."""
    return maker.op.applies is Applies.ITEMS and maker.attrs["ufunc"] is node.attrs["ufunc"]


# ---- rules ------------------------------------------------------------------------------------


def _number(value: Value, makers: Makers) -> Any:
    """Return the constant that a value is, or None."""
    maker = makers.get(value)
    return None if maker is None else maker.constant


def _is_real(value: Value) -> bool:
    return value.type.dtype.kind in "iuf"


def _is_plain(value: Value, makers: Makers) -> bool:
    """False for bools from memory: their bytes may differ from 0 and 1, those of results do not."""
    maker = makers.get(value)
    return value.type.dtype.kind != "b" or (maker is not None and maker.op.applies is Applies.ITEMS)


def _neutral(unit: Unit) -> Rule:
    """Return a rule: the operation with this constant gives its other operand, bit for bit."""

    def rule(node: Node, makers: Makers) -> Value | None:
        sides = ((0, 1),) if unit.right_only else ((0, 1), (1, 0))
        for kept, other in sides:
            value, known = node.inputs[kept], _number(node.inputs[other], makers)
            if type(known) not in (int, float) or known != unit.number or not _is_real(value):
                continue
            if value.type.dtype.kind != "f":
                return value
            if not unit.ints and math.copysign(1, known) == math.copysign(1, unit.number):
                return value
        return None

    return rule


def _undoes_itself(node: Node, makers: Makers) -> Value | None:
    """Cancel an operation applied twice: `-(-x)`."""
    maker = makers.get(node.inputs[0])
    if maker is None or not _is_alike(maker, node) or not _is_plain(maker.inputs[0], makers):
        return None
    (value,) = maker.inputs
    return value if value.type.dtype == node.inputs[0].type.dtype else None


def _changes_nothing_more(node: Node, makers: Makers) -> Value | None:
    """Return the result of the first of two equal idempotent operations: `abs(abs(x))`."""
    maker = makers.get(node.inputs[0])
    return node.inputs[0] if maker is not None and _is_alike(maker, node) else None


def _of_equals(node: Node, makers: Makers) -> Value | None:
    """Return either operand if both are the same value: `where(c, x, x)`."""
    *_, one, other = node.inputs
    keeps_bytes = node.op.selects or _is_plain(one, makers)
    return one if one is other and keeps_bytes else None


def _cast_and_back(node: Node, makers: Makers) -> Value | None:
    """Cancel a cast to a dtype that holds all numbers of the original one, and back."""
    maker = makers.get(node.inputs[0])
    if maker is None or not maker.op.converts or not _is_real(maker.inputs[0]):
        return None
    value = maker.inputs[0]
    return value if _holds(node.inputs[0].type.dtype, value.type.dtype) else None


def _holds(wide: np.dtype[Any], narrow: np.dtype[Any]) -> bool:
    """True if every number of the narrow real dtype is exactly representable in the wide one."""
    if narrow.kind in "iu" and wide.kind == "f":
        return 8 * narrow.itemsize <= np.finfo(wide).nmant + 1
    return wide.kind in "iuf" and np.can_cast(narrow, wide, "safe")


def _rules(row: Primitive) -> tuple[Rule, ...]:
    """Return the rules of a ufunc."""
    found = [_neutral(row.unit)] if row.unit is not None else []
    if row.of_equals:
        found.append(_of_equals)
    if row.involutive:
        found.append(_undoes_itself)
    if row.idempotent:
        found.append(_changes_nothing_more)
    return tuple(found)


RULES: dict[np.ufunc, tuple[Rule, ...]] = {
    ufunc: rules for ufunc, row in UFUNCS.items() if (rules := _rules(row))
}
"""Rules by ufunc."""
