"""What objects with an identity hold, and what the segment does to those from outside.

An object that the segment makes itself is virtual: its state lives here, and it is built at an
exit if anybody can still reach it. What happens to an object from outside is written down as an
effect and done at the exit, in program order; until then its new state lives here as well, for
whoever reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

from ....jit.frozen import dataclass
from ..breaks import EFFECT, GraphBreak
from ..values import List, Object, Symbolic


@dataclass(frozen=True, slots=True)
class Effect:
    """A call of a function that changes its first argument and cannot fail."""

    function: Callable[..., object]
    arguments: tuple[Symbolic, ...]


@dataclass(slots=True)
class Heap:
    """States by object; a mark allows to go back."""

    effects: list[Effect] = field(default_factory=list)
    region: int = 0
    """Objects made before this one must not change: the body of a region runs many times."""
    carried: frozenset[Object] = frozenset()
    """Cells that may change all the same: each way has its own contents."""
    asked: set[Object] = field(default_factory=set)
    """Objects from outside whose state was read."""
    _states: dict[Object, Any] = field(default_factory=dict)
    _born: dict[Object, int] = field(default_factory=dict)
    _undo: list[tuple[Object, Any]] = field(default_factory=list)
    _copied: dict[tuple[object, ...], Object] = field(default_factory=dict)
    """By what they are copies of: what stands for it."""

    def make(self, made: Object, state: Any) -> None:
        """A new object of the segment."""
        self._born[made] = len(self._born) + 1
        self._states[made] = state

    @property
    def count(self) -> int:
        """Objects made so far."""
        return len(self._born)

    def born(self, of: Object) -> int:
        """How many had been made before this one; -1 for one from outside."""
        return self._born.get(of, 0) - 1

    def state(self, of: Object) -> Any:
        """What an object holds; None when nobody has asked yet."""
        if of not in self._born:
            self.asked.add(of)
        return self._states.get(of)

    def states(self) -> Iterable[tuple[Object, Any]]:
        """All objects of which something is known."""
        return self._states.items()

    def learn(self, of: Object, state: Any) -> None:
        """What an object from outside held all the time."""
        self._undo.append((of, self._states.get(of)))
        self._states[of] = state

    def copy_of(self, of: tuple[object, ...]) -> Any:
        """The copy of these items; None where there is none yet."""
        known = self._copied.get(of)
        return None if known is None else self._states.get(known)

    def learn_copy(self, of: tuple[object, ...], copy: Object) -> None:
        """There is a copy from here on."""
        self.learn(self._copied.setdefault(of, List()), copy)

    def change(self, of: Object, state: Any) -> None:
        """An object holds something else from now on.

        Raises:
            GraphBreak: in the body of a region, which must not change what is outside of it.
        """
        if not self.may_change(of):
            raise GraphBreak(EFFECT, "a change of an object from outside the loop")
        self.learn(of, state)

    def carry(self, of: Object, state: Any) -> None:
        """What a cell holds on the way that is captured."""
        self.learn(of, state)
        self.carried |= {of}

    def may_change(self, of: Object) -> bool:
        """Whether an object was made in the block that is captured, or each way has its own."""
        return self._born.get(of, 0) >= self.region or of in self.carried

    def do(self, function: Callable[..., object], *arguments: Symbolic) -> None:
        """Writes down an effect.

        Raises:
            GraphBreak: in the body of a region.
        """
        if self.region:
            raise GraphBreak(EFFECT, "a change of an object from outside the loop")
        self.effects.append(Effect(function, arguments))

    def enter_region(self) -> tuple[int, frozenset[Object]]:
        """What is there now must stay as it is; returns what `leave_region` takes."""
        outer = self.region, self.carried
        self.region, self.carried = len(self._born) + 1, frozenset()
        return outer

    def leave_region(self, outer: tuple[int, frozenset[Object]]) -> None:
        """Back to the block around."""
        self.region, self.carried = outer

    def mark(self) -> tuple[int, int]:
        """For `rollback`."""
        return len(self._undo), len(self.effects)

    def rollback(self, mark: tuple[int, int]) -> None:
        """Undoes what came after the mark."""
        changes, effects = mark
        while len(self._undo) > changes:
            of, state = self._undo.pop()
            if state is None:
                self._states.pop(of, None)
            else:
                self._states[of] = state
        del self.effects[effects:]
