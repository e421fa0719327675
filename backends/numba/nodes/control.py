"""Scalars and control flow: constants, lengths, arithmetic, checkpoints, exits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ....jit.checks import Check
from ....jit.config import debug_mode
from ....jit.ir.graph import Node, Value
from ....jit.ir.types import ArrayType, ScalarType
from ..clusters.lower import HALF, Lowering, lower, lower_as_ufunc
from ..library.names import storage_name
from ..llvm_flags.deferred_checks import defer, defers_ints
from ..llvm_flags.scalar_results import flags_of_number, give_number
from ..native import Flags
from ..numbers.constants import number_in_word
from ..numbers.conversions import convert_number
from ..numbers.libm import address_of_function
from ..numbers.scalars import scalar_row
from ..trapped import keep
from ..writer import KernelWriter, writes
from .inner_loops import InnerLoop, kept_flags_of_one


@writes("const")
def write_const(writer: KernelWriter, node: Node) -> bool:
    value = node.outputs[0]
    type_ = value.type
    assert isinstance(type_, ScalarType)
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
    row = scalar_row(node, writer.known.constants, writer.known.naturals_at(node))
    if row is None:
        lowering = lower_as_ufunc(node)
        return lowering is not None and write_as_ufunc(writer, node, lowering)
    address = None
    if row.library:
        address = address_of_function(row.library)
        if address is None:
            return False
    kinds = [row.compute or storage_name(value.type.dtype) for value in node.inputs]
    operands = operand_texts(writer, node, kinds)
    trusted = (
        node in writer.known.cannot_overflow
        or node in writer.checked_after_branch
        or (writer.trust is not None and node in writer.trust.ints)
    )
    is_deferred = bool(row.late) and defers_ints(writer) and not trusted
    if row.before:
        given = row.before.format(*(writer.scalars[value] for value in node.inputs))
        writer.bail_if(given, Check.RAISES)
    if row.bail and not trusted and not is_deferred:
        writer.bail_if(row.bail.format(*operands), Check.INT)
    place = "" if address is None else f"w[{writer.tables.address_word(address)}]"
    with flags_of_number(writer, node, row.flags) as pin:
        checked_later = row.wrapped and (is_deferred or node in writer.checked_after_branch)
        template = row.wrapped if checked_later else row.template
        text = template.format(*map(pin, operands, kinds), f=place)
        if row.check:
            between = writer.source.name("r")
            writer.source.line(f"{between} = {text}")
            writer.bail_if(row.check.format(*operands, r=between), Check.INT)
            text = between
        writer.origins.follow_choice(node, operands)
        give_number(writer, node, text, row.flags)
    if is_deferred:
        made = writer.scalars[node.outputs[0]]
        defer(writer, row.late.format(*operands, r=f"int64({made})"))
    return True


def operand_texts(writer: KernelWriter, node: Node, kinds: Sequence[str | None]) -> list[str]:
    """Return the texts of a node's operands, each converted to a storage type."""
    return [
        operand_text(writer, node, value, kind)
        for value, kind in zip(node.inputs, kinds, strict=True)
    ]


def operand_text(writer: KernelWriter, node: Node, value: Value, kind: str | None) -> str:
    """Return the text of an operand; constants may be read from words."""
    if number_in_word(node, value, kind) and (constant := writer.constants.variable(value)):
        return constant
    text = writer.scalars[value]
    return text if storage_name(value.type.dtype) == kind else f"{kind}({text})"


@writes("ufunc")
def write_ufunc_of_numbers(writer: KernelWriter, node: Node) -> bool:
    """Write a ufunc on scalars."""
    lowering = lower(node)
    if lowering is None or not all(isinstance(v.type, ScalarType) for v in node.inputs):
        return False
    return write_as_ufunc(writer, node, lowering)


def write_as_ufunc(writer: KernelWriter, node: Node, lowering: Lowering) -> bool:
    """Write it as for arrays: LLVM code, or NumPy's inner loop over one element."""
    kinds = [storage_name(dtype) for dtype in lowering.operands]
    if any(kind is None or kind == "uint16" for kind in kinds):
        return False
    if any(value.type.dtype == HALF != dtype for value, dtype in _converted(node, lowering)):
        return False
    assert not lowering.holds, "casts are nodes of arrays"
    operands = list(_operands_of_ufunc(writer, node, lowering))
    result = storage_name(lowering.result)
    if lowering.loop is None:
        with flags_of_number(writer, node, lowering.flags) as pin:
            text = lowering.template.format(*map(pin, operands, kinds), t=result)
            give_number(writer, node, text, lowering.flags)
        return True
    loop = InnerLoop(writer, *lowering.loop)
    places = [writer.tables.reserve(2) for _ in (*kinds, result)]
    for word, kind, text in zip(places, kinds, operands, strict=False):
        writer.source.line(f"{kind}_at(address_of(w, {word}))[0] = {text}")
    if writer.attribute:
        writer.attributed.declare(node)
        writer.source.line("set_status(get_status() & ~63)")
    with kept_flags_of_one(writer, node, loop):
        addresses = [f"address_of(w, {word})" for word in places]
        # eager's operands are 0-d: their strides are 0
        loop.call(addresses, ["1"], [*["0"] * len(kinds), str(lowering.result.itemsize)])
        if writer.attribute:
            keep(writer, node, "raised_flags()")
    give_number(writer, node, f"{result}_at({addresses[-1]})[0]", Flags.PURE)
    writer.may_report()
    return True


def _converted(node: Node, lowering: Lowering) -> Iterator[tuple[Value, np.dtype[Any]]]:
    return zip(node.inputs, lowering.operands, strict=True)


def _operands_of_ufunc(writer: KernelWriter, node: Node, lowering: Lowering) -> Iterator[str]:
    for value, dtype in _converted(node, lowering):
        if value.type.dtype == dtype:
            yield writer.scalars[value]
        else:
            variable = writer.source.name("c")
            convert_number(writer, variable, value, dtype)
            yield variable


@writes("checkpoint")
def write_checkpoint(writer: KernelWriter, node: Node) -> bool:
    writer.settle_flags()  # flags that eager would have reported must not be lost
    writer.objects_ready(node.inputs)
    writer.checkpoint = node.attrs["exit"]
    if writer.known.undoes or writer.attribute:
        writer.source.line("commit(w, 0)")
    if writer.leaves:
        with writer.source.indented(f"if {writer.leaves}:"):
            writer.source.line("commit(w, 0)")
            writer.leave_for(Check.FLAG)
        writer.leaves = ""
    if debug_mode("bail_everywhere"):
        writer.bail_if(f"due(w, {writer.checkpoint}) != 0", Check.OTHER)
    return True


@writes("leave")
def write_leave(writer: KernelWriter, node: Node) -> bool:
    writer.objects_ready(node.inputs)
    writer.leave_normally(node.attrs["exit"])
    return True


def constant_text(value: Any, type_: ScalarType) -> str:
    """Return a literal with exactly these bits."""
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
    if type_.dtype == HALF:
        return f"uint16({np.float16(value).view(np.uint16)})"  # kernels hold the bits of float16
    number = float(value)
    if np.isfinite(number):
        return f"{type_.dtype.name}({number!r})"
    return f"{type_.dtype.name}({'nan' if number != number else 'inf' if number > 0 else '-inf'})"
