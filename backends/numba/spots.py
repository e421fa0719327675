"""Which instruction of the program a check belongs to: what a capture may end before, next time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...jit.checks import Check
from ...jit.ir.graph import Location, Node, Spot
from ...jit.passes.clusters import Cluster


class Spots:
    """The instructions that a kernel bails at, each by its number in the entry's list."""

    def __init__(self, found: list[Spot]) -> None:
        self._found = found
        self._numbers: dict[Spot, int] = {}
        self._at: Location | None = None
        """What is being written."""

    @contextmanager
    def of(self, step: Cluster | Node) -> Iterator[None]:
        """While a step is written, checks are its; those behind a loop are the loop's."""
        around = self._at
        first = step.nodes[0] if isinstance(step, Cluster) else step
        self._at = first.place or around
        yield
        self._at = around

    def told(self, check: Check) -> int:
        """What a kernel says as it bails: the check, and the instruction if it matters."""
        if self._at is None or self._at.at < 0 or not check.is_local:
            return check.number
        spot = self._at.spot
        if spot not in self._numbers:
            self._found.append(spot)
            self._numbers[spot] = len(self._found)
        return check.at(self._numbers[spot])
