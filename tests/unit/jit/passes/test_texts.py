"""Each pass, text in and text out.

A file of `texts/PASS/` is a case: a rule, a graph, and what the pass makes of it behind `becomes`
(`stays` where it is the same). Both graphs are then run on hostile inputs, and nobody may tell them
apart (`graph_runs.py`).

    python -m pytest tests/unit/jit/passes/test_texts.py --regenerate

writes the results of passes anew; the change is then in the diff, to be read and not only accepted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from graph_runs import compared
from reading_back import check_round_trip

from framejit.jit.ir.graph import Block, Graph, Node
from framejit.jit.ir.ops import REDUCE, UFUNC
from framejit.jit.ir.parse import parse_graph
from framejit.jit.ir.text import print_graph
from framejit.jit.ir.verify import verify
from framejit.jit.passes.clusters import Cluster, Step, free_values
from framejit.jit.passes.fuse import fuse
from framejit.jit.passes.pass_manager import AT_CAPTURE, FOR_KERNELS

TEXTS = Path(__file__).parent / "texts"
CHEAP = (np.add, np.subtract, np.multiply)
"""Operations that are computed again by each of their readers, in these tests."""


def _is_fusable(node: Node) -> bool:
    return node.op in (UFUNC, REDUCE)


def _clustered(graph: Graph) -> list[Step]:
    return fuse(graph.body, _is_fusable, reduced=_reductions)


def _recomputed(graph: Graph) -> list[Step]:
    return fuse(graph.body, _is_fusable, reduced=_reductions, cheap=_is_cheap)


def _reductions(cluster: Cluster) -> list[Node]:
    """All reductions stay in their clusters."""
    return [node for node in cluster.nodes if node.op is REDUCE]


def _is_cheap(node: Node) -> bool:
    return node.op is UFUNC and node.attrs["ufunc"] in CHEAP


PASSES: dict[str, Callable[[Graph], Graph]] = {
    one.name: one.run for one in (*AT_CAPTURE, *FOR_KERNELS)
}
CLUSTERS: dict[str, Callable[[Graph], list[Step]]] = {"fuse": _clustered, "recompute": _recomputed}
FILES = sorted(TEXTS.glob("*/*.txt"))
NODE = re.compile(r"  (?! |else|yield)")
"""Beginning of the line of a node that stands in no region."""


def _in_order(graph: Graph, steps: list[Step]) -> Graph:
    """The graph with the nodes in the order of its steps."""
    nodes = [one for step in steps for one in (step.nodes if isinstance(step, Cluster) else [step])]
    return Graph(graph.params, Block((), nodes, graph.body.results), graph.exits, graph.bounds)


def _with_steps(graph: Graph, steps: list[Step]) -> str:
    """The text of a graph in that order, with a line above each cluster, and below the last one."""
    lines = print_graph(graph).split("\n")
    first = [k for k, line in enumerate(lines) if NODE.match(line)]
    heads: dict[int, str] = {}
    place = 0
    for step in steps:
        if not isinstance(step, Cluster):
            heads[first[place]] = "# step"
            place += 1
            continue
        made = {
            value: lines[first[place + k]].split(" = ")[0].strip()
            for k, node in enumerate(step.nodes)
            for value in node.outputs
        }
        dims = ", ".join(map(str, step.dims))
        kept = ", ".join(made[value] for value in step.outputs)
        heads[first[place]] = f"# cluster [{dims}], in memory: {kept}"
        place += len(step.nodes)
    return "\n".join(f"{heads[k]}\n{line}" if k in heads else line for k, line in enumerate(lines))


def _check_memory(steps: list[Step]) -> None:
    """Assert that all values from a cluster that other steps read are in memory."""
    homes = {
        value: step
        for step in steps
        if isinstance(step, Cluster)
        for node in step.nodes
        for value in node.outputs
    }
    for step in steps:
        nodes = step.nodes if isinstance(step, Cluster) else [step]
        inner = [value for node in nodes for block in node.blocks for value in free_values(block)]
        for value in (*inner, *(value for node in nodes for value in node.inputs)):
            home = homes.get(value)
            assert home is None or home is step or value in home.outputs


def _made_by(name: str, graph: Graph) -> tuple[Graph, str]:
    """Return the result of a pass for a graph, which may be changed, and its text."""
    if name in PASSES:
        after = PASSES[name](graph)
        return after, print_graph(after)
    steps = CLUSTERS[name](graph)
    _check_memory(steps)
    after = _in_order(graph, steps)
    return after, _with_steps(after, steps)


def _parts_of(file: Path) -> tuple[str, str, str]:
    """The rule, the graph, and what becomes of it."""
    text = file.read_text(encoding="utf-8")
    rule, _, rest = text.partition("\n\n")
    before, _, after = rest.partition("\n\nbecomes\n\n")
    return rule, before.removesuffix("\n\nstays\n").rstrip("\n"), after.rstrip("\n")


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_pass(file: Path, pytestconfig: pytest.Config) -> None:
    """The pass gives this text, word for word, and the graph's results stay the same."""
    name = file.parent.name
    rule, text, expected = _parts_of(file)
    before = parse_graph(text)
    same = print_graph(before)
    after, actual = _made_by(name, parse_graph(text))
    verify(before, "the test")
    verify(after, f"the pass {name!r}")
    check_round_trip(after)
    if pytestconfig.getoption("--regenerate"):
        end = "stays\n" if actual == same else f"becomes\n\n{actual}\n"
        file.write_text(f"{rule}\n\n{text}\n\n{end}", encoding="utf-8")
        _, _, expected = _parts_of(file)

    assert actual == (expected or same)
    ended = compared(before, after, each_error=name in {one.name for one in AT_CAPTURE})
    assert ended or "always bails" in rule


def test_each_pass_has_texts() -> None:
    """Those that change a graph, and those that leave it alone."""
    assert {file.parent.name for file in FILES} == {*PASSES, *CLUSTERS}
