"""Builtins and functions of numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Container
from functools import reduce
from typing import Any, Final

import numpy as np

from ....jit.ir.types import PYTHON_SCALARS, ScalarType
from ...numpy import numpy_calls
from ..arrays.nodes import opaque_call, operator_call
from ..objects import contents, dicts, growing, lists
from ..objects.grown import grown_of, table_of
from ..objects.lists import items_of
from ..state.behaviour import behaviour_of
from ..state.invocation import Handler, Invocation
from ..state.live import realise
from ..values.breaks import CALL, GraphBreak
from ..values.either_number import as_python, is_either_number
from ..values.folding import folded
from ..values.slices import Slice
from ..values.symbolic import Array, Dict, Instance, Known, List, Scalar, Symbolic, Tuple
from .either_number import apply_to_either, of_two, realise_numbers
from .of_objects import length_of, of_object
from .operators import apply
from .ufuncs import call_ufunc

BUILTINS: dict[Any, Handler] = {}
"""Handlers by callable."""


MANY: Final = 1 << 30
"""Stands for any number of positional arguments."""


class _Any:
    def __contains__(self, _: object) -> bool:
        return True


ANY: Final = _Any()
"""Stands for any keywords."""


def builtin(
    *callables: Any, takes: tuple[int, int], named: Container[str] = ()
) -> Callable[[Handler], Handler]:
    """Register a handler for calls with this range of positional arguments and these keywords.

    Other calls are breaks, because eager has to raise.
    """
    least, most = takes

    def register(handler: Handler) -> Handler:
        def checked(call: Invocation) -> Symbolic | None:
            fits = least <= len(call.arguments) <= most
            return handler(call) if fits and all(one in named for one in call.keywords) else None

        for callable_ in callables:
            BUILTINS[callable_] = checked
        return handler

    return register


@builtin(len, takes=(1, 1))
def _len(call: Invocation) -> Symbolic | None:
    value = contents.use(call.machine, call.realised()[0])
    if isinstance(value, Array) and value.type.ndim:
        return numpy_calls.length(call.machine, value, 0)
    table = table_of(call.machine, value)
    grown = grown_of(call.machine, value if table is None else table.keys)
    if grown is not None:
        return growing.count(call.machine, grown)
    varies = lists.length(call.machine, value) if isinstance(value, List) else None
    if varies is not None:
        before, count = varies
        operands = (realise(call.machine, before), Known(count))
        return operator_call(call.machine, call.frame, operator.add, operands)
    items = items_of(call.machine, value)
    if items is not None:
        return Known(len(items))
    if isinstance(value, Dict):
        return Known(len(dicts.dict_entries(call.machine, value)))
    if isinstance(value, Known) and type(value.object) in (str, bytes, tuple, range, frozenset):
        return Known(len(value.object))
    if isinstance(value, Instance):
        return contents.length(call.machine, value) or length_of(call, value)
    own = behaviour_of(value).length
    return None if own is None else own(call.machine, call.frame, value)


def as_int(call: Invocation, value: Symbolic) -> Symbolic:
    """Return a NumPy integer as a Python int, by its `__index__`."""
    if isinstance(value, Scalar) and not value.type.python and value.type.dtype.kind in "iu":
        return operator_call(call.machine, call.frame, operator.index, (value,))
    return value


def is_integer(value: Symbolic) -> bool:
    """True for a Python int."""
    if isinstance(value, Known):
        return type(value.object) is int
    return isinstance(value, Scalar) and value.type.python and value.type.dtype.char == "l"


@builtin(operator.index, takes=(1, 1))
def _index(call: Invocation) -> Symbolic | None:
    value = as_int(call, realise(call.machine, as_python(call.arguments[0])))
    return value if is_integer(value) else None


@builtin(slice, takes=(1, 3))
def _slice(call: Invocation) -> Symbolic | None:
    parts = [numpy_calls.NONE, *call.arguments] if len(call.arguments) == 1 else [*call.arguments]
    return Slice((*parts, *[numpy_calls.NONE] * (3 - len(parts))))


def of_numbers(function: Callable[..., Any], call: Invocation) -> Symbolic | None:
    """Apply a pure function of numbers; abs() of an array is np.absolute."""
    if call.keywords or not call.arguments:
        return None
    values = tuple(realise_numbers(call.machine, call.arguments))
    if isinstance(values[0], Instance):
        return of_object(function, call)
    known = all(isinstance(value, Known) for value in values)
    if function in (min, max) and len(values) > 1 and not known:
        return reduce(lambda one, other: _one_of(function, call, one, other), call.arguments)
    return _of_numbers(function, call, values)


def _of_numbers(
    function: Callable[..., Any], call: Invocation, values: tuple[Symbolic, ...]
) -> Symbolic | None:
    if any(map(is_either_number, values)):
        made = apply_to_either(call.machine, call.frame, function, values)
        if made is not None:
            return made
        values = tuple(realise(call.machine, value) for value in values)
    if function is abs and len(values) == 1 and isinstance(values[0], Array):
        return apply(call.machine, call.frame, abs, values)
    if all(isinstance(value, Known) for value in values):
        return Known(folded(function, *(v.object for v in values if isinstance(v, Known))))
    if len(values) == 1 and _is_of(values[0], function):
        return values[0]  # `float(x)` of a float is the same object
    if not all(isinstance(value, Scalar | Known) for value in values):
        return None
    if function is pow and len(values) > 2:
        return None  # the remainder of a division
    return operator_call(call.machine, call.frame, function, values)


def _is_of(value: Symbolic, kind: Callable[..., Any]) -> bool:
    """True for a number of the graph of this Python class."""
    types = {name: type_ for name, type_ in PYTHON_SCALARS.items() if name is kind}
    return isinstance(value, Scalar) and value.type in types.values()


def _one_of(
    function: Callable[..., Any], call: Invocation, one: Symbolic, other: Symbolic
) -> Symbolic:
    """Return min() or max() of two, or of the first two of many."""
    may_fork = one in call.arguments and other in call.arguments
    made = of_two(function, call.machine, call.frame, (one, other), may_fork=may_fork)
    if made is None:
        raise GraphBreak(CALL, f"call of `{function.__name__}`")
    return made


def _number_builtin(function: Callable[..., Any]) -> Handler:
    return lambda call: of_numbers(function, call)


for _function in (abs, float, int, bool, complex, round, min, max, pow):
    BUILTINS[_function] = _number_builtin(_function)


def cast(kind: type[np.generic], call: Invocation) -> Symbolic | None:
    """Convert as `np.int32(number)`; None if NumPy has to be called."""
    values = tuple(realise_numbers(call.machine, call.arguments))
    if call.keywords or len(values) != 1 or not issubclass(kind, np.integer | np.floating):
        return None
    (value,) = values
    if isinstance(value, Known) and type(value.object) in (bool, int, float):
        return Known(folded(kind, value.object))
    if not isinstance(value, Scalar):
        return None
    return operator_call(call.machine, call.frame, kind, values)


def _is_numpys(value: Symbolic) -> bool:
    if isinstance(value, Scalar):
        return isinstance(value.value.type, ScalarType) and not value.value.type.python
    return isinstance(value, Known) and isinstance(value.object, np.generic)


@builtin(divmod, takes=(2, 2))
def _divmod(call: Invocation) -> Symbolic | None:
    values = tuple(call.realised())
    if any(isinstance(value, Array) for value in values):
        return call_ufunc(np.divmod, call)
    if not all(isinstance(value, Scalar | Known) for value in values):
        return None
    if any(_is_numpys(value) for value in values):  # it warns once for both, by its own name
        return opaque_call(call.machine, call.frame, divmod, values, {})
    operators = (operator.floordiv, operator.mod)
    return Tuple(tuple(apply(call.machine, call.frame, one, values) for one in operators))
