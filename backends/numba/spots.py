"""Assigns the checks of a kernel to instructions, so that a later capture can end before one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...jit.checks import Check
from ...jit.ir.graph import Location, Node, Spot
from ...jit.passes.clusters import Cluster


class Spots:
    """Instructions at which the kernel may bail, numbered in the entry's list."""

    def __init__(self, found: list[Spot]) -> None:
        self._found = found
        self._numbers: dict[Spot, int] = {}
        self._at: Location | None = None
        """Location of the step being written."""

    @contextmanager
    def of(self, step: Cluster | Node) -> Iterator[None]:
        """Assign checks written inside to this step, or to the loop if it has no place itself."""
        around = self._at
        first = step.nodes[0] if isinstance(step, Cluster) else step
        self._at = first.place or around
        yield
        self._at = around

    def number_of(self, check: Check) -> int:
        """Return the number with which a bailing kernel reports a failed check.

        It encodes the check and, if that matters, the instruction (jit/checks.py).
        """
        if self._at is None or self._at.at < 0 or not check.is_local:
            return check.number
        spot = self._at.spot
        if spot not in self._numbers:
            self._found.append(spot)
            self._numbers[spot] = len(self._found)
        return check.at(self._numbers[spot])
