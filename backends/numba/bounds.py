"""Loops on data that a counter ends at the latest: `while j >= 0 and x[j] > v: ... j -= 1`."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from typing import Any

from ...jit.ir.graph import Block, Node, Value
from ...jit.ir.ops import CONST, CONTINUE, FOR, IF, LOOP, OPERATOR
from ...jit.ir.types import ScalarType

_UP = (operator.lt, operator.le, operator.ne)
_DOWN = (operator.gt, operator.ge, operator.ne)
_MIRRORED = {
    operator.lt: operator.gt,
    operator.le: operator.ge,
    operator.gt: operator.lt,
    operator.ge: operator.le,
    operator.ne: operator.ne,
}


def counter_of(loop: Node, makers: Mapping[Value, Node]) -> tuple[Value, Value] | None:
    """Of a `loop`: the number that a counter begins with and the one that it goes on to at most."""
    body = loop.blocks[0]
    inside = {value for node in body.every_node() for value in node.outputs} | {*body.params}
    steps = {param: _step(body, place, makers) for place, param in enumerate(body.params)}
    for node in body.nodes:
        if node.op is IF and node.blocks[0].goes_on and not _goes_round(node.blocks[1]):
            for number, compare, limit in _comparison(makers.get(node.inputs[0]), makers):
                step = steps.get(number, 0)
                stays = limit not in inside or _is_constant(limit, makers)
                if stays and compare in (_UP if step > 0 else _DOWN if step < 0 else ()):
                    return loop.initial[body.params.index(number)], limit
        if _goes_round(Block((), [node])):
            return None  # a turn may end before the counter is looked at
    return None


def begun_with(number: Value, makers: Mapping[Value, Node]) -> tuple[Value, int]:
    """A number as another one and what was added to that."""
    total = 0
    while (node := makers.get(number)) is not None and node.op is OPERATOR:
        function = node.attrs["function"]
        if function not in (operator.add, operator.sub):
            break
        one, other = node.inputs
        if function is operator.add and _is_constant(one, makers):
            one, other = other, one
        if not _is_constant(other, makers):
            break
        added = makers[other].attrs["value"]
        total += added if function is operator.add else -added
        number = one
    return number, total


def _is_constant(value: Value, makers: Mapping[Value, Node]) -> bool:
    node = makers.get(value)
    return node is not None and node.op is CONST and isinstance(node.attrs["value"], int)


def _comparison(
    node: Node | None, makers: Mapping[Value, Node]
) -> Iterator[tuple[Value, Any, Value]]:
    """A comparison of ints: for each side what it began with, the function, the other number."""
    if node is None or node.op is not OPERATOR or node.attrs["function"] not in _MIRRORED:
        return
    one, other = node.inputs
    types = [value.type for value in (one, other)]
    if any(not isinstance(type_, ScalarType) or type_.dtype.char != "l" for type_ in types):
        return
    function = node.attrs["function"]
    yield begun_with(one, makers)[0], function, other
    yield begun_with(other, makers)[0], _MIRRORED[function], one


def _step(body: Block, place: int, makers: Mapping[Value, Node]) -> int:
    """What each turn adds to a parameter at least, in one direction; 0: nobody knows."""
    if body.params[place].type.dtype.char != "l":
        return 0
    steps = []
    for node in _rounds(body):
        base, step = begun_with(node.inputs[place], makers)
        if base is not body.params[place]:
            return 0
        steps.append(step)
    if steps and (min(steps) > 0 or max(steps) < 0):
        return min(steps, key=abs)
    return 0


def _rounds(block: Block) -> list[Node]:
    """The CONTINUE nodes of a loop."""
    found = []
    for node in block.nodes:
        if node.op is CONTINUE:
            found.append(node)
        elif node.op not in (FOR, LOOP):
            found += [one for inner in node.blocks for one in _rounds(inner)]
    return found


def _goes_round(block: Block) -> bool:
    return bool(_rounds(block))
