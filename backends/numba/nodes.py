"""Scalars and control: constants, lengths, arithmetic, checkpoints, exits."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...jit.config import debug_mode
from ...jit.ir.graph import Node
from ...jit.ir.types import ArrayType, ScalarType
from .intrinsics import storage_name
from .native import Flags
from .scalars import scalar_row
from .writer import KernelWriter, writes


@writes("const")
def write_const(writer: KernelWriter, node: Node) -> bool:
    value = node.outputs[0]
    type_ = value.type
    assert isinstance(type_, ScalarType)
    writer.constants[value] = node.attrs["value"]
    if storage_name(type_.dtype) is not None:
        writer.scalars[value] = constant_text(node.attrs["value"], type_)
    return True


@writes("dim")
def write_dim(writer: KernelWriter, node: Node) -> bool:
    type_ = node.inputs[0].type
    assert isinstance(type_, ArrayType)
    writer.scalars[node.outputs[0]] = writer.dim(type_.dims[node.attrs["axis"]])
    return True


@writes("operator")
def write_operator(writer: KernelWriter, node: Node) -> bool:
    row = scalar_row(node)
    if row is None:
        return False
    result = node.outputs[0]
    kind = storage_name(result.type.dtype)
    operands = [writer.scalars[value] for value in node.inputs]
    if row.bail:
        writer.bail_if(row.bail.format(*operands), "eager raises, or has a bigger int")
    attributed = writer.attribute and row.flags is Flags.REPORTS
    if attributed:
        writer.declare_flags(node)
        writer.source.line("set_status(get_status() & ~63)")
    # In a region the plain kernel takes a flag that should be silent for one that is not: it bails,
    # and the attributing kernel is exact.
    exact = writer.attribute or not writer.regions
    status = writer.source.name("status") if exact and row.flags is Flags.SILENT else None
    if status:
        writer.source.line(f"{status} = get_status()")
    if attributed or status:
        operands = [
            f"pinned({text})" if value.type.dtype.kind == "f" else text
            for value, text in zip(node.inputs, operands, strict=True)
        ]
    text = f"{kind}({row.template.format(*operands)})"
    if not exact and row.flags is Flags.REPORTS and result not in writer.anchored:
        text = f"pinned({text})"
    writer.scalar(result, text)
    if exact:
        writer.store_scalar(result)  # in memory: the operation stays where its flags count
    if status:
        writer.source.line(f"set_status({status})")
    if attributed:
        writer.source.line(f"{writer.flags_of(node)} |= raised_flags()")
    writer.n_fused += bool(writer.loops)
    if row.flags is Flags.REPORTS or (row.flags is Flags.SILENT and not exact):
        writer.may_report()
    return True


@writes("checkpoint")
def write_checkpoint(writer: KernelWriter, node: Node) -> bool:
    writer.settle_flags()  # what eager would have reported by now must not be forgotten
    writer.objects_ready(node.inputs)
    writer.checkpoint = node.attrs["exit"]
    if writer.undoes:
        writer.source.line("commit(w, 0)")
    if debug_mode("bail_everywhere"):
        writer.bail_if(f"due(w, {writer.checkpoint}) != 0", "hostile mode")
    return True


@writes("leave")
def write_leave(writer: KernelWriter, node: Node) -> bool:
    writer.objects_ready(node.inputs)
    writer.leave_normally(node.attrs["exit"])
    return True


def constant_text(value: Any, type_: ScalarType) -> str:
    """A literal with exactly these bits."""
    if type_.dtype.kind == "b":
        return f"uint8({int(value)})"
    if type_.dtype.kind in "iu":
        return f"{type_.dtype.name}({int(value)})"
    if type_.dtype.kind == "c":
        real, imaginary = (
            constant_text(part, ScalarType(np.dtype(float), python=True))
            for part in (complex(value).real, complex(value).imag)
        )
        return f"{type_.dtype.name}(complex({real}, {imaginary}))"
    number = float(value)
    if np.isfinite(number):
        return f"{type_.dtype.name}({number!r})"
    return f"{type_.dtype.name}({'nan' if number != number else 'inf' if number > 0 else '-inf'})"
