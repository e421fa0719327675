"""The builder: dims that turn out to be equal, types of windows, rolling back."""

from __future__ import annotations

import numpy as np
import pytest

from framejit.jit.ir.builder import Builder, CannotInfer
from framejit.jit.ir.graph import Exit, Leaf, Value
from framejit.jit.ir.indexing import Index, NewAxis, Ref, Span
from framejit.jit.ir.ops import ELEMENT, FILL, INDEX, OPERATOR, REDUCE, UFUNC
from framejit.jit.ir.text import print_graph
from framejit.jit.ir.types import PY_INT, ArrayType, Dim, Layout, ScalarType, Sym

F8 = np.dtype(np.float64)


def array(builder: Builder, *lengths: int, order: str = "C") -> Value:
    """A live-in of these lengths: 0 and 1 are dims, longer ones are symbolic."""
    dims = tuple(n if n < 2 else builder.fresh_sym(n) for n in lengths)
    return builder.param(ArrayType(F8, dims, Layout.contiguous(len(dims), order)))


def add(builder: Builder, *inputs: Value) -> Value:
    return builder.add(UFUNC, inputs, {"ufunc": np.add})


def dims(builder: Builder, value: Value) -> tuple[Dim, ...]:
    type_ = builder.resolved(value.type)
    assert isinstance(type_, ArrayType)
    return type_.dims


# ---- dims ----------------------------------------------------------------------------------------


def test_elementwise_operands_share_their_dims() -> None:
    """Lengths that were equal at capture are relied on; the result has the one dim."""
    builder = Builder()
    x, y = array(builder, 5), array(builder, 5)
    z = add(builder, x, y)

    assert len({*dims(builder, x), *dims(builder, y), *dims(builder, z)}) == 1
    assert len(builder.equal) == 1


def test_equality_is_transitive() -> None:
    """Two pairs of equal dims that then meet: one dim for all four."""
    builder = Builder()
    a, b, c, d = (array(builder, 5) for _ in range(4))
    add(builder, a, b)
    add(builder, c, d)
    add(builder, b, d)

    assert len({dim for value in (a, b, c, d) for dim in dims(builder, value)}) == 1
    assert len(builder.equal) == 3


def test_lengths_of_one_broadcast() -> None:
    """Nothing is relied on."""
    builder = Builder()
    z = add(builder, array(builder, 4, 1), array(builder, 5))

    assert dims(builder, z) == (Sym(0), Sym(1))
    assert builder.equal == []


def test_equal_lengths_that_never_meet_stay_apart() -> None:
    """Both had five items; the program does not care."""
    builder = Builder()
    x, y = array(builder, 5), array(builder, 5)
    outer = add(builder, builder.view(INDEX, (x,), *_column()), y)

    assert len(set(dims(builder, outer))) == 2
    assert builder.equal == []


def _column() -> tuple[dict[str, Index], Index]:
    index = Index((Span(), NewAxis()))
    return {"index": index}, index


def test_lengths_that_do_not_fit() -> None:
    """NumPy's own words."""
    builder = Builder()

    with pytest.raises(CannotInfer, match="ValueError: operands could not be broadcast together"):
        add(builder, array(builder, 5), array(builder, 6))


def test_a_known_dim_wins() -> None:
    """A dim that equals a constant is that constant from then on."""
    builder = Builder()
    sym = builder.fresh_sym(4)
    builder.unify(sym, 4)
    assert builder.resolve(sym) == 4

    other = builder.fresh_sym(5)
    builder.unify(other, 4)  # it was not so at capture
    assert builder.resolve(other) == other


def test_a_store_relies_on_its_lengths() -> None:
    """Lengths are unified where the value is not broadcast."""
    builder = Builder()
    target, value = (builder.fresh_sym(4), builder.fresh_sym(5)), (1, builder.fresh_sym(5))
    builder.unify_store(target, value)

    assert builder.resolve(target[1]) == builder.resolve(value[1])
    assert builder.equal == [value[1]]


# ---- types ---------------------------------------------------------------------------------------


def test_results_keep_the_memory_order() -> None:
    """Fortran operands give a Fortran result; with C ones NumPy's rule decides."""
    builder = Builder()
    one, other = array(builder, 4, 5, order="F"), array(builder, 4, 5)

    for operands in ((one, one), (one, other), (other, other)):
        example = [np.ones((4, 5), order="F" if v is one else "C") for v in operands]
        expected = "C" if np.add(*example).flags.c_contiguous else "F"
        type_ = add(builder, *operands).type
        assert isinstance(type_, ArrayType)
        assert type_.layout == Layout.contiguous(2, expected)


def test_scalars_promote_weakly() -> None:
    """NEP 50, because NumPy is asked."""
    builder = Builder()
    x = builder.param(ArrayType(np.dtype("i1"), (builder.fresh_sym(5),), Layout.contiguous(1)))
    numbers = (builder.const(3), builder.const(2.5), builder.const(np.int64(3)))

    assert [add(builder, x, number).type.dtype for number in numbers] == ["i1", "f8", "i8"]


def test_reductions() -> None:
    """Axes disappear, become 1, or a NumPy scalar is left."""
    builder = Builder()
    x = array(builder, 4, 5)

    def reduce(axis: object, keepdims: bool = False) -> str:
        attrs = {"ufunc": np.add, "axis": axis, "keepdims": keepdims}
        return str(builder.add(REDUCE, (x,), attrs).type)

    assert reduce(None) == "np.float64"
    assert reduce(0) == "float64[s1]"
    assert reduce(1, keepdims=True) == "float64[s0, 1]"
    with pytest.raises(CannotInfer, match="AxisError"):
        reduce(2)


def test_scalar_arithmetic_that_raises() -> None:
    """On the examples; the program may still be right, so it stays eager."""
    builder = Builder()
    zero = builder.const(0)

    with pytest.raises(CannotInfer, match="ZeroDivisionError"):
        builder.add(OPERATOR, (zero, zero), {"function": lambda a, b: a // b})


# ---- windows -------------------------------------------------------------------------------------


def test_windows() -> None:
    """A whole axis keeps its dim, a part of one has a dim of its own, one item has none."""
    builder = Builder()
    x, k = array(builder, 4, 6), builder.param(PY_INT, 2)

    def window(*parts: object) -> str:
        index = Index(parts)  # type: ignore[arg-type]
        return str(builder.view(INDEX, (x, k), {"index": index}, index).type)

    assert window(Span(), Span()) == "float64[s0, s1]"
    assert window(Ref(0), Span()) == "float64[s1]"
    assert window(Span(1), Span()) == "float64[s2, s1]"
    assert window(Span(), Span(None, None, 2)) == "float64[s0, s3] +0+1 gaps strided"
    assert window(Span(None, None, -1), Span()) == "float64[s4, s1] -0+1 gaps"
    assert window(Span(), 0) == "float64[s0] +0 gaps strided"
    assert window(Span(0, 1), NewAxis(), Span()) == "float64[1, 1, s1]"
    assert window(Span(3, 3), Span()) == "float64[0, s1]"


def test_elements() -> None:
    """An index of numbers alone gives a NumPy scalar; out of bounds it is NumPy's error."""
    builder = Builder()
    x = array(builder, 4)
    for number in (0, -1):
        index = Index((number,))
        element = builder.view(ELEMENT, (x,), {"index": index}, index)
        assert element.type == ScalarType(F8, python=False)

    with pytest.raises(CannotInfer, match="IndexError: index 4 is out of bounds"):
        builder.view(INDEX, (x,), {}, Index((4,)))


def test_reshape() -> None:
    """The inferred length (-1) is a new dim; a length of the array is the same dim."""
    builder = Builder()
    x = array(builder, 4, 6)
    two, rest, rows = builder.const(2), builder.const(-1), builder.length(x, 0)

    flat = builder.reshape(x, (rest,))
    again = builder.reshape(x, (rows, rest))
    assert flat is not None
    assert again is not None
    assert str(flat.type) == "float64[s2]"
    assert dims(builder, again)[0] == Sym(0)
    with pytest.raises(CannotInfer, match="cannot reshape array of size 24"):
        builder.reshape(x, (two, builder.const(5)))


def test_creation() -> None:
    """A length that is an array's is its dim; others are dims of their own, known or not."""
    builder = Builder()
    x = array(builder, 4)
    attrs = {"value": 0.0, "dtype": F8}
    lengths = (builder.length(x, 0), builder.param(PY_INT, 7), builder.const(1))

    assert str(builder.create(FILL, lengths, attrs).type) == "float64[s0, s1, 1]"
    with pytest.raises(CannotInfer, match="a negative length"):
        builder.create(FILL, (builder.const(-1),), attrs)
    assert str(builder.create(FILL, (Value(PY_INT),), attrs).type) == "float64[s2]"


# ---- graphs --------------------------------------------------------------------------------------


def test_rollback() -> None:
    """Nodes, exits, live-ins and what was relied on are forgotten together."""
    builder = Builder()
    x = array(builder, 5)
    before = print_graph(builder.graph())
    mark = builder.mark()
    y = array(builder, 5)
    builder.leave(Exit(3, "return", pushes=(Leaf(add(builder, x, y)),)))
    assert builder.equal != []
    builder.rollback(mark)

    assert print_graph(builder.graph()) == before
    assert builder.equal == []
    z = array(builder, 5)
    assert builder.resolve(dims(builder, z)[0]) != builder.resolve(dims(builder, x)[0])


def test_the_graph_names_one_dim() -> None:
    """All types are resolved when the graph is done, those of earlier nodes too."""
    builder = Builder()
    x, y = array(builder, 5), array(builder, 5)
    early = add(builder, x, x)
    late = add(builder, early, y)
    builder.leave(Exit(7, "return", pushes=(Leaf(late),)))

    assert print_graph(builder.graph()) == (
        "graph(%0: float64[s0], %1: float64[s0])\n"
        "  %2 = ufunc(%0, %0) ufunc=add : float64[s0]\n"
        "  %3 = ufunc(%2, %1) ufunc=add : float64[s0]\n"
        "  leave(%3) exit=0\n"
        "exit 0: return at 7: push %3"
    )
