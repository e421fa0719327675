"""Objects whose end somebody hears of: they must die where they die in eager."""

from __future__ import annotations

import contextlib
import types
import weakref
from typing import Any

from ...guards.grip import made_at_run_time
from .breaks import EFFECT, GraphBreak
from .live import answers_itself
from .values import Symbolic, Unread

ITEMS = 8
"""Containers are looked into as long as they are small."""


def let_go(value: Symbolic | None) -> None:
    """A variable, the stack or a container drops an object, which may be the last one to hold it.

    Raises:
        GraphBreak: somebody would hear of it: eager lets it die here, a segment at its exit.
    """
    if isinstance(value, Unread):
        let_go_of(value.object)


def let_go_of(object_: Any) -> None:
    """The same for an object from outside that is known."""
    if _is_heard_of(object_):
        raise GraphBreak(EFFECT, "an object whose end somebody waits for is let go of")


def _is_heard_of(object_: Any) -> bool:
    if object_ is None:
        return False
    kind = type(object_)
    if kind in (list, tuple) and len(object_) <= ITEMS:
        return any(type(item) not in (list, tuple) and _is_heard_of(item) for item in object_)
    if answers_itself(kind):
        return True
    if _has_finaliser(kind):
        return True
    return any(
        not isinstance(ref, weakref.ref) or ref.__callback__ is not None
        for ref in weakref.getweakrefs(object_)
    )


def _has_finaliser(kind: type) -> bool:
    if not made_at_run_time(kind):
        return hasattr(kind, "__del__")  # generators and files
    names = [vars(base) for base in kind.__mro__]
    return any(any(type(key) is not str for key in one) or "__del__" in one for one in names)


def overwritten(state: dict[str, Symbolic], owner: object, name: str) -> None:
    """`let_go` for what an attribute holds that gets another value or none."""
    if name in state:
        let_go(state[name])
        return
    kind = type(owner)
    place = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    if isinstance(place, types.MemberDescriptorType):
        with contextlib.suppress(AttributeError):  # it is empty
            let_go_of(place.__get__(owner))
        return
    names = getattr(owner, "__dict__", None)
    if type(names) is dict and name in names:
        let_go_of(names[name])
