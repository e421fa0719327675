"""The verifier: for each rule a graph that breaks it, and what is said of it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from framejit.jit.ir import ops, type_rules
from framejit.jit.ir.graph import Block, Exit, Graph, Leaf, Node, Value
from framejit.jit.ir.indexing import Index, Ref, Span
from framejit.jit.ir.nests import Nest
from framejit.jit.ir.opaque import OpaqueCall
from framejit.jit.ir.ops import (
    APPEND,
    ARANGE,
    BREAK,
    CAST,
    CHECKPOINT,
    CONST,
    CONTINUE,
    COUNT,
    DIM,
    ELEMENT,
    FILL,
    FOR,
    GATHER,
    IF,
    INDEX,
    ITEM,
    ITEMS,
    LEAVE,
    LIST,
    LIST_OF,
    LISTED,
    LOOP,
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
    UNDEFINED,
    UNDO,
    Op,
)
from framejit.jit.ir.types import (
    PY_BOOL,
    PY_FLOAT,
    PY_INT,
    ArrayType,
    Layout,
    ListType,
    ScalarType,
    Sym,
    Type,
)
from framejit.jit.ir.verify import MalformedGraphError, verify

S0, S1 = Sym(0), Sym(1)
F8, F4, I8 = np.dtype("f8"), np.dtype("f4"), np.dtype("i8")


def array(*dims: int | Sym, dtype: np.dtype[Any] = F8) -> ArrayType:
    return ArrayType(dtype, dims, Layout.contiguous(len(dims)))


def node(
    op: Op,
    inputs: Sequence[Value] = (),
    outputs: Sequence[Value] = (),
    blocks: Sequence[Block] = (),
    **attrs: Any,
) -> Node:
    return Node(op, tuple(inputs), attrs, tuple(outputs), None, tuple(blocks))


def graph(params: Sequence[Value], *nodes: Node, handed: Sequence[Value] = ()) -> Graph:
    """One that ends in an exit with these values."""
    exit_ = Exit(0, "return", pushes=tuple(map(Leaf, handed)))
    body = Block((), [*nodes, node(LEAVE, handed, exit=0)])
    return Graph(tuple(params), body, [exit_])


def said_of(made: Graph) -> str:
    with pytest.raises(MalformedGraphError) as raised:
        verify(made, "the test")
    message = str(raised.value)
    assert message.startswith("the test made a malformed graph: ")
    return message.removeprefix("the test made a malformed graph: ")


def one(op: Op, inputs: Sequence[Type], outputs: Sequence[Type], **attrs: Any) -> Graph:
    """A graph of one node."""
    params = [Value(type_) for type_ in inputs]
    return graph(params, node(op, params, [Value(type_) for type_ in outputs], **attrs))


# ---- rows ----------------------------------------------------------------------------------------

X, N, NUMBERS = array(S0), PY_INT, ListType(F8, True)
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
    """As NumPy does it."""
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


def number(value: int = 1) -> tuple[Node, Value]:
    made = Value(PY_INT)
    return node(CONST, [], [made], value=value), made


def negative(value: Value) -> tuple[Node, Value]:
    made = Value(PY_INT)
    return node(OPERATOR, [value], [made], function=operator.neg), made


def loop(
    make: Callable[[Value, Value], list[Node]], outputs: Sequence[Value], **attrs: Any
) -> Graph:
    """A loop over a range with one int as its state; `make` gives the nodes of its body."""
    start, state = Value(PY_INT), Value(PY_INT)
    params = Value(PY_INT), Value(PY_INT)
    body = Block(params, make(*params))
    return graph([start, state], node(FOR, [start, start, start, state], outputs, [body], **attrs))


def branch(first: Block, second: Block, outputs: Sequence[Value] = ()) -> Graph:
    condition = Value(PY_BOOL)
    return graph([condition], node(IF, [condition], outputs, [first, second]))


def yields(value: int = 1) -> Block:
    made, result = number(value)
    return Block((), [made], (result,))


def defined_later() -> Graph:
    made, value = number()
    return graph([], negative(value)[0], made)


def defined_in_a_branch() -> Graph:
    condition = Value(PY_BOOL)
    made, value = number()
    both = [Block((), [made]), Block((), [])]
    return graph([condition], node(IF, [condition], [], both), negative(value)[0])


def defined_in_the_other_branch() -> Graph:
    made, value = number()
    return branch(Block((), [made], (value,)), Block((), [], (value,)), [Value(PY_INT)])


def read_by_an_exit() -> Graph:
    return graph([], handed=[Value(PY_INT)])


def defined_twice() -> Graph:
    made, _ = number()
    return graph([], made, made)


def defined_by_a_parameter() -> Graph:
    value = Value(PY_INT)
    return graph([value, value])


def bounds_of_a_result() -> Graph:
    made, value = number()
    return replace(graph([], made), bounds={value: 5})


def body_that_goes_on() -> Graph:
    made, _ = number()
    return Graph((), Block((), [made]), [])


def node_behind_the_end() -> Graph:
    done = graph([])
    done.body.nodes.append(number()[0])
    return done


def node_behind_two_ends() -> Graph:
    ends = [Block((), [node(ops.BAIL)]) for _ in range(2)]
    return branch(*ends)


def condition_that_is_no_bool() -> Graph:
    condition = Value(PY_INT)
    return graph([condition], node(IF, [condition], [], [Block((), []), Block((), [])]))


def branch_with_parameters() -> Graph:
    return branch(Block((Value(PY_INT),), []), Block((), []))


def yield_of_another_type() -> Graph:
    return branch(yields(), yields(), [Value(PY_FLOAT)])


def yield_of_too_few() -> Graph:
    return branch(yields(), Block((), []), [Value(PY_INT)])


def yield_behind_an_end() -> Graph:
    made, value = number()
    return branch(Block((), [made, node(ops.BAIL)], (value,)), yields(), [Value(PY_INT)])


def yield_of_another_layout() -> Graph:
    turned = ArrayType(F8, (S0,), Layout((0,), (-1,), packed=False, unit=True))
    x, y, condition = Value(array(S0)), Value(turned), Value(PY_BOOL)
    blocks = [Block((), [], (x,)), Block((), [], (y,))]
    return graph([x, y, condition], node(IF, [condition], [Value(array(S0))], blocks))


def body_of_a_loop_that_goes_on() -> Graph:
    return loop(lambda i, state: [], [Value(PY_INT)])


def initial_state_of_another_type() -> Graph:
    state, param = Value(PY_INT), Value(PY_FLOAT)
    body = Block((param,), [node(CONTINUE, [param])])
    return graph([state], node(LOOP, [state], [], [body]))


def next_state_of_another_number() -> Graph:
    return loop(lambda i, state: [node(CONTINUE, [i, state])], [Value(PY_INT)])


def final_state_of_another_type() -> Graph:
    return loop(lambda i, state: [node(CONTINUE, [state])], [Value(PY_FLOAT)])


def break_without_ended() -> Graph:
    return loop(lambda i, state: [node(BREAK, [i])], [Value(PY_INT), Value(PY_INT)])


def ended_without_break() -> Graph:
    return loop(lambda i, state: [node(CONTINUE, [state])], [Value(PY_INT)], ended=3)


def results_without_break() -> Graph:
    return loop(lambda i, state: [node(CONTINUE, [state])], [Value(PY_INT), Value(PY_INT)])


def break_without_a_number() -> Graph:
    return loop(lambda i, state: [node(BREAK)], [Value(PY_INT)], ended=3)


def break_with_another_number() -> Graph:
    outputs = [Value(PY_INT), Value(PY_INT)]
    return loop(lambda i, state: [node(BREAK, [i, i])], outputs, ended=3)


def break_outside_of_loops() -> Graph:
    return branch(Block((), [node(BREAK)]), Block((), []))


def iteration_that_is_no_int() -> Graph:
    start, i = Value(PY_INT), Value(PY_FLOAT)
    body = Block((i,), [node(CONTINUE)])
    return graph([start], node(FOR, [start, start, start], [], [body]))


def exit_out_of_range() -> Graph:
    return Graph((), Block((), [node(LEAVE, exit=1)]), [Exit(0, "return")])


def exit_of_other_values() -> Graph:
    one, other = Value(PY_INT), Value(PY_INT)
    made = graph([one, other], handed=[one, other])
    made.body.nodes[-1] = node(LEAVE, [other, one], exit=0)
    return made


def exit_without_its_effects() -> Graph:
    x = Value(array(S0))
    exit_ = Exit(0, "return", pushes=(Leaf(x),), effects=(Leaf(x),))
    return Graph((x,), Block((), [node(LEAVE, [x], exit=0)]), [exit_])


def checkpoint_in_a_region() -> Graph:
    return branch(Block((), [node(CHECKPOINT, exit=0)]), Block((), []))


def undo_in_a_region() -> Graph:
    x, condition = Value(array(S0)), Value(PY_BOOL)
    blocks = [Block((), [node(UNDO, [x])]), Block((), [])]
    return graph([x, condition], node(IF, [condition], [], blocks))


STRUCTURE: dict[Callable[[], Graph], str] = {
    defined_later: "dominance: input 0 is not defined before it\n"
    "  at: %1 = operator(%0) function=operator.neg : int",
    defined_in_a_branch: "dominance: input 0 is of another block\n"
    "  at: %2 = operator(%1) function=operator.neg : int",
    defined_in_the_other_branch: "dominance: yield 0 is of another block\n  at: %1 = if(%0) : int",
    read_by_an_exit: "dominance: input 0 is not defined before it\n  at: leave(%0) exit=0",
    defined_twice: "definition: a value is defined twice\n  at: %0 = const() value=1 : int",
    defined_by_a_parameter: "definition: a value is defined twice\n  at: the graph",
    bounds_of_a_result: "bounds: expected bounds of ints among the parameters\n  at: the graph",
    body_that_goes_on: "body: expected a last node that ends it\n  at: the graph",
    node_behind_the_end: "end of a block: expected no node after one that ends it\n"
    "  at: %0 = const() value=1 : int",
    node_behind_two_ends: "end of a block: expected no node after one that ends it\n"
    "  at: leave() exit=0",
    condition_that_is_no_bool: "inputs: expected a bool at 0, found int\n  at: if(%0)",
    branch_with_parameters: "blocks: expected blocks without parameters\n  at: if(%0)",
    yield_of_another_type: "yields: expected float at 0, found int\n  at: %1 = if(%0) : float",
    yield_of_too_few: "yields: expected 1 values, found 0\n  at: %1 = if(%0) : int",
    yield_behind_an_end: "yields: expected no results of a block whose end is not reached\n"
    "  at: %1 = if(%0) : int",
    yield_of_another_layout: "yields: expected float64[s0] at 0, found float64[s0] -0 gaps\n"
    "  at: %3 = if(%2) : float64[s0]",
    body_of_a_loop_that_goes_on: "end of a block: expected a body that ends in a jump\n"
    "  at: %2 = for(%0, %0, %0, %1) : int",
    initial_state_of_another_type: "initial state: expected float at 0, found int\n  at: loop(%0)",
    next_state_of_another_number: "state: expected 1 values, found 2\n  at: continue(%3, %4)",
    final_state_of_another_type: "final state: expected float at 0, found int\n"
    "  at: %2 = for(%0, %0, %0, %1) : float",
    break_without_ended: "attributes: expected ended exactly where the loop has a break\n"
    "  at: %2, %3 = for(%0, %0, %0, %1) : int, int",
    ended_without_break: "attributes: expected ended exactly where the loop has a break\n"
    "  at: %2 = for(%0, %0, %0, %1) ended=3 : int",
    results_without_break: "results: expected 1, as there is no break\n"
    "  at: %2, %3 = for(%0, %0, %0, %1) : int, int",
    break_without_a_number: "results: expected an int last, which says where the loop ended\n"
    "  at: %2 = for(%0, %0, %0, %1) ended=3 : int",
    break_with_another_number: "results: expected 1 values, found 2\n  at: break(%4, %4)",
    break_outside_of_loops: "place: expected break inside a loop\n  at: break()",
    iteration_that_is_no_int: "parameters: expected int, found float\n  at: for(%0, %0, %0)",
    exit_out_of_range: "exits: expected an exit below 1\n  at: leave() exit=1",
    exit_of_other_values: "exits: expected the 2 values of the recipes of exit 0, in order\n"
    "  at: leave(%1, %0) exit=0",
    exit_without_its_effects: "exits: expected the 2 values of the recipes of exit 0, in order\n"
    "  at: leave(%0) exit=0",
    checkpoint_in_a_region: "place: expected checkpoint outside of regions\n"
    "  at: checkpoint() exit=0",
    undo_in_a_region: "place: expected undo outside of regions\n  at: undo(%0)",
}


@pytest.mark.parametrize("make", STRUCTURE, ids=lambda make: make.__name__)
def test_structure(make: Callable[[], Graph]) -> None:
    """Values are defined once, before they are read; regions and exits hand over what they may."""
    assert said_of(make()) == STRUCTURE[make]


def test_a_type_that_changes_is_looked_at_again() -> None:
    """A node that was verified before is, too, if somebody has changed a value of it since."""
    x, made = Value(array(S0)), Value(array(S0))
    of_x = graph([x], node(UFUNC, [x], [made], ufunc=np.negative), handed=[made])
    checked: dict[Any, Any] = {}
    verify(of_x, "the test", checked)
    verify(of_x, "the test", checked)
    made.type = array(S0, dtype=F4)
    with pytest.raises(MalformedGraphError, match="types: expected float64"):
        verify(of_x, "the test", checked)


def test_a_good_graph() -> None:
    """A loop with a break in a branch, and values of outer blocks read inside."""
    again = Value(PY_BOOL)

    def body(i: Value, state: Value) -> list[Node]:
        made, value = negative(state)
        blocks = [Block((), [node(BREAK, [i])]), Block((), [node(CONTINUE, [value])])]
        test = node(OPERATOR, [i, state], [again], function=operator.eq)
        return [made, test, node(IF, [again], [], blocks)]

    outputs = [Value(PY_INT), Value(PY_INT)]
    verify(loop(body, outputs, ended=7), "the test")
    condition, undefined = Value(PY_BOOL), Value(PY_INT)
    first = Block((), [node(UNDEFINED, [], [undefined])], (undefined,))
    verify(graph([condition], node(IF, [condition], [Value(PY_INT)], [first, yields()])), "it")


def test_every_op_says_what_its_nodes_are() -> None:
    """A row that claims nothing of types says so; these are calls and control."""
    free = {op.name for op in ops.OPS.values() if op.types is type_rules.freely}
    assert free >= {"opaque", "if"}
    assert {ops.OPS[name].kind for name in free} == {ops.Kind.OPAQUE, ops.Kind.CONTROL}
