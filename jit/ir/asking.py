"""What NumPy gives for ones: dtypes, how many axes, which results are numbers.

No promotion rule is written down here. Nothing is claimed where NumPy refuses ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .infer import CannotInfer, Examples, evaluate
from .nests import leaves, nest_of
from .schema import Typing
from .types import PYTHON_SCALARS, ArrayType, ScalarType, Type, scalar_type

_Class = tuple[str, int]
"""The character of a dtype, and how many axes an array has, or one of these:"""
_PYTHON, _NUMPY, _OBJECT = -1, -2, -3
"""A number of Python's or NumPy's, or another object, which is named by its class."""
MAX_KNOWN = 4096
"""Answers of NumPy's that are kept."""
_known: dict[Any, tuple[list[_Class | None], Any]] = {}
"""By op, attributes and inputs; the attributes are kept as well, as their ids are in the key."""


def asked(typing: Typing) -> str | None:
    """Results are as NumPy gives them for ones: arrays or numbers, dtypes, how many axes."""
    found = [_class_of(type_) for type_ in typing.outputs]
    key = (typing.op.name, _attrs_key(typing), tuple(map(_class_of, typing.inputs)))
    if key not in _known:
        if len(_known) >= MAX_KNOWN:
            _known.clear()
        _known[key] = _answers(typing, _ones(typing)), typing.attrs
    expected = _known[key][0]
    if all(one is None or one == other for one, other in zip(expected, found, strict=False)):
        return None
    return ", ".join(map(_in_words, expected))


def asked_for_numbers(typing: Typing) -> str | None:
    """The same of functions whose result may be of another type for other numbers.

    An int to a negative power is a float: the numbers of the capture are tried, too, and 0.5, as
    `atanh` refuses ones.
    """
    said = asked(typing)
    if said is None:
        return None
    found = [_class_of(type_) for type_ in typing.outputs]
    ones = _ones(typing)
    hints = [
        one if hint is None else type(one)(hint)
        for one, hint in zip(ones, typing.hints, strict=True)
    ]
    halves = [type(one)(0.5) if isinstance(one, float | np.floating) else one for one in ones]
    return None if found in (_answers(typing, hints), _answers(typing, halves)) else said


def _attrs_key(typing: Typing) -> tuple[Any, ...]:
    """Attributes by value where two that are equal are the same, else by identity."""
    return tuple(
        (name, value if type(value) in (int, bool, str, tuple, type(None)) else id(value))
        for name, value in typing.attrs.items()
    )


def _ones(typing: Typing) -> list[Any]:
    return [_one(type_) for type_ in typing.inputs]


def _one(type_: Type) -> Any:
    """An example with one item along each axis."""
    if isinstance(type_, ArrayType):
        return np.ones((1,) * type_.ndim, type_.dtype)
    return Examples().of(type_)


def _answers(typing: Typing, examples: list[Any]) -> list[_Class | None]:
    """The classes that NumPy gives for the examples; None where it refuses them."""
    try:
        result = evaluate(typing.op, typing.attrs, examples)
    except CannotInfer:
        return [None] * len(typing.outputs)
    results = list(leaves(result, nest_of(result))) if len(typing.outputs) > 1 else [result]
    return [_class_of_object(one) for one in results]


def _class_of(type_: Type) -> _Class:
    """All of a type that NumPy is asked for."""
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
