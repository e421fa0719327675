"""Looking at live-ins: what an object is decides which guards it needs and what stands for it."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from ...guards.kinds import HasLength, IsArray, IsObject, IsType, IsValue
from ...guards.sources import Item, Live, Source
from ...jit.filters import filtered
from ...jit.ir.builder import Builder
from ...jit.ir.types import (
    PYTHON_SCALARS,
    ArrayType,
    Dim,
    Layout,
    ScalarType,
    Sym,
    captured_dtype,
    layout_of,
)
from ...jit.native import MAX_NDIM
from .machine import Machine
from .values import Array, Instance, Known, Method, Scalar, Sequence, Symbolic, Unread

_BY_IDENTITY = (
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    type,
    np.ufunc,
    np.dtype,
)
"""Kinds of object that are what they are: their identity is guarded."""
_BY_VALUE = (type(None), str, bytes, type(Ellipsis))


def look(machine: Machine, value: Symbolic) -> Symbolic:
    """The symbolic value behind an Unread one, with its guards; other values as they are."""
    if not isinstance(value, Unread):
        return value
    if value.source not in machine.realised:
        machine.remember(value.source, _look(machine, value.source, value.object))
    return machine.realised[value.source]


def _look(machine: Machine, source: Source, object_: Any) -> Symbolic:
    if type(object_) is np.ndarray:
        return _array(machine, source, object_)
    python = PYTHON_SCALARS.get(type(object_))
    if python is not None:
        return _scalar(machine, source, object_, python)
    if isinstance(object_, np.generic) and captured_dtype(object_.dtype):
        return _scalar(machine, source, object_, ScalarType(object_.dtype, python=False))
    if type(object_) in (tuple, list):
        machine.guard(IsType(source, type(object_)))
        machine.guard(HasLength(source, len(object_)))
        items = tuple(Unread(Item(source, k), item) for k, item in enumerate(object_))
        return Sequence(type(object_).__name__, items, source)
    if isinstance(object_, _BY_IDENTITY) or callable(object_):
        machine.guard(IsObject(source, object_))
        return Known(object_, source)
    if isinstance(object_, _BY_VALUE):
        machine.guard(IsValue(source, object_))
        return Known(object_, source)
    return Instance(source, object_)


def adopt(machine: Machine, value: Symbolic, builder: Builder, syms: dict[Dim, Dim]) -> Symbolic:
    """A value of another capture as a live-in of this one, for exploring what may come next.

    `builder` is the one that the value comes from; `syms` maps its dims and grows.
    """
    if isinstance(value, Sequence):
        items = tuple(adopt(machine, item, builder, syms) for item in value.items)
        return Sequence(value.kind, items, value.source, value.named)
    if isinstance(value, Method):
        owner = adopt(machine, value.owner, builder, syms)
        assert isinstance(owner, Array | Scalar)
        return Method(owner, value.name)
    if not isinstance(value, Array | Scalar):
        return value
    source = Live(-1, "a value from before")
    machine.param_sources.append(source)
    if isinstance(value, Scalar):
        return Scalar(machine.builder.param(value.type, value.value.hint), source)
    dims = []
    for dim in map(builder.resolve, value.type.dims):
        if isinstance(dim, Sym) and dim not in syms:
            syms[dim] = machine.builder.fresh_sym(builder.lengths.get(dim))
        dims.append(syms.get(dim, dim))
    type_ = ArrayType(value.type.dtype, tuple(dims), value.type.layout)
    param = machine.builder.param(type_)
    machine.writeable[param] = (source, True)
    return Array(param, source)


def _scalar(machine: Machine, source: Source, object_: Any, type_: ScalarType) -> Symbolic:
    if type(object_) is int and not -(2**63) <= object_ < 2**63:
        return Instance(source, object_)
    machine.guard(IsType(source, type(object_)))
    value = machine.builder.param(type_, object_)
    value.name = _plain_name(source)
    machine.param_sources.append(source)
    return Scalar(value, source)


def _array(machine: Machine, source: Source, array: np.ndarray[Any, Any]) -> Symbolic:
    layout = layout_of(array)
    if (
        layout is None
        or not captured_dtype(array.dtype)
        or not array.flags.aligned
        or array.ndim > MAX_NDIM
    ):
        return Instance(source, array)
    machine.guard(array_guard(source, array, layout))
    fresh = machine.builder.fresh_sym
    dims = tuple(n if n < 2 else fresh(n) for n in array.shape)
    value = machine.builder.param(ArrayType(array.dtype, dims, layout))
    value.name = _plain_name(source)
    machine.param_sources.append(source)
    machine.writeable[value] = (source, _is_writeable(array))
    return Array(value, source)


def _is_writeable(array: np.ndarray[Any, Any]) -> bool:
    """Whether a write to the array has nothing to say.

    Results of np.broadcast_arrays warn when they are written to, and when they are asked.
    """
    with filtered("error"):
        try:
            return array.flags.writeable
        except Warning:
            return False


def array_guard(source: Source, array: np.ndarray[Any, Any], layout: Layout) -> IsArray:
    """The guard that an array meets, and all others of its dtype, rank and layout class."""
    memory = "C" if array.flags.c_contiguous else "F" if array.flags.f_contiguous else ""
    order = () if memory else tuple((axis, layout.signs[axis]) for axis in layout.order)
    lengths = tuple(min(n, 2) for n in array.shape)
    return IsArray(source, array.dtype, lengths, memory, order, layout.unit)


def _plain_name(source: Source) -> str:
    """The user's name of a source, for generated text."""
    parts = str(source).split("`")
    return parts[1] if len(parts) > 2 else "a"


def concrete(machine: Machine, value: Symbolic) -> Known | None:
    """The Python value when it is known or may be relied on (then guarded); None otherwise."""
    value = look(machine, value)
    if isinstance(value, Known):
        return value
    if (
        isinstance(value, Scalar)
        and value.source is not None
        and value.type.python
        and value.value.hint is not None  # exploring has no value: both arms are of interest
    ):
        machine.guard(IsValue(value.source, value.value.hint))
        return Known(value.value.hint, value.source)
    return None
