"""Probes: runs a call on examples that record which ufuncs it calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ....jit.filters import filtered
from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.builder import Builder
from ....jit.ir.call_limit import TakesLong
from ....jit.ir.infer import CannotInfer, Examples, crashes_on_singular, may_be_large
from ....jit.ir.slow_calls import within_reason
from ....jit.ir.types import ArrayType, Sym
from ..values.python_bodies import is_of_a_library


@dataclass(frozen=True, slots=True)
class UfuncCall:
    """One call of a ufunc, or of its `reduce` or `accumulate`."""

    ufunc: np.ufunc
    method: str
    inputs: tuple[int | Any, ...]
    """For each input its position among the probed values, as Position, or a constant."""
    kwargs: dict[str, Any]
    by_library: bool
    """True if NumPy's own Python code calls the ufunc: warnings come from a line there, which other
    array classes may not reach."""


@dataclass(frozen=True, slots=True)
class Position:
    """The probed value at this position."""

    index: int


class _LooksInside(Exception):  # noqa: N818 (control flow, no error)
    """A probed function uses the result of a ufunc."""


def _refuses(*_: Any, **__: Any) -> Any:
    raise _LooksInside


class _Result(np.ndarray[Any, Any]):
    """Result of a probed ufunc call.

    It is an array, because NumPy's C code requires one; any computation with it, or decision by it,
    is refused.
    """

    __array_ufunc__ = __getitem__ = __iter__ = __setattr__ = _refuses
    __bool__ = __int__ = __index__ = __float__ = __complex__ = _refuses


class _Probe(np.ndarray[Any, Any]):
    seen: list[tuple[np.ufunc, str, tuple[Any, ...], dict[str, Any], Any, bool]]

    def __array_finalize__(self, origin: Any) -> None:
        self.seen = getattr(origin, "seen", [])

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method not in ("__call__", "reduce", "accumulate") or kwargs.get("out") is not None:
            raise _LooksInside
        if any(isinstance(each, _Probe) for each in kwargs.values()):  # where= would call it again
            raise _LooksInside
        with np.errstate(all="ignore"):
            result = getattr(ufunc, method)(*map(_plain, inputs), **kwargs)
        made = tuple(map(_sealed, result)) if type(result) is tuple else _sealed(result)
        by_library = is_of_a_library(sys._getframe(1).f_globals)
        self.seen.append((ufunc, method, inputs, kwargs, made, by_library))
        return made


def _plain(operand: Any) -> Any:
    """Return an example of an operand; any value will do, and every dtype can hold 1."""
    if isinstance(operand, _Probe):
        return operand.view(np.ndarray)
    return type(operand)(1) if type(operand) in (int, float, complex) else operand


def _sealed(result: Any) -> _Result:
    """Return a result in memory that must not be written to."""
    made = np.asarray(result).view(_Result)
    made.flags.writeable = False
    return made


def probe(
    builder: Builder, function: Callable[..., Any], values: tuple[ir.Value | None, ...]
) -> UfuncCall | None:
    """Return the ufunc call that `function(*examples)` consists of, or None.

    `values` are the arguments; None stands for one that `function` binds itself.
    """
    # Unknown lengths may equal each other, or any other length.
    found = _one_call(builder, function, values, builder.lengths.get)
    unknown = any(dim not in builder.lengths for dim in _syms(builder, values))
    if found is None and unknown:
        found = _one_call(builder, function, values, lambda sym: None)
    return found


def _syms(builder: Builder, values: tuple[ir.Value | None, ...]) -> Iterator[Sym]:
    for value in values:
        if value is not None and isinstance(value.type, ArrayType):
            dims = map(builder.resolve, value.type.dims)
            yield from (dim for dim in dims if isinstance(dim, Sym))


def _one_call(
    builder: Builder,
    function: Callable[..., Any],
    values: tuple[ir.Value | None, ...],
    group: Callable[[Sym], Any],
) -> UfuncCall | None:
    examples = Examples(group)
    examples.fix([builder.resolved(value.type) for value in values if value is not None])
    seen: list[Any] = []
    probes: list[Any] = []
    for value in values:
        assert value is not None
        try:
            example = examples.of(builder.resolved(value.type), value.hint)
        except CannotInfer:
            return None
        if isinstance(value.type, ArrayType):
            example = example.view(_Probe)
            example.seen = seen
        probes.append(example)
    if may_be_large(getattr(function, "__name__", ""), probes) or crashes_on_singular(function):
        return None
    try:
        with filtered("error"):  # a function's deprecation warning must be issued at each call
            result = within_reason(function, (), probes, lambda given: function(*given), _plain)
    except (Exception, TakesLong):
        return None  # inferring the result's type raises again
    finally:
        calls = tuple(seen)
        seen.clear()  # breaks a reference cycle, which the program could observe
    if len(calls) != 1 or calls[0][4] is not result:
        return None
    ufunc, method, inputs, kwargs, _, by_library = calls[0]
    places = tuple(_position(item, probes) for item in inputs)
    if any(isinstance(place, np.ndarray) for place in places):
        return None
    return UfuncCall(ufunc, method, places, kwargs, by_library)


def _position(item: Any, probes: list[Any]) -> Any:
    for k, known in enumerate(probes):
        if known is item:
            return Position(k)
    return item
