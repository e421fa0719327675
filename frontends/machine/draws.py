"""Draws of random numbers: methods of NumPy's generators, called in the kernel where they stand.

A bail takes back what was drawn since the last checkpoint, and eager draws it again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...guards.kinds import IsType
from ...jit.generators import KINDS, warns_late
from ...jit.ir import graph as ir
from ...jit.ir.infer import CannotInfer
from ...jit.ir.opaque import OpaqueCall
from ...jit.ir.ops import DRAW
from ...jit.ir.types import ArrayType, GeneratorType
from .invocation import Invocation
from .live import look
from .machine import Machine
from .nodes import add, opaque
from .pure import may_call_back
from .values import Array, Instance, Scalar, Symbolic


def draw(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """The call of a generator's method; None where its owner is no plain generator.

    Raises:
        GraphBreak: it does more than draw, as `shuffle` does, or gives what no graph holds.
    """
    machine, frame = call.machine, call.frame
    owner = look(machine, call.arguments[0]) if call.arguments else None
    if not isinstance(owner, Instance) or owner.kind not in KINDS or may_call_back(call):
        return None
    generator = _generator(machine, owner)
    inputs, made = opaque(machine, function, (generator, *call.arguments[1:]), call.keywords)
    ints = [one for one in inputs if one.type.dtype.kind in "iu"]
    deciding = [one for one in ints if not machine.builder.is_length(one)]
    late = warns_late(made.name) or _may_have_other_axes(machine, inputs, made, deciding)
    undone = machine.takes_back((generator.value,), late)
    attrs = {"call": made, "visible": not undone}
    result = add(machine, frame, DRAW, inputs, attrs, made.name)
    if not undone:
        machine.changed_for_good()
        if deciding:
            _forget_length(machine, result)
    return result


def _may_have_other_axes(
    machine: Machine,
    inputs: tuple[ir.Value, ...],
    call: OpaqueCall,
    deciding: list[ir.Value],
) -> bool:
    """Whether a result that has been drawn may be no array of the kind that it is at capture.

    A deciding int may be a length: then any length has to do, which it does along one axis. An
    array of ints may be a shape.
    """
    if not deciding or any(isinstance(value.type, ArrayType) for value in deciding):
        return bool(deciding)
    try:
        type_ = machine.builder.infer(DRAW, inputs, {"call": call})
    except CannotInfer:
        return False  # no graph holds it
    return isinstance(type_, ArrayType) and type_.ndim != 1


def _forget_length(machine: Machine, result: Array | Scalar) -> None:
    """Of a result along one axis any length will do: it has been drawn."""
    if isinstance(result, Array) and result.type.ndim == 1:
        (dim,) = result.type.dims
        length = dim if isinstance(dim, int) else machine.builder.length_at_capture(dim)
        dims = (machine.builder.fresh_sym(length),)
        result.value.type = replace(result.type, dims=dims)


def _generator(machine: Machine, owner: Instance) -> Scalar:
    """A generator as an input of the segment."""
    assert owner.source is not None, "no generator is made in a segment"
    for value, source in zip(machine.builder.params, machine.param_sources, strict=True):
        if isinstance(value.type, GeneratorType) and source == owner.source:
            return Scalar(value, source)
    machine.guard(IsType.exactly(owner.source, owner.kind))
    value = machine.builder.param(GeneratorType.of(owner.kind))
    machine.param_sources.append(owner.source)
    return Scalar(value, owner.source)
