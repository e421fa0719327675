"""Arrays that the result of a cluster may overwrite element by element.

One read for the last time gives up its memory; the target of a store (direct.py) keeps it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....jit.ir.graph import Value
from ..writer import KernelWriter
from .faster import works_in_place
from .items import Item, Stage


def room_for(
    writer: KernelWriter, items: list[Item], stages: list[Stage], output: Value
) -> Value | None:
    """Return an array read here for the last time that `output` may overwrite, or None.

    Each element must be read before it is written: in an earlier stage, or in the same one for
    LLVM code. NumPy's loops may compute other bits in place.
    """
    maker = next(item for item in items if item.value is output)
    read = [o for item in items for o in item.operands if isinstance(o, Value)]
    windows = {place.root.slot for o in read if (place := writer.places.get(o)) and place.root}
    for value in writer.dying:
        if value.type != output.type or not writer.memory.is_made(value):
            continue
        if writer.places[value].slot in windows:
            continue  # its elements are read out of order
        if value in read and is_read_by_then(items, stages, value, maker):
            return value
    return None


def target_for(
    writer: KernelWriter, items: Sequence[Item], stages: Sequence[Stage], output: Value
) -> Value | None:
    """Return the array that an output will be stored to, if it may be written from the start.

    Sums and NumPy's loops that read the output must find it in eager's layout.
    """
    direct = writer.direct.get(output)
    if direct is None or writer.places[direct.target].cell:
        return None
    target = direct.target
    maker = next(item for item in items if item.value is output)
    if maker.lowering.loop is not None and target.type != output.type:
        return None
    if target.type != output.type and any(
        reader.reduces or reader.lowering.loop is not None for reader in maker.readers
    ):
        return None
    return target if is_read_by_then(items, stages, target, maker) else None


def is_read_by_then(
    items: Sequence[Item], stages: Sequence[Stage], value: Value, maker: Item
) -> bool:
    """True if each element of `value` is read before `maker`'s is written."""
    last = max((item.stage for item in items if value in item.operands), default=-1)
    return last < maker.stage or (last == maker.stage and _works_in_place(stages[last], value))


def _works_in_place(stage: Stage, value: Value) -> bool:
    first = stage.items[0]
    if first.lowering.loop is None:
        return True
    places = [k for k, operand in enumerate(first.operands) if operand is value]
    return len(places) == 1 and works_in_place(*first.lowering.loop, places[0])
