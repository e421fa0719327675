"""The cost of conditions in a row: each is captured once, whatever came before it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, assert_normally, check

X = np.linspace(-1.0, 1.0, 64)

CONDITIONS = {
    "and_or": "if b[#] > t and b[#+1] < 0.9 or b[#+2] < -0.5: s += b[#] * 1.5",
    "or_and": "if (b[#] > t or b[#+1] < 0.1) and b[#+2] < 0.8: s -= b[#]",
    "of_the_sum": "if b[#] > t and b[#+1] < 3 or s > 5: s += 1.5",
    "not_all": "if not (b[#] > t and b[#+1] < 3 and b[#+2] > 0): s = s + b[#]",
    "otherwise": "if b[#] > t and b[#+1] < 3 or s > 5: s += 1\n    else: s = s * 0.5",
    "left": "if b[#] > t and b[#+1] < 0.2 or s > 50: return s + #",
    "raises": "if b[#] > t and b[#+1] < -2 or s > 50: raise ValueError(s)\n    s += 1",
    "loops": (
        "while s < # and b[#] > t or s < 1:\n"
        "        if b[#] > t and s > 3 or b[#+1] < 0: s += 2; continue\n"
        "        if s > 20 and b[#] > t or s > 30: break\n"
        "        s += 1"
    ),
}


def program(line: str, count: int, called: bool = False) -> Any:
    """A function with so many conditions; `called`: in a function that it calls."""
    body = "".join(f"    {line.replace('#', str(k))}\n" for k in range(count))
    source = f"def f(x, t):\n    b = x * 2 + 1\n    s = 0.0\n{body}    return s + b.sum()\n"
    if called:
        source = source.replace("def f", "def g") + "def f(x, t):\n    return g(x, t) * 2\n"
    space: dict[str, Any] = {"np": np}
    exec(source, space)
    return space["f"]


@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize("name", CONDITIONS)
def test_answers(name: str, called: bool) -> None:
    """Taken and not taken, each of them."""
    function = program(CONDITIONS[name], 4, called)
    for t in (0.0, 2.5, -3.0):
        check(function, X, t)
        check(function, -X, t)


@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize("name", CONDITIONS)
def test_cost_grows_with_their_number(name: str, called: bool) -> None:
    """Twice as many need twice as many operations: what follows was captured twice for each."""

    def operations(count: int) -> int:
        made = check(program(CONDITIONS[name], count, called), X, 0.0, backends=("numpy",))
        assert_counts(made, breaks=0)
        graphs = [entry.captured.graph for entry in made[0]._manager.entries]
        return sum(1 for graph in graphs for _ in graph.nodes())

    assert_normally(operations(16) <= 2.5 * operations(8))
