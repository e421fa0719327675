"""Keys of symbolic values such that equal keys lead to the same breaks."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from ....jit.ir.types import ArrayType, ScalarType
from .symbolic import Array, Known, Lazy, Scalar, Symbolic, Tuple
from .value_kind import OfParts


def break_key(value: Symbolic | None) -> Hashable:
    """Return a key equal for values of the same kind; it holds no object of the user's."""
    match value:
        case Array() | Scalar():
            return _of_type(value.type)
        case Tuple(items=items):
            return (type(value).__name__, *map(break_key, items))
        case OfParts(parts=parts) if value.do_parts_decide_breaks:
            return (type(value).__name__, *map(break_key, parts))
        case Known(object=known) | Lazy(object=known):
            return _of_object(known)
    return type(value).__name__


def _of_type(type_: ArrayType | ScalarType) -> Hashable:
    if isinstance(type_, ArrayType):
        return type_.dtype.str, len(type_.dims)
    return type_.dtype.str, type_.python


def _of_object(object_: Any) -> Hashable:
    class_ = type(object_)
    if class_ is np.ndarray:
        return "array", object_.dtype.str, object_.ndim
    if any(class_ is one for one in (bool, int, float, complex, str, bytes, type(None))):
        return class_.__name__
    if class_ is list or class_ is tuple or class_ is dict:
        return class_.__name__, len(object_)
    return id(object_)
