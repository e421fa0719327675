"""Objects that models stand for: how they are made, and calls of their methods."""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

from ...numpy.decompositions import queues
from ..objects.contents import MODELLED, of_kind, stand_in
from ..objects.list_promotion import kind_with
from ..state.invocation import Handler, Invocation
from ..state.live import concrete, realise
from ..values.breaks import CALL, GraphBreak
from ..values.models import MODELS
from ..values.symbolic import Instance, Known, Symbolic
from .builtins import BUILTINS, builtin
from .calls import call_value
from .library_bodies import in_line

_READS = ("__contains__", "__getitem__", "__len__")
"""Methods that change nothing."""


def made_of(call: Invocation, class_: type, **parts: Symbolic) -> Instance:
    """Make an object that holds these values."""
    made = Instance(class_)
    call.machine.heap.make(made, parts)
    return made


def of_model(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """Call a method of a model's object, which is the first argument."""
    owner = realise(call.machine, call.arguments[0])
    parts = call.machine.heap.state(owner).values()  # type: ignore[arg-type]
    return in_line(function, replace(call, arguments=(*parts, *call.arguments[1:])))


def register(class_: type, own: Mapping[str, Handler]) -> None:
    """Register a model's methods; `own` has handlers of those that are no plain calls."""
    for name, function in vars(class_).items():
        if isinstance(function, FunctionType):
            BUILTINS[function] = _method(class_, name, own.get(name))


def _method(class_: type, name: str, own: Handler | None) -> Handler:
    known = MODELS[class_]
    shown = f"call of `{known.kind.__module__}.{known.kind.__name__}.{name}`"

    def handler(call: Invocation) -> Symbolic:
        owner = realise(call.machine, call.arguments[0])
        if isinstance(owner, Instance) and owner.class_ in (*MODELLED, class_):
            item = call.arguments[1] if len(call.arguments) > 1 else None
            kind = None if item is None else of_kind(kind_with(call.machine, item))
            stand_in(call.machine, owner, kind, None, changes=name not in _READS)
        made = None
        if isinstance(owner, Instance) and owner.class_ is class_ and name in known.methods:
            made = own(call) if own else of_model(known.methods[name], call)
        if made is None:
            raise GraphBreak(CALL, shown.replace("builtins.", ""))
        return made

    return handler


register(queues.QUEUE, {})


@builtin(collections.deque, takes=(0, 2), named=("iterable", "maxlen"))
def _deque(call: Invocation) -> Symbolic | None:
    """Make a deque; its greatest length has to be known."""
    given = dict(zip(("iterable", "maxlen"), call.arguments, strict=False))
    if given.keys() & call.keywords.keys():
        return None
    given |= call.keywords
    longest = concrete(call.machine, given.get("maxlen", Known(None)))
    if longest is None or not _is_length(longest.object):
        return None
    begun = (given["iterable"],) if "iterable" in given else ()
    items = call_value(Known(list), replace(call, arguments=begun, keywords={}))
    if begun and longest.object is not None:
        shorter = replace(call, arguments=(items, longest), keywords={})
        if in_line(queues.shorten, shorter) is None:
            return None
    return made_of(call, queues.QUEUE, items=items, longest=longest)


def _is_length(value: Any) -> bool:
    return value is None or (type(value) is int and value >= 0)
