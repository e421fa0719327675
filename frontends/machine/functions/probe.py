"""Asking NumPy what a call comes down to: the call runs on examples that write down ufunc calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ....jit.filters import filtered
from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.builder import Builder
from ....jit.ir.infer import CannotInfer, Examples, dies_of_singular, may_be_large
from ....jit.ir.patience import TakesLong
from ....jit.ir.slow_calls import within_reason
from ....jit.ir.types import ArrayType, Sym
from .folding import is_of_a_library


@dataclass(frozen=True, slots=True)
class UfuncCall:
    """One call of a ufunc, or of its `reduce` or `accumulate`."""

    ufunc: np.ufunc
    method: str
    inputs: tuple[int | Any, ...]
    """For each input the position among the probed values, wrapped in Position; else a constant."""
    kwargs: dict[str, Any]
    by_library: bool
    """Python of NumPy's own calls the ufunc: it warns at a line there, which another class of
    array may not come by."""


@dataclass(frozen=True, slots=True)
class Position:
    """The probed value at this position."""

    index: int


class _LooksInside(Exception):  # noqa: N818
    """A probed function goes on with what a ufunc gave."""


def _refuses(*_: Any, **__: Any) -> Any:
    raise _LooksInside


class _Result(np.ndarray[Any, Any]):
    """What a probed ufunc call gives.

    It is an array, since NumPy's C code takes it for one; whoever computes on with it, or decides
    by it, is refused.
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
    """What stands for an operand: any value will do, and 1 is one that every dtype holds."""
    if isinstance(operand, _Probe):
        return operand.view(np.ndarray)
    return type(operand)(1) if type(operand) in (int, float, complex) else operand


def _sealed(result: Any) -> _Result:
    """In memory that nobody may write to."""
    made = np.asarray(result).view(_Result)
    made.flags.writeable = False
    return made


def probe(
    builder: Builder, function: Callable[..., Any], values: tuple[ir.Value | None, ...]
) -> UfuncCall | None:
    """The one ufunc call that `function(*examples)` is, or None when it is anything else.

    `values` are the arguments; None stands for one that `function` binds itself.
    """
    # Lengths that nobody knows may be equal, or be those of any other.
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
    if may_be_large(getattr(function, "__name__", ""), probes) or dies_of_singular(function):
        return None
    try:
        with filtered("error"):  # a warning of a deprecated function's own has to be given
            result = within_reason(function, (), probes, lambda given: function(*given), _plain)
    except (Exception, TakesLong):
        return None  # whoever asks for the type of the result hears it again
    finally:
        calls = tuple(seen)
        seen.clear()  # it holds what holds it: garbage that the program could count
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
