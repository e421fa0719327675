"""Instantiation of user classes: plain classes, dataclasses, named tuples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....guards.grip import made_at_run_time
from ....guards.kinds import IsFunction
from ....guards.objects import MISSING
from ....guards.sources import Fixed
from ....jit.ir.nests import is_named_tuple
from ..state.invocation import Invocation
from ..state.tuple_classes import is_plain, rely_on_plain
from ..values.breaks import CALL, GraphBreak
from ..values.class_namespaces import class_lookup, is_function
from ..values.symbolic import Instance, Known, Symbolic, Tuple
from .attributes import fixed, rely_on_class, why_no_plain_lookup

CallValue = Callable[[Symbolic, Invocation], Symbolic]


def instantiate(
    callee: Known, kind: type, call: Invocation, call_value: CallValue
) -> Symbolic | None:
    """Return `kind(...)`; None for classes whose objects are made in another way."""
    if getattr(kind, "_fields", None) is not None and issubclass(kind, tuple):
        return _named_tuple(kind, call)
    if why_not_plain(kind) is not None:
        return None
    made = Instance(kind)
    call.machine.heap.make(made, {})
    init = class_lookup(kind, "__init__")
    for name in ("__init__", "__new__", "__del__"):
        rely_on_class(call.machine, made, name, class_lookup(kind, name))
    if init is object.__init__:
        if call.arguments or call.keywords:
            return None  # eager raises
        return made
    result = call_value(fixed(init, f"`{kind.__name__}.__init__`"), call.of(made))
    if not isinstance(result, Known) or result.object is not None:
        raise GraphBreak(CALL, f"`{kind.__name__}.__init__` returns something")
    return made


def why_not_plain(kind: type) -> str | None:
    """Return the reason why instantiation does more than `object.__new__` and `__init__`.

    None if it does not.
    """
    if type(kind) is not type:
        return "its class has a metaclass"
    if any(not made_at_run_time(base) for base in kind.__mro__[:-1]):
        return "it inherits from a builtin"
    if class_lookup(kind, "__new__") is not object.__new__:
        return "its class has __new__"
    if class_lookup(kind, "__del__") is not MISSING:
        return "its class has __del__"
    init = class_lookup(kind, "__init__")
    if init is not object.__init__ and not is_function(init):
        return "its class has an __init__ of its own kind"
    return why_no_plain_lookup(kind)


def _named_tuple(kind: Any, call: Invocation) -> Symbolic | None:
    """Return a named tuple made from its fields; None if eager raises, or the class is unusual."""
    if not is_named_tuple(kind) or not is_plain(kind):
        return None
    make, fields = kind.__new__, kind._fields
    given = dict(zip(fields, call.arguments, strict=False))
    if len(call.arguments) > len(fields) or any(name in given for name in call.keywords):
        return None
    given |= call.keywords
    defaults = make.__defaults__ or ()
    # CPython binds defaults from the last field, and ignores surplus ones
    for name, default in zip(reversed(fields), reversed(defaults), strict=False):
        given.setdefault(name, fixed(default, f"default of `{name}`"))
    if set(given) != set(fields) or make.__kwdefaults__:
        return None
    rely_on_plain(call.machine, kind)
    call.machine.guard(IsFunction.of(Fixed.of(make, f"`{kind.__name__}.__new__`"), make))
    return Tuple(tuple(given[name] for name in fields), named=kind)
