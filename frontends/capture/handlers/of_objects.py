"""Builtins that ask a method of an object: `abs(v)`, `len(v)`, `float(v)`, `iter(v)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...numpy.decompositions import walking
from ..objects import attributes
from ..state.exact import exact_class
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine
from ..values.class_namespaces import class_lookup, is_function
from ..values.ranges import RangeIterator
from ..values.symbolic import Instance, Iterator, Known, PositionalIter, Scalar, Symbolic

_METHODS: Final = {
    abs: "__abs__",
    round: "__round__",
    float: "__float__",
    int: "__int__",
}
"""`complex(v)` is not among them: it makes a new number of what the method gives."""
_OF_ITS_OWN_CLASS: Final = (float, int)
"""These refuse what is of another class, or warn of it."""


def of_object(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """`function(object)` where a method in Python answers; None where nothing of the kind does."""
    owner, *rest = call.realised()
    name = _METHODS.get(function)
    if name is None or call.keywords or not isinstance(owner, Instance):
        return None
    if rest and function is not round:
        return None
    if len(rest) == 1 and isinstance(rest[0], Known) and rest[0].object is None:
        rest = []  # `round(v, None)` calls the method without it
    made = answer(call.machine, call.frame, owner, name, tuple(rest))
    if made is None or function not in _OF_ITS_OWN_CLASS:
        return made
    return made if exact_class(call.machine, made) is function else None


def answer(
    machine: Machine,
    frame: Frame,
    owner: Instance,
    name: str,
    arguments: tuple[Symbolic, ...] = (),
) -> Symbolic | None:
    """Return the result of a special method; None if it is not a Python function."""
    found = class_lookup(owner.kind, name)
    if not is_function(found):
        return None
    method = attributes.special_method(machine, owner, name, found)
    return realise(machine, machine.call(method, Invocation(machine, frame, arguments, {})))


def length_of(call: Invocation, owner: Instance) -> Symbolic | None:
    """`len(object)`: an int that is not negative."""
    made = answer(call.machine, call.frame, owner, "__len__")
    if made is None or exact_class(call.machine, made) is not int:
        return None
    if isinstance(made, Scalar):
        checked = Invocation(call.machine, call.frame, (made,), {})
        return call.machine.call(Known(walking.not_negative), checked)
    return made if isinstance(made, Known) and made.object >= 0 else None


def iterator_of(machine: Machine, frame: Frame, owner: Instance) -> Symbolic | None:
    """`iter(object)`, where that is an iterator of Python's own."""
    made = answer(machine, frame, owner, "__iter__")
    return made if isinstance(made, Iterator | RangeIterator | PositionalIter) else None
