"""`match`: patterns on tuples, lists, dicts and objects."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from .. import attributes, dicts
from ..breaks import INSTRUCTION, GraphBreak
from ..invocation import Invocation
from ..lists import items_of
from ..live import look
from ..machine import Frame, Machine, handles
from ..values import Array, Dict, Instance, Known, List, Scalar, Symbolic, Text, Tuple
from .attributes import attribute
from .builtins import BUILTINS


@handles("MATCH_SEQUENCE")
def match_sequence(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(Known(_is_kind(machine, frame, (Tuple, List), tuple)))


@handles("MATCH_MAPPING")
def match_mapping(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(Known(_is_kind(machine, frame, (Dict,), dict)))


def _is_kind(machine: Machine, frame: Frame, kinds: tuple[type, ...], constant: type) -> bool:
    """Whether the subject is of a kind; the user's own classes are asked by eager."""
    subject = look(machine, frame.stack[-1])
    if isinstance(subject, kinds):
        return True
    if isinstance(subject, Known):
        return type(subject.object) is constant
    if isinstance(subject, Array | Scalar | Tuple | List | Dict | Text):
        return False
    if isinstance(subject, Instance) and subject.kind.__flags__ & (1 << 5 | 1 << 6) == 0:
        attributes.rely_on_class(machine, subject, "__getitem__", _getitem(subject))
        return False  # its class says neither "sequence" nor "mapping"
    raise GraphBreak(INSTRUCTION, "a pattern for an object of its own kind")


def _getitem(subject: Instance) -> Any:
    return attributes.class_lookup(subject.kind, "__getitem__")


@handles("GET_LEN")
def get_len(machine: Machine, frame: Frame, arg: Any) -> None:
    subject = look(machine, frame.stack[-1])
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
    keys, subject = look(machine, frame.stack[-1]), look(machine, frame.stack[-2])
    if not isinstance(subject, Dict) or not isinstance(keys, Known):
        raise GraphBreak(INSTRUCTION, "a pattern with keys that are not known")
    found = [dicts.get_item(machine, subject, key) for key in keys.object]
    known = [value for value in found if value is not None]
    frame.stack.append(Known(None) if len(known) < len(found) else Tuple(tuple(known)))


@handles("MATCH_CLASS")
def match_class(machine: Machine, frame: Frame, count: int) -> None:
    """Positional patterns of builtins, which match the object itself, are left to eager."""
    names, kind, subject = (look(machine, frame.stack.pop()) for _ in range(3))
    if not isinstance(names, Known) or not isinstance(kind, Known):
        raise GraphBreak(INSTRUCTION, "a class pattern that is not known")
    called = Invocation(machine, frame, (subject, kind), {})
    matches = BUILTINS[isinstance](called)
    if not isinstance(matches, Known):
        raise GraphBreak(INSTRUCTION, "a class pattern that is not known")
    if not matches.object:
        frame.stack.append(Known(None))
        return
    wanted = (*_positional(kind.object, count), *names.object)
    values: list[Symbolic] = [attribute(machine, frame, subject, name) for name in wanted]
    frame.stack.append(Tuple(tuple(values)))


def _positional(kind: type, count: int) -> tuple[str, ...]:
    if not count:
        return ()
    names = attributes.class_lookup(kind, "__match_args__")
    if type(names) is not tuple or len(names) < count or isinstance(names, FunctionType):
        raise GraphBreak(INSTRUCTION, "a class pattern with positional parts")
    return names[:count]
