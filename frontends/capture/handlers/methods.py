"""Methods of lists, dicts and strings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...numpy.decompositions import lists as bodies
from ..objects import dicts, growing, lists
from ..objects.grown import grown_of
from ..objects.lists import new_list
from ..state.invocation import Handler, Invocation
from ..state.live import concrete, realise
from ..values.dict_views import View
from ..values.folding import folded
from ..values.symbolic import Dict, Known, List, Symbolic, Tuple
from . import run_time_keys
from .builtins import ANY, BUILTINS, builtin
from .calls import call_value
from .collections import known_int
from .grown_lists import extend, of_grown
from .iteration import update

_FOLDED = (str, bytes, int, float, bool, type(None))


# ---- methods of lists ------------------------------------------------------------------------


def _owner(call: Invocation) -> Symbolic:
    return realise(call.machine, call.arguments[0])


@builtin(list.append, takes=(2, 2))
def _append(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List):
        return None
    growing.append(call.machine, call.frame, owner, call.arguments[1])
    return Known(None)


@builtin(list.extend, takes=(2, 2))
def _extend(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List):
        return None
    extend(call.machine, call.frame, owner, call.arguments[1])
    return Known(None)


@builtin(list.pop, takes=(1, 2))
def _pop(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List):
        return None
    found = concrete(call.machine, call.arguments[1]) if len(call.arguments) == 2 else Known(-1)
    if found is not None and found.object in (0, -1):
        return growing.pop(call.machine, owner, first=not found.object)
    if (made := _of_grown(call, bodies.pop)) is not None:
        return made
    return lists.delete_item(call.machine, owner, known_int(call, call.arguments[1]))


def _of_grown(call: Invocation, function: Callable[..., Any]) -> Symbolic | None:
    """Run a decomposition of a method if the list has grown; None for other lists."""
    owner = _owner(call)
    if not isinstance(owner, List):
        return None
    return of_grown(function, call.machine, call.frame, owner, *call.arguments[1:])


def _changing(function: Callable[..., Any], change: Callable[..., tuple[Symbolic, ...]]) -> Handler:
    """Return the handler of a method that puts `change(call, items)` in place of the items."""

    def handler(call: Invocation) -> Symbolic | None:
        owner = _owner(call)
        if not isinstance(owner, List):
            return None
        made = _of_grown(call, function)
        if made is None:
            items = change(call, lists.list_items(call.machine, owner))
            lists.replace_items(call.machine, owner, items)
        return Known(None)

    return handler


def _with_item(call: Invocation, items: tuple[Symbolic, ...]) -> tuple[Symbolic, ...]:
    made = list(items)
    made.insert(known_int(call, call.arguments[1]), call.arguments[2])
    return tuple(made)


_insert_item = _changing(bodies.insert, _with_item)


@builtin(list.insert, takes=(3, 3))
def _insert(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    grown = grown_of(call.machine, owner)
    if grown is None and isinstance(owner, List) and not call.machine.heap.may_change(owner):
        growing.let_grow(call.machine, owner, call.arguments[2])
    return _insert_item(call)


builtin(list.reverse, takes=(1, 1))(_changing(bodies.reverse, lambda _, items: items[::-1]))
builtin(list.clear, takes=(1, 1))(_changing(bodies.clear, lambda _, items: ()))


@builtin(list.copy, takes=(1, 1))
def _copy(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List):
        return None
    return call_value(Known(list), call)


# ---- methods of dicts ------------------------------------------------------------------------


@builtin(dict.get, takes=(2, 3))
def _get(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, Dict):
        return None
    default = call.arguments[2] if len(call.arguments) == 3 else Known(None)
    return run_time_keys.get(call.machine, call.frame, owner, call.arguments[1], default)


@builtin(dict.setdefault, takes=(2, 3))
def _setdefault(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, Dict):
        return None
    default = call.arguments[2] if len(call.arguments) == 3 else Known(None)
    return run_time_keys.set_default(call.machine, call.frame, owner, call.arguments[1], default)


@builtin(dict.pop, takes=(2, 3))
def _pop_key(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, Dict):
        return None
    if len(call.arguments) == 3:
        return run_time_keys.pop(call.machine, call.frame, owner, *call.arguments[1:])
    return run_time_keys.delete(call.machine, call.frame, owner, call.arguments[1])


@builtin(dict.popitem, takes=(1, 1))
def _popitem(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    return run_time_keys.pop_item(call, owner) if isinstance(owner, Dict) else None


@builtin(dict.clear, takes=(1, 1))
def _clear(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    return run_time_keys.clear(call, owner) if isinstance(owner, Dict) else None


@builtin(dict.update, takes=(1, 2), named=ANY)
def _update(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, Dict):
        return None
    if len(call.arguments) == 2:
        update(call.machine, call.frame, owner, call.arguments[1])
    for name, value in call.keywords.items():
        dicts.set_item(call.machine, owner, name, value)
    return Known(None)


@builtin(dict.copy, takes=(1, 1))
def _copy_dict(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    return run_time_keys.copied(call, owner) if isinstance(owner, Dict) else None


def _view(kind: str) -> Handler:
    def handler(call: Invocation) -> Symbolic | None:
        owner = _owner(call)
        return View(owner, kind) if isinstance(owner, Dict) else None

    return handler


for _kind in ("keys", "values", "items"):
    builtin(getattr(dict, _kind), takes=(1, 1))(_view(_kind))


# ---- methods of strings and tuples -----------------------------------------------------------


def fold_method(function: Any, call: Invocation) -> Symbolic | None:
    """Fold a method of a builtin type that does not change its object, for known values."""
    values = [realise(call.machine, value) for value in (*call.arguments, *call.keywords.values())]
    plain = [value.object for value in values if isinstance(value, Known)]
    if len(plain) != len(values) or not all(type(one) in _FOLDED for one in plain):
        return None
    count = len(call.arguments)
    named = dict(zip(call.keywords, plain[count:], strict=True))
    result = folded(function, *plain[:count], **named)
    if type(result) is tuple and all(type(one) in _FOLDED for one in result):
        return Tuple(tuple(map(Known, result)))
    if type(result) is list and all(type(one) in _FOLDED for one in result):
        return new_list(call.machine, tuple(map(Known, result)))
    return Known(result) if type(result) in _FOLDED else None


def _folding(function: Any) -> Handler:
    return lambda call: fold_method(function, call)


for _kind_ in (str, bytes, int, float):
    for _name in dir(_kind_):
        _method = vars(_kind_).get(_name)
        if not _name.startswith("_") and callable(_method):
            BUILTINS.setdefault(_method, _folding(_method))
