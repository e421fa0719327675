"""Opaque calls: a pure function of NumPy or SciPy, called as it is."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from .. import generators
from ..filters import Strict
from ..frozen import dataclass
from .indexing import Ref
from .library_names import Placeholder

_COMPILED = (np.ufunc, BuiltinFunctionType, type)
"""Kinds of callable that warn through the floating point status only. Methods of arrays are not
among them: some, such as mean, go on in Python."""
_OVERLOADED: Any = type(np.dot)
"""Of NumPy's functions that arrays of other kinds may answer: they hold what answers for arrays."""


def is_compiled(function: Callable[..., Any]) -> bool:
    """Whether a function issues no warning but by the floating point status."""
    of_lists = getattr(function, "__objclass__", None) is list or function is np.ndarray.tolist
    return of_lists or isinstance(_answers(function), _COMPILED)


def _answers(function: Any) -> Any:
    """What NumPy calls when no argument answers in the function's place."""
    return function._implementation if type(function) is _OVERLOADED else function


@dataclass(frozen=True, eq=False, slots=True)
class Bounds:
    """An argument that is a slice or a range with an input of the node among its numbers."""

    kind: type[slice | range]
    parts: tuple[Any, ...]


@dataclass(frozen=True, eq=False, slots=True)
class ListOf:
    """An argument that is the list of the numbers in an input of the node."""

    ref: Ref
    python: bool
    """Whether they are Python's numbers, else NumPy's."""


@dataclass(frozen=True, eq=False, slots=True)
class OpaqueCall:
    """A call whose arguments are constants and, where a Ref stands, inputs of the node."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def __call__(self, *inputs: Any) -> Any:
        """Makes the call with these inputs."""
        args = [_fill(arg, inputs) for arg in self.args]
        return self.function(*args, **{k: _fill(v, inputs) for k, v in self.kwargs.items()})

    def with_constants(self, changed: Callable[[Any], Any]) -> OpaqueCall:
        """The same call with other constants."""
        args = tuple(_mapped(arg, changed) for arg in self.args)
        kwargs = {name: _mapped(value, changed) for name, value in self.kwargs.items()}
        return OpaqueCall(self.function, args, kwargs)

    @property
    def name(self) -> str:
        """The function's name."""
        return getattr(self.function, "__name__", None) or repr(self.function)

    def positional(self) -> OpaqueCall:
        """The same call with what stands behind keywords in its place, where it has one.

        A keyword costs the function more than what it draws.
        """
        if not any(map(has_ref, self.kwargs.values())):
            return self
        bound = signature(self.function).bind(*self.args, **self.kwargs)
        bound.apply_defaults()
        return self if bound.kwargs else OpaqueCall(self.function, bound.args, {})

    def may_overwrite(self) -> bool:
        """Whether a flag such as SciPy's `overwrite_a` lets it write into an argument.

        The compiled code behind it does not ask whether that is read-only, and whether it writes at
        all depends on the memory that it gets.
        """
        try:
            given = signature(self.function).bind(*self.args, **self.kwargs).arguments
        except (TypeError, ValueError):  # compiled, or no call that it understands
            return False
        flags = [value for name, value in given.items() if name.startswith("overwrite")]
        return any(has_ref(flag) or flag for flag in flags)

    @property
    def strict(self) -> Callable[..., Any]:
        """What a kernel calls.

        A function written in Python may issue warnings, at a place that only eager knows; here they
        are errors, which lead to a bail.
        """
        function = self.function if self.kwargs else _answers(self.function)
        if is_compiled(function) or generators.draws_silently(function):
            return function
        return Strict(function)


def _fill(template: Any, inputs: tuple[Any, ...]) -> Any:
    if isinstance(template, Ref):
        return inputs[template.position]
    if type(template) in (tuple, list):
        return type(template)(_fill(item, inputs) for item in template)
    if type(template) is Bounds:
        return template.kind(*(_fill(part, inputs) for part in template.parts))
    if type(template) is ListOf:
        array = _fill(template.ref, inputs)
        return array.tolist() if template.python else list(array)
    if type(template) is Placeholder:
        raise template.refusal()
    return template


def _mapped(template: Any, changed: Callable[[Any], Any]) -> Any:
    if type(template) in (tuple, list):
        return type(template)(_mapped(item, changed) for item in template)
    return changed(template)


def has_ref(template: Any) -> bool:
    """Whether an input of the node stands in an argument."""
    if type(template) in (tuple, list):
        return any(map(has_ref, template))
    return isinstance(template, Bounds | ListOf | Ref)
