"""Tags of unions: ints of the graph that say which of several values it is."""

from __future__ import annotations

import operator

from ....jit.ir.graph import Block, Value
from ....jit.ir.ops import IF, OPERATOR
from ....jit.ir.types import PY_INT
from .machine import Machine


def renumbered(machine: Machine, tag: Value, places: dict[int, int]) -> Value:
    """Return a tag with its values renumbered."""
    if all(number == place for number, place in places.items()):
        return tag
    builder = machine.builder
    (number, place), *others = places.items()
    if not others:
        return builder.const(place)
    inputs = (tag, builder.const(number))
    condition = builder.add(OPERATOR, inputs, {"function": operator.eq})
    blocks = [Block((), []), Block((), [])]
    with machine.writing(blocks[0]):
        blocks[0].results = (builder.const(place),)
    with machine.writing(blocks[1]):
        blocks[1].results = (renumbered(machine, tag, dict(others)),)
    output = Value(PY_INT, name="kind")
    builder.region_node(IF, (condition,), {}, (output,), blocks, None)
    return output
