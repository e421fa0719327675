"""States of objects with identity, and effects on objects from outside.

An object made by the segment is virtual: its state is here, and an exit builds it if it is still
reachable. Changes of outside objects are recorded as effects, which the exit performs in program
order; until then the new state is here too, for reads.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import field
from typing import Any

from ....jit.frozen import dataclass
from ....jit.ir.graph import Value
from ..values.breaks import EFFECT, GraphBreak
from ..values.symbolic import Cell, List, Object, Outside, Symbolic


class MustCarry(Exception):  # noqa: N818 (control flow, no error)
    """A region changes something from outside of it, or reads it at an unknown place.

    Each path through the region needs its own version. `begin()` arranges that if the machine is
    outside the region by now, else returns False. `why` is in the user's words; `reads`: nothing is
    changed; `whole`: taken apart, iterations could not do it either.
    """

    def __init__(
        self, begin: Callable[[], bool], why: str, *, reads: bool = False, whole: bool = False
    ) -> None:
        super().__init__()
        self.begin = begin
        self.why = why
        self.reads = reads
        self.whole = whole


@dataclass(frozen=True, slots=True)
class Field:
    """A part of an object: an attribute, an item by key or index, or a cell's contents."""

    owner: Outside
    key: Hashable = None
    """None for a cell."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A call of a function that changes its first argument and cannot fail."""

    function: Callable[..., object]
    arguments: tuple[Symbolic, ...]


@dataclass(slots=True)
class Heap:
    """States by object; a mark allows rollback."""

    effects: list[Effect] = field(default_factory=list)
    region: int = 0
    """Objects made before this one must not change, as the body of a region runs many times."""
    fields: dict[Field, Symbolic | None] = field(default_factory=dict)
    """Exceptions to that, with the contents when it began: each path has its own contents, and an
    exit stores them. See fields.py."""
    outer_fields: int = 0
    """Number of fields of the enclosing block."""
    not_carried: set[Field] = field(default_factory=set)
    """Fields that do not exist before the region."""
    out_of_order: dict[tuple[Field, Field], None] = field(default_factory=dict)
    """Pairs of fields: an exit stores the first one first, though the second may exist without it.
    See new_names.py."""
    extended: dict[List, List] = field(default_factory=dict)
    """Outside lists, with the lists of items that regions append; exits extend them."""
    stood_in: dict[Outside, Outside] = field(default_factory=dict)
    """Outside lists, with the lists that stand for them; exits fill them. See
    objects/stand_in_lists.py, and for sets, dicts and deques objects/contents.py."""
    counts: dict[Object, Value] = field(default_factory=dict)
    """Numbers of items that lists of containers from outside began with."""
    tables: dict[str, List] = field(default_factory=dict)
    """Tables of numbers with observable identity by dtype, see number_identity.py."""
    entries: dict[Hashable, Any] = field(default_factory=dict)
    """Outside objects in these tables."""
    objects_read: set[Object] = field(default_factory=set)
    """Outside objects whose state was read."""
    read: set[Field] = field(default_factory=set)
    """Carried fields that were read."""
    written: set[Field] = field(default_factory=set)
    """Carried fields that were changed."""
    notes: dict[int, dict[int, Field]] = field(default_factory=dict)
    """By loop header of the outermost frame and by local: the fields that note its assignment. See
    flow/noting.py."""
    noted: dict[int, Field] = field(default_factory=dict)
    """Those of the loop being captured."""
    _states: dict[Object, Any] = field(default_factory=dict)
    _born: dict[Object, int] = field(default_factory=dict)
    _undo: list[tuple[Object, Any]] = field(default_factory=list)
    _copied: dict[tuple[object, ...], Object] = field(default_factory=dict)
    """Copies by what they are copies of."""

    def make(self, made: Object, state: Any) -> None:
        """Register a new object of the segment."""
        self._born[made] = len(self._born) + 1
        self._states[made] = state

    @property
    def count(self) -> int:
        """Return the number of objects made so far."""
        return len(self._born)

    def born(self, of: Object) -> int:
        """Return the number of objects made before this one; -1 for one from outside."""
        return self._born.get(of, 0) - 1

    def state(self, of: Object) -> Any:
        """Return an object's state; None if it has not been read."""
        if of not in self._born:
            self.objects_read.add(of)
        return self._states.get(of)

    def peek(self, of: Object) -> Any:
        """Return an object's state without counting as a read."""
        return self._states.get(of)

    def held_in(self, field_: Field) -> Symbolic | None:
        """Return a field's content; None if it has not been read."""
        state = self.peek(field_.owner)
        if isinstance(field_.owner, Cell):
            found: Symbolic | None = state
            return found
        return None if state is None else state.get(field_.key)

    def note_read(self, owner: Outside, key: Hashable = None) -> None:
        """Note that the program reads a part of an object."""
        field_ = Field(owner, key)
        if field_ in self.fields:
            self.read.add(field_)

    def begin_recording_reads(self) -> tuple[set[Object], set[Field], set[Field]]:
        """Record from here on what a loop reads; return a value for `end_recording_reads`."""
        before = self.objects_read, self.read, self.written
        self.objects_read, self.read, self.written = set(), set(), set()
        return before

    def end_recording_reads(self, before: tuple[set[Object], set[Field], set[Field]]) -> None:
        """Add earlier reads to the records again."""
        objects_read, read, written = before
        self.objects_read |= objects_read
        self.read |= read
        self.written |= written

    def fields_only_read(self) -> set[Field]:
        """Return fields that were read and not changed."""
        return self.read - self.written

    def states(self) -> Iterable[tuple[Object, Any]]:
        """Return all objects with a known state."""
        return self._states.items()

    def learn(self, of: Object, state: Any) -> None:
        """Record what an outside object has held all the time."""
        self._undo.append((of, self._states.get(of)))
        self._states[of] = state

    def outside_of(self, made: object) -> Outside | None:
        """Return the outside object for which one stands; None for other objects."""
        return next((owner for owner, one in self.stood_in.items() if one is made), None)

    def copy_of(self, of: tuple[object, ...]) -> Any:
        """Return the copy of these items; None if there is none yet."""
        known = self._copied.get(of)
        return None if known is None else self._states.get(known)

    def learn_copy(self, of: tuple[object, ...], copy: Object) -> None:
        """Register a copy."""
        self.learn(self._copied.setdefault(of, List()), copy)

    def change(self, of: Object, state: Any) -> None:
        """Change an object's state.

        Raises:
            GraphBreak: in the body of a region, for an object from outside it.
        """
        if not self.may_change(of):
            raise GraphBreak(EFFECT, "a change of an object from outside the loop")
        self.learn(of, state)

    def may_change(self, of: Object) -> bool:
        """True if an object was made in the block being captured."""
        return self._born.get(of, 0) >= self.region

    def do(self, function: Callable[..., object], *arguments: Symbolic) -> None:
        """Record an effect.

        Raises:
            GraphBreak: in the body of a region.
        """
        if self.region:
            raise GraphBreak(EFFECT, "a change of an object from outside the loop")
        self.effects.append(Effect(function, arguments))

    def enter_region(self) -> tuple[int, int]:
        """Freeze what exists now; return a value for `leave_region`."""
        outer = self.region, self.outer_fields
        self.region, self.outer_fields = len(self._born) + 1, len(self.fields)
        return outer

    def leave_region(self, outer: tuple[int, int]) -> None:
        """Return to the enclosing block."""
        self._keep_fields(self.outer_fields)
        self.region, self.outer_fields = outer

    def _keep_fields(self, count: int) -> None:
        while len(self.fields) > count:
            self.fields.popitem()

    def mark(self) -> tuple[int, ...]:
        """Return the present state, for `rollback`."""
        counts = map(len, (self.fields, *self._dicts()))
        return (len(self._undo), len(self.effects), *counts)

    def _dicts(self) -> tuple[dict[Any, Any], ...]:
        """Return the dicts that only grow at their end."""
        return self.extended, self.stood_in, self.tables, self.entries, self.out_of_order

    def rollback(self, mark: tuple[int, ...]) -> None:
        """Undo everything after the mark."""
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
