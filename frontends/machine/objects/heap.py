"""What objects with an identity hold, and what the segment does to those from outside.

An object that the segment makes itself is virtual: its state lives here, and it is built at an
exit if anybody can still reach it. What happens to an object from outside is written down as an
effect and done at the exit, in program order; until then its new state lives here as well, for
whoever reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import field
from typing import Any

from ....jit.frozen import dataclass
from ..breaks import EFFECT, GraphBreak
from ..values import List, Object, Outside, Symbolic


class MustCarry(Exception):  # noqa: N818
    """A region changes something from outside of it, or reads it where nobody knows.

    Each way through the region is to have its own. `begin()` sees to it, where the machine is
    outside by now; False where it is not. `why` is in the user's words; `reads`: nothing is
    changed.
    """

    def __init__(self, begin: Callable[[], bool], why: str, *, reads: bool = False) -> None:
        super().__init__()
        self.begin = begin
        self.why = why
        self.reads = reads


@dataclass(frozen=True, slots=True)
class Field:
    """A part of an object: an attribute, the item under a key or at an index, a cell's contents."""

    owner: Outside
    key: Hashable = None
    """None of a cell."""


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
    fields: dict[Field, Symbolic | None] = field(default_factory=dict)
    """Those that may change all the same, each with what it held when that began: each way has its
    own contents, and an exit stores them. See fields.py."""
    outer_fields: int = 0
    """Fields of the block around."""
    not_carried: set[Field] = field(default_factory=set)
    """Fields that are not there before the region."""
    out_of_order: dict[tuple[Field, Field], None] = field(default_factory=dict)
    """Pairs of fields: an exit stores the first one first, though the second may be there without
    it. See new_names.py."""
    extended: dict[List, List] = field(default_factory=dict)
    """Lists from outside, each with the list of what regions append: an exit extends them by it."""
    tables: dict[str, List] = field(default_factory=dict)
    """By dtype the table of numbers that are told apart as objects, see boxes.py."""
    entries: dict[Hashable, Any] = field(default_factory=dict)
    """What is in them from outside."""
    asked: set[Object] = field(default_factory=set)
    """Objects from outside whose state was read."""
    read: set[Field] = field(default_factory=set)
    """Fields among those above that were read."""
    written: set[Field] = field(default_factory=set)
    """Fields among those above that were changed."""
    notes: dict[int, dict[int, Field]] = field(default_factory=dict)
    """By header of a loop of the frame itself, and by local, the fields that tell which of them it
    has assigned. See flow/noting.py."""
    noted: dict[int, Field] = field(default_factory=dict)
    """Those of the loop that is being captured."""
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

    def peek(self, of: Object) -> Any:
        """The same for the machine's own purposes."""
        return self._states.get(of)

    def note_read(self, owner: Outside, key: Hashable = None) -> None:
        """The program asks for a part of an object."""
        field_ = Field(owner, key)
        if field_ in self.fields:
            self.read.add(field_)

    def begin_asking(self) -> tuple[set[Object], set[Field], set[Field]]:
        """Notes from here on what a loop asks for; returns what `end_asking` takes."""
        before = self.asked, self.read, self.written
        self.asked, self.read, self.written = set(), set(), set()
        return before

    def end_asking(self, before: tuple[set[Object], set[Field], set[Field]]) -> None:
        """What was asked before counts again, too."""
        asked, read, written = before
        self.asked |= asked
        self.read |= read
        self.written |= written

    def asked_only(self) -> set[Field]:
        """Fields that were asked for and not changed."""
        return self.read - self.written

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

    def may_change(self, of: Object) -> bool:
        """Whether an object was made in the block that is captured."""
        return self._born.get(of, 0) >= self.region

    def do(self, function: Callable[..., object], *arguments: Symbolic) -> None:
        """Writes down an effect.

        Raises:
            GraphBreak: in the body of a region.
        """
        if self.region:
            raise GraphBreak(EFFECT, "a change of an object from outside the loop")
        self.effects.append(Effect(function, arguments))

    def enter_region(self) -> tuple[int, int]:
        """What is there now must stay as it is; returns what `leave_region` takes."""
        outer = self.region, self.outer_fields
        self.region, self.outer_fields = len(self._born) + 1, len(self.fields)
        return outer

    def leave_region(self, outer: tuple[int, int]) -> None:
        """Back to the block around."""
        self._keep_fields(self.outer_fields)
        self.region, self.outer_fields = outer

    def _keep_fields(self, count: int) -> None:
        while len(self.fields) > count:
            self.fields.popitem()

    def mark(self) -> tuple[int, ...]:
        """For `rollback`."""
        counts = map(len, (self.fields, *self._dicts()))
        return (len(self._undo), len(self.effects), *counts)

    def _dicts(self) -> tuple[dict[Any, Any], ...]:
        """Those that grow at their end."""
        return self.extended, self.tables, self.entries, self.out_of_order

    def rollback(self, mark: tuple[int, ...]) -> None:
        """Undoes what came after the mark."""
        changes, effects, fields, *counts = mark
        self._keep_fields(fields)
        for known, count in zip(self._dicts(), counts, strict=True):
            while len(known) > count:
                known.popitem()
        while len(self._undo) > changes:
            of, state = self._undo.pop()
            if state is None:
                self._states.pop(of, None)
            else:
                self._states[of] = state
        del self.effects[effects:]
