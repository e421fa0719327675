"""Numbers of several types in arithmetic: of which types a kernel gives the same bits.

`x * c` of doubles computes the same whether `c` is the int 2, the float 2.0 or a scalar of NumPy's.
Where calls have brought numbers of several types under one name, operators take such a live-in as a
double, or as an int, of any of the types for which NumPy resolves the operator in the same way.
Whatever else looks at the live-in guards its exact type.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from ...guards.numbers import ARRAYS, FLOAT, INT, SAMPLES, bit_of
from ...guards.sources import Number, Source
from ...jit.ir.graph import Graph
from ...jit.ir.schema import Effect
from ...jit.ir.types import PY_FLOAT, PY_INT, ScalarType
from .live import look, plain_name
from .machine import Machine
from .values import Array, Known, Scalar, Symbolic, Unread

Function = Callable[..., Any]
_CONVERTING = frozenset({operator.add, operator.sub, operator.mul, operator.truediv})
"""Operators of numbers that convert an int to a double first."""
_COMPARING = frozenset(
    {operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne}
)
"""Those of Python's look at the very int: one is taken here that a double holds."""
_Beside = np.dtype[Any] | type
"""What types of results depend on: the dtype of an array with axes, or the type of a number."""


class _Asked(np.ndarray[Any, Any]):
    """An array that answers with the ufunc that it is handed to."""

    def __array_ufunc__(self, ufunc: np.ufunc, *given: Any, **named: Any) -> Any:
        return ufunc


@lru_cache(maxsize=256)
def _ufunc_of(function: Function) -> np.ufunc | None:
    """The ufunc that an operator of arrays comes to; None where that depends on a number."""
    if isinstance(function, np.ufunc):
        return function
    if function is operator.pow:
        return None  # `x ** 2` is a square
    asked = np.ones(2).view(_Asked)
    found = function(asked, asked)
    return found if isinstance(found, np.ufunc) else None


class NumberMayChange(Exception):  # noqa: N818
    """An array without axes was taken for a number, and the segment writes into arrays.

    `names`: the numbers that may be arrays; the next capture looks at their types.
    """

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()
        self.names = names


def of_any_kind(
    machine: Machine, function: Function, operands: tuple[Symbolic, ...]
) -> tuple[Symbolic, ...]:
    """The operands of an operator or ufunc, a number of several types taken as one of them."""
    if not machine.any_kind or len(operands) != 2:
        return operands
    for place, value in enumerate(operands):
        if isinstance(value, Unread) and str(value.source) in machine.any_kind:
            made = _taken(machine, function, place, value, operands[1 - place])
            if made is not None:
                return (made, operands[1]) if place == 0 else (operands[0], made)
    return operands


def _taken(
    machine: Machine, function: Function, place: int, value: Unread, other: Symbolic
) -> Scalar | None:
    bit = bit_of(value.object)
    if bit is None or (bit == INT and not -(2**63) <= value.object < 2**63):
        return None
    beside = _beside(look(machine, other))
    if beside is None:
        return None
    exact = isinstance(beside, type) and function in _COMPARING
    if exact and bit < FLOAT and abs(value.object) >= 2**53:
        return None
    for whole in (False, True):
        kinds = _alike(function, beside, place, whole)
        if kinds >> bit & 1:
            return _number(machine, Number(value.source, kinds, whole, exact), value.object)
    return None


def _beside(other: Symbolic) -> _Beside | None:
    if isinstance(other, Array) and other.type.ndim:
        return other.type.dtype
    if isinstance(other, Scalar):
        return _type_of(other.type)
    if isinstance(other, Known) and type(other.object) in (float, np.float64):
        return type(other.object)
    return None


def _type_of(type_: ScalarType) -> type | None:
    if type_.dtype.char != "d":
        return None
    return float if type_.python else np.float64


@lru_cache(maxsize=4096)
def _alike(function: Function, beside: _Beside, place: int, whole: bool) -> int:
    """The types, as a mask, whose numbers are computed with as a Python float, or an int, would be.

    0 where that is not as a double, or as an int64.
    """
    if isinstance(beside, np.dtype) and beside.char in "qQ":
        return 0  # of `long long` and `long` resolve_dtypes() tells other ones than calls give
    canonical = SAMPLES[INT if whole else FLOAT]
    if isinstance(beside, np.dtype):
        wanted = _resolved(function, beside, place, canonical)
        if wanted is None or wanted[place] != "dl"[whole]:
            return 0
    elif whole or _result(function, beside, place, canonical) is None:
        return 0
    kinds = 0
    for bit, sample in SAMPLES.items():
        if whole and np.asarray(sample).dtype.kind not in "biu":
            continue
        if isinstance(beside, np.dtype):
            same = _resolved(function, beside, place, sample) == wanted
        else:
            # An array goes through the ufunc: its warnings have other words, NaNs other signs.
            told = _result(function, beside, place, sample)
            is_array = type(sample) is np.ndarray
            same = not is_array and told is _result(function, beside, place, canonical)
        kinds |= same << bit
    return kinds


def _resolved(function: Function, beside: np.dtype[Any], place: int, number: Any) -> str | None:
    """The dtypes of the loop beside an array, by their characters."""
    ufunc = _ufunc_of(function)
    if ufunc is None or (ufunc.nin, ufunc.nout) != (2, 1) or ufunc.signature:
        return None
    given = type(number) if type(number) in (int, float) else np.asarray(number).dtype
    dtypes = (given, beside) if place == 0 else (beside, given)
    try:
        return "".join(one.char for one in ufunc.resolve_dtypes((*dtypes, None)))
    except TypeError:
        return None


def _result(function: Function, beside: type, place: int, number: Any) -> type | None:
    """The type of the result beside a number."""
    if function not in _CONVERTING and function not in _COMPARING:
        return None
    other = beside(1.5)
    return type(function(number, other) if place == 0 else function(other, number))


def _number(machine: Machine, source: Number, number: Any) -> Scalar:
    machine.took_arrays |= type(number) is np.ndarray
    if source not in machine.realised:
        hint = int(number) if source.whole else float(number)
        value = machine.builder.param(PY_INT if source.whole else PY_FLOAT, hint)
        value.name = plain_name(source)
        machine.param_sources.append(source)
        machine.remember(source, Scalar(value))
    made = machine.realised[source]
    assert isinstance(made, Scalar)
    return made


def parameter_sources(machine: Machine, graph: Graph) -> list[Source]:
    """The sources of the parameters of a graph.

    Where it writes into arrays, numbers are no arrays: these could share their memory. Only ops of
    effect WRITE do; what others change are lists and generators.

    Raises:
        NumberMayChange: one of them is an array in this call.
    """
    sources = machine.param_sources
    if not any(isinstance(one, Number) for one in sources):
        return sources
    if not any(node.op.effect is Effect.WRITE for node in graph.nodes()):
        return sources
    if machine.took_arrays:
        names = (str(one) for one in sources if isinstance(one, Number))
        raise NumberMayChange(frozenset(names))
    return [
        replace(one, kinds=one.kinds & ~ARRAYS) if isinstance(one, Number) else one
        for one in sources
    ]
