"""Reuse of memory within a kernel.

An array that is no longer read hands its memory to the next array of the same type.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...jit.ir.graph import Value
from ...jit.ir.types import Type
from .places import Place


class Memory:
    """The arrays that the kernel has allocated, at one point of its text."""

    def __init__(self) -> None:
        self._made: dict[Value, Place] = {}
        """Arrays that are still read."""
        self._free: dict[Type, list[Value]] = {}
        """Arrays that are no longer read, by type."""
        self._freed: dict[Value, Place] = {}
        self.reused: dict[Value, Value] = {}
        """For each array in reused memory, the previous owner."""

    def made(self, value: Value, place: Place) -> Place:
        """Record that the kernel has made an array that nothing else refers to."""
        self._made[value] = place
        return place

    def is_made(self, value: Value) -> bool:
        """True if the value is still read and was made by the kernel."""
        return value in self._made

    def still_read(self) -> frozenset[Value]:
        """Return the arrays that are not free."""
        return frozenset(self._made)

    def given_up(self, dying: Value, heir: Value) -> Place:
        """Hand the memory of an array read for the last time to another array."""
        self.reused[heir] = dying
        return self._made.pop(dying)

    def end(self, dying: list[Value]) -> None:
        """Free arrays that were read for the last time, except those whose memory was handed on."""
        for value in dying:
            if value in self._made:
                self._free.setdefault(value.type, []).append(value)
                self._freed[value] = self._made.pop(value)

    def free(self, heir: Value) -> Place | None:
        """Return free memory of the heir's type, which it takes over, or None."""
        values = self._free.get(heir.type)
        if not values:
            return None
        self.reused[heir] = values.pop()
        return self._freed.pop(self.reused[heir])

    @contextmanager
    def block(self) -> Iterator[None]:
        """Enter a block, which can use no memory freed outside, and whose own is not used outside.

        At the back edge of a loop arrays change places.
        """
        outside, self._free = self._free, {}
        yield
        self._free = outside
