"""User functions: captured as if their body stood at the call."""

from __future__ import annotations

import inspect
from functools import lru_cache
from types import CodeType

from ....guards.kinds import IsFunction
from ....guards.sources import ClosureCell, Defaults, Fixed, Source
from ...bytecode.decode import decode
from ...bytecode.flow import Flow, analyse
from ..breaks import CALL, GraphBreak
from ..flow.inlined import returned, run_inlined
from ..flow.iterators import Suspended
from ..frame import Frame
from ..functions.folding import is_of_a_library
from ..functions.library import constant_of_library
from ..in_python import is_ours
from ..invocation import Invocation, name_of
from ..live import look
from ..machine import Machine
from ..objects import dicts
from ..objects.attributes import fixed
from ..values import Cell, Dict, Known, NewFunction, Symbolic, Tuple, Unread, UserFunction
from .iteration import make_iterator

MAX_DEPTH = 16
"""Calls inlined into each other."""
_USER_CODE_OF = ("numpy", "scipy", "numba")
"""Packages whose functions are no user's."""
_NEVER = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def inline(callee: Known | UserFunction | NewFunction, call: Invocation) -> Symbolic | None:
    """Runs a function in place; a break inside it is a break of the call.

    None for what cannot run in place, such as a library's function outside of a library's body.
    """
    machine = call.machine
    function = _description(machine, callee)
    if function is None or machine.depth >= MAX_DEPTH or function.code.co_flags & _NEVER:
        return None
    parameters = bind(function, call)
    if parameters is None or (machine.is_inner and function.code in machine.inlined):
        return None  # where the data end a recursion, no capture comes to its end
    if not isinstance(callee, NewFunction) and callee.source is not None:
        looks_at = bool(callee.object.__defaults__) and not is_of_a_library(function.namespace)
        machine.guard(IsFunction.of(callee.source, callee.object, looks_at))
    flow = _flow_of(machine, function)
    locals_: list[Symbolic | None] = [None] * len(flow.decoded.localsplus)
    locals_[: len(parameters)] = parameters
    first_free = len(locals_) - len(function.code.co_freevars)
    cells: dict[int, Symbolic] = dict(enumerate(function.closure, first_free))
    inner = Frame(flow, function.namespace, locals_, cells, modes=call.frame.modes)
    if is_ours(function.namespace):
        inner.stands_at = call.frame.location()
    if function.code.co_flags & inspect.CO_GENERATOR:
        return _generator(callee, inner, call)
    return returned(run_inlined(machine, inner, name_of(callee)))


def _flow_of(machine: Machine, function: NewFunction) -> Flow:
    """The analysed bytecode; that of a library's body stays, since captures come to it again."""
    code = function.code
    if is_of_a_library(function.namespace):
        return _flow_of_library(code, code.co_filename)
    flow = machine.flows.get(code)
    if flow is None:
        flow = machine.flows[code] = analyse(decode(code))
    return flow


@lru_cache(maxsize=128)
def _flow_of_library(code: CodeType, filename: str) -> Flow:
    """Equal code of two files, which errors name, counts as two."""
    return analyse(decode(code))


def _generator(callee: Symbolic, frame: Frame, call: Invocation) -> Symbolic | None:
    """A generator that has not started; one with keywords is not built again at an exit."""
    if call.keywords:
        return None
    return make_iterator(call.machine, Suspended(frame, False, callee, call.arguments))


def _description(
    machine: Machine, callee: Known | UserFunction | NewFunction
) -> NewFunction | None:
    """Any function as one that is made here; None when it is not the user's, where it has to be."""
    if isinstance(callee, NewFunction):
        return callee
    function = callee.object
    in_library = machine.library_until is not None
    if not in_library and (function.__module__ or "").split(".")[0] in _USER_CODE_OF:
        return None
    cells = []
    for k, cell in enumerate(function.__closure__ or ()):
        variable = function.__code__.co_freevars[k]
        source: Source
        if callee.source is not None:  # nothing refers to a cell weakly
            source = ClosureCell(callee.source, k, variable)
        else:
            source = Fixed.of(cell, f"cell `{variable}`")
        cells.append(Cell(variable, source, cell))
    return NewFunction(
        function.__code__,
        function.__globals__,
        _defaults(machine, callee),
        _keyword_defaults(machine, callee),
        tuple(cells),
    )


def _defaults(machine: Machine, callee: Known | UserFunction) -> tuple[Symbolic, ...]:
    """The defaults of a function: those of a user's are looked up in their tuple.

    A function that is made anew at each call may bring others, and none is kept alive.
    """
    function = callee.object
    held, name = function.__defaults__, f"default of `{function.__name__}`"
    if not held:
        return ()
    if is_of_a_library(function.__globals__):
        return tuple(constant_of_library(value, name) for value in held)
    if callee.source is None:
        return tuple(fixed(value, name) for value in held)
    defaults = look(machine, Unread(Defaults(callee.source), held))
    assert isinstance(defaults, Tuple), "what a tuple stands for"
    return defaults.items


def _keyword_defaults(machine: Machine, callee: Known | UserFunction) -> dict[str, Symbolic]:
    """The keyword defaults of a function: those of a user's are looked up in their dict.

    The dict may change, between calls and here, and somebody else may hold it.
    """
    function = callee.object
    held = function.__kwdefaults__
    if not held:
        return {}
    if callee.source is None and is_of_a_library(function.__globals__):
        name = function.__name__
        return {k: constant_of_library(v, f"default of `{name}`") for k, v in held.items()}
    owner = callee.source or Fixed.of(function, f"function `{function.__name__}`")
    if type(held) is not dict:
        raise GraphBreak(CALL, f"keyword defaults of {function.__name__} in a dict of its own kind")
    defaults = look(machine, Unread(Defaults(owner, keywords=True), held))
    assert isinstance(defaults, Dict), "what an exact dict stands for"
    return dict(dicts.dict_entries(machine, defaults))


def bind(function: NewFunction, call: Invocation) -> list[Symbolic] | None:
    """Values of the parameters, in the order of the locals; None when the call does not fit."""
    code = function.code
    arguments, keywords = call.arguments, dict(call.keywords)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    rest = arguments[code.co_argcount :]
    if rest and not code.co_flags & inspect.CO_VARARGS:
        return None
    bound: dict[str, Symbolic] = dict(zip(names, arguments[: code.co_argcount], strict=False))
    for name in names[code.co_posonlyargcount :]:
        if name in keywords:
            if name in bound:
                return None
            bound[name] = keywords.pop(name)
    if keywords and not code.co_flags & inspect.CO_VARKEYWORDS:
        return None
    # Whoever sets defaults may give more than there are parameters, and name some that are not
    # keyword-only: CPython counts from the last, and asks only for its keyword-only ones.
    positional = reversed(names[: code.co_argcount])
    for name, default in zip(positional, reversed(function.defaults), strict=False):
        bound.setdefault(name, default)
    for name in names[code.co_argcount :]:
        if name in function.kwdefaults:
            bound.setdefault(name, function.kwdefaults[name])
    if any(name not in bound for name in names):
        return None
    values = [bound[name] for name in names]
    if code.co_flags & inspect.CO_VARARGS:
        values.append(Tuple(rest))
    if code.co_flags & inspect.CO_VARKEYWORDS:
        values.append(dicts.new_dict(call.machine, dict(keywords)))
    return values
