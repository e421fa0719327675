"""Computations whose bits depend on the strides of their output.

NumPy's loops for `power`, `exp` or complex products process several elements at a time if strides
allow, rounding differently from one by one. In place and with `out=` the strides are the output's
instead of a new array's: there NumPy itself is called, and also for a single element, whose stride
is arbitrary.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.infer import CannotInfer
from ....jit.ir.ops import DISJOINT, PUT, UFUNC
from ....jit.ir.primitives import primitive
from ....jit.ir.types import ArrayType
from ..state.frame import Frame
from ..state.graph_values import graph_value
from ..state.machine import Machine
from ..values.symbolic import Array, Symbolic
from .arguments import opaque


def is_exact(ufunc: np.ufunc, *dtypes: np.dtype[Any]) -> bool:
    """True if the ufunc's results are exact, in whatever order it computes."""
    kinds = {dtype.kind for dtype in dtypes}
    return ("c" if "c" in kinds else "f") in primitive(ufunc).exact or not kinds & {"f", "c"}


def called_in_place(
    machine: Machine,
    frame: Frame,
    function: Callable[..., Any],
    operands: tuple[Symbolic, Symbolic],
) -> bool:
    """Call `x function= y` as it is, if it has to be; return True if so."""
    row = primitive(function)
    if row.in_place is None or row.ufunc is None or primitive(row.ufunc).exact == "fc":
        return False
    into = _Into(row.ufunc, operands, operands[0])
    return _called(machine, frame, into, row.in_place, {})


def called_into(
    machine: Machine,
    frame: Frame,
    ufunc: np.ufunc,
    operands: tuple[Symbolic, ...],
    out: Array,
    keywords: Mapping[str, Symbolic],
) -> bool:
    """Call `ufunc(*operands, out=out)` as it is, if it has to be; return True if so."""
    into = _Into(ufunc, operands, out)
    return _called(machine, frame, into, ufunc, {**keywords, "out": out})


@dataclass(frozen=True, slots=True)
class _Into:
    """A ufunc of some operands, whose result is written into an array."""

    ufunc: np.ufunc
    operands: tuple[Symbolic, ...]
    out: Symbolic


def _called(
    machine: Machine,
    frame: Frame,
    into: _Into,
    function: Callable[..., Any],
    keywords: Mapping[str, Symbolic],
) -> bool:
    """Call `function(*operands, **keywords)`, which does that, as it is, if it has to be."""
    ufunc, operands, out = into.ufunc, into.operands, into.out
    assert isinstance(out, Array)
    values = tuple(graph_value(machine, one) for one in operands)
    if ufunc.signature is not None or ufunc.nout != 1 or len(values) != ufunc.nin:
        return False
    try:
        fresh = machine.builder.infer(UFUNC, values, {"ufunc": ufunc})
    except CannotInfer:
        return False  # it is handled where the result is used
    if is_exact(ufunc, *(value.type.dtype for value in values), fresh.dtype):
        return False
    layout = out.type.layout
    single = all(dim == 1 for dim in map(machine.builder.resolve, out.type.dims))
    beside = [one for one in values if isinstance(one.type, ArrayType) and one is not out.value]
    if (
        layout.packed
        and isinstance(fresh, ArrayType)
        and layout == fresh.layout
        and not single
        and not any(machine.memory.root(one) is machine.memory.root(out.value) for one in beside)
    ):
        require_disjoint(machine, frame, out, beside)
        return False
    inputs, made = opaque(machine, function, operands, keywords)
    where = frame.location()
    machine.change_memory(PUT, out.value, inputs, {"call": made}, where, may_stop_midway=True)
    return True


def require_disjoint(machine: Machine, frame: Frame, out: Array, beside: list[ir.Value]) -> None:
    """Bail if an operand overlaps the output, as NumPy's loops then go element by element."""
    memory = machine.memory
    for one in dict.fromkeys(beside):
        if not (memory.are_disjoint(one, out.value) or memory.are_disjoint(out.value, one)):
            machine.builder.effect(DISJOINT, (out.value, one), {}, frame.location())
