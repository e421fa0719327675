"""Methods of lists, dicts and strings."""

from __future__ import annotations

from typing import Any

from ..objects import dicts, growing, lists
from ..objects.lists import new_list
from ..state.invocation import Handler, Invocation
from ..state.live import look
from ..values.folding import folded
from ..values.symbolic import Dict, Known, List, Symbolic, Tuple, View
from .builtins import ANY, BUILTINS, builtin
from .collections import known_int
from .iteration import extend, update

_FOLDED = (str, bytes, int, float, bool, type(None))


# ---- methods of lists ------------------------------------------------------------------------


def _owner(call: Invocation) -> Symbolic:
    return look(call.machine, call.arguments[0])


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
    index = known_int(call, call.arguments[1]) if len(call.arguments) == 2 else -1
    if index in (0, -1):
        return growing.pop(call.machine, owner, first=not index)
    return lists.delete_item(call.machine, owner, index)


@builtin(list.insert, takes=(3, 3))
def _insert(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List):
        return None
    items = list(lists.list_items(call.machine, owner))
    items.insert(known_int(call, call.arguments[1]), call.arguments[2])
    lists.replace_items(call.machine, owner, tuple(items))
    return Known(None)


@builtin(list.reverse, takes=(1, 1))
def _reverse(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List):
        return None
    lists.replace_items(call.machine, owner, lists.list_items(call.machine, owner)[::-1])
    return Known(None)


@builtin(list.clear, takes=(1, 1))
def _clear(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List):
        return None
    lists.replace_items(call.machine, owner, ())
    return Known(None)


@builtin(list.copy, takes=(1, 1))
def _copy(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List):
        return None
    return new_list(call.machine, lists.list_items(call.machine, owner))


# ---- methods of dicts ------------------------------------------------------------------------


def _key(call: Invocation) -> Any:
    return dicts.plain_key(call.machine, look(call.machine, call.arguments[1]))


@builtin(dict.get, takes=(2, 3))
def _get(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, Dict):
        return None
    found = dicts.get_item(call.machine, owner, _key(call))
    default = call.arguments[2] if len(call.arguments) == 3 else Known(None)
    return default if found is None else found


@builtin(dict.setdefault, takes=(2, 3))
def _setdefault(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, Dict):
        return None
    found = dicts.get_item(call.machine, owner, _key(call))
    if found is None:
        found = call.arguments[2] if len(call.arguments) == 3 else Known(None)
        dicts.set_item(call.machine, owner, _key(call), found)
    return found


@builtin(dict.pop, takes=(2, 3))
def _pop_key(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, Dict):
        return None
    if len(call.arguments) == 3 and dicts.get_item(call.machine, owner, _key(call)) is None:
        return call.arguments[2]
    return dicts.delete_item(call.machine, owner, _key(call))


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
    if not isinstance(owner, Dict):
        return None
    return dicts.new_dict(call.machine, dict(dicts.dict_entries(call.machine, owner)))


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
    values = [look(call.machine, value) for value in (*call.arguments, *call.keywords.values())]
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
