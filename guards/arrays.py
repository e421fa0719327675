"""Guards on arrays.

Each guard emits the instructions that C checks and, after a miss, says in words what has changed.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from .frozen import dataclass
from .kinds import a_type, reached
from .program import GuardProgram
from .sources import Source

_REQUIRED = {"C": 0x0101, "F": 0x0102, "": 0x0100, "any": 0x0100}
"""Required NPY_ARRAY_* flags for each memory class: aligned, and C or Fortran contiguous."""
_FORBIDDEN = {"C": 0, "F": 0x0001, "": 0x0003, "any": 0}
_ORDERS = {"C": "C", "F": "Fortran", "": "strided", "any": "strided"}


def _dtype_names(before: np.dtype[Any], after: np.dtype[Any]) -> tuple[str, str]:
    """Return two names that differ even for dtypes NumPy calls equal (int64 and longlong)."""
    if before == after and before.num != after.num:
        return before.type.__name__, after.type.__name__
    return str(before), str(after)


def _order_of(array: np.ndarray[Any, Any]) -> str:
    flags = array.flags
    return "C" if flags.c_contiguous else "Fortran" if flags.f_contiguous else "strided"


FROM_ONE = 4
"""Code of a length, see `IsArray.lengths`."""
LETTERS = "nmkjihgf"
"""Letters that stand for lengths of axes in messages; graphs hold at most eight axes."""


def _short_axes(lengths: tuple[int, ...], shape: tuple[int, ...]) -> tuple[str, str]:
    """Return both shapes for a message; a letter replaces each length above one: "(n, 1)"."""
    before, after = _axes(lengths), _axes(tuple(min(n, 2) for n in shape))
    return f"({before})", f"({after})"


def _axes(lengths: tuple[int, ...]) -> str:
    """Return lengths for a message.

    Each above 1 has a letter of its own, as guards compare none.
    """
    return ", ".join(
        str(n) if n < 2 else letter for n, letter in zip(lengths, LETTERS, strict=False)
    )


@dataclass(frozen=True, slots=True)
class IsArray:
    """Guard: an exact ndarray of this dtype, rank and layout; only lengths 0 and 1 are fixed."""

    source: Source
    dtype: np.dtype[Any]
    lengths: tuple[int, ...]
    """For each axis: 0 or 1 for exactly that length, 2 for any longer one, 3 for any length at all,
    FROM_ONE for a length of 1, with the stride of a new array, or any longer one.
    """
    memory: str
    """Memory class: "C", "F", "" for strided, "any" for strided memory that may also have no gaps.
    """
    order: tuple[tuple[int, int], ...] = ()
    """Strided memory only: (axis, sign) from slowest to fastest; sign 0, 1 or -1."""
    unit: bool = False
    """Strided memory only: the fastest axis steps by one item."""
    nested: bool = True
    """Strided memory only: each axis steps over all of the faster ones."""

    remedy: ClassVar[str] = "convert the arrays to one dtype and memory order first"

    def emit(self, program: GuardProgram) -> None:
        codes = sum(length << 8 * axis for axis, length in enumerate(self.lengths))
        program.emit(
            "ARRAY",
            program.slot(self.source),
            a=self.dtype.num,
            b=len(self.lengths),
            c=codes,
            object_=_REQUIRED[self.memory],
            extra=_FORBIDDEN[self.memory],
        )
        if self.memory in ("", "any"):
            signs = {0: 0, 1: 1, -1: 2}
            order = 0
            for k, (axis, sign) in enumerate(self.order):
                code = 3 if self.lengths[axis] == 1 else signs[sign]
                order |= (axis | code << 4) << 8 * k
            steps = self.unit | self.nested << 1
            program.emit("ORDER", program.slot(self.source), a=steps, c=order)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        now = reached(self.source, live)
        if type(now) is not np.ndarray:
            return f"{self.source}: was an array, now {a_type(now)}"
        facts: list[tuple[str, object, object]] = [
            ("dtype", *_dtype_names(self.dtype, now.dtype)),
            ("number of axes", len(self.lengths), now.ndim),
            ("axes of length 0 and 1", *_short_axes(self.lengths, now.shape)),
            ("memory order", _ORDERS[self.memory], _order_of(now)),
        ]
        for what, before, after in facts:
            if before != after:
                return f"{self.source}: {what} was {before}, now {after}"
        if now.dtype.metadata is not None:
            return f"{self.source}: its dtype has metadata now"
        if not now.flags.aligned:
            return f"{self.source}: was aligned, now unaligned"
        return f"{self.source}: its strides run another way now"

    def __str__(self) -> str:
        memory = {"C": "", "F": ", Fortran order"}.get(self.memory, ", strided")
        return f"{self.source}: {self.dtype}[{_axes(self.lengths)}]{memory}"


@dataclass(frozen=True, slots=True)
class SameLength:
    """Guard: an axis of one array is as long as an axis of another (or the same) array."""

    source: Source
    axis: int
    other: Source
    other_axis: int

    remedy: ClassVar[str] = "let the lengths of the arrays agree in the same way at each call"

    def emit(self, program: GuardProgram) -> None:
        slot, other = program.slot(self.source), program.slot(self.other)
        program.emit("DIM_EQ", slot, a=self.axis, b=other, c=self.other_axis)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        lengths = []
        for source, axis in ((self.source, self.axis), (self.other, self.other_axis)):
            now = reached(source, live)
            lengths.append(str(now.shape[axis]) if isinstance(now, np.ndarray) else "gone")
        return f"{self} no longer holds: {' and '.join(lengths)}"

    def __str__(self) -> str:
        return f"{self.source}.shape[{self.axis}] == {self.other}.shape[{self.other_axis}]"


@dataclass(frozen=True, slots=True)
class HasDim:
    """Guard: an axis has exactly this length, as when the array was unpacked or read as a list."""

    source: Source
    axis: int
    length: int

    remedy: ClassVar[str] = "pass arrays with as many items there at each call"

    def emit(self, program: GuardProgram) -> None:
        program.emit("DIM_IS", program.slot(self.source), a=self.axis, c=self.length)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        now = reached(self.source, live)
        length = now.shape[self.axis] if isinstance(now, np.ndarray) else "gone"
        return f"{self} no longer holds: {length}"

    def __str__(self) -> str:
        return f"{self.source}.shape[{self.axis}] == {self.length}"


@dataclass(frozen=True, slots=True)
class HoldsArrays:
    """Guard: a list holds arrays of one dtype and one shape, however many."""

    source: Source
    dtype: np.dtype[Any]

    remedy: ClassVar[str] = "give the list arrays of one dtype and shape"

    def emit(self, program: GuardProgram) -> None:
        program.emit("ARRAYS", program.slot(self.source), a=self.dtype.num)

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: holds something else than {self.dtype} arrays of one shape now"

    def __str__(self) -> str:
        return f"{self.source} holds {self.dtype} arrays of one shape"


@dataclass(frozen=True, slots=True)
class IsOwned:
    """Guard: an array that an opaque call returned owns writeable memory; nothing else holds it."""

    source: Source

    remedy: ClassVar[str] = "nothing: the call gives another kind of array now"

    def emit(self, program: GuardProgram) -> None:
        program.emit("OWNED", program.slot(self.source))

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: was an array of its own, now a window or shared"

    def __str__(self) -> str:
        return f"{self.source} is nobody else's"


@dataclass(frozen=True, slots=True)
class IsWriteable:
    """Guard: an array that the segment writes to is writeable."""

    source: Source

    remedy: ClassVar[str] = "pass arrays that may be written to, or read-only ones, but not both"

    def emit(self, program: GuardProgram) -> None:
        program.emit("WRITEABLE", program.slot(self.source))

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        return f"{self.source}: was writeable, now read-only"

    def __str__(self) -> str:
        return f"{self.source} is writeable"
