"""Calls: the callee decides what happens."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from ....guards.kinds import IsFunction
from ....jit.native import Dispatcher
from ... import numpy_calls
from ...bytecode import analyse, decode
from ..breaks import CALL, EFFECT, NUMPY_REFUSED, GraphBreak
from ..live import look
from ..machine import Frame, Machine, handles
from ..nodes import opaque_call, operator_call, probed_call, ufunc_call
from ..stores import assign
from ..values import NULL, Array, Known, Method, Range, Scalar, Sequence, Symbolic
from .operators import apply
from .stack import take

MAX_DEPTH = 16
"""Calls inlined into each other."""

Handler = Callable[[Machine, Frame, tuple[Symbolic, ...], dict[str, Symbolic]], "Symbolic | None"]
BUILTINS: dict[Any, Handler] = {}
"""Builtins that mean something to the graph; None from a handler is a break."""
_OF_NUMBERS: frozenset[Callable[..., Any]] = frozenset(
    {abs, float, int, bool, complex, round, min, max, pow}
)
_USER_CODE_OF = ("numpy", "scipy", "numba")
"""Packages whose functions are never inlined."""


def _builtin(*callables: Any) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        for callable_ in callables:
            BUILTINS[callable_] = handler
        return handler

    return register


@handles("CALL")
def call(machine: Machine, frame: Frame, arg: Any) -> None:
    arguments = take(frame, arg.argc)
    upper, lower = frame.stack.pop(), frame.stack.pop()
    if lower is NULL:
        callee = upper
    elif upper is NULL:
        callee = lower
    else:
        callee, arguments = lower, (upper, *arguments)
    count = len(arguments) - len(arg.keywords)
    named = dict(zip(arg.keywords, arguments[count:], strict=True))
    frame.stack.append(call_value(machine, frame, callee, arguments[:count], named))


def call_value(
    machine: Machine,
    frame: Frame,
    callee: Symbolic,
    arguments: tuple[Symbolic, ...],
    keywords: dict[str, Symbolic],
) -> Symbolic:
    """The result of a call, or a GraphBreak that names the callee."""
    callee = look(machine, callee)
    result: Symbolic | None = None
    if isinstance(callee, Method):
        result = _call_method(machine, frame, callee, arguments, keywords)
    elif isinstance(callee, Known):
        result = _call_known(machine, frame, callee, arguments, keywords)
    if result is None:
        raise GraphBreak(CALL, f"call of {name_of(callee)}")
    return result


def _call_known(
    machine: Machine,
    frame: Frame,
    callee: Known,
    arguments: tuple[Symbolic, ...],
    keywords: dict[str, Symbolic],
) -> Symbolic | None:
    function = callee.object
    if getattr(function, "__framejit_disabled__", False):
        return None
    if isinstance(function, Dispatcher):
        function = function.__wrapped__
    if isinstance(function, np.ufunc):
        return _call_ufunc(machine, frame, function, arguments, keywords)
    if _hashable(function) and function in numpy_calls.FUNCTIONS:
        row = numpy_calls.FUNCTIONS[function]
        made = _call_row(row, machine, frame, arguments, keywords)
        if made is not None:
            return made
    if numpy_calls.is_pure(function):
        return _call_pure(machine, frame, function, arguments, keywords)
    if _hashable(function) and function in BUILTINS:
        return BUILTINS[function](machine, frame, arguments, keywords)
    if isinstance(function, FunctionType):
        return inline(machine, frame, callee, function, arguments, keywords)
    if getattr(function, "__module__", None) == "math" and not keywords:
        return _of_numbers(machine, frame, function, arguments)
    if isinstance(function, type) and issubclass(function, np.generic) and len(arguments) == 1:
        return opaque_call(machine, frame, function, arguments, keywords)
    return None


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _call_ufunc(
    machine: Machine,
    frame: Frame,
    ufunc: np.ufunc,
    arguments: tuple[Symbolic, ...],
    keywords: dict[str, Symbolic],
) -> Symbolic:
    out = look(machine, keywords["out"]) if set(keywords) == {"out"} else None
    if len(arguments) == ufunc.nin + 1 and not keywords:
        out, arguments = look(machine, arguments[-1]), arguments[:-1]
    if isinstance(out, Array):
        result = ufunc_call(machine, frame, ufunc, arguments)
        assign(machine, frame, out, result, "same_kind", ufunc)
        return out
    if keywords:
        return opaque_call(machine, frame, ufunc, arguments, keywords)
    return ufunc_call(machine, frame, ufunc, arguments)


def _call_row(
    row: Callable[..., Symbolic | None],
    machine: Machine,
    frame: Frame,
    arguments: tuple[Symbolic, ...],
    keywords: dict[str, Symbolic],
) -> Symbolic | None:
    """A row of the table; None when it has not these parameters."""
    code = row.__code__
    names = code.co_varnames[: code.co_argcount]
    room = code.co_argcount - 2 if not code.co_flags & 0x04 else len(arguments)
    needed = code.co_argcount - 2 - len(row.__defaults__ or ())
    given = len(arguments) + len(keywords)
    if len(arguments) > room or given < needed or any(name not in names for name in keywords):
        return None
    return row(machine, frame, *arguments, **keywords)


def _call_pure(
    machine: Machine,
    frame: Frame,
    function: Callable[..., Any],
    arguments: tuple[Symbolic, ...],
    keywords: dict[str, Symbolic],
) -> Symbolic | None:
    """One ufunc or reduction where the call is just that, else an opaque node."""
    if "out" in keywords:
        raise GraphBreak(EFFECT, f"out= of {getattr(function, '__name__', function)}")
    if not any(isinstance(look(machine, v), Array | Scalar | Sequence) for v in arguments):
        return None
    simple = all(isinstance(look(machine, value), Array | Scalar | Known) for value in arguments)
    named = {name: look(machine, value) for name, value in keywords.items()}
    if simple and all(isinstance(value, Known) for value in named.values()):
        bound = {name: value.object for name, value in named.items() if isinstance(value, Known)}
        values = [look(machine, value) for value in arguments]
        numbers = tuple(v for v in values if not _is_bound(v))
        called = _bind(function, values, bound)
        made = probed_call(machine, frame, called, numbers, located=False)
        if made is not None:
            return made
    return opaque_call(machine, frame, function, arguments, keywords)


def _is_bound(value: Symbolic) -> bool:
    """Constants that are no numbers go into the probed function, not through it."""
    return isinstance(value, Known) and type(value.object) not in (bool, int, float, complex)


def _bind(
    function: Callable[..., Any], values: list[Symbolic], keywords: dict[str, Any]
) -> Callable[..., Any]:
    def bound(*numbers: Any) -> Any:
        given = iter(numbers)
        args = [v.object if _is_bound(v) and isinstance(v, Known) else next(given) for v in values]
        return function(*args, **keywords)

    return bound


def _call_method(
    machine: Machine,
    frame: Frame,
    method: Method,
    arguments: tuple[Symbolic, ...],
    keywords: dict[str, Symbolic],
) -> Symbolic | None:
    if not isinstance(method.owner, Array):
        return _call_scalar_method(machine, frame, method, arguments, keywords)
    if method.name in numpy_calls.EFFECTS:
        raise GraphBreak(EFFECT, f"the method `{method.name}` of an array")
    row = numpy_calls.METHODS.get(method.name)
    if row is not None:
        made = _call_row(row, machine, frame, (method.owner, *arguments), keywords)
        if made is not None:
            return made
    function = getattr(np.ndarray, method.name)
    return _call_pure(machine, frame, function, (method.owner, *arguments), keywords)


def _call_scalar_method(
    machine: Machine,
    frame: Frame,
    method: Method,
    arguments: tuple[Symbolic, ...],
    keywords: dict[str, Symbolic],
) -> Symbolic | None:
    type_ = method.owner.type
    assert not isinstance(method.owner, Array)
    kind = type(method.owner.value.hint) if type_.python else type_.dtype.type  # type: ignore[union-attr]
    if type_.python or not hasattr(kind, method.name) or method.name in numpy_calls.EFFECTS:  # type: ignore[union-attr]
        return None
    function = getattr(kind, method.name)
    return opaque_call(machine, frame, function, (method.owner, *arguments), keywords)


# ---- builtins --------------------------------------------------------------------------------


@_builtin(len)
def _len(
    machine: Machine, frame: Frame, arguments: tuple[Symbolic, ...], keywords: dict[str, Symbolic]
) -> Symbolic | None:
    value = look(machine, arguments[0]) if len(arguments) == 1 else None
    if isinstance(value, Array) and value.type.ndim:
        return numpy_calls.length(machine, value, 0)
    if isinstance(value, Sequence):
        return Known(len(value.items))
    return None


@_builtin(range)
def _range(
    machine: Machine, frame: Frame, arguments: tuple[Symbolic, ...], keywords: dict[str, Symbolic]
) -> Symbolic | None:
    values = [look(machine, value) for value in arguments]
    if keywords or not 1 <= len(values) <= 3 or not all(map(_is_integer, values)):
        return None
    if len(values) == 1:
        values.insert(0, Known(0))
    return Range((*values, *[Known(1)] * (3 - len(values))))


def _is_integer(value: Symbolic) -> bool:
    if isinstance(value, Known):
        return type(value.object) is int
    return isinstance(value, Scalar) and value.type.python and value.type.dtype.char == "l"


@_builtin(isinstance)
def _isinstance(
    machine: Machine, frame: Frame, arguments: tuple[Symbolic, ...], keywords: dict[str, Symbolic]
) -> Symbolic | None:
    value, kind = (look(machine, argument) for argument in arguments)
    if isinstance(value, Array) and isinstance(kind, Known) and isinstance(kind.object, type):
        return Known(issubclass(np.ndarray, kind.object))
    return None


def _number_builtin(function: Callable[..., Any]) -> Handler:
    def handler(
        machine: Machine,
        frame: Frame,
        arguments: tuple[Symbolic, ...],
        keywords: dict[str, Symbolic],
    ) -> Symbolic | None:
        return None if keywords else _of_numbers(machine, frame, function, arguments)

    return handler


def _of_numbers(
    machine: Machine, frame: Frame, function: Callable[..., Any], arguments: tuple[Symbolic, ...]
) -> Symbolic | None:
    """A pure function of numbers; abs() of an array is its absolute value."""
    values = tuple(look(machine, value) for value in arguments)
    if function is abs and len(values) == 1 and isinstance(values[0], Array):
        return apply(machine, frame, abs, values)
    if all(isinstance(value, Known) for value in values):
        try:
            return Known(function(*(v.object for v in values if isinstance(v, Known))))
        except Exception as error:
            raise GraphBreak(NUMPY_REFUSED, f"{type(error).__name__}: {error}") from None
    if not values or not all(isinstance(value, Scalar | Known) for value in values):
        return None
    return operator_call(machine, frame, function, values)


for _function in _OF_NUMBERS:
    BUILTINS[_function] = _number_builtin(_function)


# ---- user functions --------------------------------------------------------------------------


def inline(
    machine: Machine,
    frame: Frame,
    callee: Known,
    function: FunctionType,
    arguments: tuple[Symbolic, ...],
    keywords: dict[str, Symbolic],
) -> Symbolic | None:
    """Runs a user's function in place; a break inside it is a break of the call."""
    if (function.__module__ or "").split(".")[0] in _USER_CODE_OF or machine.depth >= MAX_DEPTH:
        return None
    bound = _bind_arguments(function, arguments, keywords)
    if bound is None:
        return None
    if callee.source is not None:
        machine.guard(IsFunction(callee.source, function))
    flow = flow_of(function.__code__)
    locals_: list[Symbolic | None] = [None] * len(flow.decoded.localsplus)
    locals_[: len(bound)] = bound
    first_free = len(locals_) - len(function.__code__.co_freevars)
    cells: dict[int, Symbolic] = {
        first_free + k: Known(cell) for k, cell in enumerate(function.__closure__ or ())
    }
    inner = Frame(flow, function.__globals__, locals_, cells)
    machine.depth += 1
    try:
        ended_by = machine.run(inner)
    finally:
        machine.depth -= 1
    if ended_by is not None:
        raise GraphBreak(
            CALL,
            f"call of {name_of(callee)}, which breaks at line {ended_by.location.line}: "
            f"{ended_by.detail}",
        )
    return machine.returned(inner)


@functools.lru_cache(maxsize=512)
def flow_of(code: Any) -> Any:
    """The analysed bytecode of a function that is inlined."""
    return analyse(decode(code))


def _bind_arguments(
    function: FunctionType, arguments: tuple[Symbolic, ...], keywords: dict[str, Symbolic]
) -> list[Symbolic] | None:
    """Values of the parameters in order; None for signatures or calls that do not fit."""
    code = function.__code__
    if code.co_flags & (0x04 | 0x08 | 0x20 | 0x80 | 0x200) or len(arguments) > code.co_argcount:
        return None
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    bound: dict[str, Symbolic] = dict(zip(names, arguments, strict=False))
    for name, value in keywords.items():
        if name in bound or name not in names[code.co_posonlyargcount :]:
            return None
        bound[name] = value
    defaults = function.__defaults__ or ()
    first = code.co_argcount - len(defaults)
    for k, default in enumerate(defaults):
        bound.setdefault(names[first + k], Known(default))
    for name, default in (function.__kwdefaults__ or {}).items():
        bound.setdefault(name, Known(default))
    if any(name not in bound for name in names):
        return None
    return [bound[name] for name in names]


def name_of(callee: Symbolic) -> str:
    """A callee in words that the user knows."""
    if isinstance(callee, Method):
        return f"the method `{callee.name}`"
    if isinstance(callee, Known):
        object_ = callee.object
        name = getattr(object_, "__qualname__", None) or getattr(object_, "__name__", None)
        module = getattr(object_, "__module__", None) or ""
        prefix = f"{module}." if module not in ("", "builtins", "__main__") else ""
        return f"`{prefix}{name or type(object_).__name__}`"
    source = getattr(callee, "source", None)
    return str(source) if source is not None else f"a {type(callee).__name__.lower()}"
