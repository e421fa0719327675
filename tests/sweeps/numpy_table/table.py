"""Writes the page of NumPy's functions and their forms: `python tests/sweeps/numpy_table/table.py`.

For each function, from calls of it: `fused` where all that it does are nodes that a kernel writes
or calls NumPy's loops for, `in part` where its Python is part of the kernel and functions that it
comes to are called, `called` where NumPy's function itself is called from the kernel, and `break`
where it runs as plain Python between two segments, with the reason.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))
sys.path.insert(0, str(Path(__file__).parent))

from every_function import Example, examples, values

from framejit import jit
from framejit.frontends.report.facts import facts
from framejit.jit.ir.ops import PUT, Kind

PAGE = Path(__file__).parents[3] / "docs" / "numpy.md"
STATES = ("fused", "in part", "called", "break")
HEAD = """# NumPy's functions

What becomes of a call inside a function that is compiled. The page is written by
`python tests/sweeps/numpy_table/table.py` from calls of each function, and a test compares it with
what happens.

- **fused**: it is made of nodes that a kernel writes as loops or calls NumPy's inner loops for.
- **in part**: its Python is part of the kernel, which calls what stands beside it, on some paths
  through that Python at least.
- **called**: the kernel calls NumPy's function itself; the code around the call is fused.
- **break**: the segment ends, and the call runs as plain Python; the reason stands beside it.

A function has several lines if what it becomes depends on the arguments. With NumPy
2.4 `tensorsolve` and `np.cross` are called, and `np.linalg.eig` and `eigvals` are breaks.
"""


STATE_BEFORE_2_5 = {
    "np.cross(v, w)": "called",
    "np.linalg.cross(v, w)": "called",
    "np.linalg.eig(A)": "break",
    "np.linalg.eigvals(A)": "break",
    "np.linalg.tensorsolve(np.eye(6).reshape(2, 3, 6), B[:2, :3])": "called",
}
"""NumPy 2.4 gives real eigenvalues where all of them are, assigns a shape, and asks for the last
length of an array that has none."""


def state_of(example: Example, jitted: Any) -> tuple[str, str]:
    """(state, reason of a break or what is called) of an example that has run."""
    manager = jitted._manager
    breaks = facts(manager, manager.dispatcher).breaks
    if breaks:
        return "break", f"{breaks[0].code}: {breaks[0].detail}"
    entries = manager.entries
    assert entries, "something around the call is captured"
    nodes = [node for entry in entries for node in entry.captured.graph.nodes()]
    calls = [node.attrs["call"] for node in nodes if node.op.kind is Kind.OPAQUE or node.op is PUT]
    names = {call.name.lstrip("_") for call in calls}
    if not names:
        return "fused", ""
    is_called = example.function.rpartition(".")[2] in names
    return ("called", "") if is_called else ("in part", ", ".join(sorted(names)))


def states() -> Iterator[tuple[Example, str, str]]:
    """Each example, its state and the reason."""
    for example in examples():
        jitted = jit(example.make(), backend="numpy")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            jitted(**values())
        yield example, *state_of(example, jitted)


def row(example: Example, state: str, why: str) -> str:
    """A line of the page; the same for all versions of NumPy that have the function."""
    reason = why.replace("|", "\\|").replace("`", "")
    return f"| `{example.expression}` | {state} | {reason} |"


def page() -> str:
    """The text."""
    found = list(states())
    counts = {state: sum(one == state for _, one, _ in found) for state in STATES}
    of = f"Of {len(found)} calls of {len({one.function for one, _, _ in found})} functions"
    numbers = ", ".join(f"{number} {state}" for state, number in counts.items())
    parts = [HEAD, f"{of}: {numbers}.\n"]
    by_module = sorted(found, key=lambda one: _module(one[0]))
    for module, group in groupby(by_module, key=lambda one: _module(one[0])):
        parts.append(
            f"## {module}\n\n| call | state | why, or what is called |\n| --- | --- | --- |"
        )
        lines = sorted((example.function, row(example, *rest)) for example, *rest in group)
        parts.append("\n".join(line for _, line in lines) + "\n")
    return "\n".join(parts)


def _module(example: Example) -> str:
    return example.function.rpartition(".")[0]


if __name__ == "__main__":
    PAGE.write_text(page())
