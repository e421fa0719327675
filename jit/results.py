"""Guards on the results of opaque calls, which kernels check before they go on."""

from __future__ import annotations

from typing import Any

from ..guards.arrays import IsArray, IsOwned
from ..guards.kinds import HasLength, IsType
from ..guards.program import GuardProgram
from ..guards.sources import Live
from .ir.types import PYTHON_SCALARS, ArrayType, Dim, ObjectType, Sym, Type
from .native import GUARD_OPS


def result_guards(
    type_: Type, slot: int, n_slots: int, objects: list[Any], *, owned: bool = False
) -> tuple[bytes, int]:
    """Return packed guards, and their count, for the object in a slot.

    `objects` is the entry's list. `owned`: capture assumed that nothing else refers to the array.
    """
    program = GuardProgram(GUARD_OPS, n_slots, objects=objects)
    source = Live(slot, "result")
    if isinstance(type_, ArrayType):
        layout = type_.layout
        memory = _memory(type_)
        order = tuple((axis, layout.signs[axis]) for axis in layout.order)
        lengths = tuple(_length(type_, dim) for dim in type_.dims)
        steps = {"unit": layout.unit, "nested": layout.nested}
        program.add(IsArray(source, type_.dtype, lengths, memory, order, **steps))
        if owned:
            program.add(IsOwned(source))
    elif isinstance(type_, ObjectType):
        program.add(IsType.exactly(source, type_.kind))
    elif type_.python:
        python = next(kind for kind, known in PYTHON_SCALARS.items() if known == type_)
        program.add(IsType.exactly(source, python))
    else:
        program.add(IsType.exactly(source, type_.dtype.type))
    return program.packed(), len(program.code)


def _memory(type_: ArrayType) -> str:
    """Return the memory class for IsArray, ignoring axes of length 1 as NumPy's flags do.

    "any" admits contiguous memory too, since a view of a view may turn out to be whole.
    """
    layout = type_.layout
    longer = [axis for axis in layout.order if type_.dims[axis] != 1]
    if layout.packed and longer == sorted(longer):
        return "C"
    if layout.packed:
        return "F" if longer == sorted(longer, reverse=True) else ""
    return "any"


def _length(type_: ArrayType, dim: Dim) -> int:
    """Return the length code for IsArray.

    The length of a C-contiguous 1-d array does not affect its layout, so any length is admitted.
    """
    if isinstance(dim, int) and dim < 2:
        return dim
    return 3 if type_.layout.is_c and type_.ndim == 1 and isinstance(dim, Sym) else 2


def items_guards(
    kind: type, length: int, slot: int, n_slots: int, objects: list[Any]
) -> tuple[bytes, int]:
    """Return packed guards, and their count, for a tuple or list of this length."""
    program = GuardProgram(GUARD_OPS, n_slots, objects=objects)
    source = Live(slot, "result")
    program.add(IsType.exactly(source, kind))
    program.add(HasLength(source, length))
    return program.packed(), len(program.code)
