"""Compares a graph under a backend with NumPy, on the same inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from ...jit.entries import native_entry
from ...jit.ir.graph import Build, Exit, Graph, Leaf, Node, Value, leaves
from ...jit.native import Entry
from ...jit.pipeline import Backend, Plan, compile_plan
from ...jit.results import result_guards
from .memory import copied
from .reference import answer
from .values import Difference, first_difference, other_memory


def bare(graph: Graph) -> Graph:
    """Return the graph with exits that hand back the values they need and have no effects."""
    return Graph(graph.params, graph.body, list(map(_bare_exit, graph.exits)), graph.bounds)


def _bare_exit(exit_: Exit) -> Exit:
    recipes = (*exit_.effects, *exit_.recipes)  # in the order of the exit node's inputs
    needed = (value for recipe in recipes for value in leaves(recipe))
    return Exit(exit_.at, exit_.kind, pushes=tuple(map(Leaf, needed)))


class _Nobody:
    """Receives notifications from an entry and ignores them."""

    def bailed(self, why: str, flags: int, check: int) -> None:
        """Ignore a bail."""

    def took_long(self) -> None:
        """Ignore that a loop without halts took long."""

    def warn(self, kernel: Entry, log: list[tuple[int, int]]) -> None:
        """Ignore flags that eager would report."""


class Comparison:
    """A graph compiled by a backend for comparison; its exits are bare."""

    def __init__(self, graph: Graph, backend: Backend, attribute: bool = False) -> None:
        self.graph = graph
        self._backend = backend
        self._attribute = attribute
        self._entry: Entry | None = None

    def compile(self) -> None:
        """Compile the kernel if that has not been done."""
        if self._entry is not None:
            return
        graph = self.graph
        count = len(graph.params)
        payloads = [Build("list", exit_.pushes) for exit_ in graph.exits]
        objects: list[Any] = []
        checked = [
            result_guards(param.type, slot, count, objects)
            for slot, param in enumerate(graph.params)
        ]
        n_guards = sum(number for _, number in checked)
        plan = Plan(graph, payloads, range(count), _no_slot, count, n_guards, objects)
        parts = compile_plan(self._backend, plan, self._attribute)
        parts.objects = tuple(objects)
        self._entry = native_entry(
            parts,
            graph,
            n_live=count,
            owner=_Nobody(),
            options=None,
            guards=(b"".join(packed for packed, _ in checked), n_guards),
        )

    def difference(
        self, values: Sequence[Any], as_before: Callable[[], bool] = lambda: True
    ) -> tuple[Difference, Node | None] | None:
        """Return the first difference between backend and NumPy, with its node if known.

        None if they agree, or if one of them bails. A halted run is compared only if other threads
        have neither written to the arrays nor changed anything else the graph relies on
        (`as_before`).
        """
        start = copied(values)
        ours, theirs, other = (copied(start) for _ in range(3))

        def unchanged() -> bool:
            return as_before() and all(map(_same_bytes, values, start))

        one = answer(self.graph, theirs, 0, unchanged)
        two = answer(self.graph, other, 1, unchanged)
        if one.exit != two.exit or (one.error is None) != (two.error is None):
            return None  # the outcome depends on bits that are not promised
        if one.error is not None and not one.refused:
            return None
        self.compile()
        assert self._entry is not None
        with np.errstate(all="ignore"):
            launched = self._entry.launch(tuple(ours))
        if launched is None or self.graph.exits[launched[0]].kind == "bail":
            return None
        if one.error is not None:
            error = f"{type(one.error).__name__} ({one.error})"
            return Difference("no result", "its end", error, "no exception"), one.node
        exit_, state = launched
        if exit_ != one.exit:
            return Difference("a decision", "the way out", str(one.exit), str(exit_)), None
        shown = [value for push in self.graph.exits[exit_].pushes for value in leaves(push)]
        expected = [(one.state[value], two.state[value]) for value in shown]
        pairs = [*expected, *zip(theirs, other, strict=True)]
        for (first, second), actual in zip(pairs, [*state, *ours], strict=True):
            found = first_difference(first, second, actual)
            if found is not None:
                return found, None
        return _in_other_memory(self.graph.params, (theirs, other, ours), shown, expected, state)


def _in_other_memory(
    params: Sequence[Value],
    given: tuple[Sequence[Any], Sequence[Any], Sequence[Any]],
    shown: Sequence[Value],
    expected: Sequence[tuple[Any, Any]],
    state: Sequence[Any],
) -> tuple[Difference, None] | None:
    """Return the first result with another identity or memory than in NumPy, or None.

    `given` are the parameters in both reference runs and in the backend's run.
    """
    wrong = other_memory(
        [*given[0], *(first for first, _ in expected)],
        [*given[1], *(second for _, second in expected)],
        [*given[2], *state],
        [*map(_name, (*params, *shown))],
    )
    return None if wrong is None else (wrong, None)


def _name(value: Value) -> str:
    return f"`{value.name}`" if value.name else "another result"


def _same_bytes(value: Any, start: Any) -> bool:
    return not isinstance(value, np.ndarray) or value.tobytes() == start.tobytes()


def _no_slot(source: Any) -> NoReturn:
    raise AssertionError(f"exits hand back values only, not {source}")
