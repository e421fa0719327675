"""Types of what nodes give, by asking NumPy on examples; dims that turn out to be equal."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any

import numpy as np

from .dims import Dims
from .graph import Value
from .infer import (
    FIRST_LENGTH,
    MAX_ITEMS,
    CannotInfer,
    Examples,
    HasEffect,
    HasItems,
    NotHeld,
    evaluate,
    is_owned,
    varied,
)
from .ops import DRAW, GUFUNC, ITEMS, OPAQUE, OPERATOR, Kind, Op
from .types import ArrayType, Dim, Type, fresh_layout_of

OTHER_RATIO = 8
"""The lengths of a second set of examples are this much larger than those of the first, or less."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """What an op gives."""

    kind: type
    """The class of what NumPy gives."""
    types: list[Type]
    """Of the node's results."""
    owned: bool
    """An opaque call gives an array with memory of its own, see infer.is_owned."""


class Results(Dims):
    """Tells the types of results."""

    def infer(self, op: Op, inputs: Sequence[Value], attrs: Mapping[str, Any]) -> Type:
        """The type of `op` on these inputs; raises CannotInfer."""
        return self._infer_results(op, inputs, attrs).types[0]

    def _infer_results(self, op: Op, inputs: Sequence[Value], attrs: Mapping[str, Any]) -> Inferred:
        """What NumPy gives; raises CannotInfer.

        When NumPy refuses dims of different lengths, those that had the same length at capture are
        taken to be equal, and the graph relies on it.
        """
        if op.kind is Kind.ELEMENTWISE:
            self.unify_broadcast([_dims(value) for value in inputs])
        elif op is GUFUNC:
            self.unify_core(attrs["ufunc"].signature, [_dims(value) for value in inputs])
        try:
            return self._infer(op, inputs, attrs, Examples())
        except (HasItems, HasEffect):
            raise
        except CannotInfer:
            examples = Examples(self.lengths.get)
            try:
                inferred = self._infer(op, inputs, attrs, examples)
            except CannotInfer:
                if op.kind is not Kind.OPAQUE:
                    raise
                return self._infer_really(op, inputs, attrs)
        syms = list(examples.lengths)
        for one, other in itertools.combinations(syms, 2):
            if self.lengths.get(one) == self.lengths.get(other):
                self.unify(one, other)
        for sym in syms:
            if self.lengths.get(sym) in examples.fixed:
                self.unify(sym, self.lengths[sym])
        return replace(inferred, types=[self.resolved(type_) for type_ in inferred.types])

    def _infer_really(self, op: Op, inputs: Sequence[Value], attrs: Mapping[str, Any]) -> Inferred:
        """For what asks for certain lengths, as `np.split` does: on those at capture.

        Nothing is relied on: what a call gives is looked at, and what it refuses eager hears of.
        """
        return self._infer(op, inputs, attrs, Examples(real=self.lengths.get))

    def _infer(
        self, op: Op, inputs: Sequence[Value], attrs: Mapping[str, Any], examples: Examples
    ) -> Inferred:
        given = self._examples(inputs, examples)
        try:
            result = evaluate(op, attrs, given)
        except CannotInfer:
            if op is not OPERATOR or any(value.hint is not None for value in inputs):
                raise
            result = evaluate(op, attrs, list(map(_half, given)))  # atanh(1) is an error
        if op is OPAQUE and _has_items(result):
            raise HasItems(f"the result is a {type(result).__name__}")
        results = list(result) if op is ITEMS else [result]
        types = self._types(op, inputs, attrs, examples, results)
        found = [type_ for type_ in types if type_ is not None]
        if not found or len(found) < len(types):
            raise NotHeld(f"the result is a {type(result).__name__}")
        owned = op in (OPAQUE, DRAW) and isinstance(result, np.ndarray) and is_owned(result)
        return Inferred(type(result), found, owned)

    def _types(
        self,
        op: Op,
        inputs: Sequence[Value],
        attrs: Mapping[str, Any],
        examples: Examples,
        results: list[Any],
    ) -> list[Type | None]:
        """The types of the results, None for anything that a graph does not hold.

        For an opaque call a second set of examples tells more: what `np.pad` gives is always longer
        by as much. Lengths are guesses only; the kernel meets the real ones.
        """
        plain = examples.dims_by_length(self.fresh_sym)
        second = self._second(op, inputs, attrs, examples, results)
        if second is None:
            return [examples.type_of(one, plain) for one in results]
        types: list[Type | None] = []
        for one, other in itertools.zip_longest(results, second[0][: len(results)]):
            if not _shape(one) or len(_shape(one)) != len(_shape(other)):
                types.append(examples.type_of(one, plain))
                continue
            of_numbers = plain if not examples.lengths else None
            dims = partial(self._between, other.shape, examples, second[1], of_numbers)
            type_ = examples.type_of(one, dims)
            if isinstance(type_, ArrayType) and _hides_axes(one, other):
                type_ = replace(type_, layout=fresh_layout_of(other))
            types.append(type_)
        return types

    def _second(
        self,
        op: Op,
        inputs: Sequence[Value],
        attrs: Mapping[str, Any],
        examples: Examples,
        results: list[Any],
    ) -> tuple[list[Any], Examples] | None:
        """The results for a second set of examples, and these; None where there are none."""
        if op.kind is not Kind.OPAQUE or not any(map(_dims, inputs)):
            return None
        if any(prod(n * OTHER_RATIO for n in _shape(one)) > MAX_ITEMS for one in results):
            return None
        lengths = itertools.count(OTHER_RATIO * FIRST_LENGTH + 1, 6)
        others = Examples(examples.group, lengths)
        try:
            other = evaluate(op, attrs, list(map(varied, self._examples(inputs, others))))
        except CannotInfer:
            return None
        return (list(other) if op is ITEMS else [other]), others

    def _between(
        self,
        shape: tuple[int, ...],
        examples: Examples,
        others: Examples,
        plain: Callable[[int, int], Dim] | None,
        axis: int,
        here: int,
    ) -> Dim:
        """The dim that has two lengths in two sets of examples: `here` and that in `shape`.

        `plain` tells it where the sets have the same lengths, and only their numbers differ.
        """
        there = shape[axis]
        if here == there and plain is not None:
            return plain(axis, here)
        if here == there:
            return here if here < 2 else self.fresh_sym(here)
        for sym, length in examples.lengths.items():
            more = here - length
            if more == there - others.lengths[sym]:
                known = self.lengths.get(sym)
                return self.fresh_sym(None if known is None else known + more) if more else sym
        return self.fresh_sym()

    def _examples(self, inputs: Sequence[Value], examples: Examples) -> list[Any]:
        types = [self.resolved(value.type) for value in inputs]
        examples.fix(types)
        examples.choose(types, self.lengths.get)
        return [examples.of(type_, v.hint) for type_, v in zip(types, inputs, strict=True)]


def _shape(result: Any) -> tuple[int, ...]:
    return result.shape if type(result) is np.ndarray else ()


def _hides_axes(one: Any, other: Any) -> bool:
    """Whether axes have one item, as a window of five among five has, that have more in `other`."""
    return any(here < 2 <= there for here, there in zip(one.shape, other.shape, strict=True))


def _has_items(result: Any) -> bool:
    """Whether it is a tuple, a named tuple or a list: objects that are their items."""
    return type(result) in (tuple, list) or is_named_tuple(type(result))


def is_named_tuple(kind: type) -> bool:
    """Whether a class makes objects of so many items, by them alone, that keep nothing else.

    Classes of `collections.namedtuple` and what is derived from them; SciPy's results have more.
    """
    fields = getattr(kind, "_fields", None)
    if fields is None or not issubclass(kind, tuple) or kind.__init__ is not object.__init__:
        return False
    code = getattr(kind.__new__, "__code__", None)
    return (
        code is not None
        and code.co_filename.startswith("<string>")
        and code.co_argcount == len(fields) + 1
        and not code.co_flags & inspect.CO_VARKEYWORDS
    )


def _dims(value: Value) -> tuple[Dim, ...]:
    return value.type.dims if isinstance(value.type, ArrayType) else ()


def _half(number: Any) -> Any:
    """Another example of a floating point number."""
    return type(number)(0.5) if isinstance(number, float | np.floating) else number
