"""Numbers of several types in arithmetic: types for which a kernel computes the same bits.

`x * c` of doubles is the same whether `c` is the int 2, the float 2.0 or a NumPy scalar. If calls
have brought numbers of several types under one name, operators take such a live-in as a double or
an int, for all types for which NumPy resolves the operator alike. Any other use of the live-in
guards its exact type.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from ....guards.conversions import Number
from ....guards.numbers import ARRAYS, FLOAT, INT, SAMPLES, bit_of
from ....guards.sources import Source
from ....jit.ir.graph import Graph
from ....jit.ir.primitives import of_numbers
from ....jit.ir.schema import Effect
from ....jit.ir.types import PY_FLOAT, PY_INT, ScalarType
from ..values.symbolic import Array, Known, Lazy, Scalar, Symbolic
from .live import plain_name, realise
from .machine import Machine
from .spread_numbers import has_axes, looks_at_items_only, spread

Function = Callable[..., Any]
_Beside = np.dtype[Any] | type
"""Determines result types: the dtype of an array with axes, or the type of a number."""


class _UfuncRecorder(np.ndarray[Any, Any]):
    """An array for which the result of any ufunc is that ufunc itself."""

    def __array_ufunc__(self, ufunc: np.ufunc, *given: Any, **named: Any) -> Any:
        return ufunc


@lru_cache(maxsize=256)
def _ufunc_of(function: Function) -> np.ufunc | None:
    """Return the ufunc of an operator on arrays; None if that depends on a number."""
    if isinstance(function, np.ufunc):
        return function
    if function is operator.pow:
        return None  # `x ** 2` is a square
    recorder = np.ones(2).view(_UfuncRecorder)
    found = function(recorder, recorder)
    return found if isinstance(found, np.ufunc) else None


class NumberMayChange(Exception):  # noqa: N818 (control flow, no error)
    """A 0-d array was taken for a number, and the segment writes to arrays.

    `names`: the numbers that may be arrays; the next capture guards their types.
    """

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()
        self.names = names


def of_any_kind(
    machine: Machine,
    function: Function,
    operands: tuple[Symbolic, ...],
    *,
    in_place: bool = False,
) -> tuple[Symbolic, ...]:
    """Return the operands with a number of varying type as a double or int, if that is possible.

    One that may be an array becomes an array, except as the left operand of `+=`.
    """
    if not machine.any_kind or len(operands) != 2:
        return operands
    for place in sorted((0, 1), key=lambda place: not has_axes(operands[1 - place])):
        value = operands[place]
        if isinstance(value, Lazy) and str(value.source) in machine.any_kind:
            kinds = ~ARRAYS if in_place and place == 0 else -1
            made = _taken(machine, function, place, value, operands[1 - place], kinds)
            if made is not None:
                return (made, operands[1]) if place == 0 else (operands[0], made)
    return operands


def _taken(
    machine: Machine, function: Function, place: int, value: Lazy, other: Symbolic, admitted: int
) -> Scalar | Array | None:
    if str(value.source) in machine.any_line and admitted & ARRAYS and has_axes(other):
        array = realise(machine, other)
        if isinstance(array, Array) and looks_at_items_only(_ufunc_of(function)):
            kinds = _alike(function, array.type.dtype, place, False) & ~ARRAYS
            made = spread(machine, value, array, kinds)
            if made is not None:
                return made
    bit = bit_of(value.object)
    if bit is None or (bit == INT and not -(2**63) <= value.object < 2**63):
        return None
    beside = _beside(realise(machine, other))
    if beside is None:
        return None
    # Python compares ints exactly, so only those that a double represents are admitted.
    exact = isinstance(beside, type) and of_numbers(function).compares is not None
    if exact and bit < FLOAT and abs(value.object) >= 2**53:
        return None
    for whole in (False, True):
        kinds = _alike(function, beside, place, whole) & admitted
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
    """Return a mask of types whose numbers act like a Python float, or int.

    0 if computing with them as a double or int64 would differ.
    """
    if isinstance(beside, np.dtype) and beside.char in "qQ":
        return 0  # resolve_dtypes() is wrong about `long long` and `long`
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
            # An array goes through the ufunc, with other wording of warnings and other signs of
            # NaN.
            told = _result(function, beside, place, sample)
            is_array = type(sample) is np.ndarray
            same = not is_array and told is _result(function, beside, place, canonical)
        kinds |= same << bit
    return kinds


def _resolved(function: Function, beside: np.dtype[Any], place: int, number: Any) -> str | None:
    """Return the dtype characters of the loop used beside an array."""
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
    """Return the type of the result beside a number."""
    row = of_numbers(function)
    if not row.converts_ints and row.compares is None:
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
    """Return the sources of a graph's parameters.

    If the graph writes to arrays, numbers must not be arrays, which could share their memory. Only
    ops of effect WRITE do; others change lists and generators.

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
