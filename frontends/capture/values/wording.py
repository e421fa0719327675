"""Describes symbolic values for users, and makes breaks for objects that are no plain arrays."""

from __future__ import annotations

import numpy as np

from ....guards.kinds import a_type
from ....jit.generators import KINDS
from ....jit.ir.types import ArrayType, captured_dtype, has_backward_item
from ....jit.native import MAX_NDIM
from .breaks import NOT_PLAIN, BreakCode, GraphBreak
from .expected import Expected, Unseen
from .symbolic import Instance, Known, Lazy, Opaque, Symbolic

_PROTOCOLS = ("__array_ufunc__", "__array_function__", "__array__", "__array_interface__")
"""Attributes by which a class asks NumPy to treat its objects as arrays."""
_ON_STACK = ("a value on the stack", "the iterator of the loop")
"""Sources that tell a user nothing."""


def in_words(value: Symbolic) -> str:
    """Describe a value for users."""
    if isinstance(value, Known):
        return "None" if value.object is None else a_type(value.object)
    if isinstance(value, Lazy) and type(value.object) is Expected:
        return "an array" if isinstance(value.object.type, ArrayType) else "a number"
    if isinstance(value, Lazy) and type(value.object) is Unseen:
        return value.object.what
    if isinstance(value, Lazy):
        return a_type(value.object)
    if isinstance(value, Instance):
        return what(value)
    if isinstance(value, Opaque):
        known = value.kind in KINDS
        return "a generator of random numbers" if known else f"a {value.kind.__name__}"
    return value.words


def what(owner: Instance) -> str:
    """Describe an object for users."""
    source = "an object" if owner.source is None else str(owner.source)
    if source in _ON_STACK:
        source = "an object"
    return f"{source} ({_why_not_plain(owner) or owner.class_.__name__})"


def refusal(
    code: BreakCode, detail: str, *values: Symbolic, guess: bool | None = None
) -> GraphBreak:
    """Return the break for an operation on these values; `guess`: see GraphBreak.

    If one of them is an array to NumPy, but no plain one, that is given as the reason.
    """
    for value in values:
        if isinstance(value, Instance) and _why_not_plain(value) is not None:
            return GraphBreak(NOT_PLAIN, what(value))
    return GraphBreak(code, detail, guess=guess)


def _why_not_plain(value: Instance) -> str | None:
    """Say what kind of array or NumPy number an object is; None if it is neither."""
    kind = value.class_
    if kind is np.ndarray:
        return "an array" if value.object is None else _why_array_is_not(value.object)
    if kind is int:
        return "an int of more than 64 bits"
    name = kind.__name__
    if issubclass(kind, np.ndarray):
        return f"{name}, a subclass of ndarray"
    if issubclass(kind, np.generic):
        return f"{name}, a NumPy scalar of a kind that is not captured"
    own = [one for one in _PROTOCOLS if any(one in vars(base) for base in kind.__mro__)]
    return f"{name}, a class with {own[0]}" if own else None


def _why_array_is_not(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> str:
    dtype = array.dtype
    if dtype.names is not None:
        return "a structured array"
    if not captured_dtype(dtype):
        of = f"{dtype.str} with metadata" if dtype.metadata is not None else str(dtype)
        return f"an array of dtype {of}"
    if not array.flags.aligned:
        return "an array that is not aligned in memory"
    if has_backward_item(array):
        return "an array of which an axis of one item goes backward"
    assert array.ndim > MAX_NDIM
    return f"an array of more than {MAX_NDIM} axes"


def iterated_in_words(value: Symbolic) -> str:
    """Name what a loop iterates over, for users."""
    if isinstance(value, Lazy):
        name = type(value.object).__name__
        if name.endswith("iterator"):
            return f"a {name} that is under way already"
        return f"an object that is no array or range: {name}"
    return in_words(value)
