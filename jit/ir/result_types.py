"""Infers the types of a node's results from NumPy's results on examples, and unifies dims."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any

import numpy as np

from ..frozen import dataclass
from .dims import Dims
from .graph import Value
from .infer import (
    FIRST_LENGTH,
    MAX_ITEMS,
    CannotInfer,
    Examples,
    HasEffect,
    HasItems,
    HasOtherItems,
    NotHeld,
    NotKnown,
    TooSlow,
    evaluate,
    is_owned,
)
from .nests import Nest, is_constant, leaves, nest_of
from .opaque import OpaqueCall
from .ops import DRAW, GATHER, GUFUNC_ITEMS, ITEMS, OPAQUE, OPERATOR, Kind, Op
from .signature import signature_of
from .types import ArrayType, Dim, ObjectsType, ObjectType, ScalarType, Sym, Type, fresh_layout_of
from .variations import skewed, unit, unlike_one_another, varied

MAX_LENGTH = 256
"""Longest axis whose items may each become a value of the graph."""
OTHER_RATIO = 8
"""Lengths in a second set of examples are this much larger, if that is not too large."""
MAX_COMPARED = 4096
"""Largest total size of examples that are filled with distinct numbers."""
OTHER_NUMBER = 3
"""Second example of a number about which nothing is known, as lengths may depend on it."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """Result types of a node."""

    nest: Nest | None
    """Structure of the tuple or list that NumPy returns, or None."""
    types: list[Type]
    """Types of the node's results."""
    owned: bool
    """True if an opaque call returns an array that owns its memory, see `infer.is_owned`."""


class Results(Dims):
    """Infers result types of the nodes of one graph."""

    def __init__(self) -> None:
        super().__init__()
        self.dim_of: dict[Value, Dim] = {}
        """Dims of the numbers that are lengths of axes."""

    def infer(self, op: Op, inputs: Sequence[Value], attrs: Mapping[str, Any]) -> Type:
        """Return the result type of `op` on these inputs; raises CannotInfer."""
        return self._infer_results(op, inputs, attrs).types[0]

    def _infer_results(self, op: Op, inputs: Sequence[Value], attrs: Mapping[str, Any]) -> Inferred:
        """Infer result types; raises CannotInfer.

        If NumPy rejects examples in which dims differ, dims that were equal at capture are assumed
        to be equal, and the graph relies on it.
        """
        if op.kind is Kind.ELEMENTWISE:
            self.unify_broadcast([_dims(value) for value in inputs])
        elif op is GATHER:
            self.unify_broadcast([_dims(value) for value in inputs[1:]])
        elif op.gufunc is not None:
            self.unify_core(signature_of(op.gufunc(attrs)), [_dims(value) for value in inputs])
        try:
            return self._infer(op, inputs, attrs, Examples())
        except (HasItems, HasEffect, TooSlow):
            raise
        except HasOtherItems as found:
            return self._infer_fixed_count(op, inputs, attrs, found.syms)
        except CannotInfer:
            examples = Examples(self.lengths.get)
            try:
                inferred = self._infer(op, inputs, attrs, examples)
            except TooSlow:
                raise
            except CannotInfer:
                if op.kind is not Kind.OPAQUE:
                    raise
                return self._infer_at_capture(op, inputs, attrs)
        syms = list(examples.lengths)
        for one, other in itertools.combinations(syms, 2):
            if self.lengths.get(one) == self.lengths.get(other):
                self.unify(one, other)
        for sym in syms:
            if self.lengths.get(sym) in examples.fixed:
                self.unify(sym, self.lengths[sym])
        return replace(inferred, types=[self.resolved(type_) for type_ in inferred.types])

    def are_same(
        self, inputs: Sequence[Value], call: OpaqueCall, other: Callable[..., Any]
    ) -> bool:
        """True if another function gives the bits that `call` gives, on one set of examples."""
        given = self._examples(inputs, Examples())
        if sum(map(np.size, given)) > MAX_COMPARED:
            return False
        given = unlike_one_another(given)
        try:
            first = evaluate(OPAQUE, {"call": call}, given)
            second = evaluate(OPAQUE, {"call": replace(call, function=other)}, given)
        except CannotInfer:
            return False
        return pickle.dumps(first) == pickle.dumps(second)

    def sets_of_examples(
        self, inputs: Sequence[Value], *, only_views: bool = False
    ) -> Iterator[tuple[Examples, list[Any]]]:
        """Yield up to three sets of examples, for callers that try the next if NumPy rejects one.

        First, dims not known to be equal differ. Then those that were equal at capture are equal.
        Last, all lengths are those at capture; `only_views` allows larger ones, for functions that
        only make views.
        """
        at_capture = Examples(at_capture=self.lengths.get, only_views=only_views)
        for examples in (Examples(), Examples(self.lengths.get), at_capture):
            try:
                given = self._examples(inputs, examples)
            except CannotInfer:
                continue
            yield examples, given

    def _infer_fixed_count(
        self, op: Op, inputs: Sequence[Value], attrs: Mapping[str, Any], syms: Sequence[Sym]
    ) -> Inferred:
        """Infer types of a call that returns one item for each item of an axis; fix its length."""
        lengths = {sym: self.lengths.get(sym) for sym in syms}
        if None in lengths.values():
            raise NotKnown("it returns as many items as an axis whose length is not known yet")
        if any(length > MAX_LENGTH for length in lengths.values() if length is not None):
            raise NotHeld(f"it returns as many items as an axis with more than {MAX_LENGTH}")
        for sym, length in lengths.items():
            if length is not None:
                self.unify(sym, length)
        return self._infer(op, inputs, attrs, Examples())

    def _infer_at_capture(
        self, op: Op, inputs: Sequence[Value], attrs: Mapping[str, Any]
    ) -> Inferred:
        """Infer on the lengths at capture, for calls such as `np.split` that reject most lengths.

        The graph does not rely on these lengths: the kernel checks what the call returns, and bails
        if it raises.
        """
        return self._infer(op, inputs, attrs, Examples(at_capture=self.lengths.get))

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
        nest = nest_of(result) if op in (OPAQUE, ITEMS, GUFUNC_ITEMS) else None
        results = list(leaves(result, nest))
        second = self._second(op, inputs, attrs, examples, results, is_nest=nest is not None)
        if nest is not None and second is not None and nest_of(second[0]) != nest:
            if not examples.has_lengths_at_capture and is_constant(result):
                return Inferred(None, [ObjectType.of(type(result))], owned=False)
            if not examples.has_lengths_at_capture:
                raise HasOtherItems(_deciding((result, examples), second))
            second = None
        _refuse_undecided(op, attrs, given, (nest, results))
        if op is OPAQUE and nest is not None:
            raise HasItems(f"the result is {_named(result)}")
        if second is None:
            plain = examples.dims_by_length(self.fresh_sym)
            types = [examples.type_of(one, plain) for one in results]
        else:
            types = self._types((results, examples), (list(leaves(second[0], nest)), second[1]))
        found = [type_ for type_ in types if type_ is not None]
        if not found or len(found) < len(types):
            raise NotHeld(f"the result is {_named(result)}")
        owned = op in (OPAQUE, DRAW) and isinstance(result, np.ndarray) and is_owned(result)
        return Inferred(nest, found, owned)

    def _types(
        self, first: tuple[list[Any], Examples], second: tuple[list[Any], Examples]
    ) -> list[Type | None]:
        """Return the types of the results, None for those that no graph can hold.

        A second set of examples shows how lengths are related: `np.pad` always adds the same
        number. These relations are guesses; the kernel works with the actual lengths.
        """
        (results, examples), (others, other_examples) = first, second
        plain = examples.dims_by_length(self.fresh_sym)
        types: list[Type | None] = []
        for one, other in zip(results, others, strict=True):
            if not _shape(one) or len(_shape(one)) != len(_shape(other)):
                types.append(examples.type_of(one, plain))
                continue
            of_numbers = plain if not examples.lengths else None
            dims = partial(self._between, other.shape, examples, other_examples, of_numbers)
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
        *,
        is_nest: bool,
    ) -> tuple[Any, Examples] | None:
        """Run a call on a second set of examples; return the result and the set, or None.

        The number of items of a tuple or list has to be compared in any case. So if NumPy rejects
        the set, which is much larger than the first, another small one is tried for such calls.
        """
        if op.kind is not Kind.OPAQUE or not any(map(_has_lengths, inputs)):
            return None
        sets = []
        if all(prod(n * OTHER_RATIO for n in _shape(one)) <= MAX_ITEMS for one in results):
            sets.append(itertools.count(OTHER_RATIO * FIRST_LENGTH + 1, 6))
        if is_nest:
            sets.append(itertools.count(FIRST_LENGTH - 1, 2))
        for lengths in sets:
            others = Examples(examples.group, lengths, number=OTHER_NUMBER, unlike_first=True)
            try:
                other = evaluate(op, attrs, list(map(varied, self._examples(inputs, others))))
            except TooSlow:
                raise
            except CannotInfer:
                continue
            return other, others
        return None

    def _between(
        self,
        shape: tuple[int, ...],
        examples: Examples,
        others: Examples,
        plain: Callable[[int, int], Dim] | None,
        axis: int,
        here: int,
    ) -> Dim:
        """Return the dim of an axis by its lengths in two sets of examples, `here` and in `shape`.

        `plain` finds it where the two lengths are equal, and is None if the sets have dims.
        """
        there = shape[axis]
        if here == there and plain is not None:
            return plain(axis, here)
        if here == there:
            return self.computed(here)
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
        return [self._example(*one, examples) for one in zip(types, inputs, strict=True)]

    def _example(self, type_: Type, value: Value, examples: Examples) -> Any:
        """Return an example; for a number that is the length of an axis, that of its dim."""
        dim = self.dim_of.get(value) if value.hint is None else None
        return examples.of(type_, value.hint) if dim is None else examples.length(self.resolve(dim))


def _deciding(first: tuple[Any, Examples], second: tuple[Any, Examples]) -> tuple[Sym, ...]:
    """Return dims whose length is the number of items in both sets, or else all dims."""
    sets = first, second
    lengths = first[1].lengths
    as_long = [
        sym for sym in lengths if all(len(one) == examples.lengths[sym] for one, examples in sets)
    ]
    return tuple(as_long or lengths)


def _refuse_undecided(
    op: Op, attrs: Mapping[str, Any], given: Sequence[Any], made: tuple[Nest | None, list[Any]]
) -> None:
    """Raise CannotInfer if values decide whether the result is complex.

    This is so for eigenvalues of real matrices, roots of polynomials and powers of negative
    numbers.
    """
    nest, results = made
    if op is OPERATOR and type(results[0]) is complex:
        ones = [type(one)(1) for one in given]
        if type(evaluate(op, attrs, ones)) is not complex:
            raise NotHeld("a number that is complex for some operands only")
    dtypes = [_dtype(result) for result in results]
    if op.kind is not Kind.OPAQUE or not any(one and one.kind in "fc" for one in dtypes):
        return
    for change in (unit, skewed):
        try:
            other = evaluate(op, attrs, list(map(change, given)))
        except TooSlow:
            raise
        except CannotInfer:
            continue
        if nest_of(other) == nest and [_dtype(one) for one in leaves(other, nest)] != dtypes:
            raise NotHeld("a result that is complex for some numbers only")


def _dtype(result: Any) -> np.dtype[Any] | None:
    return result.dtype if isinstance(result, np.ndarray | np.generic) else None


def _shape(result: Any) -> tuple[int, ...]:
    return result.shape if type(result) is np.ndarray else ()


def _hides_axes(one: Any, other: Any) -> bool:
    """True if an axis of length 1 in `one` is longer in `other`, which affects the layout."""
    return any(here < 2 <= there for here, there in zip(one.shape, other.shape, strict=True))


def _dims(value: Value) -> tuple[Dim, ...]:
    return value.type.dims if isinstance(value.type, ArrayType) else ()


def _has_lengths(value: Value) -> bool:
    """True if result lengths may depend on this input, by its length or its unknown value."""
    if isinstance(value.type, ScalarType) and value.hint is None:
        return value.type.dtype.kind in "iu" or isinstance(value.type, ObjectsType)
    return bool(_dims(value))


def _half(number: Any) -> Any:
    """Return half of a floating point example, for functions that reject 1."""
    return type(number)(0.5) if isinstance(number, float | np.floating) else number


def _named(result: Any) -> str:
    """Describe a call's result for messages."""
    if type(result) is np.ndarray:
        return f"an array of dtype {result.dtype}"
    name = type(result).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
