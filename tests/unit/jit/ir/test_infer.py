"""Types of results: NumPy is asked, on examples that stand for any size."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from framejit.jit.ir.infer import FIRST_LENGTH, Examples
from framejit.jit.ir.types import (
    PY_FLOAT,
    PY_INT,
    ArrayType,
    Dim,
    Layout,
    ObjectType,
    ScalarType,
    Sym,
    layout_of,
)
from framejit.jit.ir.view_layouts import hollow

F8 = np.dtype(np.float64)
A, B = Sym(0), Sym(1)


def layouts(ndim: int) -> Iterator[Layout]:
    """All layout classes of so many axes in which every axis moves."""
    for order in itertools.permutations(range(ndim)):
        yield Layout(order, (1,) * ndim, packed=True, unit=True)
        for signs in itertools.product((1, -1), repeat=ndim):
            yield Layout(order, signs, packed=False, unit=False)
            if ndim > 1 or signs == (-1,):  # one axis by one item forward has no gaps
                yield Layout(order, signs, packed=False, unit=True)


def array_type(*dims: Dim, layout: Layout | None = None) -> ArrayType:
    return ArrayType(F8, dims, layout or Layout.contiguous(len(dims)))


@pytest.mark.parametrize("ndim", [1, 2, 3])
def test_an_example_has_the_layout_of_its_type(ndim: int) -> None:
    """And so has an array without memory, which is asked about views."""
    dims = tuple(Sym(k) for k in range(ndim))
    for layout in layouts(ndim):
        example = Examples().of(array_type(*dims, layout=layout))
        assert layout_of(example) == layout
        assert layout_of(hollow(array_type(*dims, layout=layout), [5, 6, 7][:ndim])) == layout


def test_broadcast_axes_of_examples() -> None:
    """Their stride is zero, whatever the memory is like."""
    for layout in (
        Layout((1, 0), (0, 1), packed=False, unit=True),
        Layout((0, 1), (1, 0), packed=False, unit=True),
    ):
        assert layout_of(Examples().of(array_type(A, B, layout=layout))) == layout
        assert layout_of(hollow(array_type(A, B, layout=layout), [5, 6])) == layout


def test_each_dim_has_a_length_of_its_own() -> None:
    """So that a result tells which dim it has; equal dims have equal lengths."""
    examples = Examples()

    assert examples.of(array_type(A, B, 1)).shape == (FIRST_LENGTH, FIRST_LENGTH + 2, 1)
    assert examples.of(array_type(B)).shape == (FIRST_LENGTH + 2,)


def test_scalars() -> None:
    """Python scalars are Python objects: they are weak in promotion."""
    examples = Examples()

    assert type(examples.of(PY_INT)) is int
    assert type(examples.of(PY_FLOAT, 2.5)) is float
    assert examples.of(PY_FLOAT, 2.5) == 2.5
    assert type(examples.of(ScalarType(np.dtype(np.float32), python=False))) is np.float32


def fresh(length: int | None = None) -> Sym:
    return Sym(99)


def test_types_of_results() -> None:
    """Dims are recognised by their lengths, 0 and 1 are themselves, any other is new."""
    examples = Examples()
    x, y = examples.of(array_type(A, B)), examples.of(array_type(B))
    dim_of = examples.dims_by_length(fresh)

    assert examples.type_of(x + y, dim_of) == array_type(A, B)
    assert examples.type_of(x.T, dim_of) == array_type(B, A, layout=Layout.contiguous(2, "F"))
    assert examples.type_of(x[:1], dim_of) == array_type(1, B)
    assert examples.type_of(x[:0], dim_of) == array_type(0, B)
    assert examples.type_of(x[1:], dim_of) == array_type(fresh(), B)
    assert examples.type_of(x.sum(), dim_of) == ScalarType(F8, python=False)
    assert examples.type_of(2.5, dim_of) == PY_FLOAT


@pytest.mark.parametrize(
    "result",
    [
        bytearray(b"text"),
        None,
        (1.0, 2.0),
        np.ma.ones(5),
        np.ones(5, ">f8"),
        np.ones(5, "g"),
        np.longdouble(1),
        np.datetime64("2024-01-01"),
    ],
    ids=lambda result: type(result).__name__,
)
def test_what_no_graph_holds(result: object) -> None:
    """The call that gave it is not captured."""
    assert Examples().type_of(result, Examples().dims_by_length(fresh)) is None


@pytest.mark.parametrize("result", ["text", b"bytes", np.dtype("f4")], ids=repr)
def test_objects_that_are_handed_on(result: object) -> None:
    found = Examples().type_of(result, Examples().dims_by_length(fresh))
    assert found == ObjectType.of(type(result))


def test_groups_share_a_length() -> None:
    """Dims that had one length at capture, when NumPy refused lengths that differ."""
    lengths = {A: 10, B: 10}
    examples = Examples(lambda sym: lengths.get(sym, sym))

    assert (examples.of(array_type(A)) + examples.of(array_type(B))).shape == (FIRST_LENGTH,)
