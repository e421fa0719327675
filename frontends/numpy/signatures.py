"""Removes arguments that equal their defaults: `order="C"`, `out=None`, `where=True`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import Parameter
from typing import Any

from ..capture.state.invocation import Invocation
from ..capture.state.live import realise
from ..capture.values.symbolic import Known, Symbolic
from .deciding import parameters

_TEXT_OR_TRUTH = (str, bool, int)
_FOR_SUBCLASSES = "subok"
"""Irrelevant parameter, as arguments and results are plain arrays."""


def without_defaults(function: Callable[..., Any], call: Invocation) -> Invocation:
    """Return the call without arguments that equal the defaults in the function's signature."""
    known = parameters(function)
    if not known or not _fits(known, call):
        return call
    keywords = {
        name: value
        for name, value in call.keywords.items()
        if not _says_nothing(call, known.get(name), value)
    }
    arguments = list(call.arguments)
    named = list(known.values())
    while arguments and len(arguments) <= len(named):
        parameter = named[len(arguments) - 1]
        if parameter.kind is not Parameter.POSITIONAL_OR_KEYWORD:
            break
        if not _says_nothing(call, parameter, arguments[-1]):
            break
        arguments.pop()
    return replace(call, arguments=tuple(arguments), keywords=keywords)


def _fits(parameters: Mapping[str, Parameter], call: Invocation) -> bool:
    """True if each keyword names a free parameter; otherwise NumPy raises."""
    taken = [*parameters][: len(call.arguments)]
    return not any(
        name in taken or (name in parameters and parameters[name].kind is Parameter.POSITIONAL_ONLY)
        for name in call.keywords
    )


def _says_nothing(call: Invocation, parameter: Parameter | None, value: Symbolic) -> bool:
    if parameter is None or parameter.default is Parameter.empty:
        return False
    known = realise(call.machine, value)
    if not isinstance(known, Known):
        return False
    default, given = parameter.default, known.object
    if given is default or (parameter.name == _FOR_SUBCLASSES and type(given) is bool):
        return True
    return type(given) is type(default) and type(given) in _TEXT_OR_TRUTH and given == default
