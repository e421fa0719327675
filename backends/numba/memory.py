"""The memory of one kernel: in, the arrays it makes and the last reads of them; out, what is free.

An array that nobody reads any more gives its memory to the next one of its type.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...jit.ir.graph import Value
from ...jit.ir.types import Type
from .places import Place


class Memory:
    """Arrays that are the kernel's own, while it is written."""

    def __init__(self) -> None:
        self._made: dict[Value, Place] = {}
        """Those that are still read."""
        self._free: dict[Type, list[Value]] = {}
        """Those that nobody reads any more."""
        self._freed: dict[Value, Place] = {}
        self.reused: dict[Value, Value] = {}
        """For those that stand where another has stood, that other."""

    def made(self, value: Value, place: Place) -> Place:
        """The value is there from here on, and nobody else holds it."""
        self._made[value] = place
        return place

    def is_made(self, value: Value) -> bool:
        """Whether a value that is still read is the kernel's own."""
        return value in self._made

    def still_read(self) -> frozenset[Value]:
        """The arrays that were made so far and are not free."""
        return frozenset(self._made)

    def given_up(self, dying: Value, heir: Value) -> Place:
        """The memory of a value that is read for the last time, for another one."""
        self.reused[heir] = dying
        return self._made.pop(dying)

    def end(self, dying: list[Value]) -> None:
        """These have been read for the last time; some may have been given up already."""
        for value in dying:
            if value in self._made:
                self._free.setdefault(value.type, []).append(value)
                self._freed[value] = self._made.pop(value)

    def free(self, heir: Value) -> Place | None:
        """Memory of its type which a value uses again from here on; None: there is none."""
        values = self._free.get(heir.type)
        if not values:
            return None
        self.reused[heir] = values.pop()
        return self._freed.pop(self.reused[heir])

    @contextmanager
    def block(self) -> Iterator[None]:
        """While a block is written; nothing that is free in one is used in another.

        The arrays of a region change places at its back edge.
        """
        outside, self._free = self._free, {}
        yield
        self._free = outside
