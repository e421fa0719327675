"""Checks result types against NumPy by running each op on arrays of ones.

This gives dtypes, ranks and which results are scalars, so that no promotion rule is copied here.
Where NumPy rejects ones, any type is accepted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .infer import CannotInfer, Examples, evaluate
from .nests import leaves, nest_of
from .schema import Typing
from .types import PYTHON_SCALARS, ArrayType, ScalarType, Type, scalar_type

_Class = tuple[str, int]
"""Dtype character and rank of an array, or one of these markers in place of the rank:"""
_PYTHON, _NUMPY, _OBJECT = -1, -2, -3
"""A Python scalar, a NumPy scalar, or another object (then the first item is its class name)."""
MAX_KNOWN = 4096
"""Number of results that are cached."""
_known: dict[Any, tuple[list[_Class | None], Any]] = {}
"""Classes of results by op, attributes and inputs. The attributes are kept alive, as the key has
their ids."""


def matches_numpy(typing: Typing) -> str | None:
    """Type rule: results have the dtype, the rank and the kind that NumPy's have for ones."""
    found = [_class_of(type_) for type_ in typing.outputs]
    key = (typing.op.name, _attrs_key(typing), tuple(map(_class_of, typing.inputs)))
    if key not in _known:
        if len(_known) >= MAX_KNOWN:
            _known.clear()
        _known[key] = _classes_of_results(typing, _ones(typing)), typing.attrs
    expected = _known[key][0]
    if all(one is None or one == other for one, other in zip(expected, found, strict=False)):
        return None
    return ", ".join(map(_in_words, expected))


def matches_numpy_for_numbers(typing: Typing) -> str | None:
    """Type rule for functions whose result type depends on values: `2 ** -1` is a float.

    Results may also have the types of results for the numbers seen at capture, or for 0.5, which
    `atanh` accepts and 1 it does not.
    """
    said = matches_numpy(typing)
    if said is None:
        return None
    found = [_class_of(type_) for type_ in typing.outputs]
    ones = _ones(typing)
    hints = [
        one if hint is None else type(one)(hint)
        for one, hint in zip(ones, typing.hints, strict=True)
    ]
    halves = [type(one)(0.5) if isinstance(one, float | np.floating) else one for one in ones]
    return (
        None
        if found in (_classes_of_results(typing, hints), _classes_of_results(typing, halves))
        else said
    )


def _attrs_key(typing: Typing) -> tuple[Any, ...]:
    """Return a cache key: attributes of plain immutable types by value, others by identity."""
    return tuple(
        (name, value if type(value) in (int, bool, str, tuple, type(None)) else id(value))
        for name, value in typing.attrs.items()
    )


def _ones(typing: Typing) -> list[Any]:
    return [_one(type_) for type_ in typing.inputs]


def _one(type_: Type) -> Any:
    """Return an example of a type with length 1 along each axis."""
    if isinstance(type_, ArrayType):
        return np.ones((1,) * type_.ndim, type_.dtype)
    return Examples().of(type_)


def _classes_of_results(typing: Typing, examples: list[Any]) -> list[_Class | None]:
    """Return the class of each result on these examples; None for each if NumPy raises."""
    try:
        result = evaluate(typing.op, typing.attrs, examples)
    except CannotInfer:
        return [None] * len(typing.outputs)
    results = list(leaves(result, nest_of(result))) if len(typing.outputs) > 1 else [result]
    return [_class_of_object(one) for one in results]


def _class_of(type_: Type) -> _Class:
    """Return the part of a type that NumPy's answer is compared with."""
    if isinstance(type_, ArrayType):
        return type_.char, type_.ndim
    return type_.char, _PYTHON if type_.python else _NUMPY


def _class_of_object(result: Any) -> _Class:
    if type(result) is np.ndarray:
        return result.dtype.char, result.ndim
    if type(result) in PYTHON_SCALARS or isinstance(result, np.generic):
        return _class_of(scalar_type(result))
    return type(result).__name__, _OBJECT


def _in_words(expected: _Class | None) -> str:
    if expected is None:
        return "anything"
    name, ndim = expected
    if ndim == _OBJECT:
        return name
    if ndim < 0:
        return f"{ScalarType(np.dtype(name), ndim == _PYTHON)} ({name})"
    return f"{np.dtype(name)}[{', '.join(['?'] * ndim)}] ({name})"
