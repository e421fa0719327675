"""Objects that models stand for: how they are made, and calls of their methods."""

from __future__ import annotations

import collections
from dataclasses import replace
from types import FunctionType
from typing import Any

from ...numpy.decompositions import queues
from ..state.invocation import Handler, Invocation
from ..state.live import concrete, look
from ..values.breaks import CALL, GraphBreak
from ..values.models import MODELS
from ..values.symbolic import Instance, Known, Symbolic
from .builtins import BUILTINS, builtin
from .calls import call_value
from .library_bodies import in_line


def _made(call: Invocation, kind: type, **parts: Symbolic) -> Instance:
    made = Instance(kind)
    call.machine.heap.make(made, parts)
    return made


def _method(class_: type, name: str) -> Handler:
    known = MODELS[class_]
    shown = f"call of `{known.kind.__module__}.{known.kind.__name__}.{name}`"

    def handler(call: Invocation) -> Symbolic:
        owner = look(call.machine, call.arguments[0])
        made = None
        if isinstance(owner, Instance) and owner.class_ is class_ and name in known.methods:
            parts = call.machine.heap.state(owner).values()
            given = replace(call, arguments=(*parts, *call.arguments[1:]))
            made = in_line(known.methods[name], given)
        if made is None:
            raise GraphBreak(CALL, shown.replace("builtins.", ""))
        return made

    return handler


for _class in MODELS:
    for _name, _function in vars(_class).items():
        if isinstance(_function, FunctionType):
            BUILTINS[_function] = _method(_class, _name)


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
    return _made(call, queues.QUEUE, items=items, longest=longest)


def _is_length(value: Any) -> bool:
    return value is None or (type(value) is int and value >= 0)
