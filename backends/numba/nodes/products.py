"""Matrix products and other generalised ufuncs, by NumPy's loop on eager's operands and strides."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

import numpy as np

from ....jit.checks import Check
from ....jit.ir.graph import Node, Value
from ....jit.ir.primitives import primitive
from ....jit.ir.signature import CoreAxis, core_axes, core_names, signature_of
from ....jit.ir.types import ArrayType, Dim, ScalarType
from ..clusters.lower import DType, loop_dtypes, loop_index
from ..library.names import storage_name
from ..parallel import released
from ..writer import KernelWriter, writes
from .calls import write_items
from .inner_loops import InnerLoop, reported_flags

MULTIPLIED = 2
"""Products of numbers, summed up, that take as long as an item of an elementwise loop."""


@writes("gufunc")
def write_gufunc(writer: KernelWriter, node: Node) -> bool:
    """Write loops over all broadcast axes but the last, around calls of the inner loop."""
    ufunc = _ufunc(node)
    found = _loop(ufunc, node)
    if found is None or not _has_known_dims(writer, node):
        return False
    number, dtypes = found
    _meet_computed_dims(writer, node)
    bases = [operand_address(writer, *one) for one in zip(node.inputs, dtypes, strict=False)]
    bases += [_result_memory(writer, result) for result in node.outputs]
    product = _Product(writer, ufunc, number, node, bases)
    with reported_flags(writer, node), released(writer, *product.work()):
        product.write()
    for result in node.outputs:
        if isinstance(result.type, ScalarType):
            writer.scalar(result, writer.read_scalar(writer.words_of[result], result.type))
    writer.n_fused += 1
    return True


@writes("gufunc_items")
def write_gufunc_items(writer: KernelWriter, node: Node) -> bool:
    """Write a gufunc with several results."""
    return write_gufunc(writer, node) or write_items(writer, node)


@writes("dot")
def write_dot(writer: KernelWriter, node: Node) -> bool:
    """Write np.dot by the loop of matmul, in the cases where both give the same bits.

    As measured with NumPy 2.4 and 2.5, both pass vectors and matrices to the same BLAS functions if
    vectors run forward, matrices have no gaps and at least two items are summed. Vectors of one
    item are multiplied by `np.dot`; BLAS adds the product to 0.0, which loses the sign of -0.0.
    """
    types = [value.type for value in node.inputs if isinstance(value.type, ArrayType)]
    if any(set(type_.layout.signs) != {1} for type_ in types):
        return False
    tables = [type_ for type_ in types if type_.ndim > 1]
    wide = writer.is_wide(types[0].dims[-1])
    kind = types[0].dtype.kind
    if not wide and (tables or kind == "c"):
        return False
    if not all(type_.layout.packed for type_ in tables) or not write_gufunc(writer, node):
        return False
    if not wide and kind == "f":
        _write_product_of_one(writer, node)
    return True


def _write_product_of_one(writer: KernelWriter, node: Node) -> None:
    """Write the product of vectors with one item; its flags were raised by the sum already."""
    (result,) = node.outputs
    one, other = (writer.places[value] for value in node.inputs)
    kind = f"{storage_name(one.type.dtype)}_at"
    number = writer.scalars[result]
    with writer.source.indented(f"if {writer.dim(one.type.dims[0])} == 1:"):
        product = f"{kind}({one.address})[0] * {kind}({other.address})[0]"
        writer.source.line(f"{number} = {storage_name(one.type.dtype)}({product})")
        word = writer.words_of[result]
        writer.source.line(f"{kind}(address_of(w, {word}))[0] = {number}")


def _ufunc(node: Node) -> np.ufunc:
    assert node.op.gufunc is not None
    return node.op.gufunc(node.attrs)


def _loop(ufunc: np.ufunc, node: Node) -> tuple[int, tuple[DType, ...]] | None:
    """Return the loop that eager calls without casting these arrays, and its dtypes; or None."""
    types = [value.type for value in node.inputs]
    dtypes = loop_dtypes(ufunc, types)
    if dtypes is None:
        return None
    for value, dtype in zip((*node.inputs, *node.outputs), dtypes, strict=True):
        of_numbers = isinstance(value.type, ScalarType) and value in node.inputs
        if storage_name(dtype) is None or storage_name(value.type.dtype) is None:
            return None
        if value.type.dtype != dtype and not (of_numbers and value.type.dtype.kind in "if"):
            return None
    if any(value.type.dtype == np.float16 for value in node.outputs):
        return None
    number = loop_index(ufunc, dtypes)
    return None if number is None else (number, dtypes)


def operand_address(writer: KernelWriter, value: Value, dtype: DType) -> str:
    """Return the address of an operand; a number is stored in a word."""
    if isinstance(value.type, ArrayType):
        return writer.places[value].address
    address = f"address_of(w, {writer.tables.reserve(2)})"
    kind = storage_name(dtype)
    writer.source.line(f"{kind}_at({address})[0] = {kind}({writer.scalars[value]})")
    return address


def _has_known_dims(writer: KernelWriter, node: Node) -> bool:
    """True unless the gufunc computes core dims of results in a way that is not known here."""
    computed = {dim for dim, _ in _computed_dims(node)}
    return all(
        isinstance(dim, int) or dim in writer.syms or dim in computed
        for result in node.outputs
        for dim in _dims(result)
    )


def _computed_dims(node: Node) -> list[tuple[Dim, tuple[Dim, Dim]]]:
    """Return the computed core dims of results, each with the two dims it is the minimum of."""
    names = primitive(_ufunc(node)).least_dims
    groups, dims = _groups(node), [_dims(value) for value in (*node.inputs, *node.outputs)]
    known = {
        core.name: own[core.axis]
        for group, own in zip(groups, dims, strict=True)
        for core in group
        if core.axis is not None
    }
    return [(known[name], (known[one], known[other])) for name, (one, other) in names.items()]


def _meet_computed_dims(writer: KernelWriter, node: Node) -> None:
    """Define computed dims, or check those that are known already."""
    for dim, (one, other) in _computed_dims(node):
        smaller = f"min({writer.dim(one)}, {writer.dim(other)})"
        if isinstance(dim, int) or dim in writer.syms:
            writer.bail_if(f"{writer.dim(dim)} != {smaller}", Check.SIZE)
        else:
            writer.define_dim(dim, smaller)


def _result_memory(writer: KernelWriter, result: Value) -> str:
    """Return the address for the result: a new array, or the words of a scalar."""
    if isinstance(result.type, ArrayType):
        return writer.new_array(result).address
    word = writer.tables.reserve(2)
    writer.stands_in(result, word)
    return f"address_of(w, {word})"


def _groups(node: Node) -> tuple[tuple[CoreAxis, ...], ...]:
    return core_axes(signature_of(_ufunc(node)), [len(_dims(value)) for value in node.inputs])


class _Product:
    def __init__(
        self, writer: KernelWriter, ufunc: np.ufunc, number: int, node: Node, bases: Sequence[str]
    ) -> None:
        self.writer = writer
        self.loop = InnerLoop(writer, ufunc, number)
        self.bases = bases
        self.operands: list[tuple[Sequence[Dim], Sequence[str], Sequence[CoreAxis]]] = []
        for value, group in zip((*node.inputs, *node.outputs), _groups(node), strict=True):
            strides = writer.places[value].strides if value in writer.places else ()
            self.operands.append((_dims(value), strides, group))
        self.names = dict.fromkeys(
            name.rstrip("?") for group in core_names(signature_of(ufunc)) for name in group
        )

    def _outer(self, operand: int) -> Sequence[Dim]:
        dims, _, group = self.operands[operand]
        return dims[: len(dims) - sum(core.axis is not None for core in group)]

    def work(self) -> tuple[Sequence[Dim], str]:
        """Return all axes, and how long the product may take: see `released`.

        A factorisation or solution of an n x n matrix takes n ** 3, a product of matrices or
        vectors each core dimension once. BLAS or NumPy's loop may share its work by itself; ours
        do not.
        """
        cores = {
            core.name: dims[core.axis]
            for dims, _, group in self.operands
            for core in group
            if core.axis is not None
        }
        axes = [*self._outer(len(self.operands) - 1), *cores.values()]
        if primitive(self.loop.ufunc).factorises:
            dims, _, group = max(self.operands, key=lambda operand: len(operand[2]))
            more = [dims[core.axis] for core in group if core.axis is not None]
            axes += more[: 3 - len(cores)] if len(cores) < 3 and len(more) > 1 else []
        work = " * ".join(map(self.writer.dim, axes)) or "1"
        return axes, f"{work} // {MULTIPLIED}"

    def write(self) -> None:
        """Write loops over the broadcast axes; the last one is the inner loop's own."""
        source, dims = self.writer.source, self.operands[-1][0]
        indices = []
        outer = len(self._outer(len(self.operands) - 1))
        with ExitStack() as blocks:
            for axis in range(outer - 1):
                index = source.name("i")
                header = f"for {index} in range({self.writer.dim(dims[axis])}):"
                blocks.enter_context(source.indented(header))
                indices.append(index)
            count = self.writer.dim(dims[outer - 1]) if outer else "1"
            args = [self._address(k, indices) for k in range(len(self.operands))]
            steps = [self._step(k) if outer else "0" for k in range(len(self.operands))]
            if outer:
                blocks.enter_context(source.indented(f"if {count} > 0:"))
            self.loop.call(args, [count, *self._lengths()], [*steps, *self._steps_of_cores()])

    def _address(self, operand: int, indices: list[str]) -> str:
        """Return the address of an operand at the start of the last broadcast axis."""
        _, strides, _ = self.operands[operand]
        dims, parts = self._outer(operand), [self.bases[operand]]
        for axis in range(len(dims) - 1):
            if dims[axis] != 1:
                parts.append(f"{indices[axis + 1 - len(dims)]} * {strides[axis]}")
        return " + ".join(parts)

    def _step(self, operand: int) -> str:
        """Return the stride along the last broadcast axis."""
        dims = self._outer(operand)
        return self.operands[operand][1][len(dims) - 1] if dims and dims[-1] != 1 else "0"

    def _lengths(self) -> list[str]:
        """Return the length of each core dim; a missing one counts as 1."""
        lengths = {name: name if name.isdigit() else "1" for name in self.names}
        for dims, _, group in self.operands:
            for core in group:
                if core.axis is not None:
                    lengths[core.name] = self.writer.dim(dims[core.axis])
        return list(lengths.values())

    def _steps_of_cores(self) -> list[str]:
        """Return the strides of the core axes; NumPy passes 0 for length 1."""
        steps = []
        for dims, strides, group in self.operands:
            for core in group:
                if core.axis is None or dims[core.axis] == 1:
                    steps.append("0")
                elif self.writer.is_wide(dims[core.axis]):
                    steps.append(strides[core.axis])
                else:
                    length = self.writer.dim(dims[core.axis])
                    steps.append(f"{strides[core.axis]} if {length} != 1 else 0")
        return steps


def _dims(value: Value) -> tuple[Dim, ...]:
    return value.type.dims if isinstance(value.type, ArrayType) else ()
