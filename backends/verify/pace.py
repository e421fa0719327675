"""Measures how long NumPy takes for the computation of a launch: once, on copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter, perf_counter_ns
from typing import Any

import numpy as np

from ...jit import native
from ...jit.filters import filtered
from ...jit.interrupts import meant_for_program
from ...jit.ir.graph import Graph, Node
from ...jit.native import Entry
from ..numpy.backend import Run
from .memory import copied

MOST_BYTES = 1 << 28
"""Bytes of arrays above which nothing is measured."""


RUNS, ENOUGH = 5, 0.01
"""Maximum number of runs, of which the fastest counts, and seconds after which no run is added."""


class _Timed(Run):
    """A NumPy run of a graph that sums up the time of its operations."""

    seconds = 0.0

    def _compute(self, node: Node, inputs: list[Any]) -> None:
        assert node.op.reference is not None
        begun = perf_counter()
        node.op.reference(node.attrs, *inputs)
        self.seconds += perf_counter() - begun
        super()._compute(node, inputs)  # also checks and records the result


class Pace:
    """Called by an entry before each launch while its function is being explained."""

    def __init__(self, graph: Graph, slots: Sequence[int], is_wanted: Callable[[], bool]) -> None:
        """Create it; `slots` are the parameters', `is_wanted` tells if a call is explained."""
        self.seconds: float | None = None
        """Seconds that NumPy takes; None if not measured, as for loops over single elements."""
        self.bytes: int | None = None
        """Bytes of the arrays passed to a launch; None before the first."""
        self._graph = graph
        self._slots = slots
        self._is_wanted = is_wanted

    def __call__(self, entry: Entry, slots: tuple[Any, ...]) -> None:
        """Measure once before a launch, without visible effects."""
        entry.set_check(None, len(slots))
        if not self._is_wanted():
            return
        begun = perf_counter_ns()
        native.engine_enter()  # NumPy's calls must be neither captured nor counted
        try:
            self._measure([slots[k] for k in self._slots])
        finally:
            native.engine_leave()
            native.set_aside(perf_counter_ns() - begun)

    def _measure(self, values: list[Any]) -> None:
        arrays = {id(one): one for one in values if isinstance(one, np.ndarray)}
        self.bytes = sum(one.nbytes for one in arrays.values())
        if self.bytes > MOST_BYTES or any(one.op.loops for one in self._graph.nodes()):
            return
        spent = 0.0
        for _ in range(RUNS):
            took = self._one_run(values)
            if took is None:
                return
            self.seconds = took if self.seconds is None else min(took, self.seconds)
            spent += took
            if spent > ENOUGH:
                return

    def _one_run(self, values: list[Any]) -> float | None:
        """Return the seconds of one run; None if eager may raise or the graph bails."""
        run = _Timed(dict(zip(self._graph.params, copied(values), strict=True)), 0)
        try:
            with np.errstate(all="ignore"), filtered("ignore"):
                for param in self._graph.params:
                    run.match(param, run.values[param])
                run.block(self._graph.body)
        except Exception as error:
            if meant_for_program(error) is error:
                raise
            return None  # no launch will follow
        return run.seconds
