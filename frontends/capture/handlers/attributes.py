"""Attributes of arrays, modules, classes, and objects of user classes."""

from __future__ import annotations

import enum
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ....guards.kinds import IsType
from ....guards.objects import MISSING
from ....guards.sources import Attribute, Fixed
from ....jit import generators
from ....jit.filters import filtered
from ....jit.ir.ops import PART, TRANSPOSE
from ...numpy.numpy_calls import length, view
from ..arrays.nodes import opaque_call
from ..objects import attributes, named_tuples
from ..state.behaviour import behaviour_of
from ..state.exact import exact_class
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine, handles
from ..values.breaks import ATTRIBUTE, EFFECT, GraphBreak
from ..values.class_namespaces import class_has, class_lookup
from ..values.folding import is_constant
from ..values.python_bodies import is_of_a_library
from ..values.slices import Slice
from ..values.symbolic import (
    NULL,
    Array,
    BoundMethod,
    Dict,
    Instance,
    Known,
    Lazy,
    List,
    Method,
    Opaque,
    Scalar,
    Symbolic,
    Tuple,
)
from ..values.value_kind import OfParts
from ..values.wording import in_words, refusal
from .calls import call_value, is_of_numpy
from .flags import Flags
from .flat import WRITTEN, Flat, write_attribute
from .names import global_of
from .operators import apply
from .scalars import scalar_attribute


@handles("LOAD_ATTR")
def load_attr(machine: Machine, frame: Frame, name: str) -> None:
    frame.stack.append(attribute(machine, frame, frame.stack.pop(), name))


@handles("LOAD_METHOD")
def load_method(machine: Machine, frame: Frame, arg: Any) -> None:
    """Load a method; an array's stays a function and its owner, since errors name the class."""
    value = attribute(machine, frame, frame.stack.pop(), arg.name)
    if isinstance(value, Method):
        function = getattr(exact_class(machine, value.owner), value.name, None)
        if type(function) is types.MethodDescriptorType and is_of_numpy(value.owner):
            frame.stack.extend((Known(function), value.owner))
            return
    frame.stack.extend((NULL, value) if arg.null_first else (value, NULL))


@handles("STORE_ATTR")
def store_attr(machine: Machine, frame: Frame, name: str) -> None:
    owner, value = realise(machine, frame.stack.pop()), frame.stack.pop()
    if isinstance(owner, Array) and name in WRITTEN:
        write_attribute(machine, frame, owner, name, value)
        return
    if not isinstance(owner, Instance):
        raise GraphBreak(EFFECT, f"an assignment to attribute `{name}` of {in_words(owner)}")
    attributes.set_attribute(machine, owner, name, value)


@handles("DELETE_ATTR")
def delete_attr(machine: Machine, frame: Frame, name: str) -> None:
    owner = realise(machine, frame.stack.pop())
    if not isinstance(owner, Instance):
        raise GraphBreak(EFFECT, f"a deletion of attribute `{name}` of {in_words(owner)}")
    attributes.delete_attribute(machine, owner, name, calls_from(machine, frame))


def calls_from(machine: Machine, frame: Frame) -> attributes.Call:
    """Return a function that makes calls as the frame's current instruction."""
    return lambda function, arguments: call_value(
        function, Invocation(machine, frame, arguments, {})
    )


def attribute(machine: Machine, frame: Frame, owner: Symbolic, name: str) -> Symbolic:
    """Return `owner.name`."""
    owner = realise(machine, owner)
    if name == "__class__":
        kind = exact_class(machine, owner)
        own = object.__dict__["__class__"]
        if kind is not None and class_lookup(kind, "__class__") is own:
            return Known(kind)
    match owner:
        case Array():
            return _array_attribute(machine, frame, owner, name)
        case Opaque(kind=kind) if generators.is_method(vars(kind).get(name)):
            return BoundMethod(Known(vars(kind)[name]), owner)
        case Scalar() if class_has(exact_class(machine, owner), name):
            return scalar_attribute(machine, frame, owner, name)
        case Known():
            return _known_attribute(machine, owner, name)
        case Instance():
            return attributes.get_attribute(machine, owner, name, calls_from(machine, frame))
        case Tuple():
            return named_tuples.get_attribute(machine, owner, name, calls_from(machine, frame))
        case List() | Dict():
            kind = list if isinstance(owner, List) else dict
            if isinstance(getattr(kind, name, None), types.MethodDescriptorType):
                return BoundMethod(Known(getattr(kind, name)), owner)
        case OfParts() if (part := owner.part_called(name)) is not None:
            return part
    own = behaviour_of(owner).attribute
    if own is not None and (found := own(machine, frame, owner, name)) is not None:
        return found
    raise refusal(ATTRIBUTE, f"attribute `{name}` of {in_words(owner)}", owner)


def _array_attribute(machine: Machine, frame: Frame, owner: Array, name: str) -> Symbolic:
    row = _OF_ARRAYS.get(name)
    found = None if row is None else row(machine, frame, owner)
    if found is not None:
        return found
    if callable(getattr(np.ndarray, name, None)):
        return Method(owner, name)
    raise GraphBreak(ATTRIBUTE, f"attribute `{name}` of an array")


def _shape(machine: Machine, frame: Frame, owner: Array) -> Symbolic:
    return Tuple(tuple(length(machine, owner, axis) for axis in range(owner.type.ndim)))


def _transposed(machine: Machine, frame: Frame, owner: Array) -> Symbolic:
    axes = (*range(owner.type.ndim),)[::-1]
    return view(machine, TRANSPOSE, owner, (), {"axes": axes})


def _matrices_transposed(machine: Machine, frame: Frame, owner: Array) -> Symbolic | None:
    ndim = owner.type.ndim
    if ndim < 2:
        return None
    axes = (*range(ndim - 2), ndim - 1, ndim - 2)
    return view(machine, TRANSPOSE, owner, (), {"axes": axes})


def _bytes(machine: Machine, frame: Frame, owner: Array) -> Symbolic:
    factors = (size(machine, frame, owner), Known(owner.type.dtype.itemsize))
    return apply(machine, frame, operator.mul, factors)


def _real(machine: Machine, frame: Frame, owner: Array) -> Symbolic:
    if owner.type.dtype.kind != "c":
        return owner
    return view(machine, PART, owner, (), {"name": "real"})


def _imaginary(machine: Machine, frame: Frame, owner: Array) -> Symbolic:
    if owner.type.dtype.kind == "c":
        return view(machine, PART, owner, (), {"name": "imag"})
    return opaque_call(machine, frame, operator.attrgetter("imag"), (owner,), {})


def _strides(machine: Machine, frame: Frame, owner: Array) -> Symbolic:
    """Return the strides if lengths alone decide them.

    Those of axes with length 1 are arbitrary.
    """
    dims = [machine.builder.resolve(dim) for dim in owner.type.dims]
    told = owner.source is not None and all(not isinstance(dim, int) or dim > 1 for dim in dims)
    if not told or not owner.type.layout.is_c:
        return opaque_call(machine, frame, operator.attrgetter("strides"), (owner,), {})
    strides: list[Symbolic] = [Known(owner.type.dtype.itemsize)]
    for axis in range(len(dims) - 1, 0, -1):
        factors = (strides[0], length(machine, owner, axis))
        strides.insert(0, apply(machine, frame, operator.mul, factors))
    return Tuple(tuple(strides[: len(dims)]))


def size(machine: Machine, frame: Frame, owner: Array) -> Symbolic:
    """Return the number of elements, the product of the lengths."""
    total: Symbolic = Known(1)
    for axis in range(owner.type.ndim):
        factors = (total, length(machine, owner, axis))
        total = apply(machine, frame, operator.mul, factors)
    return total


_OF_ARRAYS: dict[str, Callable[[Machine, Frame, Array], Symbolic | None]] = {
    "T": _transposed,
    "device": lambda machine, frame, owner: Known(np.empty(0).device),
    "dtype": lambda machine, frame, owner: Known(owner.type.dtype),
    "flags": lambda machine, frame, owner: Flags(owner),
    "flat": lambda machine, frame, owner: Flat(owner),
    "imag": _imaginary,
    "itemsize": lambda machine, frame, owner: Known(owner.type.dtype.itemsize),
    "mT": _matrices_transposed,
    "nbytes": _bytes,
    "ndim": lambda machine, frame, owner: Known(owner.type.ndim),
    "real": _real,
    "shape": _shape,
    "size": size,
    "strides": _strides,
}
"""Rows for attributes of arrays that are no methods; None for an array without the attribute."""


def _known_attribute(machine: Machine, owner: Known, name: str) -> Symbolic:
    """Return an attribute of a module or immutable object; a module's is guarded like a global."""
    object_ = owner.object
    if issubclass(type(object_), types.ModuleType) and type(object_) is not types.ModuleType:
        raise GraphBreak(ATTRIBUTE, f"attribute `{name}` of a module of a class of its own")
    if isinstance(object_, types.ModuleType) and name in vars(object_):
        if not is_of_a_library(vars(object_)):  # a program may change the class of its own module
            module = Fixed.of(object_, f"module `{object_.__name__}`")
            machine.guard(IsType.exactly(module, types.ModuleType))
        return global_of(machine, vars(object_), name, of_module=True)
    if isinstance(object_, enum.Enum):
        found = attributes.enum_attribute(machine, owner, name)
        if found is not None:
            return found
    if type(object_) is type and name in ("__name__", "__qualname__"):
        class_ = Fixed.of(object_, f"class `{object_.__name__}`")
        return Lazy(Attribute(class_, name), getattr(object_, name))
    if isinstance(object_, type) and not _is_plain_in_class(object_, name):
        raise GraphBreak(ATTRIBUTE, f"attribute `{name}` of class `{object_.__name__}`")
    if isinstance(object_, types.ModuleType) and not is_of_a_library(vars(object_)):
        # Its __getattr__, if any, is code of the user's; those libraries import their submodules.
        raise GraphBreak(ATTRIBUTE, f"attribute `{name}`, which is not in the module")
    if isinstance(object_, types.ModuleType | np.ufunc | np.dtype | np.finfo | np.iinfo | type):
        found = _read(object_, name)
        if owner.source is not None and isinstance(object_, types.ModuleType | type):
            return Lazy(Attribute(owner.source, name), found)
        if isinstance(object_, type) and not is_constant(object_):
            class_ = Fixed.of(object_, f"class `{object_.__name__}`")
            return Lazy(Attribute(class_, name), found)
        return Known(found)
    if isinstance(object_, slice) and name in Slice.part_names:
        return Known(getattr(object_, name))
    if type(object_) in (str, bytes, int, float, complex, bool, tuple):
        found = class_lookup(type(object_), name)
        if isinstance(found, types.MethodDescriptorType):
            return BoundMethod(Known(found), owner)
    raise GraphBreak(ATTRIBUTE, f"attribute `{name}` of {type(object_).__name__}")


def _read(object_: Any, name: str) -> Any:
    """Return an attribute that is the same object each time, unlike `dtype.descr`."""
    try:
        with filtered("error"):
            found, again = getattr(object_, name), getattr(object_, name)
    except Exception as error:  # eager raises it, or warns
        raise GraphBreak(ATTRIBUTE, str(error)) from None
    if found is not again and type(found).__hash__ is None:
        raise GraphBreak(ATTRIBUTE, f"attribute `{name}`, which is a new object at each read")
    return found


def _is_plain_in_class(kind: type, name: str) -> bool:
    """True if reading a class attribute runs no code of the user's."""
    found = class_lookup(kind, name)
    of_metaclass = class_lookup(type(kind), name)
    if hasattr(type(of_metaclass), "__set__") or (found is MISSING):
        return False  # the metaclass decides
    get = class_lookup(type(found), "__get__")
    return found is not MISSING and not isinstance(get, types.FunctionType)
