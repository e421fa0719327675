"""The reference for comparisons: a NumPy run of a graph that marks bits which are not promised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

import numpy as np

from ...jit.filters import filtered
from ...jit.flags import Modes
from ...jit.frozen import dataclass
from ...jit.interrupts import meant_for_program
from ...jit.ir.graph import Block, Graph, Node, Value
from ...jit.ir.types import Dim
from ..numpy.backend import Bail, OtherSize, Run
from .values import marked

INTERVAL = 0.005
"""Seconds between two polls, as in poll.c."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Result of a run."""

    exit: int | None
    """The exit reached; None if it bailed to the start."""
    state: dict[Value, Any]
    """The values that this exit needs."""
    error: Exception | None = None
    """The exception that ended the run."""
    node: Node | None = None
    """The node that raised it."""

    @property
    def refused(self) -> bool:
        """True if NumPy itself raised; other errors are bails for caution."""
        return self.error is not None and not isinstance(self.error, Bail | OtherSize | Warning)


class Marked(Run):
    """A run of the reference that marks values with the marks of run `which`."""

    def __init__(
        self, values: dict[Value, Any], which: int, as_before: Callable[[], bool] = lambda: True
    ) -> None:
        super().__init__(values, 0)
        self._which = which
        self._as_before = as_before
        self._next_look = monotonic() + INTERVAL
        self.at: Node | None = None
        """The node being run."""

    def _node(self, node: Node) -> Any:
        self.at = node
        return super()._node(node)

    def _compute(self, node: Node, inputs: list[Any]) -> None:
        super()._compute(node, inputs)
        for value in node.outputs:
            self.values[value] = marked(node, inputs, self.values[value], self._which)

    def _one_iteration(self, block: Block, found: list[Any], outside: dict[Dim, int]) -> Any:
        """Run an iteration; like kernels, poll now and then for a request to halt."""
        if monotonic() > self._next_look:
            begun = monotonic()
            if not self._as_before():
                raise Bail
            self._next_look = monotonic() + max(INTERVAL, 10 * (monotonic() - begun))
        return super()._one_iteration(block, found, outside)

    def _enforced(self, modes: Modes) -> np.errstate:
        """Let warnings of errstate blocks pass, as the attributing kernel continues after them."""
        return Modes(modes.ignored | modes.warned, escalated=modes.escalated).enforced()

    def _bail_in_turn(self) -> None:
        """Do nothing: without hostile bails, both sides run to their end."""

    def over(self, graph: Graph, warnings: str = "error") -> Answer:
        """Run the body of a graph; writes before an exit persist."""
        try:
            with np.errstate(all="ignore"), filtered(warnings):
                for param in graph.params:
                    self.match(param, self.values[param])
                self.block(graph.body)
        except Exception as error:
            self.undo()
            if meant_for_program(error) is error:
                raise
            error.__traceback__ = None  # it would keep the checked objects alive
            return Answer(self.exit, self.state, error, self.at)
        return Answer(self.exit, self.state)


def answer(
    graph: Graph, values: Sequence[Any], which: int, as_before: Callable[[], bool] = lambda: True
) -> Answer:
    """Run a graph as run 0 or 1 on these parameters, which it may change."""
    return Marked(dict(zip(graph.params, values, strict=True)), which, as_before).over(graph)
