"""Builtins that inspect objects, and functions of functools and operator."""

from __future__ import annotations

import abc
import functools
import operator
import types
from dataclasses import replace
from typing import Any

from ....guards.grip import made_at_run_time
from ....guards.objects import MISSING, ClassHolds, IsSubclass, NoneRegistered
from ..objects import attributes, growing
from ..objects.grown import grown_of, sized_list
from ..state.behaviour import behaviour_of
from ..state.exact import exact_class
from ..state.invocation import Handler, Invocation
from ..state.live import concrete, realise
from ..values.breaks import CALL, GraphBreak
from ..values.class_namespaces import class_has, class_lookup
from ..values.folding import is_constant
from ..values.symbolic import (
    Array,
    BoundMethod,
    Instance,
    Known,
    List,
    Method,
    Scalar,
    Symbolic,
    Tuple,
)
from ..values.wording import what
from .attributes import attribute, calls_from
from .builtins import builtin, of_numbers
from .calls import call_value
from .indexing import subscript
from .iteration import each_item
from .operators import BINARY, COMPARE, apply, apply_in_place
from .stack import truth
from .strings import text


@builtin(isinstance, takes=(2, 2))
def _isinstance(call: Invocation) -> Symbolic | None:
    actual, kinds = exact_class(call.machine, call.arguments[0]), _classes(call, call.arguments[1])
    if actual is None or kinds is None:
        return None
    _rely_on_metaclasses(call, kinds)
    checks = {type(kind).__instancecheck__ for kind in kinds}
    if checks - {type.__instancecheck__, abc.ABCMeta.__instancecheck__}:
        return None
    asks = checks != {type.__instancecheck__}
    if ("__class__" in vars(actual) or asks) and actual.__module__ not in ("builtins", "numpy"):
        return None  # it may read `__class__` of the object, or run code of the user's
    if asks and call.machine.library_until is None:
        call.machine.guard(NoneRegistered.now())
    answer = issubclass(actual, kinds)
    if made_at_run_time(actual):
        for kind in kinds:
            call.machine.guard(IsSubclass.of(actual, kind))
    return Known(answer)


def _rely_on_metaclasses(call: Invocation, kinds: tuple[type, ...]) -> None:
    """Guard that metaclasses of the program's answer `isinstance` as they do now."""
    for metaclass in {type(kind) for kind in kinds} - {type, abc.ABCMeta}:
        answers = class_lookup(metaclass, "__instancecheck__")
        call.machine.guard(ClassHolds.of(metaclass, {"__instancecheck__": answers}))


def _classes(call: Invocation, value: Symbolic) -> tuple[type, ...] | None:
    value = realise(call.machine, value)
    if isinstance(value, Tuple):
        items = [_classes(call, item) for item in value.items]
        if any(item is None for item in items):
            return None
        return tuple(kind for item in items if item is not None for kind in item)
    if isinstance(value, Known) and isinstance(value.object, type):
        return (value.object,)
    if isinstance(value, Known) and isinstance(value.object, types.UnionType):
        kinds = value.object.__args__
        return kinds if all(isinstance(kind, type) for kind in kinds) else None
    return None


@builtin(issubclass, takes=(2, 2))
def _issubclass(call: Invocation) -> Symbolic | None:
    """Fold issubclass for classes that no user code answers for."""
    kind, kinds = _classes(call, call.arguments[0]), _classes(call, call.arguments[1])
    if kind is None or kinds is None or not all(map(is_constant, (*kind, *kinds))):
        return None
    return Known(issubclass(kind[0], kinds)) if len(kind) == 1 else None


@builtin(type, takes=(1, 1))
def _type(call: Invocation) -> Symbolic | None:
    actual = exact_class(call.machine, call.arguments[0])
    return None if actual is None else Known(actual)


@builtin(callable, takes=(1, 1))
def _callable(call: Invocation) -> Symbolic | None:
    answer = is_callable(call, call.arguments[0])
    return None if answer is None else Known(answer)


def is_callable(call: Invocation, value: Symbolic) -> bool | None:
    """True if the value is callable; None if that is unknown."""
    value = realise(call.machine, value)
    if isinstance(value, Method):  # or another attribute of a number
        return callable(getattr(exact_class(call.machine, value.owner), value.name))
    if isinstance(value, BoundMethod) or behaviour_of(value).called is not None:
        return True
    actual = exact_class(call.machine, value)
    if actual is None:
        return None
    found = class_lookup(actual, "__call__")
    if isinstance(value, Instance):
        attributes.rely_on_class(call.machine, value, "__call__", found)
    return found is not MISSING


def _attribute_name(call: Invocation) -> str | None:
    known = concrete(call.machine, call.arguments[1])
    return known.object if known is not None and type(known.object) is str else None


@builtin(getattr, takes=(2, 3))
def _getattr(call: Invocation) -> Symbolic | None:
    name = _attribute_name(call)
    if name is None:
        return None
    owner = realise(call.machine, call.arguments[0])
    if len(call.arguments) == 3 and _is_missing(call, owner, name):
        return call.arguments[2]
    return attribute(call.machine, call.frame, owner, name)


@builtin(hasattr, takes=(2, 2))
def _hasattr(call: Invocation) -> Symbolic | None:
    name = _attribute_name(call)
    if name is None:
        return None
    owner = realise(call.machine, call.arguments[0])
    if _is_missing(call, owner, name):
        return Known(False)
    if not isinstance(owner, Array | Scalar):  # for them it asks the class
        attribute(call.machine, call.frame, owner, name)
    return Known(True)


def _is_missing(call: Invocation, owner: Symbolic, name: str) -> bool:
    """True if an object surely lacks an attribute; guarded as far as the class decides."""
    if isinstance(owner, Array | Scalar | List | Tuple):
        return not class_has(exact_class(call.machine, owner), name)
    if not isinstance(owner, Instance) or attributes.why_no_plain_lookup(owner.kind) is not None:
        return False
    state = call.machine.heap.state(owner) or {}
    found = class_lookup(owner.kind, name)
    if found is not MISSING or state.get(name, attributes.GONE) is not attributes.GONE:
        return False
    if owner.source is not None:
        raise GraphBreak(CALL, f"whether {what(owner)} has an attribute `{name}`")
    attributes.rely_on_class(call.machine, owner, name, found)
    return True


@builtin(setattr, takes=(3, 3))
def _setattr(call: Invocation) -> Symbolic | None:
    name, owner = _attribute_name(call), realise(call.machine, call.arguments[0])
    if name is None or not isinstance(owner, Instance):
        return None
    attributes.set_attribute(call.machine, owner, name, call.arguments[2])
    return Known(None)


@builtin(object.__setattr__, takes=(3, 3))
def _plain_setattr(call: Invocation) -> Symbolic | None:
    """Capture `object.__setattr__`, used by frozen dataclasses in `__init__`."""
    name, owner = _attribute_name(call), realise(call.machine, call.arguments[0])
    if name is None or not isinstance(owner, Instance):
        return None
    attributes.set_attribute(call.machine, owner, name, call.arguments[2], plain=True)
    return Known(None)


@builtin(object.__init__, takes=(1, 1))
def _plain_init(_: Invocation) -> Symbolic | None:
    return Known(None)


@builtin(delattr, takes=(2, 2))
def _delattr(call: Invocation) -> Symbolic | None:
    name, owner = _attribute_name(call), realise(call.machine, call.arguments[0])
    if name is None or not isinstance(owner, Instance):
        return None
    attributes.delete_attribute(call.machine, owner, name, calls_from(call.machine, call.frame))
    return Known(None)


# ---- functools and operator ------------------------------------------------------------------


@builtin(functools.reduce, takes=(2, 3))
def _reduce(call: Invocation) -> Symbolic | None:
    machine, frame = call.machine, call.frame
    function, items, *initial = call.arguments
    values = each_item(machine, frame, items)
    total = initial[0] if initial else next(values, None)
    if total is None:
        return None
    for value in values:
        total = call_value(function, Invocation(machine, frame, (total, value), {}))
    return total


@builtin(str, takes=(1, 1))
def _str(call: Invocation) -> Symbolic | None:
    return text(call.machine, str, call.arguments[0])


@builtin(repr, takes=(1, 1))
def _repr(call: Invocation) -> Symbolic | None:
    return text(call.machine, repr, call.arguments[0])


@builtin(format, takes=(1, 2))
def _format(call: Invocation) -> Symbolic | None:
    return text(call.machine, format, *call.arguments)


def _operator(function: Any) -> Handler:
    return lambda call: apply(call.machine, call.frame, function, call.arguments)


def _in_place(function: Any) -> Handler:
    return lambda call: apply_in_place(call.machine, call.frame, function, *call.arguments)


for _function in (*BINARY.values(), *COMPARE.values()):
    builtin(_function, takes=(2, 2))(_operator(_function))
for _function in BINARY.values():
    _changes = getattr(operator, f"i{_function.__name__.strip('_')}")
    builtin(_changes, takes=(2, 2))(_in_place(_function))
for _function in (operator.neg, operator.pos, operator.invert):
    builtin(_function, takes=(1, 1))(_operator(_function))


@builtin(operator.getitem, takes=(2, 2))
def _getitem(call: Invocation) -> Symbolic | None:
    return subscript(call.machine, call.frame, *call.arguments)


@builtin(operator.truth, bool, takes=(1, 1))
def _truth(call: Invocation) -> Symbolic | None:
    value = realise(call.machine, call.arguments[0])
    grown = grown_of(call.machine, sized_list(call.machine, value) or value)
    if grown is not None:
        value = growing.count(call.machine, grown)
        call = replace(call, arguments=(value,))
    if isinstance(value, Scalar):
        return of_numbers(bool, call)
    return Known(truth(call.machine, value))
