"""Draws of random numbers: methods of NumPy's generators, called by the kernel in program order.

A bail restores the generator to the last checkpoint, and eager draws again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...guards.kinds import IsType
from ...guards.sources import Fixed
from ...jit.generators import KINDS, warns_late
from ...jit.ir import graph as ir
from ...jit.ir.infer import CannotInfer
from ...jit.ir.opaque import OpaqueCall
from ...jit.ir.ops import DRAW, MAKE, PUT
from ...jit.ir.types import ArrayType, ObjectType
from ..capture.arrays.arguments import opaque
from ..capture.arrays.nodes import add, handed_on
from ..capture.state.invocation import Invocation
from ..capture.state.machine import Machine
from ..capture.values.symbolic import Array, Instance, Known, Opaque, Scalar, Symbolic
from .pure import may_call_back

WITHOUT_RESULT = ("seed", "shuffle")
"""Methods that return nothing."""


def draw(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """Capture the call of a generator's method; None if its owner is no plain generator.

    Raises:
        GraphBreak: it does more than draw, like `shuffle`, or graphs cannot hold its result.
    """
    machine, frame = call.machine, call.frame
    generator = _generator(machine, call.realised()[0]) if call.arguments else None
    if generator is None or may_call_back(call):
        return None
    if function.__name__ in WITHOUT_RESULT:
        return _change(function, generator, call)
    inputs, made = opaque(machine, function, (generator, *call.arguments[1:]), call.keywords)
    ints = [one for one in inputs if one.type.dtype.kind in "iu"]
    is_length = machine.builder.is_length
    deciding = [one for one in ints if one.hint is None or not is_length(one)]
    late = warns_late(made.name) or _may_have_other_axes(machine, inputs, made, deciding)
    undone = machine.undone_by_bail((generator.value,), late)
    attrs = {"call": made, "visible": not undone}
    result = handed_on(add(machine, frame, DRAW, inputs, attrs, made.name))
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
    """True if a drawn result may differ in kind from the one at capture.

    A deciding int may be a length; then the result is 1-d and any length is fine. A deciding array
    of ints may be a shape.
    """
    if not deciding or any(isinstance(value.type, ArrayType) for value in deciding):
        return bool(deciding)
    try:
        type_ = machine.builder.infer(DRAW, inputs, {"call": call})
    except CannotInfer:
        return False  # graphs cannot hold the result
    return isinstance(type_, ArrayType) and type_.ndim != 1


def _forget_length(machine: Machine, result: Array | Scalar | Opaque) -> None:
    """Let a 1-d result have any length, because it cannot be drawn again."""
    if isinstance(result, Array) and result.type.ndim == 1:
        (dim,) = result.type.dims
        length = dim if isinstance(dim, int) else machine.builder.length_at_capture(dim)
        dims = (machine.builder.fresh_sym(length),)
        result.value.type = replace(result.type, dims=dims)


def _change(function: Callable[..., Any], generator: Scalar, call: Invocation) -> Symbolic | None:
    """Capture a method that permutes an array or reseeds the generator."""
    machine, arguments = call.machine, (generator, *call.realised()[1:])
    changed = arguments[1] if function.__name__ == "shuffle" and len(arguments) > 1 else None
    if function.__name__ == "shuffle" and not isinstance(changed, Array):
        return None
    inputs, made = opaque(machine, function, arguments, call.keywords)
    where, attrs = call.frame.location(), {"call": made}
    undone = machine.undone_by_bail((generator.value,), may_stop_midway=changed is not None)
    if isinstance(changed, Array):
        machine.change_memory(PUT, changed.value, inputs, attrs, where, may_stop_midway=True)
    else:
        machine.builder.effect(PUT, inputs, {**attrs, "visible": not undone}, where)
    if not undone:
        machine.changed_for_good()
    return Known(None)


def seed_global(call: Invocation) -> Symbolic | None:
    """Capture `np.random.seed(...)`, a method of the shared global generator."""
    shared = np.random.mtrand._rand
    owner = Instance(type(shared), Fixed.of(shared, "NumPy's generator"), shared)
    return draw(np.random.RandomState.seed, call.of(owner))


def make(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """Make a generator; None in a branch or loop, or if it is uncertain to be one."""
    machine = call.machine
    given = (*call.realised(), *call.realised_keywords().values())
    if machine.is_inner or not all(map(_is_seed, given)):
        return None
    kind = np.random.RandomState if function is np.random.RandomState else np.random.Generator
    inputs, made = opaque(machine, function, call.arguments, call.keywords)
    value = machine.builder.typed(MAKE, inputs, {"call": made}, ObjectType.of(kind))
    return Opaque(value, kind)


def _is_seed(value: Symbolic) -> bool:
    if isinstance(value, Known):
        return value.object is None or type(value.object) is int
    return isinstance(value, Scalar) and value.type.dtype.kind in "iu"


def _generator(machine: Machine, owner: Symbolic) -> Scalar | None:
    """Return a generator as an input of a node; None for anything else."""
    if isinstance(owner, Opaque) and owner.kind in KINDS:
        return Scalar(owner.value)
    if not isinstance(owner, Instance) or owner.kind not in KINDS:
        return None
    assert owner.source is not None, "one that is made here is an Opaque"
    for value, source in zip(machine.builder.params, machine.param_sources, strict=True):
        if isinstance(value.type, ObjectType) and source == owner.source:
            return Scalar(value, source)
    machine.guard(IsType.exactly(owner.source, owner.kind))
    value = machine.builder.param(ObjectType.of(owner.kind))
    machine.param_sources.append(owner.source)
    return Scalar(value, owner.source)
