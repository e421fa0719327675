"""Realises live-ins: chooses guards and a symbolic value by what the object is."""

from __future__ import annotations

import enum
import types
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ....guards.arrays import IsArray
from ....guards.kinds import HasLength, HasSign, IsObject, IsType, IsValue
from ....guards.sources import Attribute, Fixed, Global, Item, Source
from ....jit.filters import filtered
from ....jit.ir.types import (
    PY_BOOL,
    PY_INT,
    PYTHON_SCALARS,
    ArrayType,
    Layout,
    ScalarType,
    captured_dtype,
    has_backward_item,
    is_numpy_scalar,
    layout_of,
)
from ....jit.native import MAX_NDIM, Dispatcher
from ..values.breaks import NOT_PLAIN, GraphBreak
from ..values.class_namespaces import class_lookup
from ..values.expected import NOT_KNOWN, Expected, Unseen
from ..values.limits import check_length
from ..values.symbolic import (
    Array,
    BoundMethod,
    Cell,
    Dict,
    Instance,
    JittedFunction,
    Known,
    Lazy,
    List,
    Scalar,
    Symbolic,
    Tuple,
    Union,
    UserFunction,
)
from ..values.value_kind import LIVE_INS, OfParts
from .forks import ForkOfTruth, one_kind
from .machine import Machine
from .special_methods import rely_on_special_methods
from .tuple_classes import is_plain, refuse_own_names, rely_on_plain

_LAZY_IMPORT = getattr(types, "LazyImportType", None)
_BY_IDENTITY = (
    types.ModuleType,
    types.CodeType,
    types.NotImplementedType,
    types.FunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    type,
    np.ufunc,
    np.dtype,
)
"""Types whose objects are guarded by identity."""
OF_C_TYPES = (types.BuiltinFunctionType, types.MethodWrapperType)
"""Types of bound methods; functions of C modules have the first type too."""
_BY_VALUE = (type(None), str, bytes, type(Ellipsis))


def realise(machine: Machine, value: Symbolic) -> Symbolic:
    """Return the symbolic value of a live-in, adding guards; other values are returned unchanged.

    Raises:
        ForkOfKinds: it is one of several.
    """
    if isinstance(value, Union):
        value = one_kind(machine, value)
    if isinstance(value, Lazy):
        if value.source not in machine.realised:
            refuse_lazy_import(value.object)
            machine.remember(value.source, _realise(machine, value.source, value.object))
        value = machine.realised[value.source]
    if isinstance(value, List | Dict | Instance):
        return machine.heap.stood_in.get(value, value)
    return value


def refuse_lazy_import(held: object) -> None:
    """Break for what a `lazy import` has left under a name: using the name imports the module."""
    if type(held) is _LAZY_IMPORT:
        raise GraphBreak(NOT_PLAIN, "a module whose import waits for its first use")


def _realise(machine: Machine, source: Source, object_: Any) -> Symbolic:
    # Not isinstance(): it reads `__class__`, which may run code of the user's.
    class_ = type(object_)
    if answers_itself(class_) or (issubclass(class_, type) and answers_itself(object_)):
        raise GraphBreak(NOT_PLAIN, "an object whose metaclass looks attributes up")
    if class_ is np.ndarray:
        return _array(machine, source, object_)
    python = PYTHON_SCALARS.get(class_) if type(class_) is type else None
    if python is not None:
        return _scalar(machine, source, object_, python)
    if is_numpy_scalar(class_):
        return _scalar(machine, source, object_, ScalarType(object_.dtype, python=False))
    if class_ is tuple or (issubclass(class_, tuple) and is_plain(class_)):
        return _tuple(machine, source, object_)
    kind = LIVE_INS.get(class_) if type(class_) is type else None
    if kind is not None:
        return _of_parts(machine, source, object_, kind)
    function = _function(machine, source, object_)
    if function is not None:
        return function
    if class_ is types.MethodType:
        machine.guard(IsType.exactly(source, types.MethodType))
        function = Lazy(Attribute(source, "__func__"), object_.__func__)
        owner = Lazy(Attribute(source, "__self__"), object_.__self__)
        return BoundMethod(function, owner, source)
    if class_ is Expected:
        return _expected(machine, source, object_)
    if class_ is Unseen:
        raise GraphBreak(NOT_PLAIN, f"{object_.what} {NOT_KNOWN}")
    if issubclass(class_, enum.Enum):
        rely_on_special_methods(machine, class_)
        machine.guard(IsObject.of(source, object_))
        return Known(object_, source)
    if _is_fixed(object_):
        machine.guard(IsObject.of(source, object_))
        return Known(object_, source)
    if any(class_ is one for one in _BY_VALUE):  # a subclass may define equality itself
        machine.guard(IsValue(source, object_))
        return Known(object_, source)
    return machine.meet(_object(machine, source, object_))


_READ_OF_CLASSES = frozenset(
    {"__getattribute__", "__dict__", "__mro__", "__flags__", "__name__", "__qualname__"}
)
"""Attributes of classes that the machine reads; `type` answers unless a metaclass defines them."""


def answers_itself(kind: type) -> bool:
    """True if reading a class's bases or name runs code of the user's."""
    get, bases_of = type.__dict__["__dict__"].__get__, type.__dict__["__mro__"].__get__
    if bases_of(kind) is None:
        return True  # the class is being created, and its metaclass determines the bases
    while (kind := type(kind)) is not type:
        made = (base for base in bases_of(kind) if base is not type and base is not object)
        if any(
            not _READ_OF_CLASSES.isdisjoint(get(base)) or _says_its_module(get(base))
            for base in made
        ):
            return True
    return False


def _says_its_module(names: Mapping[str, Any]) -> bool:
    """True if a metaclass runs code for `__module__`."""
    return type(names.get("__module__", "")) not in (str, types.GetSetDescriptorType)


def _is_fixed(object_: Any) -> bool:
    """True if an object is guarded by identity: callables except those of user classes.

    A bound method of a C type is created anew at each look-up, and holds its owner.
    """
    if issubclass(type(object_), OF_C_TYPES):
        owner = object_.__self__
        return owner is None or _is_fixed(owner)
    if issubclass(type(object_), _BY_IDENTITY):
        return True
    in_python = isinstance(class_lookup(type(object_), "__call__"), types.FunctionType)
    return callable(object_) and not in_python


def _function(machine: Machine, source: Source, object_: Any) -> Symbolic | None:
    """Return a function that calls identify by its code; None for all that is guarded otherwise."""
    if isinstance(source, Global):
        return None
    if type(object_) is types.FunctionType:
        if not isinstance(source, Fixed):
            machine.guard(IsType.exactly(source, types.FunctionType))
        return UserFunction(object_, source)
    if type(object_) is Dispatcher and not isinstance(source, Fixed):
        machine.guard(IsType.exactly(source, Dispatcher))
        return JittedFunction(object_, source)
    return None


def _tuple(machine: Machine, source: Source, object_: tuple[Any, ...]) -> Symbolic:
    machine.guard(IsType.of(source, object_))
    machine.guard(HasLength(source, check_length(object_)))
    if type(object_) is not tuple:
        refuse_own_names(object_)
        rely_on_plain(machine, type(object_))
    items = tuple(Lazy(Item(source, k), item) for k, item in enumerate(object_))
    return Tuple(items, source, None if type(object_) is tuple else type(object_))


def _of_parts(machine: Machine, source: Source, object_: Any, kind: type[OfParts]) -> OfParts:
    machine.guard(IsType.of(source, object_))
    parts: tuple[Symbolic, ...] = tuple(
        Lazy(Attribute(source, name), getattr(object_, name)) for name in kind.part_names
    )
    if kind.are_parts_realised:
        parts = tuple(realise(machine, part) for part in parts)
    return kind(parts, source)


def _object(machine: Machine, source: Source, object_: Any) -> List | Dict | Cell | Instance:
    """Return the value of a mutable object, whose contents are realised only when used."""
    if type(object_) is list:
        if _is_filled_by_warnings(object_):
            raise GraphBreak(
                NOT_PLAIN, "a list that warnings go to: a segment gives them at its end"
            )
        machine.guard(IsType.exactly(source, list))
        return List(source, object_)
    if type(object_) is dict:
        machine.guard(IsType.exactly(source, dict))
        return Dict(source, object_)
    if type(object_) is types.CellType:
        return Cell(str(source), source, object_)
    class_ = type(object_)
    loose = str(source) in machine.any_kind
    # not the machine, which holds the object: the cycle would keep it from dying at once
    rely = partial(machine.guards.setdefault, IsType.exactly(source, class_)) if loose else None
    return Instance(class_, source, object_, rely)


def _is_filled_by_warnings(list_: list[Any]) -> bool:
    """True for the list of an active `warnings.catch_warnings(record=True)`."""
    told = getattr(warnings, "_showwarnmsg_impl", None)
    return getattr(told, "__self__", None) is list_


def _scalar(machine: Machine, source: Source, object_: Any, type_: ScalarType) -> Symbolic:
    if type(object_) is int and not -(2**63) <= object_ < 2**63:
        return machine.meet(Instance(int, source, object_))
    machine.guard(IsType.of(source, object_))
    value = machine.builder.param(type_, object_)
    value.name = plain_name(source)
    machine.param_sources.append(source)
    return Scalar(value, source)


def _array(machine: Machine, source: Source, array: np.ndarray[Any, Any]) -> Symbolic:
    plain = captured_dtype(array.dtype) and array.flags.aligned and not has_backward_item(array)
    if not plain or array.ndim > MAX_NDIM:
        return machine.meet(Instance(np.ndarray, source, array))
    return plain_array(machine, source, array, array.shape, _is_writeable(array))


def plain_array(
    machine: Machine,
    source: Source,
    array: np.ndarray[Any, Any],
    lengths: Sequence[int | None],
    writeable: bool,
) -> Array:
    """Return an array like `array`, but of the given lengths; None for unknown ones."""
    layout = layout_of(array)
    machine.guard(array_guard(source, array, layout))
    fresh = machine.builder.fresh_sym
    dims = tuple(n if n in (0, 1) else fresh(n) for n in lengths)
    value = machine.builder.param(ArrayType(array.dtype, dims, layout))
    value.name = plain_name(source)
    machine.param_sources.append(source)
    machine.memory.live_in(value, source)
    machine.writeable[value] = (source, writeable)
    return Array(value, source)


def _expected(machine: Machine, source: Source, expected: Expected) -> Array | Scalar:
    """An array or a number that is not there yet."""
    if isinstance(expected.type, ArrayType):
        example = expected.example()
        return plain_array(machine, source, example, expected.lengths, True)
    machine.guard(IsType.exactly(source, expected.class_))
    value = machine.builder.param(expected.type, expected.hint)
    value.name = plain_name(source)
    machine.param_sources.append(source)
    return Scalar(value, source)


def _is_writeable(array: np.ndarray[Any, Any]) -> bool:
    """True if the array is writeable and writing to it issues no warning.

    Results of np.broadcast_arrays warn on writes, and when their flag is read.
    """
    with filtered("error"):
        try:
            return array.flags.writeable
        except Warning:
            return False


def array_guard(source: Source, array: np.ndarray[Any, Any], layout: Layout) -> IsArray:
    """Return the guard for arrays with this dtype, rank and layout class."""
    memory = "C" if array.flags.c_contiguous else "F" if array.flags.f_contiguous else ""
    order = () if memory else tuple((axis, layout.signs[axis]) for axis in layout.order)
    lengths = tuple(min(n, 2) for n in array.shape)
    return IsArray(source, array.dtype, lengths, memory, order, layout.unit, layout.nested)


def plain_name(source: Source) -> str:
    """Return a user's name for a source, for generated text."""
    parts = str(source).split("`")
    return parts[1] if len(parts) > 2 else "a"


def concrete(machine: Machine, value: Symbolic) -> Known | None:
    """Return the Python value if it is known or may be guarded; None otherwise."""
    value = realise(machine, value)
    if isinstance(value, Known):
        return value
    if (
        isinstance(value, Scalar)
        and value.source is not None
        and value.type.python
        and value.value.hint is not None  # exploring has no value: both branches are of interest
        and str(value.source) not in machine.varying
    ):
        machine.guard(IsValue(value.source, value.value.hint))
        return Known(value.value.hint, value.source)
    return None


def truth_of_number(machine: Machine, value: Symbolic) -> bool:
    """Return the truth of a number; that of a Python live-in is guarded.

    Raises:
        ForkOfTruth: it is known only at run time.
    """
    seen = realise(machine, value)
    assert isinstance(seen, Scalar)
    known = concrete(machine, seen) if seen.type == PY_BOOL else None
    if known is not None:
        return bool(known.object)
    if seen.value in machine.assumed:
        return machine.assumed[seen.value]
    if seen.type == PY_INT and seen.source is not None and seen.value.hint is not None:
        hint = seen.value.hint  # a live-in decides at once, and its truth is guarded
        machine.guard(HasSign(seen.source, (hint > 0) - (hint < 0)))
        return bool(hint)
    raise ForkOfTruth(value, realise)


def constant(machine: Machine, value: Symbolic) -> Symbolic:
    """Return a live-in as a guarded constant; anything but Python numbers stays as it is."""
    if not isinstance(value, Lazy):
        return value
    realised = realise(machine, value)
    if isinstance(realised, Tuple):
        return replace(realised, items=tuple(constant(machine, item) for item in realised.items))
    if isinstance(realised, Scalar) and type(value.object) in (bool, int, float):
        machine.guard(IsValue(value.source, value.object))
        return Known(value.object, value.source)
    return realised
