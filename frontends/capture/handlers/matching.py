"""`match`: patterns on tuples, lists, dicts and objects."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ....guards.objects import ClassAttr
from ....guards.sources import Fixed
from ..objects import dicts
from ..objects.lists import items_of
from ..state.exact import exact_class
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine, handles
from ..values.breaks import INSTRUCTION, GraphBreak
from ..values.class_namespaces import class_lookup
from ..values.symbolic import Dict, Known, Symbolic, Tuple
from .attributes import attribute
from .builtins import BUILTINS

SEQUENCE, MAPPING = 1 << 5, 1 << 6
"""Py_TPFLAGS_SEQUENCE and Py_TPFLAGS_MAPPING, which decide what patterns a class matches."""


@handles("MATCH_SEQUENCE")
def match_sequence(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(Known(_has_flag(machine, frame, SEQUENCE)))


@handles("MATCH_MAPPING")
def match_mapping(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(Known(_has_flag(machine, frame, MAPPING)))


def _has_flag(machine: Machine, frame: Frame, flag: int) -> bool:
    kind = exact_class(machine, frame.stack[-1])
    if kind is None:
        raise GraphBreak(INSTRUCTION, "a pattern for an object whose class is not known")
    return bool(kind.__flags__ & flag)


@handles("GET_LEN")
def get_len(machine: Machine, frame: Frame, arg: Any) -> None:
    subject = realise(machine, frame.stack[-1])
    if isinstance(subject, Known) and type(subject.object) is tuple:
        frame.stack.append(Known(len(subject.object)))
    elif isinstance(subject, Dict):
        frame.stack.append(Known(len(dicts.dict_entries(machine, subject))))
    else:
        items = items_of(machine, subject)
        if items is None:
            raise GraphBreak(INSTRUCTION, "the length of what a pattern looks at")
        frame.stack.append(Known(len(items)))


@handles("MATCH_KEYS")
def match_keys(machine: Machine, frame: Frame, arg: Any) -> None:
    keys, subject = realise(machine, frame.stack[-1]), realise(machine, frame.stack[-2])
    if not isinstance(subject, Dict) or not isinstance(keys, Known):
        raise GraphBreak(INSTRUCTION, "a pattern with keys that are not known")
    found = [dicts.get_item(machine, subject, key) for key in keys.object]
    known = [value for value in found if value is not None]
    frame.stack.append(Known(None) if len(known) < len(found) else Tuple(tuple(known)))


@handles("MATCH_CLASS")
def match_class(machine: Machine, frame: Frame, count: int) -> None:
    """Match a class pattern; positional patterns that match a builtin itself are left to eager."""
    names, kind, subject = (realise(machine, frame.stack.pop()) for _ in range(3))
    if not isinstance(names, Known) or not isinstance(kind, Known):
        raise GraphBreak(INSTRUCTION, "a class pattern that is not known")
    called = Invocation(machine, frame, (subject, kind), {})
    matches = BUILTINS[isinstance](called)
    if not isinstance(matches, Known):
        raise GraphBreak(INSTRUCTION, "a class pattern that is not known")
    if not matches.object:
        frame.stack.append(Known(None))
        return
    wanted = (*_positional(machine, kind.object, count), *names.object)
    values: list[Symbolic] = [attribute(machine, frame, subject, name) for name in wanted]
    frame.stack.append(Tuple(tuple(values)))


def _positional(machine: Machine, kind: type, count: int) -> tuple[str, ...]:
    if not count:
        return ()
    names = class_lookup(kind, "__match_args__")
    if type(names) is not tuple or len(names) < count or isinstance(names, FunctionType):
        raise GraphBreak(INSTRUCTION, "a class pattern with positional parts")
    class_ = Fixed.of(kind, f"class `{kind.__name__}`")
    machine.guard(ClassAttr.of(class_, "__match_args__", names, of_class=True))
    return names[:count]
