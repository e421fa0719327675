"""Memory of a cluster's values, tile by tile."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field

from ....jit.frozen import dataclass
from ....jit.ir.graph import Value
from ....jit.ir.types import ArrayType, ScalarType
from ..library.names import storage_name
from .items import Item
from .lower import DType
from .nest import Nest, Tile


@dataclass(frozen=True, slots=True)
class Rooms:
    """Memory of a cluster's values, for all tiles."""

    nest: Nest
    outputs: Collection[Value]
    targets: Mapping[Value, Value]
    """For outputs without memory of their own: the arrays in which they are placed."""
    scratch: dict[Item, str] = field(default_factory=dict)
    """Scratch blocks, as variables with their addresses."""
    scalars: dict[tuple[Value, DType], str] = field(default_factory=dict)
    """Addresses of scalars that inner loops read."""


class TileMemory:
    """Memory of the operands and results of one stage in a tile."""

    def __init__(self, rooms: Rooms, tile: Tile) -> None:
        self._rooms = rooms
        self._tile = tile
        self._row = ""

    def __contains__(self, item: Item) -> bool:
        return item in self._rooms.scratch or item.value in self._rooms.outputs

    def move_to(self, row: str) -> None:
        """Let operands refer to this line of the tile from here on."""
        self._row = row

    def is_one_line(self, operand: Item | Value) -> bool:
        """True if the tile's lines form one continuous line of this operand."""
        value = self._value(operand)
        if value is None or isinstance(value.type, ScalarType):
            return True
        return self._rooms.nest.is_one_line(value)

    def of(self, operand: Item | Value, dtype: tuple[DType, ...], joined: bool) -> tuple[str, str]:
        """Return (address, step) for an inner loop; with `joined`, for all lines of the tile.

        Lines of one element have no step of their own.
        """
        value = self._value(operand)
        if value is None:
            assert isinstance(operand, Item)
            step = "0" if _is_single_cast(operand) else str(operand.dtype.itemsize)
            return self._scratch(operand), step
        if isinstance(value.type, ScalarType):
            return self._rooms.scalars[value, dtype[0]], "0"
        step = str(value.type.dtype.itemsize) if joined else self._tile.steps[value]
        return self._base(value), step

    def result(self, item: Item) -> tuple[str, str]:
        """Return (address, step) of a reduction's result for one line."""
        value = item.node.outputs[0]
        return self._base(value), self._tile.steps[value]

    def total(self, item: Item, index: str) -> str:
        """Return an expression for one of a reduction's results."""
        return self._element_of(item.node.outputs[0], index)

    def element(self, operand: Item | Value, index: str) -> str:
        """Return an expression for one element."""
        value = self._value(operand)
        if value is None:
            assert isinstance(operand, Item)
            return f"{storage_name(operand.dtype)}_at({self._scratch(operand)})[{index}]"
        return self._element_of(value, index)

    def _element_of(self, value: Value, index: str) -> str:
        kind = f"{storage_name(value.type.dtype)}_at"
        base, step = self._base(value), self._tile.steps[value]
        if step == "0":
            return f"{kind}({base})[0]"
        if step == str(value.type.dtype.itemsize):
            return f"{kind}({base})[{index}]"
        return f"{kind}({base} + {index} * {step})[0]"

    def _value(self, operand: Item | Value) -> Value | None:
        """Return the array or scalar that holds the operand; None for a scratch block."""
        if isinstance(operand, Value):
            return operand
        value = operand.value
        if value is None or value not in self._rooms.outputs:
            return None
        return self._rooms.targets.get(value, value)

    def _base(self, value: Value) -> str:
        base = self._tile.bases[value]
        step = self._tile.row_steps.get(value, "0")
        return base if not self._row or step == "0" else f"({base} + {self._row} * {step})"

    def _scratch(self, item: Item) -> str:
        block = self._rooms.scratch[item]
        if not self._row:
            return block
        return f"({block} + {self._row} * {self._tile.length} * {item.dtype.itemsize})"


def _is_single_cast(item: Item) -> bool:
    """True for a cast of a single item.

    Eager casts it once, without a stride, and does not copy it.
    """
    origin = item.operands[0] if item.value is None else None
    if not isinstance(origin, Value) or not isinstance(origin.type, ArrayType):
        return False
    return all(dim == 1 for dim in origin.type.dims)
