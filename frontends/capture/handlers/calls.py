"""Calls: dispatches on the callee."""

from __future__ import annotations

import functools
from dataclasses import replace
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType
from typing import Any

import numpy as np

from ....guards.kinds import IsObject, IsType
from ....guards.objects import ClassHolds
from ....guards.sources import Attribute
from ....jit import generators
from ....jit.ir.types import is_numpy_scalar
from ....jit.native import Dispatcher
from ...numpy import numpy_calls
from ...numpy.agreement import agrees
from ...numpy.deciding import with_known_flags
from ...numpy.decompositions import decomposed_class
from ...numpy.draws import draw, make, seed_global
from ...numpy.purity import OF_MATH, changes_its_array, is_at, is_pure
from ...numpy.signatures import without_defaults
from ...numpy.writes import WRITING, WRITING_METHODS, write
from ..arrays.nodes import opaque_call, operator_call
from ..flow.merges import try_realise
from ..objects import dicts
from ..objects.attributes import special_method
from ..objects.classes import instantiate
from ..objects.contents import use
from ..objects.grown import sequence_of_model
from ..state.behaviour import behaviour_of
from ..state.exact import exact_class
from ..state.frame import Frame
from ..state.invocation import Invocation, is_of_a_users_class, name_of
from ..state.live import realise
from ..state.machine import Machine, handles
from ..state.special_methods import held_under
from ..values.breaks import CALL, EFFECT, GraphBreak
from ..values.class_namespaces import class_has, class_lookup, is_function
from ..values.python_bodies import body_of
from ..values.symbolic import (
    NULL,
    Array,
    BoundMethod,
    Dict,
    Instance,
    JittedFunction,
    Known,
    Lazy,
    Method,
    NewFunction,
    Scalar,
    Symbolic,
    Tuple,
    UserFunction,
)
from ..values.wording import in_words, refusal
from .builtins import BUILTINS, cast, of_numbers
from .inline import inline
from .iteration import all_items
from .libraries import library_call
from .library_bodies import in_line
from .stack import take
from .ufuncs import call_ufunc, refuse_warnings

_GO_THROUGH = frozenset((all, any, enumerate, list, max, min, reversed, sorted, sum, tuple, zip))
"""Functions that go through their arguments."""


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
    frame.stack.append(call_value(callee, Invocation(machine, frame, arguments[:count], named)))


@handles("CALL_FUNCTION_EX")
def call_function_ex(machine: Machine, frame: Frame, has_mapping: bool) -> None:
    mapping = realise(machine, frame.stack.pop()) if has_mapping else None
    arguments = all_items(machine, frame, frame.stack.pop())
    upper, lower = frame.stack.pop(), frame.stack.pop()
    named: dict[str, Symbolic] = {}
    if mapping is not None:
        if not isinstance(mapping, Dict):
            raise GraphBreak(CALL, f"a call with ** of {in_words(mapping)}")
        named = dict(dicts.dict_entries(machine, mapping))
        if not all(type(name) is str for name in named):
            raise GraphBreak(CALL, "a call with ** of a dict with keys that are no plain str")
    callee = upper if lower is NULL else lower
    frame.stack.append(call_value(callee, Invocation(machine, frame, arguments, named)))


def call_value(callee: Symbolic, call: Invocation) -> Symbolic:
    """Return the result of a call, or raise a GraphBreak that names the callee."""
    callee = realise(call.machine, callee)
    result: Symbolic | None = None
    match callee:
        case Method():
            result = _call_method(callee, call)
        case Known():
            of_array = _as_method(callee, call)
            if of_array is not None:
                return call_value(of_array, replace(call, arguments=call.arguments[1:]))
            result = _call_known(callee, call)
        case BoundMethod(function=function, owner=owner):
            return call_value(function, call.of(owner))
        case UserFunction(object=function):
            if not getattr(function, "__framejit_disabled__", False):
                result = _call_registered(callee, function, call)
        case JittedFunction(object=jitted, source=source):
            if not getattr(jitted, "__framejit_disabled__", False):
                inner = Lazy(Attribute(source, "_function"), jitted._function)
                return call_value(inner, call)
        case NewFunction():
            result = inline(callee, call)
        case Instance():
            found = class_lookup(callee.kind, "__call__")
            if is_function(found):
                method = special_method(call.machine, callee, "__call__", found)
                return call_value(method, call)
        case _ if (own := behaviour_of(callee).called) is not None:
            result = own(callee, call)
    if result is None:
        reasons: list[Symbolic] = []
        if _is_captured(callee):
            given = (*call.arguments, *call.keywords.values())
            reasons = [try_realise(call.machine, value) or value for value in given]
        whatever = isinstance(callee, Known) and not _is_captured(callee)
        guess = False if whatever else None
        raise refusal(CALL, f"call of {name_of(callee)}", *reasons, guess=guess)
    return result


def _as_method(callee: Known, call: Invocation) -> Method | None:
    """Return the method that a function of an array's or number's class stands for, if any."""
    function = callee.object
    if type(function) is not MethodDescriptorType or not call.arguments:
        return None
    owner = realise(call.machine, call.arguments[0])
    if not isinstance(owner, Array | Scalar) or not is_of_numpy(owner):
        return None
    kind = exact_class(call.machine, owner)
    is_its_own = getattr(kind, function.__name__, None) is function
    return Method(owner, function.__name__) if is_its_own else None


def is_of_numpy(owner: Array | Scalar) -> bool:
    """True for an array or a NumPy scalar."""
    return isinstance(owner, Array) or not owner.type.python


def _is_captured(callee: Symbolic) -> bool:
    """True for a callee that can go into graphs, so that a break is due to its arguments."""
    if isinstance(callee, Method):
        return True
    if not isinstance(callee, Known) or is_of_a_users_class(callee.object):
        return False
    return _hashable(callee.object) and _is_known(callee.object)


def _call_registered(callee: UserFunction, function: FunctionType, call: Invocation) -> Any:
    """Handle a function known by its code; guard its identity if more than the code matters."""
    if _is_known(function):
        call.machine.guard(IsObject.of(callee.source, function))
        return _call_known(Known(function, callee.source), call)
    return inline(callee, call)


def _is_of_a_library(function: Any) -> bool:
    """True for a function of NumPy or SciPy that can go into graphs."""
    if is_pure(function) or generators.is_method(function) or is_at(function):
        return True
    return _hashable(function) and (function in numpy_calls.FUNCTIONS or function in WRITING)


def _is_known(function: Any) -> bool:
    tables = (numpy_calls.FUNCTIONS, BUILTINS, WRITING)
    return any(function in table for table in tables) or is_pure(function)


def _call_known(callee: Known, call: Invocation) -> Symbolic | None:
    function = callee.object
    if is_of_a_users_class(function) or getattr(function, "__framejit_disabled__", False):
        return None
    if isinstance(function, Dispatcher):
        callee = Known(function._function, callee.source and Attribute(callee.source, "_function"))
        function = callee.object
    call = _with_plain_arguments(function, call)
    if isinstance(function, np.ufunc):
        return call_ufunc(function, call)
    if _hashable(function) and function in numpy_calls.FUNCTIONS:
        made = _of_row(numpy_calls.FUNCTIONS[function], function, call)
        if made is not None:
            return made
    if is_pure(function):
        return library_call(function, call)
    if generators.is_method(function):
        return draw(function, call)
    if generators.makes_one(function):
        return make(function, call)
    if function is np.random.seed:
        return seed_global(call)
    if is_at(function) or (_hashable(function) and function in WRITING):
        return write(function, call)
    if _hashable(function) and function in BUILTINS:
        for one in call.arguments if function in _GO_THROUGH else ():
            use(call.machine, one, anywhere=True)
        return BUILTINS[function](call)
    return _call_python(callee, call)


def _with_plain_arguments(function: Any, call: Invocation) -> Invocation:
    """Return the call of a library's function with known flags and without default values."""
    if _is_of_a_library(function):
        call = _with_lists(call)
        call = with_known_flags(function, call, numpy_calls.FUNCTIONS.get(function))
    if isinstance(function, np.ufunc):
        refuse_warnings(function, call)
    return without_defaults(function, call) if is_pure(function) else call


def _with_lists(call: Invocation) -> Invocation:
    """Return the call of a library's function with a list for a sequence of another class."""
    first = call.arguments[0] if call.arguments else None
    held = None if first is None else sequence_of_model(call.machine, first)
    return call if held is None else replace(call, arguments=(held, *call.arguments[1:]))


def _call_python(callee: Known, call: Invocation) -> Symbolic | None:
    """Call a Python function, a partial object or a class, or a function that stands for one."""
    function = callee.object
    if type(function) is FunctionType:
        ours = body_of(function) not in (function, None)
        made = (in_line(function, call) if ours else None) or inline(callee, call)
        return in_line(function, call) if made is None else made
    if type(function) is type(np.concatenate):
        return in_line(function, call)
    if type(function) is BuiltinFunctionType and function.__module__ in OF_MATH:
        return of_numbers(function, call)
    if issubclass(type(function), functools.partial):
        return _call_partial(callee, function, call)
    if issubclass(type(function), type):
        if is_numpy_scalar(function) and len(call.arguments) == 1:
            made = cast(function, call)
            return made or opaque_call(
                call.machine, call.frame, function, call.arguments, call.keywords
            )
        if call.machine.library_until is not None:  # elsewhere the program may see what it is
            function = decomposed_class(function)
        return instantiate(callee, function, call, call_value)
    return None


def _of_row(row: numpy_calls.Row, function: Any, call: Invocation) -> Symbolic | None:
    """Apply a row to a call, if NumPy returns the same kind of object on examples."""
    mark = call.machine.mark(call.frame)
    made = numpy_calls.call_row(row, call)
    if made is None or agrees(function, call, made):
        return made
    call.machine.rollback(call.frame, mark)
    return None


_OF_PARTIALS = ("__call__", "args", "func", "keywords", "__getattribute__", "__getattr__")
"""Attributes that a subclass of `functools.partial` must not redefine."""


def _call_partial(
    callee: Known, function: functools.partial[Any], call: Invocation
) -> Symbolic | None:
    """Call a partial object through its parts, which are guarded, as `__setstate__` replaces them.

    None for a subclass that changes calling or the parts.
    """
    source, kind = callee.source, type(function)
    own, found = (held_under(one, _OF_PARTIALS) for one in (functools.partial, kind))
    if source is None or any(found[name] is not own[name] for name in own):
        return None
    call.machine.guard(IsType.exactly(source, kind))
    if kind is not functools.partial:
        call.machine.guard(ClassHolds.of(kind, found))

    def part(name: str) -> Symbolic:
        return realise(call.machine, Lazy(Attribute(source, name), getattr(function, name)))

    given, keywords = part("args"), part("keywords")
    if not isinstance(given, Tuple) or not isinstance(keywords, Dict):
        return None
    named = dicts.dict_entries(call.machine, keywords)
    if not all(type(name) is str for name in named):
        return None
    called = replace(call.of(*given.items), keywords={**named, **call.keywords})
    return call_value(part("func"), called)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _call_method(method: Method, call: Invocation) -> Symbolic | None:
    owner = method.owner
    if not isinstance(owner, Array):
        return _call_scalar_method(method, call)
    function, row = getattr(np.ndarray, method.name), numpy_calls.METHODS.get(method.name)
    call = with_known_flags(function, call.of(owner), row)
    call = without_defaults(function, call)
    if row is not None:
        made = _of_row(row, function, call)
        if made is not None:
            return made
    if method.name in WRITING_METHODS:
        return write(function, call)
    if changes_its_array(method.name):
        raise GraphBreak(EFFECT, f"the method `{method.name}` of an array")
    made = library_call(function, call)
    if method.name == "view" and isinstance(made, Array):
        call.machine.share(made.value, owner.value)
    return made


_OF_PYTHON = {
    **dict.fromkeys("bhilqBHILQ", int),
    **dict.fromkeys("efd", float),
    "?": bool,
}
"""Type of the result of `item()`, by dtype character."""


def _cast_in_a_body(owner: Scalar, call: Invocation) -> Symbolic | None:
    """Convert a float by `astype` in a library's body, where its identity is not observable."""
    named = call.realised_keywords()
    copies = named.pop("copy", None)
    if call.machine.library_until is None or named or len(call.arguments) != 2:
        return None
    wanted = numpy_calls.dtype_of(call.machine, call.arguments[1])
    if wanted is None or (copies is not None and not isinstance(copies, Known)):
        return None
    if wanted == owner.type.dtype:
        return owner
    floats = {wanted.char, owner.type.dtype.char} <= set("fd")
    return operator_call(call.machine, call.frame, wanted.type, (owner,)) if floats else None


def _conjugated(owner: Scalar, call: Invocation) -> Symbolic | None:
    """Return `number.conjugate()`: of ints and floats of Python's the very object."""
    if call.arguments or call.keywords:
        return None
    if owner.type.dtype.kind == "c":
        return operator_call(call.machine, call.frame, complex.conjugate, (owner,))
    return owner if owner.type.dtype.kind in "if" else None


def _call_scalar_method(method: Method, call: Invocation) -> Symbolic | None:
    owner = method.owner
    assert not isinstance(owner, Array)
    kind = owner.type.dtype.type
    if owner.type.python:
        return _conjugated(owner, call) if method.name == "conjugate" else None
    if not class_has(kind, method.name):
        return None
    call = with_known_flags(getattr(kind, method.name), call.of(owner))
    call = without_defaults(getattr(kind, method.name), call)
    alone = len(call.arguments) == 1 and not call.keywords
    if method.name in ("all", "any") and kind is np.bool and alone:
        return owner
    if method.name == "astype":
        made = _cast_in_a_body(owner, call)
        if made is not None:
            return made
    if changes_its_array(method.name):
        return None
    if method.name == "item" and alone and owner.type.dtype.char in _OF_PYTHON:
        python = _OF_PYTHON[owner.type.dtype.char]
        return operator_call(call.machine, call.frame, python, call.arguments)
    if method.name == "__array_namespace__":
        return numpy_calls.call_row(numpy_calls.METHODS[method.name], call)
    function = getattr(kind, method.name)
    return opaque_call(call.machine, call.frame, function, call.arguments, call.keywords)
