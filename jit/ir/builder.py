"""Builds graphs. All captured nodes are made here, and NumPy determines their types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..checks import Check
from ..native import MAX_NDIM
from .graph import Block, Exit, Graph, Location, Node, Spot, Value, leaves
from .indexing import Index
from .infer import CannotInfer
from .nests import Nest
from .ops import (
    CONST,
    DIM,
    ELEMENT,
    HALTED,
    ITEMS,
    LEAVE,
    OPERATOR,
    RESHAPE,
    TRANSFORM,
    UNDEFINED,
    Op,
)
from .types import (
    PY_BOOL,
    PY_INT,
    ArrayType,
    Dim,
    Layout,
    ScalarType,
    Type,
    fresh_layout_of,
    scalar_type,
)
from .view_dims import ViewDims
from .view_layouts import hollow, view_layout

Mark = tuple[Block, int, int, int, int, int]


class Builder(ViewDims):
    """Appends nodes to the current block of one graph."""

    def __init__(self) -> None:
        super().__init__()
        self.block = Block((), [])
        self.exits: list[Exit] = []
        self.place: Callable[[], Location] | None = None
        """Returns the user's location that is being captured; nodes get it as their place."""
        self.made = 0
        """Nodes made so far, including those of regions that were dropped without a rollback."""
        self.spots: Mapping[Spot, Check] = {}
        """Instructions whose check in earlier kernels failed repeatedly, with that check."""
        self.positive: set[Value] = set()
        """Ints that are at least 1 whenever the graph runs."""

    def check_here(self) -> Check | None:
        """Return the check that failed repeatedly at the instruction being captured, or None."""
        if not self.spots or self.place is None:
            return None
        return self.spots.get(self.place().spot)

    # ---- values --------------------------------------------------------------------------

    def param(self, type_: Type, hint: Any = None) -> Value:
        """Add a parameter of the graph for a live-in."""
        value = Value(type_, hint)
        self.params.append(value)
        return value

    def const(self, value: Any) -> Value:
        """Add a CONST node for a Python or NumPy scalar known at capture."""
        made = self._append(CONST, (), {"value": value}, scalar_type(value), None, value)
        if type(value) is int and 0 <= value < 2**31:
            self.dim_of[made] = value
        return made

    def add(
        self,
        op: Op,
        inputs: Sequence[Value],
        attrs: Mapping[str, Any],
        location: Location | None = None,
    ) -> Value:
        """Append a node with one result, whose type is found by running the op on examples.

        Raises:
            CannotInfer: NumPy raised, or the result is not a plain number or array of numbers.
        """
        inferred = self._infer_results(op, inputs, attrs)
        if inferred.owned:
            attrs = {**attrs, "owned": True}
        return self._append(op, tuple(inputs), attrs, inferred.types[0], location, None)

    def typed(
        self, op: Op, inputs: Sequence[Value], attrs: Mapping[str, Any], type_: Type
    ) -> Value:
        """Append a node with one result of a type that the caller knows."""
        return self._append(op, tuple(inputs), attrs, type_, None, None)

    def add_items(
        self,
        inputs: Sequence[Value],
        attrs: Mapping[str, Any],
        location: Location | None = None,
        op: Op = ITEMS,
    ) -> tuple[Nest, tuple[Value, ...]]:
        """Append an ITEMS node; return its nest and the values in it. Raises CannotInfer."""
        inferred = self._infer_results(op, inputs, attrs)
        assert inferred.nest is not None
        outputs = tuple(Value(_representable(type_)) for type_ in inferred.types)
        node_attrs = {**attrs, "nest": inferred.nest}
        self._add_node(op, tuple(inputs), node_attrs, outputs, location)
        return inferred.nest, outputs

    def view(
        self, op: Op, inputs: Sequence[Value], attrs: Mapping[str, Any], index: Index
    ) -> Value:
        """Append an INDEX or ELEMENT node.

        The dims follow from the index. The layout comes from NumPy, which indexes an array without
        memory. It is the layout of a view smaller than its base; for a view that is as large as its
        base at run time it is right too, but not the most specific one.

        Raises:
            CannotInfer: NumPy rejects the index for the sizes and numbers seen at capture.
        """
        base = self.resolved(inputs[0].type)
        assert isinstance(base, ArrayType)
        shape = self.shape_at_capture(base, [value.hint for value in inputs[1:]], index)
        if op is ELEMENT:
            return self._append(op, tuple(inputs), attrs, ScalarType(base.dtype, False), None, None)
        dims = self.view_dims(base, inputs[1:], index, shape)
        type_ = ArrayType(base.dtype, tuple(dims), view_layout(base, index, dims))
        return self._append(op, tuple(inputs), attrs, type_, None, None)

    def length(self, array: Value, axis: int) -> Value:
        """Append a DIM node: the length of an axis as a Python int."""
        assert isinstance(array.type, ArrayType)
        dim = self.resolve(array.type.dims[axis])
        value = self._append(
            DIM, (array,), {"axis": axis}, PY_INT, None, self.length_at_capture(dim)
        )
        self.dim_of[value] = dim
        if self.is_never_empty(dim):
            self.positive.add(value)
        return value

    def is_length(self, number: Value) -> bool:
        """True if the number is known to equal the length of an axis."""
        return number in self.dim_of

    def _as_dim(self, number: Value) -> Dim:
        """Return the dim of an axis of length `number`; a new one if nothing is known of it."""
        if number in self.dim_of:
            return self.resolve(self.dim_of[number])
        if not isinstance(number.hint, int):
            return self.fresh_sym()
        return self.computed(number.hint)

    def create(
        self, op: Op, dims: Sequence[Value], attrs: Mapping[str, Any], more: Sequence[Value] = ()
    ) -> Value:
        """Append a node that makes a C-ordered array; its inputs are the lengths, then `more`."""
        if any(isinstance(number.hint, int) and number.hint < 0 for number in dims):
            raise CannotInfer("a negative length")
        named = tuple(self._as_dim(number) for number in dims)
        type_ = ArrayType(attrs["dtype"], named, Layout.contiguous(len(named)))
        return self._append(op, (*dims, *more), attrs, type_, None, None)

    def transform(
        self, inputs: Sequence[Value], attrs: Mapping[str, Any], location: Location | None
    ) -> Value:
        """Append a TRANSFORM node, shaped like input 3 except along the transformed axis."""
        like = self.resolved(inputs[3].type)
        assert isinstance(like, ArrayType)
        if isinstance(inputs[2].hint, int) and inputs[2].hint < 1:
            raise CannotInfer("a transform of no points")
        if not like.layout.nested or (1 in like.dims and not like.layout.packed):
            raise CannotInfer("axes whose order in memory is not known")
        dims = [*like.dims]
        dims[attrs["axis"]] = self._as_dim(inputs[2])
        if attrs["odd"] is not None:
            if not isinstance(inputs[2].hint, int):
                raise CannotInfer("a length that was not known at capture")
            dims[attrs["axis"]] = self.computed(inputs[2].hint // 2 + 1)
        lengths = [dim if isinstance(dim, int) else k + 2 for k, dim in enumerate(like.dims)]
        made = np.empty_like(hollow(like, lengths), dtype=attrs["dtype"])
        type_ = ArrayType(made.dtype, tuple(dims), fresh_layout_of(made))
        return self._append(TRANSFORM, tuple(inputs), attrs, type_, location, None)

    def reshape(self, array: Value, numbers: Sequence[Value]) -> Value | None:
        """Append a RESHAPE node; return None if the dims of the result cannot be found."""
        base = array.type
        assert isinstance(base, ArrayType)
        lengths = [self.length_at_capture(self.resolve(dim)) for dim in base.dims]
        hints = [number.hint for number in numbers]
        if None in lengths or None in hints:
            return self._of_unknown_length(array, numbers)
        try:
            shape = hollow(base, [n or 0 for n in lengths]).reshape(hints).shape
        except ValueError as error:
            raise CannotInfer(str(error)) from error
        named: list[Dim] = []
        for number, size in zip(numbers, shape, strict=True):
            if number.hint == -1:
                named.append(self.computed(size))
            else:
                named.append(self._as_dim(number))
        type_ = ArrayType(base.dtype, tuple(named), Layout.contiguous(len(named)))
        return self._append(RESHAPE, (array, *numbers), {}, type_, None, None)

    def _of_unknown_length(self, array: Value, numbers: Sequence[Value]) -> Value | None:
        """Append a RESHAPE node if a length of the array, or a new length, is not known at capture.

        A 1-d array that only gets axes of length 1 keeps its dim.
        """
        base = array.type
        assert isinstance(base, ArrayType)
        hints = [number.hint for number in numbers]
        if hints.count(-1) > 1 or not all(hint is None or type(hint) is int for hint in hints):
            return None
        is_line = base.ndim == 1 and all(hint in (-1, 1) for hint in hints) and -1 in hints
        named = tuple(
            (base.dims[0] if is_line else self.fresh_sym()) if hint == -1 else self._as_dim(number)
            for number, hint in zip(numbers, hints, strict=True)
        )
        if 0 in named or any(hint is not None and hint < -1 for hint in hints):
            return None
        type_ = ArrayType(base.dtype, named, Layout.contiguous(len(named)))
        return self._append(RESHAPE, (array, *numbers), {}, type_, None, None)

    def effect(
        self,
        op: Op,
        inputs: Sequence[Value],
        attrs: Mapping[str, Any],
        location: Location | None = None,
    ) -> None:
        """Append a node without results."""
        self._add_node(op, tuple(inputs), attrs, (), location)

    def _append(
        self,
        op: Op,
        inputs: tuple[Value, ...],
        attrs: Mapping[str, Any],
        type_: Type,
        location: Location | None,
        hint: Any,
    ) -> Value:
        value = Value(_representable(type_), hint)
        self._add_node(op, inputs, attrs, (value,), location)
        return value

    def _add_node(
        self,
        op: Op,
        inputs: tuple[Value, ...],
        attrs: Mapping[str, Any],
        outputs: tuple[Value, ...],
        location: Location | None,
        blocks: tuple[Block, ...] = (),
    ) -> None:
        is_known = location is not None and location.at >= 0
        place = location if is_known or self.place is None else self.place()
        node = Node(op, inputs, attrs, outputs, location, blocks, place)
        self.block.nodes.append(node)
        self.made += 1
        if op in (CONST, OPERATOR):
            self.sums.note(node)

    def region_node(
        self,
        op: Op,
        inputs: Sequence[Value],
        attrs: Mapping[str, Any],
        outputs: Sequence[Value],
        blocks: Sequence[Block],
        location: Location | None,
    ) -> None:
        """Append a node that has regions."""
        self._add_node(op, tuple(inputs), attrs, tuple(outputs), location, tuple(blocks))

    def undefined(self, type_: Type) -> Value:
        """Append a value of this type that nothing reads, for a block that must produce one."""
        return self._append(UNDEFINED, (), {}, type_, None, None)

    # ---- control -------------------------------------------------------------------------

    def halted(self, notes: Sequence[Value] = (), **attrs: Any) -> tuple[Value, Value]:
        """Append HALTED: (was the preceding loop halted?, number of its next iteration)."""
        values = Value(PY_BOOL), Value(PY_INT)
        self._add_node(HALTED, tuple(notes), attrs, values, None)
        return values

    def leave(self, exit_: Exit, op: Op = LEAVE) -> None:
        """Add an exit, and append the LEAVE or the CHECKPOINT for it."""
        self.exits.append(exit_)
        needed = tuple(
            value for recipe in (*exit_.effects, *exit_.recipes) for value in leaves(recipe)
        )
        self.effect(op, needed, {"exit": len(self.exits) - 1})

    # ---- rollback ------------------------------------------------------------------------

    def mark(self) -> Mark:
        """Return the present state of the graph, for `rollback`."""
        counts = (len(self.params), len(self.block.nodes), len(self.exits), len(self.equal))
        return self.block, *counts, self.made

    def are_made_since(self, mark: Mark, values: Sequence[Value]) -> bool:
        """True if any value is a parameter or node result that was added after the mark."""
        made = [value for node in self.made_since(mark) for value in node.outputs]
        return not {*made, *self.params[mark[1] :]}.isdisjoint(values)

    def made_since(self, mark: Mark) -> list[Node]:
        """Return the nodes added to the mark's block since then."""
        block, _, nodes, *_ = mark
        return block.nodes[nodes:]

    def rollback(self, mark: Mark) -> None:
        """Remove everything added since the mark; regions begun since then are abandoned."""
        self.block, params, nodes, exits, equal, self.made = mark
        del self.params[params:]
        del self.block.nodes[nodes:]
        del self.exits[exits:]
        self.forget_equal(equal)

    def forget_nodes(self, mark: Mark) -> None:
        """Remove the nodes added since the mark. Parameters stay, as other code refers to them."""
        block, _, nodes, exits, equal, made = mark
        self.rollback((block, len(self.params), nodes, exits, equal, made))

    def nodes(self) -> Iterator[Node]:
        """Iterate over all nodes so far, including those in regions."""
        return Graph(tuple(self.params), self.block).nodes()

    def graph(self) -> Graph:
        """Return the graph so far. Dims known to be equal are replaced by one representative."""
        graph = Graph(tuple(self.params), self.block, self.exits, lengths=self.lengths)
        made = [value for node in graph.nodes() for value in node.outputs]
        inner = [p for node in graph.nodes() for block in node.blocks for p in block.params]
        for value in (*graph.params, *made, *inner):
            value.type = self.resolved(value.type)
        return graph


def _representable(type_: Type) -> Type:
    """Return the type if the tables of an entry can represent it, else raise CannotInfer."""
    if isinstance(type_, ArrayType) and type_.ndim > MAX_NDIM:
        raise CannotInfer(f"an array of {type_.ndim} axes: graphs hold at most {MAX_NDIM}")
    return type_
