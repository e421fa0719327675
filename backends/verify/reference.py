"""The reference: one run of a graph by NumPy, op by op, with marks on what is not promised."""

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
"""Seconds between two looks, as in poll.c."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one run came to."""

    exit: int | None
    """The way out it has come to; None when it went back to the start."""
    state: dict[Value, Any]
    """The values that this exit needs."""
    error: Exception | None = None
    """Why it went no further."""
    node: Node | None = None
    """Where that was."""

    @property
    def refused(self) -> bool:
        """Whether NumPy itself does not go on; the others are bails out of caution."""
        return self.error is not None and not isinstance(self.error, Bail | OtherSize | Warning)


class Marked(Run):
    """A run whose values bear the marks of run `which`."""

    def __init__(
        self, values: dict[Value, Any], which: int, as_before: Callable[[], bool] = lambda: True
    ) -> None:
        super().__init__(values, 0)
        self._which = which
        self._as_before = as_before
        self._next_look = monotonic() + INTERVAL
        self.at: Node | None = None
        """The node that runs."""

    def _node(self, node: Node) -> Any:
        self.at = node
        return super()._node(node)

    def _compute(self, node: Node, inputs: list[Any]) -> None:
        super()._compute(node, inputs)
        for value in node.outputs:
            self.values[value] = marked(node, inputs, self.values[value], self._which)

    def _one_turn(self, block: Block, found: list[Any], outside: dict[Dim, int]) -> Any:
        """As kernels do, it looks now and then whether somebody wants the loop to end."""
        if monotonic() > self._next_look:
            begun = monotonic()
            if not self._as_before():
                raise Bail
            self._next_look = monotonic() + max(INTERVAL, 10 * (monotonic() - begun))
        return super()._one_turn(block, found, outside)

    def _enforced(self, modes: Modes) -> np.errstate:
        """What a block warns of does not end a run: the attributing kernel goes on there."""
        return Modes(modes.ignored | modes.warned, told=modes.told).enforced()

    def _bail_in_turn(self) -> None:
        """No hostile mode: both sides run to their end."""

    def over(self, graph: Graph, warnings: str = "error") -> Answer:
        """Runs the body of a graph; what it writes stays written where it is left by an exit."""
        try:
            with np.errstate(all="ignore"), filtered(warnings):
                for param in graph.params:
                    self.match(param, self.values[param])
                self.block(graph.body)
        except Exception as error:
            self.undo()
            if meant_for_program(error) is error:
                raise
            error.__traceback__ = None  # it would keep what is checked alive
            return Answer(self.exit, self.state, error, self.at)
        return Answer(self.exit, self.state)


def answer(
    graph: Graph, values: Sequence[Any], which: int, as_before: Callable[[], bool] = lambda: True
) -> Answer:
    """Run 0 or 1 of a graph over these values of its parameters, which it may write to."""
    return Marked(dict(zip(graph.params, values, strict=True)), which, as_before).over(graph)
