"""Local variables of kernels' functions: which are SSA values and which need memory.

A variable assigned once, whose reads are all dominated by that assignment, is the value itself.
Others have stack memory, which LLVM promotes to values.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from .operations import NotInKernels, unified


class Variables:
    """The variables of one function, found in one pass through its statements."""

    def __init__(self) -> None:
        self.types: dict[str, Any] = {}
        self.changed = False
        """True if a variable's type was widened after a read."""
        self.early: set[str] = set()
        """Variables read where they may be unassigned."""
        self._assignments: dict[str, int] = {}
        self._blocks_of: dict[str, set[int]] = {}
        """The blocks in which each variable is assigned."""
        self._read: set[str] = set()
        self._begin()

    def _begin(self) -> None:
        self._numbers = count()
        self._around = {next(self._numbers)}

    def again(self) -> None:
        """Prepare for another pass through the same statements."""
        self.changed = False
        self._begin()
        self._assignments.clear()
        self._blocks_of.clear()

    @contextmanager
    def block(self) -> Iterator[None]:
        """Enter statements that are not always executed."""
        number = next(self._numbers)
        self._around.add(number)
        yield
        self._around.remove(number)

    def assign(self, name: str, type_: Any) -> None:
        """Record the assignment of a value of this type."""
        self._assignments[name] = self._assignments.get(name, 0) + 1
        self._blocks_of.setdefault(name, set()).add(max(self._around))
        known = self.types.get(name)
        if known is None:
            self.types[name] = type_
        elif known != type_ and unified(known, type_) != known:
            self.types[name] = unified(known, type_)
            self.changed = self.changed or name in self._read

    def read(self, name: str) -> Any:
        """Record a read and return the variable's type."""
        self._read.add(name)
        if not self._blocks_of.get(name, _NONE) & self._around:
            self.early.add(name)
        try:
            return self.types[name]
        except KeyError:
            raise NotInKernels(f"{name} is read and has no type yet") from None

    def needs_memory(self, name: str) -> bool:
        """False for a variable that is the value assigned to it."""
        return self._assignments[name] > 1 or name in self.early


_NONE: set[int] = set()
