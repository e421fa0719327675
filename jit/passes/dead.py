"""Dead code elimination: removes array operations whose results nothing reads.

Operations that may raise an exception or a reported flag stay: the square of an unused array may
overflow, and a Python int may not fit the dtype of an array. `prune` does the same for numbers, and
for the state of loops and results of branches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..ir.graph import Block, Graph, Node, Value
from ..ir.ops import CAST, CONST, LISTED, UFUNC, WHERE
from ..ir.primitives import Flags, ufunc_of
from ..ir.types import ArrayType, ScalarType
from .prune import is_removable
from .uses import read_values

Numbers = Mapping[Value, Any]
"""Values of the constants of a graph."""


def without_dead(graph: Graph) -> Graph:
    """Return the graph without dead nodes; unchanged parts are shared with the given one."""
    known = {n.outputs[0]: n.attrs["value"] for n in graph.nodes() if n.op is CONST}
    while True:
        body = _without(graph.body, read_values(graph), known)
        if body is graph.body:
            return graph
        graph = replace(graph, body=body)


def _without(block: Block, read: set[Value], known: Numbers) -> Block:
    nodes = []
    for node in block.nodes:
        if read.isdisjoint(node.outputs) and node.outputs and is_silent(node, known):
            continue
        blocks = tuple(_without(inner, read, known) for inner in node.blocks)
        changed = any(new is not old for new, old in zip(blocks, node.blocks, strict=True))
        nodes.append(replace(node, blocks=blocks) if changed else node)
    same = len(nodes) == len(block.nodes) and all(map(lambda a, b: a is b, nodes, block.nodes))
    return block if same else Block(block.params, nodes, block.results)


def is_silent(node: Node, known: Numbers) -> bool:
    """True if running the node has no observable effect besides its results."""
    if node.op.silent or is_removable(node):
        return True
    if node.op is LISTED:
        return not node.attrs["filled"]
    if not isinstance(node.outputs[0].type, ArrayType):
        return False
    if node.op is WHERE:
        return _fit(node.inputs[1:], known, wraps=True)
    if node.op is CAST:
        return np.can_cast(node.inputs[0].type.dtype, node.outputs[0].type.dtype, "safe")
    if node.op is not UFUNC or not all(map(_is_plain, node.inputs)):
        return False
    row, kinds = ufunc_of(node), {value.type.dtype.kind for value in node.inputs}
    if row.flags is None or (row.flags is Flags.FLOATS and "f" in kinds):
        return False
    return _fit(node.inputs, known, wraps=row.takes_any_int)


def _is_plain(value: Value) -> bool:
    """True if the value is real and cannot overflow when cast to a smaller float."""
    type_ = value.type
    if _is_weak(value) and type_.dtype.kind == "f":
        return False
    return type_.dtype.kind in "biu" or type_.dtype.char in "fd"


def _is_weak(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.python


def _fit(values: Sequence[Value], known: Numbers, *, wraps: bool) -> bool:
    """True if NumPy casts the Python numbers among the operands without a warning or error.

    Ints that do not fit an int dtype are refused unless they wrap; numbers that overflow a float
    raise a reported flag.
    """
    dtypes = [value.type.dtype for value in values if not _is_weak(value)]
    if not dtypes:
        return True
    common = np.result_type(*dtypes)
    return all(_fits(one, common, known.get(one), wraps) for one in values if _is_weak(one))


def _fits(value: Value, common: np.dtype[Any], number: Any, wraps: bool) -> bool:
    """True if one number can be cast; `number` is None if it is known only at run time."""
    kind = value.type.dtype.kind
    if kind == "b" or common.kind == "b":
        return True
    if common.kind in "iu":
        if kind != "i" or wraps:
            return True  # with a Python float the result is a double
        info = np.iinfo(common)
        least, largest = (-(2**63), 2**63 - 1) if number is None else (number, number)
        return int(info.min) <= least and largest <= int(info.max)
    bound = (float(2**63) if kind == "i" else np.inf) if number is None else abs(number)
    return bool(common.char in "dD" or bound <= float(np.finfo(common).max))
