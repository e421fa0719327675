"""Ownership of arrays' memory: which other arrays a write may change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from ....guards.sources import Source
from ....jit.ir.graph import Location, Value


@dataclass(frozen=True, slots=True)
class Given:
    """Result of a call at this line, which may be a view of any memory."""

    location: Location


Root = Source | Value | Given
"""An array that owns memory: its source, or a value that represents it."""


class Memory:
    """Memory roots of graph values.

    Writes to an array that the segment itself made are invisible as long as every bail leads back
    to before it was made. Each checkpoint starts an epoch: an older array would be written twice if
    eager took over there.
    """

    def __init__(self) -> None:
        self.epoch = 0
        self._root: dict[Value, Value] = {}
        self._made: dict[Value, int] = {}
        self._shared: set[Value] = set()
        self._others: dict[Value, frozenset[Root]] = {}
        """Other arrays that an array handed over by a region may be, besides those made here."""
        self._sources: dict[Value, Source] = {}
        self._given: dict[Value, Given] = {}
        self._order: dict[Value, int] = {}
        """Order in which arrays came into being; those from outside come first."""
        self._allocated: set[Value] = set()

    def mark(self) -> int:
        """Return the present state; what is known of values of the graph stays."""
        return self.epoch

    def rollback(self, mark: int) -> None:
        """Undo the checkpoints after the mark."""
        self.epoch = mark

    def live_in(self, value: Value, source: Source) -> None:
        """Add an array from outside."""
        self._sources[value] = source
        self._order[value] = -1

    def fresh(self, value: Value) -> None:
        """Add an array that the segment has just made."""
        self.own(value)
        self._allocated.add(value)

    def given(self, value: Value, location: Location) -> None:
        """Add the result of a call, of unknown memory."""
        self._given[value] = Given(location)

    def own(self, value: Value) -> None:
        """Add an array made by the segment, now or earlier."""
        self._made[value] = self.epoch
        self._order.setdefault(value, len(self._order))

    def known(self) -> Iterator[Value]:
        """Yield the arrays in the order in which they became known, results of calls last."""
        return chain(self._order, self._given)

    def share(self, view: Value, base: Value) -> None:
        """Note that `view` is a view of the memory of `base`."""
        root = self.root(base)
        self._root[view] = root
        self._shared.add(root)

    def hold(self, value: Value) -> None:
        """Note that a list holds the array."""
        self._shared.add(self.root(value))

    def meet(self, output: Value, values: Sequence[Value]) -> None:
        """Note that `output` is one of these arrays."""
        self.own(output)
        self._shared.add(output)
        self._shared.update(map(self.root, values))
        self.may_be(output, frozenset().union(*map(self.others, values)))

    def may_be(self, output: Value, others: frozenset[Root]) -> None:
        """Note that `output` may also be one of these."""
        if others:
            self._others[output] = self._others.get(output, frozenset()) | others

    def others(self, value: Value) -> frozenset[Root]:
        """Return the outside arrays that a write to this one may change; none if it is owned.

        An array is owned if the segment made its memory and a bail undoes writes to it. Outside
        arrays are named by source, because each attempt at a loop has new values.
        """
        root = self.root(value)
        if root in self._others:
            return self._others[root]
        if root in self._made and not self.is_visible(root):
            return frozenset()
        return frozenset((self._sources.get(root, root),))

    def lasting_others(self, value: Value) -> frozenset[Root]:
        """Return them with names that stay valid when a loop is captured again."""
        others = self.others(value)
        return frozenset(
            self._given.get(one, one) if isinstance(one, Value) else one for one in others
        )

    def root(self, value: Value) -> Value:
        """Return the array that owns the memory, as far as known."""
        return self._root.get(value, value)

    def is_visible(self, value: Value) -> bool:
        """True if the program could see a write to the array after a bail."""
        root = self.root(value)
        return root in self._others or self._made.get(root, -1) < self.epoch

    def is_made_here(self, root: Value) -> bool:
        """True if the segment made this array."""
        return root in self._made and root not in self._others

    def is_fresh(self, value: Value) -> bool:
        """True if the segment made the array and there is no view of it."""
        return value in self._made and value not in self._shared

    def are_disjoint(self, value: Value, target: Value) -> bool:
        """True if the target's memory was allocated when the other array existed already."""
        made, stood = self.root(target), self._order.get(self.root(value))
        return made in self._allocated and stood is not None and stood < self._order[made]
