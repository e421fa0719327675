"""The exact class of the object that a symbolic value stands for."""

from __future__ import annotations

import types

import numpy as np

from ....guards.grip import made_at_run_time
from ....guards.kinds import IsType
from ....guards.sources import Fixed
from ..values.models import kind_of
from ..values.symbolic import Instance, Known, Opaque, Scalar, Symbolic, Tuple
from .live import realise
from .machine import Machine

_PYTHON = {"?": bool, "l": int, "d": float, "D": complex}


def _has_metaclass(known: object) -> bool:
    """True for a class whose metaclass can be changed."""
    return isinstance(known, type) and made_at_run_time(type(known))


def exact_class(machine: Machine, value: Symbolic) -> type | None:
    """Return the class, guarded if the value comes from outside; None if it is not known."""
    value = realise(machine, value)
    match value:
        case Known(object=known):
            if isinstance(known, types.ModuleType) or _has_metaclass(known):
                machine.guard(IsType.of(Fixed.of(known, known.__name__), known))
            return type(known)
        case Scalar(type=type_):
            return _PYTHON[type_.dtype.char] if type_.python else type_.dtype.type
        case Opaque(kind=kind):
            return kind
        case Tuple(named=named):
            return named or tuple
        case Instance(kind=kind, source=source):
            if kind is int or kind is np.ndarray:
                return None  # a big int, or an array that is not captured
            if source is not None:
                machine.guard(IsType.of(source, value.object))
            return kind_of(kind)
    return value.stands_for
