"""Intervals of ints through operations, branches and loops."""

from __future__ import annotations

import operator

import pytest

from framejit.jit.analysis import conditions
from framejit.jit.analysis.ranges import END, Ranges, ranges_of
from framejit.jit.analysis.solver import backward
from framejit.jit.ir.graph import Graph, Value
from framejit.jit.ir.intervals import ALL, Interval, point, up_to
from framejit.jit.ir.ops import OPERATOR
from framejit.jit.ir.parse import parse_graph

LENGTH = 2**40
LOOP = """graph(%x: float64[s0], %n: int)
  %zero = const() value=0 : int
  %one = const() value=1 : int
  %ten = const() value=10 : int
  %len = dim(%x) axis=0 : int
  %r = {head}
    {body}
  leave(%r) exit=0
exit 0: return at 4: push %r
"""


def ranges(graph: Graph, *, stays: bool = False) -> Ranges:
    """The intervals of a graph's ints, if sums stay in 64 bits or if nothing is known of them."""
    makers = {value: node for node in graph.nodes() for value in node.outputs}
    at, pairs = conditions.naturals_at(graph, makers), conditions.tested(graph, makers)
    return ranges_of(graph, lambda node: stays, at, pairs)


def looping(head: str, *body: str) -> Graph:
    """A graph with one loop."""
    return parse_graph(LOOP.format(head=head, body="\n    ".join(body)))


def result(graph: Graph, function: object, number: int = 0) -> Value:
    """Return the result of the n-th call of a function."""
    found = [n for n in graph.nodes() if n.op is OPERATOR and n.attrs["function"] is function]
    return found[number].outputs[0]


def test_index_of_a_loop() -> None:
    """An index lies between the start and the stop, of a loop that counts down too."""
    up = looping("for(%zero, %len, %one, %n) : int", "with %i: int, %s: int", "continue(%i)")
    (loop,) = (node for node in up.nodes() if node.blocks)
    assert ranges(up)[loop.blocks[0].params[0]] == Interval(0, LENGTH - 1)


def test_state_that_grows() -> None:
    """A counter could leave 64 bits, unless it is known to stay in them: then it stays natural."""
    graph = looping(
        "for(%zero, %len, %one, %zero) : int",
        "with %i: int, %s: int",
        "%t = operator(%s, %one) function=operator.add : int",
        "continue(%t)",
    )
    counter = result(graph, operator.add)

    assert ranges(graph)[counter] == ALL
    assert ranges(graph, stays=True)[counter] == Interval(1)


def test_state_that_a_remainder_bounds() -> None:
    """A generator of random numbers stays in its range, and its products within 64 bits."""
    graph = looping(
        "for(%zero, %len, %one, %zero) : int",
        "with %i: int, %s: int",
        "%p = operator(%s, %len) function=operator.mul : int",
        "%t = operator(%p, %ten) function=operator.mod : int",
        "continue(%t)",
    )

    found = ranges(graph)
    assert found[result(graph, operator.mod)] == Interval(0, 10)
    assert found[result(graph, operator.mul)] == Interval(0, 10 * LENGTH)


def test_state_that_a_loop_tests() -> None:
    """`while j >= 0: j -= 1`: each number that comes to the head is natural."""
    graph = looping(
        "loop(%ten) : int",
        "with %j: int",
        "%t = operator(%j, %one) function=operator.sub : int",
        "%c = operator(%t, %zero) function=operator.ge : bool",
        "if(%c)",
        "  continue(%t)",
        "break(%j)",
    )
    (loop,) = (node for node in graph.nodes() if node.op.loops)

    assert ranges(graph)[loop.state[0]] == Interval(0, 10)
    assert ranges(graph)[loop.outputs[0]] == Interval(0, 10)


def test_what_a_branch_has_asked() -> None:
    """In `if n >= 0:` the number is natural, behind it not."""
    graph = parse_graph(
        """graph(%n: int)
  %zero = const() value=0 : int
  %seven = const() value=7 : int
  %c = operator(%n, %zero) function=operator.ge : bool
  %r = if(%c) : int
    %t = operator(%n, %seven) function=operator.floordiv : int
    yield %t
  else
    %u = operator(%n, %seven) function=operator.floordiv : int
    yield %u
  leave(%r) exit=0
exit 0: return at 4: push %r
"""
    )

    found = ranges(graph)
    assert found[result(graph, operator.floordiv)] == Interval(0)
    assert found[result(graph, operator.floordiv, 1)] == ALL


@pytest.mark.parametrize("number", [2**62, 2**63 - 1, -(2**63)])
def test_big_constants(number: int) -> None:
    """A sum that may leave 64 bits tells nothing, as it may have wrapped around."""
    graph = parse_graph(
        f"""graph(%n: int)
  %a = const() value={number} : int
  %s = operator(%a, %a) function=operator.add : int
  leave(%s) exit=0
exit 0: return at 4: push %s
"""
    )

    found = ranges(graph)
    assert found[result(graph, operator.add)] == ALL
    assert found[next(graph.nodes()).outputs[0]] in (point(number), Interval(high=number))
    assert END == 2**63


def test_narrow_types() -> None:
    """The type bounds what nothing else does."""
    graph = parse_graph(
        """graph(%a: np.int8, %b: bool, %c: np.uint16)
  %s = operator(%a, %a) function=operator.mul : np.int8
  leave(%s) exit=0
exit 0: return at 4: push %s
"""
    )

    found = ranges(graph)
    assert [found[param] for param in graph.params] == [
        up_to(128),
        Interval(0, 1),
        Interval(0, 2**16),
    ]
    assert found[result(graph, operator.mul)] == up_to(128)


def test_backward() -> None:
    """The values that roots are made of are found, in a circle too."""
    made_of = {1: [2, 3], 2: [1], 3: [], 4: [1]}
    values = {number: Value(None, number) for number in made_of}  # type: ignore[arg-type]
    reads = {values[one]: [values[k] for k in made_of[one]] for one in made_of}

    found = backward([values[1]], lambda value: reads[value])

    assert found == {values[1], values[2], values[3]}
