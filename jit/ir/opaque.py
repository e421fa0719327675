"""Opaque calls: pure functions of NumPy or SciPy that kernels call unchanged."""

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
"""Kinds of callables that warn only through floating point flags. Array methods are excluded: some
of them, such as `mean`, run Python code."""
_OVERLOADED: Any = type(np.dot)
"""Class of NumPy functions with `__array_function__` dispatch."""


def is_compiled(function: Callable[..., Any]) -> bool:
    """True if a function issues no warnings except those from floating point flags."""
    of_lists = getattr(function, "__objclass__", None) is list or function is np.ndarray.tolist
    return of_lists or isinstance(_answers(function), _COMPILED)


def _answers(function: Any) -> Any:
    """Return the implementation behind `__array_function__` dispatch."""
    return function._implementation if type(function) is _OVERLOADED else function


@dataclass(frozen=True, eq=False, slots=True)
class Bounds:
    """A slice or range argument some of whose numbers are inputs of the node."""

    kind: type[slice | range]
    parts: tuple[Any, ...]


@dataclass(frozen=True, eq=False, slots=True)
class ListOf:
    """An argument that is a list of the numbers in one input of the node."""

    ref: Ref
    python: bool
    """True for Python numbers, False for NumPy scalars."""


@dataclass(frozen=True, eq=False, slots=True)
class OpaqueCall:
    """A call whose arguments are constants, or inputs of the node where a Ref stands."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def __call__(self, *inputs: Any) -> Any:
        """Make the call with these inputs."""
        args = [_fill(arg, inputs) for arg in self.args]
        return self.function(*args, **{k: _fill(v, inputs) for k, v in self.kwargs.items()})

    def with_constants(self, changed: Callable[[Any], Any]) -> OpaqueCall:
        """Return the same call with each constant replaced by `changed(constant)`."""
        args = tuple(_mapped(arg, changed) for arg in self.args)
        kwargs = {name: _mapped(value, changed) for name, value in self.kwargs.items()}
        return OpaqueCall(self.function, args, kwargs)

    @property
    def name(self) -> str:
        """Return the function's name."""
        return getattr(self.function, "__name__", None) or repr(self.function)

    def positional(self) -> OpaqueCall:
        """Return the call with keyword arguments made positional where possible.

        Parsing a keyword costs more than, for example, drawing a random number.
        """
        if not any(map(has_ref, self.kwargs.values())):
            return self
        bound = signature(self.function).bind(*self.args, **self.kwargs)
        bound.apply_defaults()
        return self if bound.kwargs else OpaqueCall(self.function, bound.args, {})

    def may_overwrite(self) -> bool:
        """True if a flag such as SciPy's `overwrite_a` lets the function write into an argument.

        Its compiled code ignores read-only flags, and may or may not write depending on the memory
        that it receives, so running it on an example proves nothing.
        """
        try:
            given = signature(self.function).bind(*self.args, **self.kwargs).arguments
        except (TypeError, ValueError):  # compiled, or no call that it understands
            return False
        flags = [value for name, value in given.items() if name.startswith("overwrite")]
        return any(has_ref(flag) or flag for flag in flags)

    @property
    def strict(self) -> Callable[..., Any]:
        """Return the callable that a kernel uses.

        A function written in Python may issue warnings at a place that only eager knows. The
        callable turns them into errors, and the kernel bails.
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
    """True if an argument refers to inputs of the node."""
    if type(template) in (tuple, list):
        return any(map(has_ref, template))
    return isinstance(template, Bounds | ListOf | Ref)
