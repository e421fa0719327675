"""How long NumPy takes for what a launch computes: measured once, on copies, before the launch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter, perf_counter_ns
from typing import Any

import numpy as np

from ...jit import native
from ...jit.filters import filtered
from ...jit.interrupts import meant_for_program
from ...jit.ir.graph import Graph, Node
from ...jit.ir.ops import FOR, LOOP
from ...jit.native import Entry
from ..numpy.backend import Run
from .memory import copied

MOST_BYTES = 1 << 28
"""Of arrays that are copied; with more nothing is measured."""


RUNS, ENOUGH = 5, 0.01
"""Runs of which the fastest counts; after so many seconds there is no further one."""


class _Timed(Run):
    """A run of a graph by NumPy that adds up the time of its operations."""

    seconds = 0.0

    def _compute(self, node: Node, inputs: list[Any]) -> None:
        assert node.op.reference is not None
        begun = perf_counter()
        node.op.reference(node.attrs, *inputs)
        self.seconds += perf_counter() - begun
        super()._compute(node, inputs)  # which takes in what comes of it, and checks that


class Pace:
    """What an entry calls before each launch while its function is explained."""

    def __init__(self, graph: Graph, slots: Sequence[int], is_wanted: Callable[[], bool]) -> None:
        """`slots`: those of the graph's parameters; `is_wanted` says if a call is explained."""
        self.seconds: float | None = None
        """What NumPy takes; None where that was not measured, as of loops over single elements."""
        self.bytes: int | None = None
        """Of the arrays that a launch was given; None before there was one."""
        self._graph = graph
        self._slots = slots
        self._is_wanted = is_wanted

    def __call__(self, entry: Entry, slots: tuple[Any, ...]) -> None:
        """Measures at one launch. Nothing of it can be seen from outside."""
        entry.set_check(None, len(slots))
        if not self._is_wanted():
            return
        begun = perf_counter_ns()
        native.engine_enter()  # what NumPy calls is neither captured nor counted
        try:
            self._measure([slots[k] for k in self._slots])
        finally:
            native.engine_leave()
            native.set_aside(perf_counter_ns() - begun)

    def _measure(self, values: list[Any]) -> None:
        arrays = {id(one): one for one in values if isinstance(one, np.ndarray)}
        self.bytes = sum(one.nbytes for one in arrays.values())
        if self.bytes > MOST_BYTES or any(one.op in (FOR, LOOP) for one in self._graph.nodes()):
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
        """Seconds of the operations; None where eager may raise, or the graph bails."""
        run = _Timed(dict(zip(self._graph.params, copied(values), strict=True)), 0)
        try:
            with np.errstate(all="ignore"), filtered("ignore"):
                for param in self._graph.params:
                    run.match(param, run.values[param])
                run.block(self._graph.body)
        except Exception as error:
            if meant_for_program(error) is error:
                raise
            return None  # there is no launch to be compared
        return run.seconds
