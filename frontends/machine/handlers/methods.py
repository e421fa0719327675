"""Methods of lists, dicts and strings: what they mean to the objects of a segment."""

from __future__ import annotations

from typing import Any

from .. import dicts, lists
from ..breaks import NUMPY_REFUSED, GraphBreak
from ..invocation import Handler, Invocation
from ..lists import new_list
from ..live import look
from ..values import Dict, Known, List, Symbolic, Tuple, View
from .builtins import BUILTINS, builtin
from .collections import entries_of, items_at, known_int

_FOLDED = (str, bytes, int, float, bool, type(None))


# ---- methods of lists ------------------------------------------------------------------------


def _owner(call: Invocation) -> Symbolic:
    return look(call.machine, call.arguments[0])


@builtin(list.append)
def _append(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List) or len(call.arguments) != 2:
        return None
    lists.append(call.machine, owner, call.arguments[1])
    return Known(None)


@builtin(list.extend)
def _extend(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List) or len(call.arguments) != 2:
        return None
    for value in items_at(call, 1):
        lists.append(call.machine, owner, value)
    return Known(None)


@builtin(list.pop)
def _pop(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List):
        return None
    index = known_int(call, call.arguments[1]) if len(call.arguments) > 1 else -1
    return lists.delete_item(call.machine, owner, index)


@builtin(list.insert)
def _insert(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List) or len(call.arguments) != 3:
        return None
    items = list(lists.list_items(call.machine, owner))
    items.insert(known_int(call, call.arguments[1]), call.arguments[2])
    lists.replace_items(call.machine, owner, tuple(items))
    return Known(None)


@builtin(list.reverse)
def _reverse(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List) or len(call.arguments) != 1:
        return None
    lists.replace_items(call.machine, owner, lists.list_items(call.machine, owner)[::-1])
    return Known(None)


@builtin(list.clear)
def _clear(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List) or len(call.arguments) != 1:
        return None
    lists.replace_items(call.machine, owner, ())
    return Known(None)


@builtin(list.copy)
def _copy(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, List) or len(call.arguments) != 1:
        return None
    return new_list(call.machine, lists.list_items(call.machine, owner))


# ---- methods of dicts ------------------------------------------------------------------------


def _key(call: Invocation) -> Any:
    return dicts.plain_key(look(call.machine, call.arguments[1]))


@builtin(dict.get)
def _get(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, Dict) or not 2 <= len(call.arguments) <= 3:
        return None
    found = dicts.get_item(call.machine, owner, _key(call))
    default = call.arguments[2] if len(call.arguments) == 3 else Known(None)
    return default if found is None else found


@builtin(dict.setdefault)
def _setdefault(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, Dict) or not 2 <= len(call.arguments) <= 3:
        return None
    found = dicts.get_item(call.machine, owner, _key(call))
    if found is None:
        found = call.arguments[2] if len(call.arguments) == 3 else Known(None)
        dicts.set_item(call.machine, owner, _key(call), found)
    return found


@builtin(dict.pop)
def _pop_key(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, Dict) or not 2 <= len(call.arguments) <= 3:
        return None
    if len(call.arguments) == 3 and dicts.get_item(call.machine, owner, _key(call)) is None:
        return call.arguments[2]
    return dicts.delete_item(call.machine, owner, _key(call))


@builtin(dict.update)
def _update(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, Dict) or len(call.arguments) > 2:
        return None
    entries: dict[Any, Symbolic] = {}
    if len(call.arguments) == 2:
        entries |= entries_of(call, look(call.machine, call.arguments[1]))
    for key, value in {**entries, **call.keywords}.items():
        dicts.set_item(call.machine, owner, key, value)
    return Known(None)


@builtin(dict.copy)
def _copy_dict(call: Invocation) -> Symbolic | None:
    owner = _owner(call)
    if not isinstance(owner, Dict) or len(call.arguments) != 1:
        return None
    return dicts.new_dict(call.machine, dict(dicts.dict_entries(call.machine, owner)))


def _view(kind: str) -> Handler:
    def handler(call: Invocation) -> Symbolic | None:
        owner = _owner(call)
        return View(owner, kind) if isinstance(owner, Dict) and len(call.arguments) == 1 else None

    return handler


for _kind in ("keys", "values", "items"):
    builtin(getattr(dict, _kind))(_view(_kind))


# ---- methods of strings and tuples -----------------------------------------------------------


def fold_method(function: Any, call: Invocation) -> Symbolic | None:
    """A method of a builtin type that never changes its object, on known values."""
    values = [look(call.machine, value) for value in (*call.arguments, *call.keywords.values())]
    plain = [value.object for value in values if isinstance(value, Known)]
    if len(plain) != len(values) or not all(type(one) in _FOLDED for one in plain):
        return None
    count = len(call.arguments)
    try:
        result = function(*plain[:count], **dict(zip(call.keywords, plain[count:], strict=True)))
    except Exception as error:
        raise GraphBreak(NUMPY_REFUSED, f"{type(error).__name__}: {error}") from None
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
        if not _name.startswith("_") and _name != "format" and callable(_method):
            BUILTINS.setdefault(_method, _folding(_method))
