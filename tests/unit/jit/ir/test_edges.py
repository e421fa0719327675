"""Values that the regions of graphs hand over."""

from __future__ import annotations

from framejit.jit.ir.edges import conditions_at, continues_of, edges
from framejit.jit.ir.ops import BREAK, CONTINUE
from framejit.jit.ir.parse import parse_graph

GRAPH = parse_graph(
    """graph(%a: int, %b: int)
  %zero = const() value=0 : int
  %one = const() value=1 : int
  %d, %e, %w = for(%zero, %a, %one, %b) ended=0 : int, int, int
    with %i: int, %s: int
    %c = operator(%i, %s) function=operator.lt : bool
    if(%c)
      break(%s, %one)
    %f = operator(%s, %i) function=operator.lt : bool
    %r = if(%f) : int
      yield %i
    else
      yield %s
    %h = loop(%r) : int
      with %k: int
      break(%k)
    continue(%h)
  leave(%d) exit=0
exit 0: return at 4: push %d
"""
)


def test_edges() -> None:
    """Each region's edges, in the order of the program; a jump belongs to the loop around it."""
    nodes = {node.op.name: node for node in GRAPH.nodes() if node.op.loops}
    outer, inner = nodes["for"], nodes["loop"]
    (choice,) = (n for n in GRAPH.nodes() if n.op.name == "if" and n.outputs)
    index, state = outer.blocks[0].params
    (last,) = (node for node in GRAPH.nodes() if node.op is CONTINUE)
    first, second = (node for node in GRAPH.nodes() if node.op is BREAK)

    assert [(edge.targets, edge.values) for edge in edges(GRAPH.body) if edge.targets] == [
        ((state,), (GRAPH.params[1],)),
        (outer.outputs[:1], (state,)),
        (outer.outputs[1:], first.inputs),
        (choice.outputs, (index,)),
        (choice.outputs, (state,)),
        (inner.blocks[0].params, choice.outputs),
        (inner.outputs, second.inputs),
        ((state,), last.inputs),
    ]


def test_left_out() -> None:
    """A node that is left out hands over nothing, nor does what is in it."""
    (outer,) = (node for node in GRAPH.body.nodes if node.op.loops)

    assert list(edges(GRAPH.body, left_out={outer})) == []


def test_conditions() -> None:
    """A condition holds on its side of the branch; after a side that leaves its opposite holds."""
    (body,) = next(node.blocks for node in GRAPH.body.nodes if node.op.loops)
    held = {node.op.name: conditions for node, conditions in conditions_at(GRAPH.body)}
    asked = [node.outputs[0] for node in body.nodes if node.op.name == "operator"]

    assert held["break"] == frozenset()
    assert [conditions for _, conditions in continues_of(body)] == [frozenset()]
    first = next(c for node, c in conditions_at(GRAPH.body) if node.op is BREAK)
    assert first == {asked[0]}
