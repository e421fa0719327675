"""While loops that a counter bounds: `while j >= 0 and x[j] > v: ... j -= 1`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ....jit.analysis.offsets import is_int_constant, operand_and_constant
from ....jit.ir.edges import continues_of
from ....jit.ir.graph import Node, Value
from ....jit.ir.primitives import Comparison, of_node, primitive
from ....jit.ir.types import ScalarType


def counter_of(loop: Node, makers: Mapping[Value, Node]) -> tuple[Value, Value] | None:
    """Return (start, limit) of a counter that bounds the iterations of a LOOP, or None."""
    body = loop.blocks[0]
    inside = {value for node in body.every_node() for value in node.outputs} | {*body.params}
    rounds = list(continues_of(body))
    steps = {param: _step(param, place, rounds, makers) for place, param in enumerate(body.params)}
    asked = frozenset.intersection(*(held for _, held in rounds)) if rounds else frozenset()
    for condition in (value for node in body.every_node() for value in node.outputs):
        if condition not in asked:
            continue
        for number, compare, limit in _comparison(makers.get(condition), makers):
            step = steps.get(number, 0)
            stays = limit not in inside or is_int_constant(limit, makers)
            if stays and step and compare.sign[0] == ("<" if step > 0 else ">"):
                return loop.initial[body.params.index(number)], limit
    return None


def begun_with(number: Value, makers: Mapping[Value, Node]) -> tuple[Value, int]:
    """Write a number as (another number, constant that was added)."""
    total = 0
    while (node := makers.get(number)) is not None:
        found = operand_and_constant(node, makers)
        if found is None:
            break
        number, added = found
        total += added
    return number, total


def _comparison(
    node: Node | None, makers: Mapping[Value, Node]
) -> Iterator[tuple[Value, Comparison, Value]]:
    """Yield (number, comparison, other number) for both sides of an int comparison."""
    compares = None if node is None else of_node(node).compares
    if node is None or compares is None or not compares.is_order:
        return
    one, other = node.inputs
    types = [value.type for value in (one, other)]
    if any(not isinstance(type_, ScalarType) or type_.dtype.char != "l" for type_ in types):
        return
    mirrored = primitive(compares.mirrored).compares
    assert mirrored is not None
    yield begun_with(one, makers)[0], compares, other
    yield begun_with(other, makers)[0], mirrored, one


def _step(
    param: Value,
    place: int,
    rounds: Sequence[tuple[Node, frozenset[Value]]],
    makers: Mapping[Value, Node],
) -> int:
    """Return the least change of a parameter per iteration, if always in one direction; else 0."""
    if param.type.dtype.char != "l":
        return 0
    steps = []
    for node, _ in rounds:
        base, step = begun_with(node.inputs[place], makers)
        if base is not param:
            return 0
        steps.append(step)
    if steps and (min(steps) > 0 or max(steps) < 0):
        return min(steps, key=abs)
    return 0
