"""`functools.partial` objects that a segment makes."""

from __future__ import annotations

import functools
from dataclasses import replace

from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ...runtime import exit_calls
from ..state.behaviour import BEHAVIOURS, Behaviour
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.machine import Machine
from ..values.symbolic import Symbolic, Tuple
from ..values.value_kind import Callee, RecipeOf
from .builtins import ANY, MANY, builtin
from .calls import call_value
from .objects import is_callable


@dataclass(frozen=True, eq=False, slots=True)
class Partial(Callee):
    """A `functools.partial` made here."""

    function: Symbolic
    arguments: tuple[Symbolic, ...]
    keywords: dict[str, Symbolic]

    def recipe(self, of: RecipeOf) -> ir.Recipe:
        """Call `functools.partial`."""
        names = ir.Constant(tuple(self.keywords))
        parts = (self.function, *self.arguments, *self.keywords.values())
        return ir.Call(exit_calls.partly_called, (names, *map(of, parts)))


@builtin(functools.partial, takes=(1, MANY), named=ANY)
def _partial(call: Invocation) -> Symbolic | None:
    if not is_callable(call, call.arguments[0]):
        return None
    return Partial(call.arguments[0], call.arguments[1:], dict(call.keywords))


def _called(value: Partial, call: Invocation) -> Symbolic:
    keywords = {**value.keywords, **call.keywords}
    return call_value(value.function, replace(call.of(*value.arguments), keywords=keywords))


def _attribute(machine: Machine, frame: Frame, value: Partial, name: str) -> Symbolic | None:
    if name == "func":
        return value.function
    return Tuple(value.arguments) if name == "args" else None


BEHAVIOURS[Partial] = Behaviour(attribute=_attribute, called=_called)
