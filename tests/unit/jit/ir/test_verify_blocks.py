"""The verifier: graphs whose values, regions and exits do not fit, and what is said of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from small_graphs import F4, F8, S0, array, graph, node, said_of

from framejit.jit.ir import ops
from framejit.jit.ir.graph import Block, Exit, Graph, Leaf, Node, Value
from framejit.jit.ir.ops import (
    BREAK,
    CHECKPOINT,
    CONST,
    CONTINUE,
    FOR,
    IF,
    LEAVE,
    LOOP,
    OPERATOR,
    UFUNC,
    UNDEFINED,
    UNDO,
)
from framejit.jit.ir.types import (
    PY_BOOL,
    PY_FLOAT,
    PY_INT,
    ArrayType,
    Layout,
)
from framejit.jit.ir.verify import MalformedGraphError, verify


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
