"""Arrays of a graph that may share memory: through views, branches and loops."""

from __future__ import annotations

from framejit.jit.analysis.aliases import Aliases
from framejit.jit.ir.parse import parse_graph

VIEWS = """
graph(%x: float64[s0], %y: float64[s0], %n: int)
  %v = index(%x) index=[1:] : float64[s1]
  %w = index(%v, %n) index=[#0:] : float64[s2]
  %c = copy(%x) order='K' : float64[s0]
  %d = ufunc(%x, %c) ufunc=add : float64[s0]
  leave(%w, %d, %v, %c, %y) exit=0
exit 0: return at 2: push tuple(%w, %d, %v, %c, %y)
"""
SWAPPED = """
graph(%x: float64[s0], %y: float64[s0], %n: int)
  %z = const() value=0 : int
  %o = const() value=1 : int
  %c = copy(%x) order='K' : float64[s0]
  %a, %b = for(%z, %n, %o, %c, %y) : float64[s0], float64[s0]
    with %i: int, %p: float64[s0], %q: float64[s0]
    continue(%q, %p)
  leave(%a, %b) exit=0
exit 0: return at 2: push tuple(%a, %b)
"""


def test_views_have_the_roots_of_their_array() -> None:
    """New arrays are roots of their own; an index known at run time only is noted."""
    graph = parse_graph(VIEWS)
    (x, y, _), nodes = graph.params, [node.outputs[0] for node in graph.body.nodes if node.outputs]
    v, w, c, d = nodes
    aliases = Aliases(graph)

    assert aliases.roots(w) == aliases.roots(v) == {x}
    assert (aliases.has_run_time_index(v), aliases.has_run_time_index(w)) == (False, True)
    assert aliases.is_fresh(c)
    assert not aliases.is_fresh(w)
    assert aliases.are_disjoint(c, w)
    assert aliases.are_disjoint(c, d)
    assert not aliases.are_disjoint(x, y), "the program may have passed one array twice"


def test_loops_mix_the_roots_of_their_state() -> None:
    """Arrays that iterations exchange may be either one."""
    graph = parse_graph(SWAPPED)
    _, y, _ = graph.params
    copied, loop = (node for node in graph.body.nodes if node.op.name in ("copy", "for"))
    aliases = Aliases(graph)
    expected = {copied.outputs[0], y}

    for value in (*loop.outputs, *loop.state):
        assert aliases.roots(value) == expected
    assert not aliases.are_disjoint(*loop.outputs)
