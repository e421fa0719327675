"""Opaque nodes: the kernel calls the real function through the run time."""

from __future__ import annotations

import operator
import struct
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from ....jit.attributes import Attributes
from ....jit.checks import Check
from ....jit.filters import Strict
from ....jit.flags import Within
from ....jit.generators import draws_silently
from ....jit.ir.graph import Build, Call, Constant, Leaf, Node, Recipe, Slot, Value
from ....jit.ir.indexing import Ref
from ....jit.ir.nests import Nest
from ....jit.ir.opaque import Bounds, OpaqueCall, has_ref, is_compiled
from ....jit.ir.ops import DRAW
from ....jit.ir.types import ArrayType, ObjectType, ScalarType
from ....jit.results import items_guards, result_guards
from ..library.names import storage_name
from ..native import trapped_flags
from ..writer import KernelWriter, writes
from .inner_loops import lower_x87_flags

CALL = struct.Struct("=6i")
NO_LOAD = -1
"""Marks a result that is not loaded into words."""


@writes("opaque")
def write_call(writer: KernelWriter, node: Node) -> bool:
    """Write the call of one node; guards check its result against the type seen at capture."""
    writer.objects_ready(node.inputs)
    writer.n_opaque += 1
    owned = bool(node.attrs.get("owned"))
    _write_result(writer, node.outputs[0], call_recipe(writer, node), _title(node), owned=owned)
    return True


@writes("make")
def write_make(writer: KernelWriter, node: Node) -> bool:
    """Write a call that makes a random generator."""
    writer.objects_ready(node.inputs)
    writer.n_opaque += 1
    _write_object(writer, node.outputs[0], call_recipe(writer, node), _title(node))
    return True


@writes("draw")
def write_draw(writer: KernelWriter, node: Node) -> bool:
    """Write a call that changes the state of a generator."""
    if node.attrs["visible"]:
        writer.settle_flags()
    return write_call(writer, node)


@writes("put")
def write_put(writer: KernelWriter, node: Node) -> bool:
    """Write a call that writes into one of its arguments."""
    if node.attrs["visible"]:
        writer.settle_flags()
    writer.objects_ready(node.inputs)
    writer.n_opaque += 1
    write_bare_call(writer, call_recipe(writer, node), "put")
    return True


@writes("items")
def write_items(writer: KernelWriter, node: Node) -> bool:
    """Write a call that returns a tuple or list, and the extraction of its items."""
    writer.objects_ready(node.inputs)
    writer.n_opaque += 1
    values = iter(node.outputs)
    _write_nest(writer, node.attrs["nest"], values, call_recipe(writer, node), _title(node))
    return True


def _write_nest(
    writer: KernelWriter, nest: Nest, values: Iterator[Value], recipe: Recipe, title: str
) -> None:
    """Write the call of a function that returns a nest, and the extraction of its items."""
    slot = writer.tables.fresh_slot()
    count = len(nest.items)
    guards = items_guards(nest.kind, count, slot, writer.tables.n_slots, writer.tables.objects)
    _write_one_call(writer, slot, NO_LOAD, guards, recipe, title)
    for k, inner in enumerate(nest.items):
        item = Call(operator.getitem, (Slot(slot), Constant(k)))
        if inner is None:
            _write_result(writer, next(values), item, f"item {k}")
        else:
            _write_nest(writer, inner, values, item, f"item {k}")


def _write_object(writer: KernelWriter, made: Value, recipe: Recipe, title: str) -> None:
    """Write a call that returns an object which is only passed on."""
    slot = writer.tables.fresh_slot()
    guards = result_guards(made.type, slot, writer.tables.n_slots, writer.tables.objects)
    _write_one_call(writer, slot, NO_LOAD, guards, recipe, title)
    writer.objects[made] = slot


def _write_result(
    writer: KernelWriter, result: Value, recipe: Recipe, title: str, *, owned: bool = False
) -> None:
    """Write a call that returns one graph value."""
    if isinstance(result.type, ObjectType):
        _write_object(writer, result, recipe, title)
        return
    tables = writer.tables
    slot = tables.fresh_slot()
    if isinstance(result.type, ArrayType):
        word = tables.load_array(slot, result.type.ndim)
    else:
        # A loop written twice, with and without checks, must use one word, as recipes know only
        # one.
        word = tables.load_scalar(slot, result.type, writer.words_of.get(result))
    guards = result_guards(result.type, slot, tables.n_slots, tables.objects, owned=owned)
    _write_one_call(writer, slot, len(tables.loads) - 1, guards, recipe, title)
    _receive(writer, result, word, slot)
    if owned and isinstance(result.type, ArrayType):
        writer.own(result)


def write_bare_call(writer: KernelWriter, recipe: Recipe, title: str) -> int:
    """Write a call whose result is not loaded; return its slot."""
    slot = writer.tables.fresh_slot()
    _write_one_call(writer, slot, NO_LOAD, (b"", 0), recipe, title)
    return slot


def _write_one_call(
    writer: KernelWriter,
    slot: int,
    load: int,
    guards: tuple[bytes, int],
    recipe: Recipe,
    title: str,
) -> None:
    writer.collect()
    tables = writer.tables
    packed, count = guards
    looks = not (isinstance(recipe, Call) and draws_silently(recipe.function))
    number = writer.n_exits + len(writer.call_recipes)
    tables.calls.append(CALL.pack(number, slot, load, tables.n_guards, count, looks))
    tables.guards.append(packed)
    tables.n_guards += count
    writer.call_recipes.append(recipe)
    writer.checked_facts.only_warns = False
    writer.bail_if(f"call(w, {len(tables.calls) - 1}) != 0", Check.CALL, title)
    if writer.loops:
        lower_x87_flags(writer)


def call_recipe(writer: KernelWriter, node: Node) -> Recipe:
    """Return the recipe that makes the call."""
    made = _call_recipe(writer, node)
    if isinstance(made, Call) and trapped_flags(node):
        assert node.location is not None
        return Call(Within(made.function, node.location.modes), made.args)
    return made


def _call_recipe(writer: KernelWriter, node: Node) -> Recipe:
    inputs = tuple(
        Constant(writer.known.constants[v]) if v in writer.known.constants else Leaf(v)
        for v in node.inputs
    )
    if "call" in node.attrs:
        made: OpaqueCall = node.attrs["call"]
        return _opaque_recipe(made.positional() if node.op is DRAW else made, inputs)
    function = node.attrs.get("ufunc") or node.attrs.get("function")
    if function is None or node.op.by_method or "swaps" in node.attrs:
        reference, attrs = node.op.reference, node.attrs
        assert reference is not None
        return Call(reference, (Constant(Attributes(attrs)), *inputs))
    return Call(function, inputs)


def _opaque_recipe(made: OpaqueCall, inputs: Sequence[Recipe]) -> Recipe:
    """Return a recipe of the call; arguments passed by keyword need a Python function."""
    if any(map(has_ref, made.kwargs.values())):
        return Call(made if is_compiled(made.function) else Strict(made), tuple(inputs))
    function = made.strict
    called = partial(function, **made.kwargs) if made.kwargs else function
    return Call(called, tuple(_argument(arg, inputs) for arg in made.args))


def _argument(template: Any, inputs: Sequence[Recipe]) -> Recipe:
    if isinstance(template, Ref):
        return inputs[template.position]
    if type(template) in (tuple, list):
        kind = type(template).__name__
        return Build(kind, tuple(_argument(item, inputs) for item in template))
    if type(template) is Bounds:
        return Call(template.kind, tuple(_argument(part, inputs) for part in template.parts))
    return Constant(template)


def _receive(writer: KernelWriter, result: Value, word: int, slot: int) -> None:
    type_ = result.type
    if isinstance(type_, ScalarType):
        writer.stands_in(result, word)
        if storage_name(type_.dtype) is not None:
            writer.scalar(result, writer.read_scalar(word, type_))
        return
    writer.match_known_dims(type_, word, if_any=False, least=2)
    writer.array(result, word, slot)


def _title(node: Node) -> str:
    if "call" in node.attrs:
        name: str = node.attrs["call"].name
        return name
    function = node.attrs.get("ufunc") or node.attrs.get("function")
    return getattr(function, "__name__", None) or node.op.name
