"""Types of what nodes give, by asking NumPy on examples; dims that turn out to be equal."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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
    evaluate,
    is_owned,
    varied,
)
from .ops import DRAW, GUFUNC, ITEMS, OPAQUE, OPERATOR, Kind, Op
from .types import ArrayType, Dim, Type

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
        naming = self._naming(op, inputs, attrs, examples, results)
        types = [examples.type_of(one, naming(k)) for k, one in enumerate(results)]
        found = [type_ for type_ in types if type_ is not None]
        if not found or len(found) < len(types):
            raise CannotInfer(f"the result is a {type(result).__name__}")
        owned = op in (OPAQUE, DRAW) and isinstance(result, np.ndarray) and is_owned(result)
        return Inferred(type(result), found, owned)

    def _naming(
        self,
        op: Op,
        inputs: Sequence[Value],
        attrs: Mapping[str, Any],
        examples: Examples,
        results: list[Any],
    ) -> Callable[[int], Callable[[int, int], Dim]]:
        """How the dims of each result are told from their lengths in the example.

        For an opaque call a second set of examples tells more: what `np.pad` gives is always longer
        by as much. Lengths are guesses only; the kernel meets the real ones.
        """
        plain = examples.dims_by_length(self.fresh_sym)
        if op.kind is not Kind.OPAQUE or not examples.lengths:
            return lambda which: plain
        if any(prod(n * OTHER_RATIO for n in _shape(one)) > MAX_ITEMS for one in results):
            return lambda which: plain
        lengths = itertools.count(OTHER_RATIO * FIRST_LENGTH + 1, 6)
        others = Examples(examples.group, lengths)
        try:
            other = evaluate(op, attrs, list(map(varied, self._examples(inputs, others))))
        except CannotInfer:
            return lambda which: plain
        shapes = list(map(_shape, other if op is ITEMS else [other]))

        def name(which: int) -> Callable[[int, int], Dim]:
            if which < len(shapes) and len(shapes[which]) == len(_shape(results[which])):
                there = shapes[which]
                return lambda axis, n: self._between(n, there[axis], examples, others)
            return plain

        return name

    def _between(self, here: int, there: int, examples: Examples, others: Examples) -> Dim:
        """The dim that has these two lengths in two sets of examples."""
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
        return [examples.of(type_, v.hint) for type_, v in zip(types, inputs, strict=True)]


def _shape(result: Any) -> tuple[int, ...]:
    return result.shape if type(result) is np.ndarray else ()


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
