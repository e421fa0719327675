"""Objects whose end is observed, by a finaliser or a weakref callback.

They must die where they die in eager; a segment drops references only at its exit.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Mapping, Sequence
from typing import Any

from ....jit import native
from ..values.breaks import EFFECT, GraphBreak
from ..values.symbolic import Lazy, Symbolic


def check_dropped(value: Symbolic | None) -> None:
    """Break if dropping a reference to a live-in might end such an object."""
    if isinstance(value, Lazy):
        check_dropped_object(value.object)


def check_dropped_object(object_: Any) -> None:
    """Break if dropping a reference to this object from outside might end it, observably."""
    if native.finalisation_is_observable(object_):
        raise GraphBreak(
            EFFECT,
            "a reference to an object with a finaliser or a weakref callback is dropped",
        )


def observed_items(stack: Sequence[Symbolic], base: int) -> dict[int, Symbolic]:
    """Return such objects on the stack above `base`, where the only reference may be."""
    return {
        k: item
        for k, item in enumerate(stack[base:], base)
        if isinstance(item, Lazy) and native.finalisation_is_observable(item.object)
    }


def check_stay_on_stack(items: Mapping[int, Symbolic], stack: Sequence[Symbolic]) -> None:
    """Break if an instruction would take one of these items from the stack."""
    if any(k >= len(stack) or stack[k] is not item for k, item in items.items()):
        raise GraphBreak(
            EFFECT, "an object with a finaliser or a weakref callback is taken from the stack"
        )


def check_overwritten(state: dict[str, Symbolic], owner: object, name: str) -> None:
    """Apply `check_dropped` to an attribute that is overwritten or deleted."""
    if name in state:
        check_dropped(state[name])
        return
    kind = type(owner)
    place = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    if isinstance(place, types.MemberDescriptorType):
        with contextlib.suppress(AttributeError):  # it is empty
            check_dropped_object(place.__get__(owner))
        return
    names = native.own_names(owner)
    if name in names:
        check_dropped_object(names[name])
