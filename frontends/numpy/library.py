"""Names of NumPy's and SciPy's modules: constants, guarded against reassignment."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from ...guards.namespaces import Holds
from ..capture.objects.attributes import fixed
from ..capture.state.machine import Machine
from ..capture.values.symbolic import Known, Symbolic, Tuple

_NEVER_CHANGE = (
    *(types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType),
    *(type, np.ufunc, np.dtype, type(np.concatenate), type(np._NoValue)),
    *(bool, int, float, complex, str, bytes, type(None), type(Ellipsis)),
)
"""Types of immutable objects."""


def held_by_library(machine: Machine, namespace: dict[str, Any], name: str) -> Symbolic:
    """Return the object under a name of a library's module as a guarded constant."""
    machine.guard(Holds.of(namespace, name))
    return constant_of_library(namespace[name], f"`{namespace.get('__name__')}.{name}`")


def constant_of_library(held: Any, name: str) -> Symbolic:
    """Return an object that a library's module or function holds for good."""
    if issubclass(type(held), _NEVER_CHANGE) or isinstance(held, np.generic):
        return Known(held)
    if type(held) is tuple and all(issubclass(type(one), _NEVER_CHANGE) for one in held):
        return Tuple(tuple(map(Known, held)))
    return fixed(held, name)
