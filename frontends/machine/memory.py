"""Whose memory an array of the graph has: what a write to it can change for others."""

from __future__ import annotations

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

    def inherit(self, param: Value, initial: Value) -> None:
        """A parameter of a region is `initial` at first, and later what the body made."""
        root = self.root(initial)
        if root in self._made:
            self._made[param] = self._made[root]
            self._shared.add(param)

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
