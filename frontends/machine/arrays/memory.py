"""Whose memory an array of the graph has: what a write to it can change for others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from ....guards.sources import Source
from ....jit.ir.graph import Location, Value


@dataclass(frozen=True, slots=True)
class Given:
    """What the calls of a line gave, which may be a window on any memory."""

    location: Location


Root = Source | Value | Given
"""An array that has memory of its own: where it comes from, or what stands for it."""


class Memory:
    """Memory roots of graph values.

    An array that the segment made itself may be written to without anybody seeing it, as long as
    every bail leads back to before it was made. Each checkpoint starts an epoch: what is older than
    the last checkpoint would be written twice if eager took over there.
    """

    def __init__(self) -> None:
        self.epoch = 0
        self._root: dict[Value, Value] = {}
        self._made: dict[Value, int] = {}
        self._shared: set[Value] = set()
        self._others: dict[Value, frozenset[Root]] = {}
        """What arrays that regions hand over may be besides the segment's own."""
        self._sources: dict[Value, Source] = {}
        self._given: dict[Value, Given] = {}
        self._order: dict[Value, int] = {}
        """Which array came first; those from outside stand before all."""
        self._allocated: set[Value] = set()

    def live_in(self, value: Value, source: Source) -> None:
        """An array from outside."""
        self._sources[value] = source
        self._order[value] = -1

    def fresh(self, value: Value) -> None:
        """The segment has just made this array."""
        self.own(value)
        self._allocated.add(value)

    def given(self, value: Value, location: Location) -> None:
        """A call gave this array, nobody knows of what memory."""
        self._given[value] = Given(location)

    def own(self, value: Value) -> None:
        """The segment made this array, now or before."""
        self._made[value] = self.epoch
        self._order.setdefault(value, len(self._order))

    def known(self) -> Iterator[Value]:
        """The arrays in the order in which they became known, those that calls gave at the end."""
        return chain(self._order, self._given)

    def share(self, view: Value, base: Value) -> None:
        """`view` is a window on the memory of `base`."""
        root = self.root(base)
        self._root[view] = root
        self._shared.add(root)

    def hold(self, value: Value) -> None:
        """A list has the array among its items."""
        self._shared.add(self.root(value))

    def meet(self, output: Value, values: Sequence[Value]) -> None:
        """`output` is one of these arrays."""
        self.own(output)
        self._shared.add(output)
        self._shared.update(map(self.root, values))
        self.may_be(output, frozenset().union(*map(self.others, values)))

    def may_be(self, output: Value, others: frozenset[Root]) -> None:
        """`output` may be one of these, too."""
        if others:
            self._others[output] = self._others.get(output, frozenset()) | others

    def others(self, value: Value) -> frozenset[Root]:
        """The arrays that a write to this one may change for others; none where it is owned.

        An array is owned where the segment made its memory, and a write to it is undone by going
        back. One from outside is named by where it comes from: each attempt at a loop has values of
        its own.
        """
        root = self.root(value)
        if root in self._others:
            return self._others[root]
        if root in self._made and not self.is_visible(root):
            return frozenset()
        return frozenset((self._sources.get(root, root),))

    def lasting_others(self, value: Value) -> frozenset[Root]:
        """The same, with names that stay when a loop is tried again."""
        others = self.others(value)
        return frozenset(
            self._given.get(one, one) if isinstance(one, Value) else one for one in others
        )

    def root(self, value: Value) -> Value:
        """The array that owns the memory, as far as the segment knows."""
        return self._root.get(value, value)

    def is_visible(self, value: Value) -> bool:
        """Whether a write to the array can be told from not having happened."""
        root = self.root(value)
        return root in self._others or self._made.get(root, -1) < self.epoch

    def is_made_here(self, root: Value) -> bool:
        """Whether the segment made this array."""
        return root in self._made and root not in self._others

    def is_fresh(self, value: Value) -> bool:
        """Whether the segment made the array and no window on it exists."""
        return value in self._made and value not in self._shared

    def are_apart(self, value: Value, target: Value) -> bool:
        """Whether the memory of the target was made when the other array was there already."""
        made, stood = self.root(target), self._order.get(self.root(value))
        return made in self._allocated and stood is not None and stood < self._order[made]
