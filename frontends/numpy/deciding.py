"""Flags of library functions: arguments that decide what kind of result a call has.

`copy`, `keepdims`, `overwrite_input` or `return_index` decide if a function returns a new array or
an argument, the number of axes and of results, and what it writes to. Capture finds that out once,
from a row or from an example of the call. So a flag must be constant: its value is guarded, or the
graph branches on it with a call for each value.

A number used in the computation stays a number of the graph. If another value gives a result of
another type, rank, layout or ownership (jit/results.py), the kernel bails.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from inspect import Parameter
from typing import Any

from ..capture.state.invocation import Invocation
from ..capture.state.live import concrete, realise, truth_of_number
from ..capture.state.machine import Machine
from ..capture.values.breaks import ARGUMENT, GraphBreak
from ..capture.values.symbolic import Array, Known, Scalar, Symbolic

_OPERAND = Parameter.empty
"""Default of a required parameter, whose argument is used in the computation."""
_ANY_OPTION = object()
"""Default of a keyword argument about which the signature says nothing."""


@lru_cache(maxsize=1000)
def parameters(function: Callable[..., Any]) -> Mapping[str, Parameter]:
    """Return a function's parameters; none if it has no signature."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def with_known_flags(
    function: Callable[..., Any], call: Invocation, known_by: Callable[..., Any] | None = None
) -> Invocation:
    """Return the call with its flags as constants.

    `known_by`: a row that has the parameters of a function without a signature.

    Raises:
        ForkOfTruth: a flag is known only at run time; both of its values are captured.
        GraphBreak: a number other than a bool is used as a flag, and known only at run time.
    """
    named = parameters(function) or _parameters_of_row(known_by)
    places = [
        one.default
        for one in named.values()
        if one.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    ]
    places += [_OPERAND] * (len(call.arguments) - len(places))
    return replace(
        call,
        arguments=tuple(
            _known_flag(call, default, value)
            for default, value in zip(places, call.arguments, strict=False)
        ),
        keywords={
            name: _known_flag(call, named[name].default if name in named else _ANY_OPTION, value)
            for name, value in call.keywords.items()
        },
    )


def _parameters_of_row(row: Callable[..., Any] | None) -> dict[str, Parameter]:
    """Return the parameters of a row with the defaults of NumPy's function."""
    found = {} if row is None else dict([*parameters(row).items()][2:])
    return {
        name: one.replace(default=one.default.object) if isinstance(one.default, Known) else one
        for name, one in found.items()
    }


def _known_flag(call: Invocation, default: Any, value: Symbolic) -> Symbolic:
    """Return the argument, as a constant if it is a flag that is a number of the graph."""
    if default is _OPERAND:
        return value
    machine, number = call.machine, realise(call.machine, value)
    if isinstance(number, Array) and type(default) is bool and _is_one_item(machine, number):
        raise GraphBreak(ARGUMENT, "an array that is a flag")
    if not isinstance(number, Scalar):
        return value
    if number.type.dtype.char == "?":
        kind = bool if number.type.python else number.type.dtype.type
        return Known(kind(truth_of_number(machine, value)))
    if type(default) is not bool:
        return value
    known = concrete(machine, number)
    if known is None:
        raise GraphBreak(ARGUMENT, "a number that is a flag, and is known only at run time")
    return known


def _is_one_item(machine: Machine, array: Array) -> bool:
    """True if an array has a truth value, that is, one item."""
    return all(dim == 1 for dim in map(machine.builder.resolve, array.type.dims))
