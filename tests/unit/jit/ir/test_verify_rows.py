"""The verifier: graphs whose nodes break the row of their op, and what is said of them."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from small_graphs import F4, F8, I8, NUMBERS, S0, S1, N, X, array, graph, node, one, said_of

from framejit.jit.ir import ops, type_rules
from framejit.jit.ir.graph import Block, Graph, Value
from framejit.jit.ir.indexing import Index, Ref, Span
from framejit.jit.ir.nests import Nest
from framejit.jit.ir.opaque import OpaqueCall
from framejit.jit.ir.ops import (
    APPEND,
    ARANGE,
    CAST,
    CONST,
    COUNT,
    DIM,
    ELEMENT,
    FILL,
    GATHER,
    INDEX,
    ITEM,
    ITEMS,
    LIST,
    LIST_OF,
    LISTED,
    OPERATOR,
    PUT,
    REDUCE,
    RESHAPE,
    SCATTER,
    SORT,
    STORE,
    TRANSFORM,
    TRANSPOSE,
    UFUNC,
)
from framejit.jit.ir.types import (
    PY_FLOAT,
    PY_INT,
    ArrayType,
    Layout,
    ScalarType,
)
from framejit.jit.ir.verify import verify

# ---- rows ----------------------------------------------------------------------------------------


NP_FLOAT = ScalarType(F8, False)


TABLE = array(S0, S1)


CALL = OpaqueCall(divmod, (Ref(0), Ref(1)), {})


ROWS: dict[str, tuple[Graph, str]] = {
    "too few inputs": (
        one(STORE, [X], [], visible=True),
        "inputs: expected 2, found 1\n  at: store(%0) visible=True",
    ),
    "no inputs of any number": (
        one(UFUNC, [], [X], ufunc=np.add),
        "inputs: expected 1 or more, found 0\n  at: %0 = ufunc() ufunc=add : float64[s0]",
    ),
    "too many optional inputs": (
        one(ops.COUNTS, [array(S0, dtype=I8)] * 3, [array(S1, dtype=I8)], least=0),
        "inputs: expected 1 to 2, found 3\n  at: %3 = counts(%0, %1, %2) least=0 : int64[s1]",
    ),
    "no result": (
        one(UFUNC, [X, X], [], ufunc=np.add),
        "results: expected 1, found 0\n  at: ufunc(%0, %1) ufunc=add",
    ),
    "a list outside of lists": (
        one(UFUNC, [NUMBERS], [X], ufunc=np.negative),
        "inputs: expected an array or a number at 0, found list of float\n"
        "  at: %1 = ufunc(%0) ufunc=negative : float64[s0]",
    ),
    "a number that is no int": (
        one(FILL, [PY_FLOAT], [X], value=np.float64(0), dtype=F8),
        "inputs: expected an int at 0, found float\n"
        "  at: %1 = fill(%0) value=np.float64(0.0) dtype=dtype('float64') : float64[s0]",
    ),
    "an attribute that is missing": (
        one(DIM, [X], [N]),
        "attributes: expected axis, an int\n  at: %1 = dim(%0) : int",
    ),
    "an attribute that the op has not": (
        one(DIM, [X], [N], axis=0, order="K"),
        "attributes: dim has no attribute 'order'\n  at: %1 = dim(%0) axis=0 order='K' : int",
    ),
    "an attribute of another kind": (
        one(DIM, [X], [N], axis=False),
        "attributes: expected axis to be an int\n  at: %1 = dim(%0) axis=False : int",
    ),
    "a region where there is none": (
        graph([], node(CONST, [], [Value(N)], [Block((), [])], value=1)),
        "blocks: expected 0, found 1\n  at: %0 = const() value=1 : int",
    ),
}


TYPES: dict[str, tuple[Graph, str]] = {
    "constant": (
        one(CONST, [], [N], value=1.0),
        "expected float, found int\n  at: %0 = const() value=1.0 : int",
    ),
    "length": (
        one(DIM, [X], [N], axis=1),
        "expected an axis of 1, counted from the front, found int\n  at: %1 = dim(%0) axis=1 : int",
    ),
    "dtype": (
        one(UFUNC, [X, array(S0, dtype=F4)], [array(S0, dtype=F4)], ufunc=np.add),
        "expected float64[?] (d), found float32[s0]\n"
        "  at: %2 = ufunc(%0, %1) ufunc=add : float32[s0]",
    ),
    "dtype of the same size": (
        one(CAST, [X], [array(S0, dtype=np.dtype("q"))], dtype=np.dtype("l")),
        "expected int64[?] (l), found longlong[s0]\n"
        "  at: %1 = cast(%0) dtype=dtype('int64') : longlong[s0]",
    ),
    "a number where NumPy gives an array": (
        one(UFUNC, [X, PY_INT], [PY_FLOAT], ufunc=np.add),
        "expected float64[?] (d), found float\n  at: %2 = ufunc(%0, %1) ufunc=add : float",
    ),
    "broadcasting": (
        one(UFUNC, [array(S0, 1), X], [array(S0, 1)], ufunc=np.add),
        "expected dims [s0, s0], found float64[s0, 1]\n"
        "  at: %2 = ufunc(%0, %1) ufunc=add : float64[s0, 1]",
    ),
    "dims that do not broadcast": (
        one(UFUNC, [X, array(S1)], [X], ufunc=np.add),
        "expected inputs whose dims broadcast, found float64[s0]\n"
        "  at: %2 = ufunc(%0, %1) ufunc=add : float64[s0]",
    ),
    "operator": (
        one(OPERATOR, [PY_INT, PY_INT], [PY_INT], function=operator.truediv),
        "expected float (d), found int\n"
        "  at: %2 = operator(%0, %1) function=operator.truediv : int",
    ),
    "window": (
        one(INDEX, [TABLE], [array(S1)], index=Index((Span(), 0))),
        "expected float64, dims [s0], found float64[s1]\n"
        "  at: %1 = index(%0) index=[:, 0] : float64[s1]",
    ),
    "window of other axes": (
        one(INDEX, [TABLE], [X], index=Index((Span(),))),
        "expected an index of 2 axes, found float64[s0]\n"
        "  at: %1 = index(%0) index=[:] : float64[s0]",
    ),
    "numbers of an index": (
        one(ELEMENT, [X, N, N], [NP_FLOAT], index=Index((Ref(0),))),
        "expected an input for each # of the index, found np.float64\n"
        "  at: %3 = element(%0, %1, %2) index=[#0] : np.float64",
    ),
    "element": (
        one(ELEMENT, [X, N], [PY_FLOAT], index=Index((Ref(0),))),
        "expected np.float64, found float\n  at: %2 = element(%0, %1) index=[#0] : float",
    ),
    "axes": (
        one(TRANSPOSE, [TABLE], [array(S1, S0)], axes=(0, 0)),
        "expected the axes of 2 in some order, found float64[s1, s0]\n"
        "  at: %1 = transpose(%0) axes=(0, 0) : float64[s1, s0]",
    ),
    "order of dims": (
        one(TRANSPOSE, [TABLE], [TABLE], axes=(1, 0)),
        "expected dims [s1, s0], found float64[s0, s1]\n"
        "  at: %1 = transpose(%0) axes=(1, 0) : float64[s0, s1]",
    ),
    "number of lengths": (
        one(RESHAPE, [X, N, N], [X]),
        "expected 2 axes, one for each number, found float64[s0]\n"
        "  at: %3 = reshape(%0, %1, %2) : float64[s0]",
    ),
    "reduction": (
        one(REDUCE, [TABLE], [X], ufunc=np.add, axis=0, keepdims=False),
        "expected dims [s1], found float64[s0]\n"
        "  at: %1 = reduce(%0) ufunc=add axis=0 keepdims=False : float64[s0]",
    ),
    "axis of a reduction": (
        one(REDUCE, [X], [X], ufunc=np.add, axis=(0, 1), keepdims=False),
        "expected axes of 1, found float64[s0]\n"
        "  at: %1 = reduce(%0) ufunc=add axis=(0, 1) keepdims=False : float64[s0]",
    ),
    "gather": (
        one(GATHER, [TABLE, array(S1, dtype=I8)], [X], axes=(0, None)),
        "expected dims [s1, s1], found float64[s0]\n"
        "  at: %2 = gather(%0, %1) axes=(0, None) : float64[s0]",
    ),
    "places of a gather": (
        one(GATHER, [X, array(S1, dtype=I8)], [X], axes=(1,)),
        "expected an axis for each index, found float64[s0]\n"
        "  at: %2 = gather(%0, %1) axes=(1,) : float64[s0]",
    ),
    "places that are no ints": (
        one(SCATTER, [X, PY_FLOAT, X], [], axes=(0,), visible=True),
        "expected indices that are ints, found float64[s0], float, float64[s0]\n"
        "  at: scatter(%0, %1, %2) axes=(0,) visible=True",
    ),
    "store": (
        one(STORE, [X, array(S1)], [], visible=True),
        "expected a value of dims [s0], found float64[s0], float64[s1]\n"
        "  at: store(%0, %1) visible=True",
    ),
    "axis of a sort": (
        one(SORT, [X], [], axis=1, visible=True),
        "expected an axis of 1, found float64[s0]\n  at: sort(%0) axis=1 visible=True",
    ),
    "order in memory": (
        one(
            *(ARANGE, [N, N, N], [ArrayType(I8, (S0,), Layout((0,), (-1,), False, True))]),
            dtype=I8,
        ),
        "expected memory in C order, found int64[s0] -0 gaps\n"
        "  at: %3 = arange(%0, %1, %2) dtype=dtype('int64') : int64[s0] -0 gaps",
    ),
    "transform": (
        one(
            *(TRANSFORM, [X, PY_FLOAT, N, TABLE], [X]),
            ufunc=np.add,
            odd=None,
            axis=0,
            dtype=F8,
        ),
        "expected dims [s0, s1], found float64[s0]\n"
        "  at: %4 = transform(%0, %1, %2, %3) ufunc=add odd=None axis=0 dtype=dtype('float64') "
        ": float64[s0]",
    ),
    "items of a list": (
        one(LIST, [PY_INT], [NUMBERS]),
        "expected inputs that are float, found list of float\n  at: %1 = list(%0) : list of float",
    ),
    "written by a call": (
        one(PUT, [PY_INT], [], call=OpaqueCall(print, (Ref(0),), {}), visible=False),
        "expected an array or an object among the inputs, found int\n"
        "  at: put(%0) call=builtins.print(#0) visible=False",
    ),
    "item put into a list": (
        one(APPEND, [NUMBERS, PY_INT], []),
        "expected an item that is float, found list of float, int\n  at: append(%0, %1)",
    ),
    "item of a list": (
        one(ITEM, [NUMBERS, PY_INT], [PY_INT]),
        "expected float, found int\n  at: %2 = item(%0, %1) : int",
    ),
    "length of a list": (
        one(COUNT, [NUMBERS], [PY_FLOAT]),
        "expected int, found float\n  at: %1 = count(%0) : float",
    ),
    "list of an array": (
        one(LIST_OF, [array(S0, S1)], [NUMBERS], python=True),
        "expected a contiguous array with one axis, found list of float\n"
        "  at: %1 = list_of(%0) python=True : list of float",
    ),
    "list of other numbers": (
        one(LIST_OF, [array(S0, dtype=I8)], [NUMBERS], python=True),
        "expected a list of int, found list of float\n"
        "  at: %1 = list_of(%0) python=True : list of float",
    ),
    "array of a list": (
        one(LISTED, [NUMBERS], [array(S0, S1)], dtype=F8, filled=False),
        "expected one axis, found float64[s0, s1]\n"
        "  at: %1 = listed(%0) dtype=dtype('float64') filled=False : float64[s0, s1]",
    ),
    "items of a call": (
        one(ITEMS, [N, N], [N], call=CALL, nest=Nest(tuple, (None, None))),
        "expected 2 results, as the nest has items, found int\n"
        "  at: %2 = items(%0, %1) call=builtins.divmod(#0, #1) "
        "nest=tuple(_, _) : int",
    ),
}


@pytest.mark.parametrize("rule", ROWS)
def test_rows(rule: str) -> None:
    """Inputs, results, attributes and regions are as the op's row says."""
    made, expected = ROWS[rule]
    assert said_of(made) == expected


@pytest.mark.parametrize("rule", TYPES)
def test_types(rule: str) -> None:
    """The types of results follow from the inputs."""
    made, expected = TYPES[rule]
    assert said_of(made) == f"types: {expected}"


@pytest.mark.parametrize("axis", [None, 0, -1])
def test_an_array_without_axes_is_reduced_as_a_line(axis: int | None) -> None:
    """NumPy takes the axes 0 and -1 of an array without axes, too."""
    attrs = {"ufunc": np.maximum, "axis": axis, "keepdims": False}
    verify(one(REDUCE, [array()], [NP_FLOAT], **attrs), "the test")


def test_numbers_decide_the_type_of_a_power() -> None:
    """A float if the exponent was negative at capture; nobody can say so without it."""
    base, power, made = Value(PY_INT, 2), Value(PY_INT, -1), Value(PY_FLOAT)
    of_hints = node(OPERATOR, [base, power], [made], function=operator.pow)
    verify(graph([base, power], of_hints, handed=[made]), "the test")
    power.hint = 1
    said = said_of(graph([base, power], of_hints, handed=[made]))
    assert said.startswith("types: expected int (l), found float")


def test_layout() -> None:
    """The order has each axis once, and each axis has a sign."""
    layout = Layout((0, 0), (1, 1), packed=True, unit=True)
    said = said_of(graph([Value(ArrayType(F8, (S0, S1), layout))]))
    assert said.startswith("layout: expected an order of 2 axes, found ArrayType(")
    layout = Layout((0, 1), (1,), packed=True, unit=True)
    said = said_of(graph([Value(ArrayType(F8, (S0, S1), layout))]))
    assert said.startswith("layout: expected a sign for each of 2 axes, found ArrayType(")


# ---- values and blocks ---------------------------------------------------------------------------


def test_every_op_says_what_its_nodes_are() -> None:
    """A row that claims nothing of types says so; these are calls and control."""
    free = {op.name for op in ops.OPS.values() if op.types is type_rules.freely}
    assert free >= {"opaque", "if"}
    assert {ops.OPS[name].kind for name in free} == {ops.Kind.OPAQUE, ops.Kind.CONTROL}
