"""Flags of library functions: arguments whose value decides what kind of thing a call is.

On `copy`, `keepdims`, `overwrite_input` or `return_index` it depends whether a function gives an
array of its own or an argument, with how many axes, how many results, and what it writes to.
Capture finds that out once, from a row of the table or from an example of the call. So a flag has
to be a constant: it is guarded by its value, or the graph branches on it and holds a call for each.

A number that is computed with stays a number of the graph: of what a function gives for another
one the kernel looks at type, rank, layout and owner (jit/results.py), and eager goes on where these
are not what the example showed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from inspect import Parameter
from typing import Any

from ..breaks import ARGUMENT, GraphBreak
from ..invocation import Invocation
from ..live import concrete, look, truth_of_number
from ..machine import Machine
from ..values import Array, Known, Scalar, Symbolic

_OPERAND = Parameter.empty
"""The default value of a parameter that has none: its argument is computed with."""
_ANY_OPTION = object()
"""That of an argument with a keyword of which the signature says nothing."""


@lru_cache(maxsize=1000)
def parameters(function: Callable[..., Any]) -> Mapping[str, Parameter]:
    """The signature of a function; nothing where NumPy or SciPy does not tell it."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def with_known_flags(
    function: Callable[..., Any], call: Invocation, known_by: Callable[..., Any] | None = None
) -> Invocation:
    """The call with its flags as constants.

    `known_by` has the parameters of the function where it does not tell them itself: a row.

    Raises:
        ForkOfTruth: a flag is told at run time; the call is captured for both of its values.
        GraphBreak: a number other than a bool stands for a flag, and is told only then.
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
    """Those of NumPy's function, with NumPy's default values."""
    found = {} if row is None else dict([*parameters(row).items()][2:])
    return {
        name: one.replace(default=one.default.object) if isinstance(one.default, Known) else one
        for name, one in found.items()
    }


def _known_flag(call: Invocation, default: Any, value: Symbolic) -> Symbolic:
    """The argument, as a constant where it is a flag that is a number of the graph."""
    if default is _OPERAND:
        return value
    machine, number = call.machine, look(call.machine, value)
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
    """Whether an array has a truth; others are masks."""
    return all(dim == 1 for dim in map(machine.builder.resolve, array.type.dims))
