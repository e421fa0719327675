"""Inlines user functions: captures the body at the place of the call."""

from __future__ import annotations

import inspect
from functools import lru_cache
from types import CodeType

from ....guards.kinds import IsFunction
from ....guards.sources import ClosureCell, Defaults, Fixed, Source
from ...bytecode import isa
from ...bytecode.decode import decode
from ...bytecode.flow import Flow, analyse
from ...bytecode.isa import Op
from ...numpy.library import constant_of_library
from ..flow.inlined import landing_of, returned, run_inlined
from ..flow.iterators import Suspended
from ..objects import dicts
from ..objects.attributes import fixed
from ..state.frame import Frame
from ..state.invocation import Invocation, name_of
from ..state.live import realise
from ..state.machine import Machine
from ..state.paths import ANYWHERE, Region
from ..values.breaks import CALL, GraphBreak
from ..values.limits import MAX_INLINED
from ..values.python_bodies import holds_decompositions, is_of_a_library
from ..values.symbolic import Cell, Dict, Known, Lazy, NewFunction, Symbolic, Tuple, UserFunction
from .iteration import make_iterator

_USER_CODE_OF = ("numpy", "scipy", "numba")
"""Packages whose functions are not the user's."""
_NEVER = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def inline(callee: Known | UserFunction | NewFunction, call: Invocation) -> Symbolic | None:
    """Inline a function; a break inside it becomes a break of the call.

    None for what cannot be inlined, such as a library's function outside of a library's body.
    """
    machine = call.machine
    function = _description(machine, callee)
    if function is None or machine.depth >= MAX_INLINED or function.code.co_flags & _NEVER:
        return None
    parameters = bind(function, call)
    if parameters is None or (machine.is_inner and function.code in machine.inlined):
        return None  # if data end a recursion, capturing it would not terminate
    if not isinstance(callee, NewFunction) and callee.source is not None:
        looks_at = bool(callee.object.__defaults__) and not is_of_a_library(function.namespace)
        machine.guard(IsFunction.of(callee.source, callee.object, looks_at))
    flow = _flow_of(machine, function)
    locals_: list[Symbolic | None] = [None] * len(flow.decoded.localsplus)
    locals_[: len(parameters)] = parameters
    first_free = len(locals_) - len(function.code.co_freevars)
    cells: dict[int, Symbolic] = dict(enumerate(function.closure, first_free))
    inner = Frame(flow, function.namespace, locals_, cells, modes=call.frame.modes)
    if holds_decompositions(function.namespace):
        inner.stands_at = call.frame.location()
    if function.code.co_flags & inspect.CO_GENERATOR:
        return _generator(callee, inner, call)
    return returned(run_inlined(machine, inner, name_of(callee)))


def _flow_of(machine: Machine, function: NewFunction) -> Flow:
    """Return the analysed bytecode; that of library functions is cached across captures."""
    code = function.code
    if is_of_a_library(function.namespace):
        return _flow_of_library(code, code.co_filename)
    flow = machine.flows.get(code)
    if flow is None:
        flow = machine.flows[code] = analyse(decode(code))
    return flow


@lru_cache(maxsize=128)
def _flow_of_library(code: CodeType, filename: str) -> Flow:
    """Analyse code; equal code from two files is separate, as errors name the file."""
    return analyse(decode(code))


def _generator(callee: Symbolic, frame: Frame, call: Invocation) -> Symbolic | None:
    """Return a generator that has not started; exits cannot rebuild one with keywords."""
    if call.keywords:
        return None
    _begin_generator(call.machine, frame)
    return make_iterator(call.machine, Suspended(frame, False, callee, call.arguments))


def _begin_generator(machine: Machine, frame: Frame) -> None:
    """Run what a generator expression does when it is made: since 3.15 it asks for the iterator."""
    instructions = frame.decoded.instructions
    returns = Op(isa.RETURN_GENERATOR)
    made = next(one.index for one in instructions if returns in one.ops)
    if not any(op.name == isa.GET_ITER for one in instructions[:made] for op in one.ops):
        return
    frame.region = Region(stops=frozenset((made,)))
    landing = landing_of(machine, frame, "the generator")
    begun = landing.frames.get(made)
    if begun is None or landing.which is not None:
        raise GraphBreak(CALL, "a generator expression over one of several objects")
    frame.stack, frame.locals, frame.index = begun.stack, begun.locals, begun.index
    frame.region = ANYWHERE


def _description(
    machine: Machine, callee: Known | UserFunction | NewFunction
) -> NewFunction | None:
    """Return any function as one made here; None if it is not the user's but has to be."""
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
        if callee.source is not None:  # cells cannot be referenced weakly
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
    """Return a function's defaults; those of a user's function are read from their tuple.

    A function made anew in each call may have other defaults, and none are kept alive.
    """
    function = callee.object
    held, name = function.__defaults__, f"default of `{function.__name__}`"
    if not held:
        return ()
    if is_of_a_library(function.__globals__):
        return tuple(constant_of_library(value, name) for value in held)
    if callee.source is None:
        return tuple(fixed(value, name) for value in held)
    defaults = realise(machine, Lazy(Defaults(callee.source), held))
    assert isinstance(defaults, Tuple), "what a tuple stands for"
    return defaults.items


def _keyword_defaults(machine: Machine, callee: Known | UserFunction) -> dict[str, Symbolic]:
    """Return a function's keyword defaults; those of a user's function are read from their dict.

    The dict may change, between calls or during one, and may have other references.
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
    defaults = realise(machine, Lazy(Defaults(owner, keywords=True), held))
    assert isinstance(defaults, Dict), "what an exact dict stands for"
    return dict(dicts.dict_entries(machine, defaults))


def bind(function: NewFunction, call: Invocation) -> list[Symbolic] | None:
    """Return the values of the parameters in order of locals; None if the call does not fit."""
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
    # Programs may set more defaults than parameters, or name others than keyword-only ones: CPython
    # counts from the last, and only reads those of keyword-only parameters.
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
