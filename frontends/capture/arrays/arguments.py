"""Arguments of library functions: constants that may contain inputs of a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....jit.ir import graph as ir
from ....jit.ir.indexing import Ref
from ....jit.ir.infer import CannotInfer
from ....jit.ir.opaque import Bounds, ListOf, OpaqueCall, has_ref
from ....jit.ir.ops import LISTED, OPAQUE
from ....jit.ir.types import ArrayType, Dim, Layout, ObjectsType, ScalarType
from ..objects.grown import Columns, Growing, as_array, as_numpy_makes_it, grown_of, state_of
from ..objects.handed_over import dtype_of_array, row_length
from ..objects.listed import listed, of_arrays
from ..objects.lists import items_of
from ..objects.lists_of_objects import of_numbers
from ..state.live import realise
from ..state.machine import Machine
from ..values.breaks import ARGUMENT, CALL, GraphBreak
from ..values.limits import MAX_NESTING, MAX_PASSED
from ..values.python_bodies import body_of
from ..values.ranges import Range
from ..values.slices import Slice
from ..values.symbolic import Array, Known, List, Scalar, Symbolic
from ..values.value_kind import Callee
from ..values.wording import in_words, refusal


def opaque(
    machine: Machine,
    function: Callable[..., Any],
    arguments: tuple[Symbolic, ...],
    keywords: Mapping[str, Symbolic],
) -> tuple[tuple[ir.Value, ...], OpaqueCall]:
    """Return the graph values in a call's arguments, and the call as a function of them.

    Raises:
        GraphBreak: in the body of a library's function, where Python would be called.
    """
    if machine.library_until is not None and body_of(function) is not None:
        raise GraphBreak(CALL, f"call of {getattr(function, '__name__', function)}")
    mark = machine.builder.mark()
    made = _with_arguments(machine, function, (arguments, keywords), as_lists=False)
    if not any(node.op is LISTED for node in machine.builder.made_since(mark)):
        return made
    # A list that has grown is passed as an array, if NumPy does the same with both.
    of_arrays = _outcome(machine, *made)
    machine.builder.forget_nodes(mark)
    made = _with_arguments(machine, function, (arguments, keywords), as_lists=True)
    if _outcome(machine, *made) != of_arrays:
        return made
    machine.builder.forget_nodes(mark)
    return _with_arguments(machine, function, (arguments, keywords), as_lists=False)


def example_call(
    machine: Machine,
    function: Callable[..., Any],
    arguments: tuple[Symbolic, ...],
    keywords: Mapping[str, Symbolic],
) -> tuple[tuple[ir.Value, ...], OpaqueCall]:
    """Return the program's call for trying it on examples; the caller removes its nodes again.

    Lists that have grown become example arrays. No op makes one as long as another input, or with
    rows or numbers of either kind.

    Raises:
        CallsBack: the call may run a function of the program's.
        GraphBreak: graphs cannot hold an argument.
    """
    grown = grown_of(machine, arguments[0]) if arguments else None
    array = _like_array_of(machine, grown) if isinstance(grown, Columns) else None
    if array is not None:
        arguments, function = (array, *arguments[1:]), _given_rows(function)
    return _ExampleArguments(machine, as_lists=True).call(function, arguments, keywords)


def makes_an_array_first(
    machine: Machine,
    function: Callable[..., Any],
    arguments: tuple[Symbolic, ...],
    keywords: Mapping[str, Symbolic],
) -> bool:
    """True if a function gives the same for a list as for `np.array` of it, as examples show."""

    def of_array(first: Any, *rest: Any, **named: Any) -> Any:
        return function(np.array(first), *rest, **named)

    mark, other = machine.builder.mark(), of_array
    try:
        grown = grown_of(machine, arguments[0])
        if isinstance(grown, Columns):  # an array stands for it
            array = _like_array_of(machine, grown)
            if array is None:
                return False
            arguments, other = (array, *arguments[1:]), _given_rows(function)
        inputs, call = _with_arguments(machine, function, (arguments, keywords), as_lists=False)
        return machine.builder.are_same(inputs, call, other)
    except GraphBreak:
        return False
    finally:
        machine.builder.forget_nodes(mark)


def _given_rows(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function applied to a list of the rows of its array argument."""

    def of_rows(first: Any, *rest: Any, **named: Any) -> Any:
        rows = first.tolist()
        return function(list(map(tuple, rows)) if first.ndim > 1 else rows, *rest, **named)

    return of_rows


def _like_array_of(machine: Machine, grown: Columns) -> Array | None:
    """Return an example array for a list; None if NumPy makes no array of it."""
    rows = row_length(grown)
    if rows is None:
        return None
    dims = (machine.builder.fresh_sym(), *((rows,) if rows else ()))
    type_ = ArrayType(dtype_of_array(grown), dims, Layout.contiguous(len(dims)))
    return Array(machine.builder.undefined(type_))


def _with_arguments(
    machine: Machine,
    function: Callable[..., Any],
    given: tuple[tuple[Symbolic, ...], Mapping[str, Symbolic]],
    *,
    as_lists: bool,
) -> tuple[tuple[ir.Value, ...], OpaqueCall]:
    return _Arguments(machine, as_lists).call(function, *given)


def _outcome(machine: Machine, inputs: tuple[ir.Value, ...], call: OpaqueCall) -> tuple[Any, ...]:
    """Return a description of a call's result, or the reason why it is unknown."""
    try:
        type_ = machine.builder.infer(OPAQUE, inputs, {"call": call})
    except CannotInfer as error:
        return (type(error),)
    return type(type_), type_.char, type_.ndim if isinstance(type_, ArrayType) else None


@dataclass(slots=True)
class _Arguments:
    """Collects the inputs of one call."""

    machine: Machine
    as_lists: bool
    """True to pass lists of numbers that have grown as lists, False as arrays."""
    inputs: list[ir.Value] = field(default_factory=list)

    def call(
        self,
        function: Callable[..., Any],
        arguments: tuple[Symbolic, ...],
        keywords: Mapping[str, Symbolic],
    ) -> tuple[tuple[ir.Value, ...], OpaqueCall]:
        """Return the inputs, and the call as a function of them."""
        args = tuple(map(self.template, arguments))
        kwargs = {name: self.template(value) for name, value in keywords.items()}
        return tuple(self.inputs), OpaqueCall(function, args, kwargs)

    def template(self, value: Symbolic, depth: int = 0) -> Any:
        """Return an argument with a Ref for each graph value in it."""
        value = realise(self.machine, value)
        if isinstance(value, Array | Scalar):
            return self._ref(value.value)
        if isinstance(value, Known):
            return value.object
        grown = state_of(self.machine, value)
        if grown is not None:
            return self._list(grown)
        if (whole := of_arrays(self.machine, value)) is not None:
            return self._ref(whole)
        parts = items_of(self.machine, value)
        if parts is not None:
            if len(parts) + len(self.inputs) > MAX_PASSED or depth > MAX_NESTING:
                raise GraphBreak(
                    ARGUMENT, f"a sequence of more than {MAX_PASSED} items, or deeper ones"
                )
            made = [self.template(item, depth + 1) for item in parts]
            return made if isinstance(value, List) else tuple(made)
        if isinstance(value, Slice | Range):
            kind = slice if isinstance(value, Slice) else range
            bounds = tuple(self.template(part, depth + 1) for part in value.parts)
            return Bounds(kind, bounds) if any(map(has_ref, bounds)) else kind(*bounds)
        raise refusal(ARGUMENT, in_words(value), value)

    def _ref(self, value: ir.Value) -> Ref:
        self.inputs.append(value)
        return Ref(len(self.inputs) - 1)

    def _list(self, grown: Growing) -> Any:
        if isinstance(grown.type, ObjectsType):
            return self._ref(grown.value)
        if not self.as_lists:
            return self._ref(as_numpy_makes_it(self.machine, grown).value)
        array = as_array(self.machine, grown).value
        return self._ref(of_numbers(self.machine, array, ObjectsType.of_items(grown.item)))


class CallsBack(GraphBreak):
    """A function of the program's is among the arguments, or in a list of them."""


class _ExampleArguments(_Arguments):
    """Collects the arguments of a call that is tried on examples."""

    def template(self, value: Symbolic, depth: int = 0) -> Any:
        if isinstance(realise(self.machine, value), Callee):
            raise CallsBack(CALL, "a function that is called back")
        if (array := listed(self.machine, realise(self.machine, value))) is not None:
            return ListOf(self._ref(array.value), python=True)
        return super().template(value, depth)

    def _list(self, grown: Growing) -> Any:
        if isinstance(grown.type, ObjectsType):
            return self._ref(grown.value)
        type_ = self._type_of_array(grown.value, grown.type.item)
        return ListOf(self._ref(self.machine.builder.undefined(type_)), grown.type.item.python)

    def _type_of_array(self, made: ir.Value, item: ScalarType) -> ArrayType:
        """Return the type of the array for a list, if its length is known to equal others."""
        dims: tuple[Dim, ...] = (self.machine.builder.fresh_sym(),)
        for node in reversed(self.machine.builder.block.nodes):
            type_ = node.outputs[0].type if node.op is LISTED else None
            if isinstance(type_, ArrayType) and node.inputs == (made,):
                dims = tuple(map(self.machine.builder.resolve, type_.dims))
                break
        return ArrayType(item.dtype, dims, Layout.contiguous(1))
