"""Objects whose finalisation is observable: they must die when they die in eager."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Mapping, Sequence
from typing import Any

from ....jit import native
from ..values.breaks import EFFECT, GraphBreak
from ..values.symbolic import Lazy, Symbolic


def let_go(value: Symbolic | None) -> None:
    """Break if dropping a reference might finalise such an object.

    Raises:
        GraphBreak: the end is observable: eager has it here, a segment only at its exit.
    """
    if isinstance(value, Lazy):
        let_go_of(value.object)


def let_go_of(object_: Any) -> None:
    """Break if dropping a reference to a known outside object might finalise it."""
    if native.finalisation_is_observable(object_):
        raise GraphBreak(EFFECT, "an object whose end somebody waits for is let go of")


def observed_items(stack: Sequence[Symbolic], base: int) -> dict[int, Symbolic]:
    """Return such objects on the stack above `base`, where the only reference may be."""
    return {
        k: item
        for k, item in enumerate(stack[base:], base)
        if isinstance(item, Lazy) and native.finalisation_is_observable(item.object)
    }


def stay_where_they_are(items: Mapping[int, Symbolic], stack: Sequence[Symbolic]) -> None:
    """Break if an instruction would take one of these items from the stack."""
    if any(k >= len(stack) or stack[k] is not item for k, item in items.items()):
        raise GraphBreak(EFFECT, "an object whose end somebody waits for is taken from the stack")


def overwritten(state: dict[str, Symbolic], owner: object, name: str) -> None:
    """Apply `let_go` to an attribute that is overwritten or deleted."""
    if name in state:
        let_go(state[name])
        return
    kind = type(owner)
    place = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    if isinstance(place, types.MemberDescriptorType):
        with contextlib.suppress(AttributeError):  # it is empty
            let_go_of(place.__get__(owner))
        return
    names = native.own_names(owner)
    if name in names:
        let_go_of(names[name])
