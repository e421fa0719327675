"""Whose memory an array of the graph has: what a write to it can change for others."""

from __future__ import annotations

from collections.abc import Sequence

from ...jit.ir.graph import Value


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

    def fresh(self, value: Value) -> None:
        """The segment has just made this array."""
        self._made[value] = self.epoch

    def share(self, view: Value, base: Value) -> None:
        """`view` is a window on the memory of `base`."""
        root = self.root(base)
        self._root[view] = root
        self._shared.add(root)

    def meet(self, output: Value, values: Sequence[Value]) -> None:
        """`output` is one of these arrays; it may be written to where each of them is owned."""
        if all(map(self.is_owned, values)):
            self._made[output] = self.epoch
            self._shared.add(output)
        self._shared.update(map(self.root, values))

    def is_owned(self, value: Value) -> bool:
        """Whether the segment made the memory, and a write to it is undone by going back."""
        return self.is_made_here(self.root(value)) and not self.is_visible(value)

    def root(self, value: Value) -> Value:
        """The array that owns the memory, as far as the segment knows."""
        return self._root.get(value, value)

    def is_visible(self, value: Value) -> bool:
        """Whether a write to the array can be told from not having happened."""
        return self._made.get(self.root(value), -1) < self.epoch

    def is_made_here(self, root: Value) -> bool:
        """Whether the segment made this array."""
        return root in self._made

    def is_fresh(self, value: Value) -> bool:
        """Whether the segment made the array and no window on it exists."""
        return value in self._made and value not in self._shared
