"""Globals, closures and attributes."""

from __future__ import annotations

import builtins
import operator
import types
from typing import Any

import numpy as np

from ....guards.sources import Attribute, Contents, Global, Held, Source
from ... import numpy_calls
from ...numpy_calls import length
from ..breaks import ATTRIBUTE, UNBOUND, GraphBreak
from ..live import look
from ..machine import Frame, Machine, handles
from ..values import NULL, Array, Instance, Known, Method, Scalar, Sequence, Symbolic, Unread
from .operators import apply


@handles("LOAD_GLOBAL")
def load_global(machine: Machine, frame: Frame, name: str) -> None:
    namespace = frame.namespace
    behind = namespace.get("__builtins__", builtins.__dict__)
    behind = behind if isinstance(behind, dict) else vars(behind)
    if name not in namespace and name not in behind:
        raise GraphBreak(UNBOUND, f"name `{name}` is not defined")
    found = namespace[name] if name in namespace else behind[name]
    source = Global(name, str(namespace.get("__name__")), namespace)
    frame.stack.append(Unread(source, found))


@handles("LOAD_DEREF")
def load_deref(machine: Machine, frame: Frame, slot: int) -> None:
    cell = frame.cells.get(slot)
    if not isinstance(cell, Known) or not isinstance(cell.object, types.CellType):
        raise GraphBreak(UNBOUND, f"closure variable `{frame.decoded.localsplus[slot]}`")
    name = frame.decoded.localsplus[slot]
    try:
        contents = cell.object.cell_contents
    except ValueError:
        raise GraphBreak(UNBOUND, f"closure variable `{name}`") from None
    # The cells of a closure are the function's; a cell that came as a live-in is this call's.
    source: Source = Contents(name, cell.object, id(cell.object))
    if cell.source is not None:
        source = Held(cell.source, name)
    frame.stack.append(Unread(source, contents))


@handles("COPY_FREE_VARS")
def copy_free_vars(machine: Machine, frame: Frame, count: int) -> None:
    """The cells were put into the frame when it was made."""


@handles("LOAD_ATTR")
def load_attr(machine: Machine, frame: Frame, name: str) -> None:
    frame.stack.append(attribute(machine, frame, look(machine, frame.stack.pop()), name))


@handles("LOAD_METHOD")
def load_method(machine: Machine, frame: Frame, arg: Any) -> None:
    value = attribute(machine, frame, look(machine, frame.stack.pop()), arg.name)
    frame.stack.extend((NULL, value) if arg.null_first else (value, NULL))


def attribute(machine: Machine, frame: Frame, owner: Symbolic, name: str) -> Symbolic:
    """What `owner.name` is."""
    if isinstance(owner, Array):
        return _array_attribute(machine, frame, owner, name)
    if isinstance(owner, Scalar):
        return Method(owner, name)
    if isinstance(owner, Known):
        return _known_attribute(owner, name)
    if isinstance(owner, Sequence) and name in getattr(owner.named, "_fields", ()):
        return owner.items[owner.named._fields.index(name)]  # type: ignore[union-attr]
    if isinstance(owner, Sequence | Instance):
        raise GraphBreak(ATTRIBUTE, f"attribute `{name}` of {_what(owner)}")
    raise GraphBreak(ATTRIBUTE, f"attribute `{name}`")


def _array_attribute(machine: Machine, frame: Frame, owner: Array, name: str) -> Symbolic:
    if name == "shape":
        dims = range(owner.type.ndim)
        return Sequence("tuple", tuple(length(machine, owner, axis) for axis in dims))
    if name == "T":
        transposed = numpy_calls.transpose(machine, frame, owner)
        assert transposed is not None
        return transposed
    if name == "size":
        return size(machine, frame, owner)
    if name == "ndim":
        return Known(owner.type.ndim)
    if name == "dtype":
        return Known(owner.type.dtype)
    if name == "itemsize":
        return Known(owner.type.dtype.itemsize)
    if callable(getattr(np.ndarray, name, None)):
        return Method(owner, name)
    raise GraphBreak(ATTRIBUTE, f"attribute `{name}` of an array")


def size(machine: Machine, frame: Frame, owner: Array) -> Symbolic:
    """The number of elements: the product of the lengths."""
    total: Symbolic = Known(1)
    for axis in range(owner.type.ndim):
        factors = (total, length(machine, owner, axis))
        total = apply(machine, frame, operator.mul, factors)
    return total


def _known_attribute(owner: Known, name: str) -> Symbolic:
    """Attributes of modules and of immutable objects; a module's are guarded like globals."""
    object_ = owner.object
    if isinstance(object_, types.ModuleType) and name in vars(object_):
        found = vars(object_)[name]
        if owner.source is None:
            return Known(found)
        return Unread(Global(name, object_.__name__, vars(object_)), found)
    if isinstance(object_, types.ModuleType | np.ufunc | np.dtype | type):
        try:
            found = getattr(object_, name)
        except AttributeError as error:
            raise GraphBreak(ATTRIBUTE, str(error)) from None
        if owner.source is not None and not isinstance(object_, np.ufunc | np.dtype):
            return Unread(Attribute(owner.source, name), found)
        return Known(found)
    raise GraphBreak(ATTRIBUTE, f"attribute `{name}` of {type(object_).__name__}")


def _what(value: Symbolic) -> str:
    if isinstance(value, Instance):
        return f"{value.source} ({type(value.object).__name__})"
    return type(value).__name__.lower()
