"""Ints that are another value plus a constant, through operations, branches and loops."""

from __future__ import annotations

from framejit.jit.analysis.offsets import Offset, offsets_of
from framejit.jit.ir.graph import Graph, Value
from framejit.jit.ir.parse import parse_graph

HEAD = """graph(%n: int, %m: int, %c: bool)
  %zero = const() value=0 : int
  %one = const() value=1 : int
  %seven = const() value=7 : int
"""
TAIL = "exit 0: return at 4: push tuple({})\n"


def program(results: str, *lines: str) -> Graph:
    """A graph that leaves with some values."""
    body = "".join(f"  {line}\n" for line in lines)
    return parse_graph(f"{HEAD}{body}  leave({results}) exit=0\n{TAIL.format(results)}")


def offsets(graph: Graph) -> list[Offset]:
    """The offsets of the values that the graph leaves with."""
    makers = {value: node for node in graph.nodes() for value in node.outputs}
    found = offsets_of(graph, makers)
    return [found[value] for value in graph.body.nodes[-1].inputs]


def own(value: Value) -> Offset:
    """The offset of a value that is no other one plus a constant."""
    return Offset(value, 0)


def test_sums_and_differences_of_constants() -> None:
    """A constant on either side is added; a constant minus a number is another value."""
    graph = program(
        "%b, %d, %e",
        "%a = operator(%n, %seven) function=operator.add : int",
        "%b = operator(%one, %a) function=operator.add : int",
        "%d = operator(%b, %seven) function=operator.sub : int",
        "%e = operator(%one, %n) function=operator.sub : int",
    )
    n, _, _ = graph.params

    b, d, e = offsets(graph)

    assert (b, d) == (Offset(n, 8), Offset(n, 1))
    assert e == own(graph.body.nodes[-1].inputs[2])


def test_branches() -> None:
    """A number stays an offset if both branches hand over the same one."""
    graph = program(
        "%r, %s",
        "%r, %s = if(%c) : int, int",
        "  %t = operator(%n, %one) function=operator.add : int",
        "  yield %t, %n",
        "else",
        "  %u = operator(%one, %n) function=operator.add : int",
        "  yield %u, %m",
    )
    n, _, _ = graph.params

    r, s = offsets(graph)

    assert r == Offset(n, 1)
    assert s == own(graph.body.nodes[-1].inputs[1])


def test_state_is_of_the_iteration_before() -> None:
    """A state that starts with a value and keeps it is that value; the last index is not."""
    graph = program(
        "%kept, %grown, %last",
        "%kept, %grown, %last = for(%zero, %m, %one, %n, %n, %n) : int, int, int",
        "  with %i: int, %k: int, %g: int, %l: int",
        "  %h = operator(%g, %one) function=operator.add : int",
        "  continue(%k, %h, %i)",
    )
    n, _, _ = graph.params
    (loop,) = (node for node in graph.nodes() if node.op.loops)
    _, grown, last = loop.state

    assert offsets(graph) == [own(n), own(grown), own(last)]


def test_state_that_an_inner_loop_changes() -> None:
    """State of the outer loop begins anew if what the inner one makes of it is unknown."""
    graph = program(
        "%r",
        "%r = for(%zero, %m, %one, %n) : int",
        "  with %i: int, %s: int",
        "  %t = for(%zero, %m, %one, %s) : int",
        "    with %j: int, %u: int",
        "    %v = operator(%u, %i) function=operator.add : int",
        "    continue(%v)",
        "  continue(%t)",
    )
    outer, _ = (node for node in graph.nodes() if node.op.loops)

    assert offsets(graph) == [own(outer.state[0])]
