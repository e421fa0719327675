"""Opaque nodes: the real function is called from inside the kernel, through the run time."""

from __future__ import annotations

import struct

from ...jit.ir.graph import Call, Constant, Leaf, Node, Recipe, Value
from ...jit.ir.opaque import OpaqueCall, Strict
from ...jit.ir.ops import OPAQUE, REDUCE
from ...jit.ir.types import ArrayType, ScalarType, Sym
from ...jit.results import result_guards
from .intrinsics import storage_name
from .writer import KernelWriter, writes

CALL = struct.Struct("=5i")


@writes("opaque")
def write_call(writer: KernelWriter, node: Node) -> bool:
    """Emits the call of one node; its result is checked against the type that capture expected."""
    tables = writer.tables
    writer.objects_ready(node.inputs)
    result = node.outputs[0]
    slot = tables.fresh_slot()
    if isinstance(result.type, ArrayType):
        word = tables.load_array(slot, result.type.ndim)
    else:
        word = tables.load_scalar(slot, result.type)
    guards, count = result_guards(result.type, slot, tables.n_slots, tables.objects)
    recipe = writer.n_exits + len(writer.call_recipes)
    tables.calls.append(CALL.pack(recipe, slot, len(tables.loads) - 1, tables.n_guards, count))
    tables.guards.append(guards)
    tables.n_guards += count
    writer.call_recipes.append(call_recipe(writer, node))
    writer.collect()
    writer.n_opaque += 1
    writer.bail_if(f"call(w, {len(tables.calls) - 1}) != 0", _title(node))
    _receive(writer, result, word, slot)
    return True


def call_recipe(writer: KernelWriter, node: Node) -> Recipe:
    """The recipe that makes the call."""
    inputs = tuple(
        Constant(writer.constants[v]) if v in writer.constants else Leaf(v) for v in node.inputs
    )
    if node.op is OPAQUE:
        made: OpaqueCall = node.attrs["call"]
        return Call(made.plain() or Strict(made), inputs)
    function = node.attrs.get("ufunc") or node.attrs.get("function")
    if function is None or node.op is REDUCE:
        reference, attrs = node.op.reference, node.attrs
        assert reference is not None
        return Call(reference, (Constant(attrs), *inputs))
    return Call(function, inputs)


def _receive(writer: KernelWriter, result: Value, word: int, slot: int) -> None:
    type_ = result.type
    if isinstance(type_, ScalarType):
        writer.words_of[result] = word
        if storage_name(type_.dtype) is not None:
            writer.scalar(result, writer.read_scalar(word, type_))
        return
    known = [
        f"w[{word + 1 + axis}] != {writer.dim(dim)}"
        for axis, dim in enumerate(type_.dims)
        if (isinstance(dim, int) and dim > 1) or (isinstance(dim, Sym) and dim in writer.syms)
    ]
    if known:
        writer.bail_if(" or ".join(known), "another size than at capture")
    writer.array(result, word, slot)


def _title(node: Node) -> str:
    if node.op is OPAQUE:
        name: str = node.attrs["call"].name
        return name
    function = node.attrs.get("ufunc") or node.attrs.get("function")
    return getattr(function, "__name__", None) or node.op.name
