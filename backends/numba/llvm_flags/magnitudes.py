"""Bounds on floats computed from ints and constants, to prove that operations raise no flags.

`image * 0.299 + 1` of bytes can neither overflow nor underflow, whatever LLVM knows of its
operands. Zeros in arrays are harmless to products and sums, so bounds are those of nonzero values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....jit.frozen import dataclass
from ....jit.ir.graph import Value
from ....jit.ir.primitives import Linear, ufunc_of
from ..clusters.items import Item
from ..clusters.lower import DType


@dataclass(frozen=True, slots=True)
class Magnitude:
    """Bounds of the nonzero absolute values."""

    least: float
    most: float

    def is_usual(self, dtype: DType) -> bool:
        """True if such numbers are far from overflow and underflow in a float dtype."""
        limits = np.finfo(dtype)
        return float(limits.tiny) * 2 < self.least and self.most < float(limits.max) / 2


class Magnitudes:
    """Bounds of a stage's items, which must be added in order."""

    def __init__(self, constants: Mapping[Value, Any]) -> None:
        self._constants = constants
        self._found: dict[Item, Magnitude] = {}

    def raises_no_flag(self, item: Item) -> bool:
        """True if an item raises no flag; also records its bounds."""
        if item.dtype.kind != "f" or item.dtype.itemsize not in (4, 8):
            return False
        pairs = zip(item.operands, item.lowering.operands, strict=True)
        known = [self._of(operand, dtype) for operand, dtype in pairs]
        found = _computed(item, [one for one in known if one is not None], known.count(None))
        if found is None or not found.is_usual(item.dtype):
            return False
        self._found[item] = found
        return True

    def _of(self, operand: Item | Value, dtype: DType) -> Magnitude | None:
        if dtype.kind in "biu":
            return Magnitude(1.0, 2.0 ** (8 * dtype.itemsize))
        if isinstance(operand, Item):
            return self._found.get(operand)
        return _of_number(self._constants.get(operand), dtype)


def _of_number(number: Any, dtype: DType) -> Magnitude | None:
    if not isinstance(number, bool | int | float | np.bool | np.integer | np.floating):
        return None
    with np.errstate(all="ignore"):
        size = abs(float(dtype.type(number)))
    return Magnitude(size, size) if size else None


def _computed(item: Item, of: list[Magnitude], unknown: int) -> Magnitude | None:
    """Return the bounds for a cast, sum, product, or quotient by a nonzero constant; else None."""
    if unknown or len(of) > 2:
        return None
    if item.value is None or len(of) == 1:
        is_cast = item.lowering.operands[0].kind in "biu"
        return of[0] if is_cast else None
    one, other = of
    row = ufunc_of(item.node)
    if row.linear is Linear.PRODUCT:
        return Magnitude(one.least * other.least, one.most * other.most)
    if row.linear in (Linear.SUM, Linear.DIFFERENCE):
        # A difference is a multiple of the last place of the smaller operand, which rounding may
        # have brought below its bound and below a power of two.
        last = float(np.finfo(item.dtype).eps) / 4
        return Magnitude(min(one.least, other.least) * last, one.most + other.most)
    if (
        row.linear is Linear.QUOTIENT
        and isinstance(item.operands[1], Value)
        and other.least == other.most
    ):
        return Magnitude(one.least / other.most, one.most / other.least)
    return None
