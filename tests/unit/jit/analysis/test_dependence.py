"""Dependences between iterations: through control, through the state, through items of arrays."""

from __future__ import annotations

import pytest

from framejit.jit.analysis.aliases import Aliases
from framejit.jit.analysis.dependence import Dependence, Dependent, Separate
from framejit.jit.ir.graph import Graph, Node
from framejit.jit.ir.parse import parse_graph

GRAPH = """graph(%x: float64[s0], %y: float64[s0], %w: float64[s1, s0], %n: int, %c: bool)
  %zero = const() value=0 : int
  %one = const() value=1 : int
  %seven = const() value=7 : int
  %f = const() value=0.5 : float
  {head}
    {body}
  leave() exit=0
exit 0: return at 4: push None
"""
USES = "iterations may use the same items of an array"
STATE = "an iteration uses what the one before has computed"


def looping(head: str, *body: str) -> Graph:
    """A graph with one loop, or with a loop around others."""
    return parse_graph(GRAPH.format(head=head, body="\n    ".join(body)))


def over_items(*body: str) -> Graph:
    """A graph with a loop of no state over the items of arrays."""
    return looping("for(%zero, %n, %one)", "with %i: int", *body, "continue()")


def loops(graph: Graph) -> list[Node]:
    """The loops, outermost first."""
    return [node for node in graph.nodes() if node.op.loops]


def dependence(graph: Graph) -> Dependence:
    """The analysis of a graph."""
    makers = {value: node for node in graph.nodes() for value in node.outputs}
    return Dependence(graph, makers, Aliases(graph))


def through_items(graph: Graph) -> Dependent | Separate:
    """The dependence of the outermost loop through items."""
    return dependence(graph).through_items(loops(graph)[0])


def through_state(graph: Graph) -> Dependent | tuple[int, ...]:
    """The dependence of the outermost loop through its state."""
    return dependence(graph).through_state(loops(graph)[0])


def test_each_iteration_has_its_item() -> None:
    """`x[i] = 0.5 * y[i]`: the arrays must not overlap, and the index of the write be in bounds."""
    graph = over_items(
        "%p = element(%y, %i) index=[#0] : np.float64",
        "%e = index(%x, %i) index=[#0, None] : float64[1]",
        "store(%e, %p) visible=True",
    )
    x, y, *_ = graph.params
    written = next(node for node in graph.nodes() if node.op.overwrites).inputs[0]
    maker = next(node for node in graph.nodes() if written in node.outputs)

    found = through_items(graph)

    assert found == Separate(frozenset({(maker, 0)}), frozenset({frozenset({x, y})}))


@pytest.mark.parametrize(
    ("index", "expected"), [("%i", True), ("%j", True), ("%k", False), ("%n", False)]
)
def test_the_same_constant_everywhere(index: str, expected: bool) -> None:
    """`x[i] = x[i + 1]` meets the item of the next iteration; `x[j] = x[j]` with j = i + 0 not."""
    graph = over_items(
        "%k = operator(%i, %one) function=operator.add : int",
        "%j = operator(%k, %one) function=operator.sub : int",
        f"%p = element(%x, {index}) index=[#0] : np.float64",
        "%e = index(%x, %i) index=[#0, None] : float64[1]",
        "store(%e, %p) visible=True",
    )

    found = through_items(graph)

    assert isinstance(found, Separate) is expected
    assert expected or found == Dependent(USES)


def test_an_index_that_both_branches_hand_over() -> None:
    """Branches that hand over `i + 1` and `1 + i` keep iterations apart."""
    graph = over_items(
        "%k = if(%c) : int",
        "  %s = operator(%i, %one) function=operator.add : int",
        "  yield %s",
        "else",
        "  %t = operator(%one, %i) function=operator.add : int",
        "  yield %t",
        "%e = index(%x, %k) index=[#0, None] : float64[1]",
        "store(%e, %f) visible=True",
    )

    assert isinstance(through_items(graph), Separate)


def test_one_axis_suffices() -> None:
    """Rows of `w[i]`, whatever is written in them; columns that all iterations write meet."""
    body = (
        "for(%zero, %n, %one)",
        "  with %j: int",
        "  %e = index(%w, {}) index=[#0, #1, None] : float64[1]",
        "  store(%e, %f) visible=True",
        "  continue()",
    )
    apart = over_items(*(line.format("%i, %j") for line in body))
    meeting = over_items(*(line.format("%j, %j") for line in body))

    assert isinstance(through_items(apart), Separate)
    assert through_items(meeting) == Dependent(USES)
    inner = loops(meeting)[1]
    found = dependence(meeting).through_items(inner)
    assert isinstance(found, Separate), "of the inner loop each has an item of its own"


def test_arrays_of_an_iteration() -> None:
    """Nobody else sees an array that an iteration makes; one that it picks may be any."""
    made = over_items(
        "%v = index(%w, %i) index=[#0, :] : float64[s0]",
        "%d = copy(%v) order='K' : float64[s0]",
        "store(%d, %f) visible=False",
    )
    picked = over_items(
        "%a = if(%c) : float64[s0]",
        "  yield %x",
        "else",
        "  yield %y",
        "%e = index(%a, %i) index=[#0, None] : float64[1]",
        "store(%e, %f) visible=True",
    )

    assert through_items(made) == Separate(frozenset(), frozenset())
    assert through_items(picked) == Dependent("an iteration picks the array that it uses")


def noting(yielded: str, other: str = "%s") -> Graph:
    """A graph whose loop sets its state in a branch."""
    return looping(
        "%r = for(%zero, %n, %one, %zero) : int",
        "with %i: int, %s: int",
        "%q = operator(%s, %one) function=operator.add : int",
        "%t = if(%c) : int",
        f"  yield {yielded}",
        "else",
        f"  yield {other}",
        "continue(%t)",
    )


def test_state_that_something_reads() -> None:
    """A sum of the state reads it, even if only a constant is handed on."""
    assert through_state(noting("%seven")) == Dependent(STATE)


@pytest.mark.parametrize(
    ("yielded", "other", "expected"),
    [
        ("%seven", "%s", (7,)),
        ("%seven", "%seven", (7,)),
        ("%seven", "%one", None),
        ("%i", "%s", None),
        ("%s", "%s", None),
        ("%n", "%s", None),
    ],
)
def test_state_that_only_notes(yielded: str, other: str, expected: tuple[int, ...] | None) -> None:
    """Iterations may set the state to one constant, or leave it as it is."""
    graph = looping(
        "%r = for(%zero, %n, %one, %zero) : int",
        "with %i: int, %s: int",
        "%t = if(%c) : int",
        f"  yield {yielded}",
        "else",
        f"  yield {other}",
        "continue(%t)",
    )

    assert through_state(graph) == (expected or Dependent(STATE))


def test_notes_through_an_inner_loop() -> None:
    """A note is followed through the state of an inner loop."""
    graph = looping(
        "%r = for(%zero, %n, %one, %zero) : int",
        "with %i: int, %s: int",
        "%t = for(%zero, %n, %one, %s) : int",
        "  with %j: int, %u: int",
        "  %v = if(%c) : int",
        "    yield %seven",
        "  else",
        "    yield %u",
        "  continue(%v)",
        "continue(%t)",
    )

    assert through_state(graph) == (7,)


def test_iterations_that_end_the_loop() -> None:
    """A BREAK ends the loop around it, not those further out."""
    graph = over_items(
        "for(%zero, %n, %one)",
        "  with %j: int",
        "  if(%c)",
        "    break()",
        "  continue()",
    )
    outer, inner = loops(graph)
    found = dependence(graph)

    assert found.through_control(outer) is None
    assert found.through_control(inner) == Dependent("an iteration may end the loop")
