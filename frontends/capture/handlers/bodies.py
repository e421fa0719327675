"""Instructions and builtins that occur in bodies of library functions, but rarely in programs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from ...numpy.decompositions import calling
from ...numpy.purity import OF_MATH
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine
from ..values.breaks import CALL, OnlyWarns
from ..values.folding import folded, is_constant
from ..values.python_bodies import body_of, is_of_a_library
from ..values.symbolic import Known, Symbolic
from ..values.value_kind import Callee
from .builtins import ANY, MANY, builtin


def is_body(machine: Machine, frame: Frame) -> bool:
    """True if the frame is a library's, as opposed to a callback's."""
    return machine.library_until is not None and is_of_a_library(frame.namespace)


def set_of_constants(machine: Machine, frame: Frame, items: Iterable[Symbolic]) -> Known | None:
    """Return a set of constants, which must not leave the body of a library's function."""
    if not is_body(machine, frame):
        return None
    realised = [realise(machine, item) for item in items]
    if not all(isinstance(item, Known) and is_constant(item.object) for item in realised):
        return None
    return Known(frozenset(item.object for item in realised if isinstance(item, Known)))


def _limits_of(function: Callable[..., Any]) -> Callable[[Invocation], Symbolic | None]:
    """Return a handler for an immutable object that describes a dtype."""

    def limits(call: Invocation) -> Symbolic | None:
        (kind,) = call.realised()
        if not isinstance(kind, Known) or not is_constant(kind.object):
            return None
        return Known(folded(function, kind.object))

    return limits


for _function in (np.finfo, np.iinfo):
    builtin(_function, takes=(1, 1))(_limits_of(_function))


@builtin(warnings.warn, takes=(1, MANY), named=ANY)
def warn(call: Invocation) -> Symbolic | None:
    """Break, as a NumPy function's body is about to warn: eager takes over."""
    if call.machine.library_until is None:
        return None
    raise OnlyWarns(CALL, "call of `warnings.warn`")


@builtin(calling.refuse_what_warns, takes=(1, 1))
def refuse_what_warns(call: Invocation) -> Symbolic | None:
    """Return None for Python functions, classes and builtins, which do not warn from C."""
    (function,) = call.realised()
    if isinstance(function, Callee):
        return Known(None)
    if not isinstance(function, Known):
        return None
    known = function.object
    silent = isinstance(known, type | FunctionType) or body_of(known) is not None
    builtin_ = type(known) is BuiltinFunctionType and known.__module__ in ("builtins", *OF_MATH)
    return Known(None) if silent or builtin_ else None
