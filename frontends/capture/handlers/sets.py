"""Sets of ints, and of tuples of ints, that the segment makes: hash tables of lists."""

from __future__ import annotations

import operator
from dataclasses import replace
from functools import partial
from typing import Any

from ....jit.ir.ops import LIST_OF
from ....jit.ir.types import ListType
from ...numpy.decompositions import sets
from ...runtime import exit_calls
from ..objects.dict_tables import PLACES, are_ints, begin_list, kind_in, shape_of_keys
from ..objects.grown import Columns, Growing, array_of, grown_of, items_of_model
from ..objects.list_promotion import Kind, kind_with
from ..objects.lists import new_list
from ..state.frame import Frame
from ..state.heap import MustCarry
from ..state.invocation import Handler, Invocation
from ..state.live import realise
from ..state.machine import Machine, handles
from ..values.breaks import INSTRUCTION, GraphBreak
from ..values.ranges import Range, RangeIterator
from ..values.symbolic import (
    Array,
    Instance,
    Iterator,
    Known,
    List,
    PositionalIter,
    Symbolic,
    Tuple,
)
from .bodies import is_body, set_of_constants
from .builtins import builtin
from .calls import call_value
from .iteration import all_items
from .library_bodies import in_line
from .models import made_of, register
from .stack import take

_MOST_TAKEN = 16
"""Maximum number of known items that are added one by one."""


@handles("BUILD_SET")
def build_set(machine: Machine, frame: Frame, count: int) -> None:
    items = take(frame, count)
    made: Symbolic | None = set_of_constants(machine, frame, items)
    if made is None:
        made = _set_of(Invocation(machine, frame, items, {}))
    if made is None:
        raise GraphBreak(INSTRUCTION, "a set display", guess=False)
    frame.stack.append(made)


@handles("SET_ADD")
def set_add(machine: Machine, frame: Frame, depth: int) -> None:
    item = frame.stack.pop()
    owner = realise(machine, frame.stack[-depth])
    if _add(Invocation(machine, frame, (owner, item), {})) is None:
        raise GraphBreak(INSTRUCTION, "a set comprehension", guess=False)


@handles("SET_UPDATE")
def set_update(machine: Machine, frame: Frame, depth: int) -> None:
    """Break, as the order of a set that is made of another one depends on both."""
    raise GraphBreak(INSTRUCTION, "a set display", guess=False)


@builtin(set, takes=(0, 1))
def _set(call: Invocation) -> Symbolic | None:
    if is_body(call.machine, call.frame):
        items = all_items(call.machine, call.frame, call.arguments[0]) if call.arguments else ()
        return set_of_constants(call.machine, call.frame, items)
    if not call.arguments:
        return _set_of(call)
    made = _set_of(replace(call, arguments=()))
    return made if made is not None and _update(call.of(made)) is not None else None


def _set_of(call: Invocation) -> Instance | None:
    """Return the set of these items; None if it cannot hold them."""
    made = _made(call)
    added = (_add(replace(call, arguments=(made, item))) for item in call.arguments)
    return None if any(one is None for one in added) else made


def _made(call: Invocation, keys: List | None = None, **parts: Symbolic) -> Instance:
    """Make a set, which is empty, or has these keys and is only kept for an exit."""
    plain = dict.fromkeys(("function", "left", "right"), Known(None))
    slots = new_list(call.machine, (Known(0),) * sets.FIRST_SLOTS)
    held = new_list(call.machine, ()) if keys is None else keys
    return made_of(call, sets.TABLE, keys=held, **{**plain, **parts}, slots=slots)


def _given(call: Invocation, *arguments: Symbolic) -> Invocation:
    return replace(call, arguments=arguments, keywords={})


def _table(machine: Machine, value: Symbolic) -> dict[str, Any] | None:
    """Return what the object of a set's model holds; None for other values."""
    if not isinstance(value, Instance) or value.class_ is not sets.TABLE:
        return None
    state: dict[str, Any] = machine.heap.state(value)
    return state


def _add(call: Invocation) -> Symbolic | None:
    _, item = call.arguments
    return _with_more(sets.add, sets.add_noted, call, kind_with(call.machine, item))


def _contains(call: Invocation) -> Symbolic | None:
    held = _table(call.machine, realise(call.machine, call.arguments[0]))
    if held is None or not _begun(call.machine, held, _kind_like(call)):
        return None
    return in_line(sets.contains, _given(call, held["keys"], held["slots"], call.arguments[1]))


def _kind_like(call: Invocation) -> Kind | None:
    """Return the kind of the items of a set if that of an argument is like it, else the latter."""
    owner, item = call.realised()
    kind = kind_with(call.machine, item)
    keys = items_of_model(call.machine, owner)
    held = None if keys is None else kind_in(call.machine, keys)
    return held if shape_of_keys(held) == shape_of_keys(kind) else kind


def _length(call: Invocation) -> Symbolic | None:
    held = _table(call.machine, realise(call.machine, call.arguments[0]))
    return None if held is None else call_value(Known(len), _given(call, held["keys"]))


def _update(call: Invocation) -> Symbolic | None:
    """Add the items of an iterable; those of sets and dicts may come in another order."""
    owner, more = call.realised()
    if _table(call.machine, more) is not None:
        return _merging(call)
    if isinstance(more, Known) and type(more.object) is not tuple:
        return None
    if not isinstance(
        more, Known | Tuple | List | Array | Range | RangeIterator | Iterator | PositionalIter
    ):
        return None
    items = call_value(Known(list), replace(call, arguments=(more,)))
    grown = grown_of(call.machine, items)
    if grown is None:
        known = all_items(call.machine, call.frame, items)
        if len(known) > _MOST_TAKEN:
            return None
        added = [_add(replace(call, arguments=(owner, item))) for item in known]
        return None if None in added else Known(None)
    kind = grown.item if isinstance(grown, Columns) else grown.type
    return _with_more(sets.update, sets.update_noted, _given(call, owner, items), kind)


def _with_more(function: Any, noting: Any, call: Invocation, kind: Kind | None) -> Symbolic | None:
    """Add to a set that is to hold items of this kind; `noting` does it in one with a history."""
    held = _table(call.machine, realise(call.machine, call.arguments[0]))
    if held is None or isinstance(held["left"], Instance):
        return None
    if not _begun(call.machine, held, kind):
        return None
    parts = (held["keys"], held["slots"])
    if isinstance(held["left"], List):
        return in_line(noting, _given(call, *parts, held["left"], call.arguments[1]))
    return in_line(function, _given(call, *parts, call.arguments[1]))


def _removing(function: Any) -> Handler:
    """Return the handler of a method that removes an item."""

    def handler(call: Invocation) -> Symbolic | None:
        history = _history(call, _kind_like(call))
        if history is None:
            return None
        return in_line(function, _given(call, *history, call.arguments[1]))

    return handler


def _changing(function: Any, *parts: str) -> Handler:
    """Return the handler of a change of a set by another one, whose order has to be known.

    The function gets these parts of the other one.
    """

    def handler(call: Invocation) -> Symbolic | None:
        owner, other = call.realised()
        pair = _of_two(call)
        if pair is None or owner is other or call.machine.heap.outside_of(other) is not None:
            return None
        _, its, kind = pair
        if isinstance(its["left"], Instance | List):
            return None
        history = _history(call, kind)
        given = [its[part] for part in parts]
        if "slots" in parts and not isinstance(kind, ListType):  # eager keeps either of two tuples
            call.machine.identities.share(pair[0]["keys"], its["keys"])
        if history is None or in_line(function, _given(call, *history, *given)) is None:
            return None
        return Known(None)

    return handler


_merging, _subtracting = _changing(sets.merge, "keys"), _changing(sets.subtract, "keys")
_intersecting = _changing(sets.intersect, "keys", "slots")
_toggling = _changing(sets.toggle, "keys")


def _in_place(change: Handler) -> Handler:
    """Return the handler of an operator that changes a set and returns it."""

    def handler(call: Invocation) -> Symbolic | None:
        owner = realise(call.machine, call.arguments[0])
        return None if change(call) is None else owner

    return handler


def _history(call: Invocation, kind: Kind | None) -> tuple[Symbolic, ...] | None:
    """Return the keys, slots, past and marks of a set that notes from now on how it changes.

    None if it cannot hold items of this kind, or is made of two others.

    Raises:
        MustCarry: the notes have to begin before the region.
    """
    machine = call.machine
    owner = realise(machine, call.arguments[0])
    held = _table(machine, owner)
    if held is None or isinstance(held["left"], Instance) or not _begun(machine, held, kind):
        return None
    assert isinstance(owner, Instance), "it has a table"
    if not isinstance(held["left"], List):
        begin = partial(_begin_history, machine, owner)
        if not begin():
            raise MustCarry(begin, "it changes a set")
        held = _table(machine, owner)
        assert held is not None, "it was asked for before"
    return held["keys"], held["slots"], held["left"], held["right"]


def _begin_history(machine: Machine, owner: Instance) -> bool:
    held: dict[str, Any] = machine.heap.state(owner)
    begun, kind = grown_of(machine, held["keys"]), kind_in(machine, held["keys"])
    if begun is None or kind is None or not machine.heap.may_change(owner):
        return False
    past, marks = new_list(machine, ()), new_list(machine, ())
    if machine.heap.outside_of(owner) is None:
        past = _copied(machine, begun)
    else:  # an exit does to it what is noted
        begin_list(machine, past, kind)
    begin_list(machine, marks, PLACES)
    machine.identities.share(past, held["keys"])
    function = Known(exit_calls.set_with_history)
    machine.heap.change(owner, {**held, "function": function, "left": past, "right": marks})
    return True


def _copied(machine: Machine, state: Growing | Columns) -> List:
    """Return a copy of a list of the graph."""
    made, values = List(), []
    for one in state.lists:
        assert isinstance(one.type, ListType), "ints"
        inputs, attrs = (array_of(machine, one).value,), {"python": one.type.python}
        values.append(machine.builder.typed(LIST_OF, inputs, attrs, one.type))
    if isinstance(state, Growing):
        machine.heap.make(made, Growing(values[0]))
    else:
        machine.heap.make(made, replace(state, lists=tuple(values), begun=None))
    return made


def _begun(machine: Machine, held: dict[str, Any], kind: Kind | None) -> bool:
    """Make lists of the graph of what a set holds; False unless it holds items of this kind.

    Raises:
        MustCarry: it has to be done before the region.
    """
    if kind is None or not are_ints(kind):
        return False
    begin_list(machine, held["keys"], kind)
    begin_list(machine, held["slots"], PLACES)
    return kind_in(machine, held["keys"]) == kind


def _of_two(call: Invocation) -> tuple[dict[str, Any], dict[str, Any], Kind] | None:
    """Return what two sets hold, and the kind of their items; None if that is not one kind."""
    tables = [_table(call.machine, one) for one in call.realised()]
    one, other = tables if len(tables) == 2 else (None, None)
    if one is None or other is None:
        return None
    kinds = (kind_in(call.machine, each["keys"]) for each in (one, other))
    kind = next((each for each in kinds if each is not None), None)
    fits = all(_begun(call.machine, each, kind) for each in (one, other))
    return (one, other, kind) if fits and kind is not None else None


def _comparing(function: Any, *, swapped: bool = False) -> Handler:
    """Return the handler of a comparison of two sets; `swapped` if the second one comes first."""

    def handler(call: Invocation) -> Symbolic | None:
        pair = _of_two(call)
        if pair is None:
            return None
        one, other = reversed(pair[:2]) if swapped else pair[:2]
        parts = (one["keys"], one["slots"], other["keys"], other["slots"])
        return in_line(function, _given(call, *parts))

    return handler


def _combining(function: Any, in_eager: Any) -> Handler:
    """Return the handler of an operation that makes a set of two others."""

    def handler(call: Invocation) -> Symbolic | None:
        pair = _of_two(call)
        if pair is None or any(map(call.machine.heap.outside_of, call.realised())):
            return None  # the order of a set from outside is not known
        one, other, kind = pair
        mine, its = call.realised()
        left = _as_it_is(call, mine)
        right = left if its is mine else _as_it_is(call, its)  # eager copies a set with itself
        made = _made(call, function=Known(in_eager), left=left, right=right)
        held: dict[str, Any] = call.machine.heap.state(made)
        if not _begun(call.machine, held, kind):
            return None
        parts = (one["keys"], one["slots"], other["keys"], other["slots"])
        added = in_line(function, _given(call, *parts, held["keys"], held["slots"]))
        return None if added is None else made

    return handler


def _as_it_is(call: Invocation, owner: Symbolic) -> Symbolic:
    """Return a set for an exit that stays as this one is now."""
    held = _table(call.machine, owner)
    assert held is not None, "it was asked for before"
    if isinstance(held["left"], Instance):
        return owner
    keys, *history = (_copy(call, one) for one in _lists(held))
    parts = zip(("left", "right"), history, strict=False)
    function = held["function"]
    return _made(call, keys, **dict(parts), function=function)


def _lists(held: dict[str, Any]) -> list[List]:
    """Return the lists that an exit makes a set of."""
    parts = (held["keys"], held["left"], held["right"])
    return [one for one in parts if isinstance(one, List)]


def _copy(call: Invocation, items: List) -> List:
    made = call_value(Known(list), _given(call, items))
    assert isinstance(made, List), "what list() makes"
    return made


_COMPARISONS = {
    "__eq__": _comparing(sets.equal),
    "__ne__": _comparing(sets.unequal),
    **dict.fromkeys(("__le__", "issubset"), _comparing(sets.within)),
    **dict.fromkeys(("__ge__", "issuperset"), _comparing(sets.within, swapped=True)),
    "__lt__": _comparing(sets.properly_within),
    "__gt__": _comparing(sets.properly_within, swapped=True),
    "isdisjoint": _comparing(sets.disjoint),
}
_COMBINATIONS = {
    **dict.fromkeys(("__and__", "intersection"), _combining(sets.both, operator.and_)),
    **dict.fromkeys(("__or__", "union"), _combining(sets.either, operator.or_)),
    **dict.fromkeys(("__sub__", "difference"), _combining(sets.without, operator.sub)),
    **dict.fromkeys(("__xor__", "symmetric_difference"), _combining(sets.differing, operator.xor)),
}
_PLAIN = {
    "add": _add,
    "update": _update,
    "__contains__": _contains,
    "__len__": _length,
    "copy": _set,
}
_CHANGES = {
    "discard": _removing(sets.discard),
    "remove": _removing(sets.remove),
    "difference_update": _subtracting,
    "intersection_update": _intersecting,
    "symmetric_difference_update": _toggling,
    "__iand__": _in_place(_intersecting),
    "__ior__": _in_place(_merging),
    "__isub__": _in_place(_subtracting),
    "__ixor__": _in_place(_toggling),
}
register(sets.TABLE, {**_PLAIN, **_CHANGES, **_COMPARISONS, **_COMBINATIONS})
