"""Tracks which numbers and tuples may be items of growing lists, as these lose their identity.

A growing list is an array of the graph, which holds numbers without identity: an exit makes new
objects of them. Where the program could see that two objects are one in eager, the capture is
repeated without such a list, or with a table of its numbers (see number_identity.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import CodeType

from ....jit.ir.builder import Builder
from ....jit.ir.graph import Value
from ....jit.ir.types import ArrayType, ScalarType
from ..values.symbolic import Object, Tuple
from .heap import Heap
from .insertions import OUTSIDE, Insertion, Row, is_its_value, parts_of, table_of

MadeAt = tuple[CodeType, int]
"""An instruction that makes a number."""
ListKey = int | str | tuple[object, ...] | MadeAt
"""Identifies the same list in repeated captures: by the number of objects made before it, by the
items that it is a copy of, or by its table. For a number: by the instruction that makes it."""


class IdentityDiffers(Exception):  # noqa: N818 (control flow, no error)
    """The program could see that an item of a growing list is another object than in eager.

    The next capture tracks the identity of the items of these lists, or does not let them grow.
    """

    def __init__(self, keys: set[ListKey]) -> None:
        super().__init__()
        self.keys = keys


@dataclass(slots=True)
class IdentityTracker:
    """Knows which numbers and tuples may be identical with an item of a growing list."""

    builder: Builder
    heap: Heap
    boxed: frozenset[ListKey] = frozenset()
    """Lists whose items' identity is tracked, and instructions that make such numbers, see
    number_identity.py."""
    copies: dict[Object, tuple[object, ...]] = field(default_factory=dict)
    """Lists of the graph with numbers that are also held elsewhere; only their items are other
    objects."""
    contents: dict[Object, tuple[object, ...]] = field(default_factory=dict)
    """Lists of the graph with the numbers of containers from outside, to which numbers of the
    segment may be added. See objects/contents.py."""
    rows: dict[Tuple, set[ListKey]] = field(default_factory=dict)
    """Items of copies made from columns, with the lists that the columns copy."""
    insertions: list[Insertion] = field(default_factory=list)
    """Objects put into lists, in order."""
    unidentified: set[str] = field(default_factory=set)
    """Dtypes of tables that hold a number of unknown identity."""
    placed: set[Value] = field(default_factory=set)
    """Places of numbers that are in a table."""
    made_at: dict[Value, MadeAt] = field(default_factory=dict)
    """Instructions that made numbers."""
    _holders: dict[Value, frozenset[Object]] = field(default_factory=dict)
    """Lists that may hold a number, and OUTSIDE."""
    _items: set[tuple[Value, Object]] = field(default_factory=set)
    """Numbers read from lists."""
    _parts: dict[Value, frozenset[tuple[int, Row]]] = field(default_factory=dict)
    """Tuples in lists of which a value may be an item, with its positions."""
    _met: list[tuple[Value, tuple[Value, ...]]] = field(default_factory=list)
    _back: dict[Value, set[int]] = field(default_factory=dict)
    """Insertions by which a number may have come into lists, found by `_settle`."""
    _reached: dict[Value, frozenset[Object]] = field(default_factory=dict)
    """Holders of a number including those found that way."""
    _sharing: list[frozenset[Object]] = field(default_factory=list)
    """Sets of lists that may hold the same numbers."""

    def mark(self) -> int:
        """Return the present state; what is known of values of the graph stays."""
        return len(self.insertions)

    def rollback(self, mark: int) -> None:
        """Undo what was put into lists after the mark."""
        del self.insertions[mark:]

    # ---- what lists hold -------------------------------------------------------------------------

    def note_item(self, number: Value, owner: Object) -> None:
        """Note that a number, or part of an item, was read from a growing list."""
        if not is_its_value(number):
            self._items.add((number, owner))
            self._held_by(number, owner)

    def _held_by(self, number: Value, owner: Object) -> None:
        holders = self._holders[number] = self._holders_of(number) | {owner}
        if len(holders) > 1:
            self._sharing.append(holders - {OUTSIDE})

    def note_insertion(self, number: Value, owner: Object) -> None:
        """Note that a number was put into a list; arrays keep their identity."""
        if isinstance(number.type, ArrayType) or is_its_value(number) or owner in self.copies:
            return
        self._held_by(number, owner)
        self.insertions.append(Insertion(owner, (number,)))

    def note_of_table(self, owner: Object) -> None:
        """Note that a number with a table place was put into a list without places."""
        self.insertions.append(Insertion(owner, (), again=True))

    def note_boxed(self, number: Value, owner: Object) -> None:
        """Note that a number known to be in the table or not was put into it."""
        self.insertions.append(Insertion(owner, (number,), boxed=True))

    def note_unplaced(self, number: Value) -> None:
        """Note that a number without a table place is handed over where one is required.

        Handed over again it would become another object.
        """
        if not is_its_value(number):
            self.insertions.append(Insertion(OUTSIDE, (number,), unplaced=True))

    def note_constant(self, constant: object, owner: Object) -> None:
        """Note that a constant was put into a list."""
        if type(constant) not in (bool, int) and owner not in self.copies:
            self.insertions.append(Insertion(owner, (), constant=id(constant), kept=constant))

    def note_row(self, row: Tuple, owner: Object) -> None:
        """Note that a tuple was read from a list."""
        self._note_row(row, owner)

    def _note_row(self, row: Tuple, owner: Object) -> Row:
        others = self._lists_with(row) - {owner}
        parts = parts_of(row)
        here = Row(owner, row.items, frozenset(place for place, _ in parts))
        for place, value in parts:
            self._parts[value] = self._marks(value) | {(place, here)}
        if others:
            self._sharing.append(frozenset({owner, *others}))
        return here

    def note_row_insertion(self, row: Tuple, owner: Object) -> None:
        """Note that a tuple was put into a list."""
        again = owner in self._lists_with(row)
        noted = self._note_row(row, owner)
        values = tuple(value for _, value in parts_of(row))
        outside = row.source is not None
        self.insertions.append(
            Insertion(owner, values, row=noted, again=again, from_outside=outside)
        )

    def _lists_with(self, row: Tuple) -> set[Object]:
        """Return lists that may hold this very tuple."""
        parts = parts_of(row)
        if not parts:
            rows = {one.row for one in self.insertions if one.row is not None and not one.values}
            return {one.owner for one in rows if one.may_be(row)}
        met = {mark for place, value in parts for mark in self._marks(value) if mark[0] == place}
        rows = {one for _, one in met if one.may_be(row)}
        return {one.owner for one in rows if all((k, one) in met for k in one.places)}

    def _marks(self, value: Value) -> frozenset[tuple[int, Row]]:
        return self._parts.get(value, frozenset())

    def note_iterations(self, first: int, made: set[Value]) -> None:
        """Note that insertions since `first` happen in each iteration, which makes `made` anew."""
        for k, one in enumerate(self.insertions[first:], first):
            if made.isdisjoint(one.values):
                self.insertions[k] = replace(one, again=True)

    def note_outside(self, number: Value) -> None:
        """Note that a number is, or may be, an object from outside: a constant."""
        if not is_its_value(number):
            self._holders[number] = self._holders_of(number) | {OUTSIDE}

    def share(self, one: Object, other: Object) -> None:
        """Note that both lists may hold the same numbers."""
        self._sharing.append(frozenset((one, other)))

    # ---- where paths meet ------------------------------------------------------------------------

    def meet(self, output: Value, values: Sequence[Value]) -> None:
        """Note that `output` is one of these numbers, depending on the path."""
        self._met.append((output, tuple(values)))
        self._hand_on(output, tuple(values))

    def _hand_on(self, output: Value, values: tuple[Value, ...]) -> None:
        holders = self._all_holders(values)
        if is_its_value(output):
            holders -= {OUTSIDE}
        if holders:
            self._holders[output] = holders | self._holders_of(output)
        marks = frozenset[tuple[int, Row]]().union(*map(self._marks, values))
        if marks:
            self._parts[output] = marks | self._marks(output)

    def _holders_of(self, number: Value) -> frozenset[Object]:
        return self._holders.get(number, frozenset())

    def _all_holders(self, values: Sequence[Value]) -> frozenset[Object]:
        outside = {OUTSIDE} if any(value in self.builder.params for value in values) else set()
        return frozenset[Object](outside).union(*map(self._holders_of, values))

    def _settle(self) -> None:
        """Propagate through merges to a fixed point.

        Later iterations find what earlier ones hand over.
        """
        known = -1
        while (now := sum(map(len, (*self._holders.values(), *self._parts.values())))) != known:
            known = now
            for output, values in self._met:
                self._hand_on(output, values)
        self._find_ways_back()

    def _find_ways_back(self) -> None:
        """Propagate insertions backward: a list that got a merged value got each path's value."""
        back: dict[Value, set[int]] = {}
        for k, one in enumerate(self.insertions):
            if one.row is None and not (one.boxed or one.unplaced):
                for value in one.values:
                    back.setdefault(value, set()).add(k)
        known = -1
        while (now := sum(map(len, back.values()))) != known:
            known = now
            for output, values in reversed(self._met):
                for value in values if output in back else ():
                    back.setdefault(value, set()).update(back[output])
        self._back = back
        self._reached = dict(self._holders)
        for value, insertions in back.items():
            self._reached[value] = self._in(value) | {self.insertions[k].owner for k in insertions}
        known = -1
        while (now := sum(map(len, self._reached.values()))) != known:
            known = now
            for output, values in self._met:
                found = frozenset[Object]().union(*map(self._in, values)) - {OUTSIDE}
                self._reached[output] = self._in(output) | found

    def _in(self, number: Value) -> frozenset[Object]:
        """Return lists that may hold a number."""
        return self._reached.get(number, frozenset())

    def _is_given_otherwise(self, index: int) -> bool:
        """True if another insertion may put the same number into the same list."""
        owner = self.insertions[index].owner
        return any(
            index in insertions
            and any(k != index and self.insertions[k].owner is owner for k in insertions)
            for insertions in self._back.values()
        )

    # ---- what is handed over ---------------------------------------------------------------------

    def check(
        self, numbers: set[Value], grown: set[Object], rows: set[Tuple], constants: set[int]
    ) -> None:
        """Check objects that are handed over: numbers, lists, tuples, and constants by address.

        Raises:
            SameObject: a number or tuple may be an item of one of the lists, or of two of them, or
                twice, or come from outside, or have been copied by the graph.
        """
        self._settle()
        found = self._shared(numbers, grown, rows, constants)
        plain = {one for row in rows & self.rows.keys() for one in self.rows[row]}
        if not found:
            if plain:
                raise IdentityDiffers(plain)
            return
        tables = found & set(self.heap.tables.values())
        makers: set[ListKey] = {
            self.made_at[value]
            for one in self.insertions
            for value in one.values
            if value in self.made_at
            and (one.owner in tables or (one.unplaced and tables & self._tables_of(one)))
        }
        raise IdentityDiffers((makers - self.boxed) or {*plain, *map(self.key_of, found)})

    def _shared(
        self, numbers: set[Value], grown: set[Object], rows: set[Tuple], constants: set[int]
    ) -> set[Object]:
        """Return lists and tables with an item whose identity would differ observably."""
        twice, outside = self._twice(), self._from_outside()
        held = grown | self.copies.keys() | self.contents.keys()
        found = {one.owner for one in self.insertions if one.constant in constants} & grown
        with_constants = {one.owner for one in self.insertions if one.constant is not None}
        for number in numbers:
            if OUTSIDE in self._holders_of(number):
                found |= grown & with_constants
            lists = self._with_all_sharing(self._in(number) - {OUTSIDE})
            found |= lists & (held | outside)
        for owner in grown:
            lists = self._with_all_sharing(frozenset({owner}))
            found |= lists & held if len(lists & held) > 1 else frozenset()
            found |= {owner} if lists & (twice | outside) else set()
        for row in rows:
            lists = self._with_all_sharing(frozenset(self._lists_with(row)))
            found |= lists & (grown | outside)
        return found | self._of_numbers(numbers)

    def _of_numbers(self, numbers: set[Value]) -> set[Object]:
        """Return lists with numbers that may be identical, or of which only one has a place."""
        found: set[Object] = set()
        for owner in {owner for _, owner in self._items}:
            if sum(owner in self._in(one) for one in numbers) > 1:
                found.add(owner)
        for one in self.insertions:
            if one.unplaced and one.values[0] in numbers:
                found |= self._tables_of(one)
        return found

    def _twice(self) -> set[Object]:
        """Return lists that may hold one object twice."""
        brought = dict[Value, frozenset[Object]]()
        marks = dict[Value, frozenset[tuple[int, Row]]]()
        for output, values in self._met:
            brought[output] = brought.get(output, frozenset()) | self._all_holders(values)
            marks[output] = marks.get(output, frozenset()).union(*map(self._marks, values))
        found: set[Object] = {
            self.heap.tables[c] for c in self.unidentified if c in self.heap.tables
        }
        seen: set[tuple[Value | int | None, Object]] = set()
        for k, one in enumerate(self.insertions):
            again = one.again
            if one.unplaced:
                again |= (one.values[0], OUTSIDE) in seen
                seen.add((one.values[0], OUTSIDE))
                found |= self._tables_of(one) if again else set()
                continue
            if one.row is not None:  # all of it came from where the list had got it
                parts = ((k, v) for v in one.values for k, row in self._marks(v) if row is one.row)
                owners = {
                    k
                    for k, v in parts
                    if any(place == k and row.owner is one.owner for place, row in marks.get(v, ()))
                }
                again |= bool(one.values) and owners == one.row.places
            elif one.boxed:
                again |= one.owner in self._in(one.values[0])
            elif one.values:
                (number,) = one.values
                again |= (number, one.owner) in self._items | seen
                again |= one.owner in brought.get(number, ()) or self._is_given_otherwise(k)
                seen.add((number, one.owner))
            else:
                again |= (one.constant, one.owner) in seen
                seen.add((one.constant, one.owner))
            if again:
                found.add(one.owner)
        return found

    def _tables_of(self, one: Insertion) -> set[Object]:
        """Return the table of a number's dtype as a set, which may be empty."""
        type_ = one.values[0].type
        table = self.heap.tables.get(type_.char) if isinstance(type_, ScalarType) else None
        return set() if table is None else {table}

    def _from_outside(self) -> set[Object]:
        """Return lists that may hold objects from outside."""

        def is_tracked_elsewhere(one: Insertion) -> bool:
            return one.boxed or one.unplaced or one.row is not None

        return {
            one.owner
            for one in self.insertions
            if one.from_outside
            or (not is_tracked_elsewhere(one) and OUTSIDE in self._all_holders(one.values))
        }

    def _with_all_sharing(self, lists: frozenset[Object]) -> frozenset[Object]:
        """Return these lists and those that may hold the same numbers."""
        found = lists
        while True:
            more = found.union(*(one for one in self._sharing if one & found))
            if more == found:
                return found
            found = more

    def key_of(self, one: Object) -> ListKey:
        """Return what identifies the list in the next capture."""
        if one in self.copies or one in self.contents:
            return self.copies.get(one) or self.contents[one]
        for char, table in self.heap.tables.items():
            if table is one:
                return table_of(char)
        born = self.heap.born(one)
        return born - sum(self.heap.born(table) < born for table in self.heap.tables.values())
