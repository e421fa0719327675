"""Operators on objects: methods of user classes, and operators of tuples, lists and strings."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ....guards.objects import MISSING, IsSubclass
from ....jit.ir.primitives import primitive
from ....jit.ir.types import PY_INT
from ...numpy.decompositions import walking
from ..arrays.nodes import operator_call
from ..objects import attributes, dicts, lists
from ..objects.dicts import is_plain_key, rely_on_plain_key
from ..objects.grown import state_of
from ..objects.lists import items_of, new_list
from ..state.behaviour import behaviour_of
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import concrete, realise
from ..state.machine import Machine
from ..values.breaks import LARGE, NOT_PLAIN, GraphBreak
from ..values.class_namespaces import class_lookup, is_function
from ..values.limits import MAX_REPEATED
from ..values.symbolic import Array, Dict, Instance, Known, List, Scalar, Symbolic, Tuple
from ..values.wording import in_words, refusal, what
from .grown_lists import extend, joined
from .iteration import update
from .library_bodies import in_line
from .stack import is_same

Function = Callable[..., Any]


def on_objects(
    machine: Machine, frame: Frame, function: Function, operands: tuple[Symbolic, ...]
) -> Symbolic | None:
    """Apply an operator if an operand is no number; None if that is not captured."""
    if any(isinstance(value, Instance) for value in operands):
        if function is operator.ne and not _has_ne(machine, operands):
            return _not(on_objects(machine, frame, operator.eq, operands))
        made = _overloaded(machine, frame, function, operands)
        if made is not None:
            return made
    for value in operands:
        own = behaviour_of(value).operator
        if own is not None and (made := own(machine, frame, function, operands)) is not None:
            return made
    if function in (operator.eq, operator.ne):
        same = _equal(machine, *operands)
        if same is None:
            return _equal_lengths(machine, frame, function, operands)
        return Known(same == (function is operator.eq))
    if function is operator.add:
        return joined(machine, frame, *operands) or _joined(machine, *operands)
    if function is operator.mul:
        return _repeated(machine, frame, *operands)
    if function is operator.or_:
        return _merged(machine, *operands)
    return None


def in_place(
    machine: Machine, frame: Frame, function: Function, owner: Symbolic, value: Symbolic
) -> Symbolic | None:
    """Apply `owner += value` if it changes the object in place; else return None."""
    if isinstance(owner, Instance):
        name = primitive(function).methods[0].replace("__", "__i", 1)
        return _try_method(machine, frame, owner, name, (value,))
    if isinstance(owner, List) and function is operator.add:
        if isinstance(realise(machine, value), Array):
            return None  # the array answers first, with the sum
        extend(machine, frame, owner, value)
        return owner
    if isinstance(owner, List) and function is operator.mul:
        return _repeat(machine, owner, value)
    if isinstance(owner, Dict) and function is operator.or_:
        update(machine, frame, owner, value)
        return owner
    return None


def _repeat(machine: Machine, owner: List, value: Symbolic) -> List | None:
    """Capture `owner *= value` for a Python int; None for numbers that make another list."""
    times = concrete(machine, value)
    if times is None or type(times.object) not in (int, bool):
        return None
    if len(lists.list_items(machine, owner)) * times.object > MAX_REPEATED:
        raise GraphBreak(LARGE, f"a list of more than {MAX_REPEATED} items")
    lists.repeat(machine, owner, int(times.object))
    return owner


def _overloaded(
    machine: Machine, frame: Frame, function: Function, operands: tuple[Symbolic, ...]
) -> Symbolic | None:
    own, reflected = primitive(function).methods
    left, *rest = operands
    right = rest[0] if rest else None
    if isinstance(left, Instance):
        if isinstance(right, Instance) and _comes_first(machine, right.kind, left.kind):
            raise GraphBreak(NOT_PLAIN, "an operator that the right operand answers first")
        made = _try_method(machine, frame, left, own, tuple(rest))
        if made is not None:
            return made
    elif not _declines(left):
        return None
    if isinstance(right, Instance) and reflected:
        same_kind = isinstance(left, Instance) and left.kind is right.kind
        if not same_kind or own == reflected:
            return _try_method(machine, frame, right, reflected, (left,))
    return None


def _comes_first(machine: Machine, right: type, left: type) -> bool:
    if right is left:
        return False
    inherits = IsSubclass.of(right, left)
    machine.guard(inherits)
    return inherits.answer


def _declines(value: Symbolic) -> bool:
    """True if methods of a plain number return NotImplemented for user objects."""
    if isinstance(value, Scalar):
        return value.type.python
    return isinstance(value, Known) and type(value.object) in (bool, int, float, complex)


def _try_method(
    machine: Machine, frame: Frame, owner: Instance, name: str, arguments: tuple[Symbolic, ...]
) -> Symbolic | None:
    """Return a method's answer; None if there is no method, or it returns NotImplemented."""
    found = class_lookup(owner.kind, name)
    if found is MISSING or found is vars(object).get(name, MISSING):
        attributes.rely_on_class(machine, owner, name, found)
        return None
    if not is_function(found):
        detail = f"`{name}` of {what(owner)}, which is no plain function"
        raise refusal(NOT_PLAIN, detail, owner)
    method = attributes.special_method(machine, owner, name, found)
    made = realise(machine, machine.call(method, Invocation(machine, frame, arguments, {})))
    return None if isinstance(made, Known) and made.object is NotImplemented else made


def _equal(machine: Machine, left: Symbolic, right: Symbolic) -> bool | None:
    """Compare objects when no method has an answer; None if the result is unknown."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Instance) and _may_decline(one):
            if isinstance(other, Instance) and _may_decline(other):
                return _is_same(machine, one, other)
            if isinstance(other, Known) and is_plain_key(other.object):
                rely_on_plain_key(machine, other.object)
                return False
        simple = isinstance(other, Known) and type(other.object) in (str, int, float, type(None))
        if isinstance(one, Tuple | List | Dict) and simple:
            return False
    if isinstance(left, Tuple) and isinstance(right, Tuple | Known):
        return _equal_tuples(machine, left, right)
    if isinstance(right, Tuple) and isinstance(left, Known):
        return _equal_tuples(machine, right, left)
    return None


def _may_decline(value: Instance) -> bool:
    """True if identity decides, now that methods of the class gave no answer."""
    found = class_lookup(value.kind, "__eq__")
    return found is object.__eq__ or is_function(found)


def _has_ne(machine: Machine, operands: tuple[Symbolic, ...]) -> bool:
    """True if a class defines `!=` itself instead of as the negation of `==`."""
    for value in operands:
        if isinstance(value, Instance):
            found = class_lookup(value.kind, "__ne__")
            if found is not object.__ne__:
                return True
            attributes.rely_on_class(machine, value, "__ne__", found)
    return False


def _not(value: Symbolic | None) -> Symbolic | None:
    if isinstance(value, Known) and type(value.object) is bool:
        return Known(not value.object)
    return None


def _is_same(machine: Machine, one: Instance, other: Instance) -> bool:
    return is_same(machine, one, other)


def _equal_tuples(machine: Machine, left: Tuple, right: Tuple | Known) -> bool | None:
    if isinstance(right, Known):
        if type(right.object) is not tuple:
            return None
        right = Tuple(tuple(map(Known, right.object)))
    if len(left.items) != len(right.items):
        return False
    pairs = [
        (realise(machine, one), realise(machine, other))
        for one, other in zip(left.items, right.items, strict=True)
    ]
    for one, other in pairs:
        if not isinstance(one, Known) or not isinstance(other, Known):
            return None
        if not is_plain_key(one.object) or not is_plain_key(other.object):
            return None
        rely_on_plain_key(machine, (one.object, other.object))
        if one.object != other.object:
            return False
    return True


def _equal_lengths(
    machine: Machine, frame: Frame, function: Function, operands: tuple[Symbolic, ...]
) -> Symbolic | None:
    """Compare tuples of ints such as `x.shape == y.shape`, some known only at run time."""
    left, right = map(_tuple_items, operands)
    if left is None or right is None or len(left) != len(right):
        return None
    same: Symbolic | None = None
    for pair in zip(left, right, strict=True):
        realised = tuple(realise(machine, one) for one in pair)
        if not all(map(_is_int, realised)):
            return None  # identity makes a NaN equal to itself there
        equal = operator_call(machine, frame, operator.eq, realised)
        both = None if same is None else operator_call(machine, frame, operator.and_, (same, equal))
        same = both or equal
    if same is None or function is operator.eq:
        return same
    return operator_call(machine, frame, operator.not_, (same,))


def _is_int(value: Symbolic) -> bool:
    if isinstance(value, Known):
        return type(value.object) is int
    return isinstance(value, Scalar) and value.type == PY_INT


def _joined(machine: Machine, left: Symbolic, right: Symbolic) -> Symbolic | None:
    """Concatenate two tuples or lists."""
    if isinstance(left, List) and isinstance(right, List):
        first, second = items_of(machine, left), items_of(machine, right)
        assert first is not None
        assert second is not None
        return new_list(machine, (*first, *second))
    parts = [_tuple_items(value) for value in (left, right)]
    if parts[0] is None or parts[1] is None:
        return None
    for one, other in ((left, parts[1]), (right, parts[0])):
        if not other and _is_plain_tuple(one):
            return one
    return Tuple((*parts[0], *parts[1]))


def _is_plain_tuple(value: Symbolic) -> bool:
    if isinstance(value, Known):
        return type(value.object) is tuple
    return isinstance(value, Tuple) and value.named is None


def _merged(machine: Machine, left: Symbolic, right: Symbolic) -> Dict | None:
    """Merge two dicts; values of the second one win."""
    if not isinstance(left, Dict) or not isinstance(right, Dict):
        return None
    entries = {**dicts.dict_entries(machine, left), **dicts.dict_entries(machine, right)}
    return dicts.new_dict(machine, entries)


def _tuple_items(value: Symbolic) -> tuple[Symbolic, ...] | None:
    if isinstance(value, Tuple):
        return value.items
    if isinstance(value, Known) and type(value.object) is tuple:
        return tuple(map(Known, value.object))
    return None


def _repeated(machine: Machine, frame: Frame, left: Symbolic, right: Symbolic) -> Symbolic | None:
    """A tuple or list several times; a list of a number as often as only running tells."""
    if isinstance(left, Known | Scalar):
        left, right = right, left
    if isinstance(right, Scalar) and isinstance(left, List) and state_of(machine, left) is None:
        held = [realise(machine, item) for item in items_of(machine, left) or ()]
        if len(held) != 1 or not isinstance(held[0], Known | Scalar) or not _is_int(right):
            return None
        return in_line(walking.repeated, Invocation(machine, frame, (left, right), {}))
    if not isinstance(right, Known) or type(right.object) is not int:
        return None
    items = items_of(machine, left)
    if items is None or len(items) * right.object > MAX_REPEATED:
        return None
    many = items * right.object
    return new_list(machine, many) if isinstance(left, List) else Tuple(many)


def refuse(function: Function, operands: tuple[Symbolic, ...]) -> GraphBreak:
    """Return the break for operands that no operator of the graph takes."""
    names = " and ".join(map(in_words, operands))
    return refusal(NOT_PLAIN, f"{function.__name__} of {names}", *operands)
