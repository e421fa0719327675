"""Strings made by `str.format` and `str.join`: put together when somebody gets to see them."""

from __future__ import annotations

import string
from typing import Any, Final

from ...runtime import exit_calls
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine
from ..values.breaks import GraphBreak
from ..values.symbolic import Known, Symbolic
from ..values.texts import Text
from .builtins import ANY, MANY, builtin
from .iteration import all_items
from .strings import text

_CONVERSIONS: Final = {None: None, "s": str, "r": repr, "a": ascii}


@builtin(str.format, takes=(1, MANY), named=ANY)
def _format(call: Invocation) -> Symbolic | None:
    """The same as an f-string, where fields are arguments or numbers of them."""
    given, *arguments = call.realised()
    if not isinstance(given, Known) or type(given.object) is not str:
        return None
    pieces: list[Symbolic] = []
    count = 0
    try:
        fields = list(string.Formatter().parse(given.object))
    except ValueError:
        return None
    numbered = {name.isdecimal() for _, name, _, _ in fields if name is not None and name != ""}
    if "" in {name for _, name, _, _ in fields} and True in numbered:
        return None
    for literal, name, spec, conversion in fields:
        if literal:
            pieces.append(Known(literal))
        if name is None:
            continue
        value: Symbolic | None
        if name == "" or name.isdecimal():
            place = count if name == "" else int(name)
            count += name == ""
            value = arguments[place] if place < len(arguments) else None
        else:
            value = call.keywords.get(name)
        if value is None or "{" in (spec or "") or conversion not in _CONVERSIONS:
            return None
        pieces.append(_formatted(call.machine, value, spec or "", conversion))
    return joined(call.machine, pieces)


def _formatted(machine: Machine, value: Symbolic, spec: str, conversion: str | None) -> Symbolic:
    if (function := _CONVERSIONS[conversion]) is not None:
        value = text(machine, function, value)
    return text(machine, format, value, *([Known(spec)] if spec else []))


def joined(machine: Machine, pieces: list[Symbolic]) -> Symbolic:
    """Strings one after the other; one alone is the very string."""
    if len(pieces) == 1:
        return pieces[0]
    return text(machine, exit_calls.joined, *pieces) if pieces else Known("")


@builtin(str.join, takes=(2, 2))
def _join(call: Invocation) -> Symbolic | None:
    between = realise(call.machine, call.arguments[0])
    if not _is_text(between):
        return None
    try:
        items = all_items(call.machine, call.frame, call.arguments[1])
    except GraphBreak:  # what is of use to know is that the text is made here
        return None
    pieces: list[Symbolic] = []
    for item in items:
        value = realise(call.machine, item)
        if not _is_text(value):
            return None
        pieces += [between, value] if pieces else [value]
    return joined(call.machine, pieces)


def _is_text(value: Any) -> bool:
    return isinstance(value, Text) or (isinstance(value, Known) and type(value.object) is str)
