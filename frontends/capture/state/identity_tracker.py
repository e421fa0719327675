"""Tracks which numbers may be items of growing lists, which return other objects than they got."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import CodeType

from ....jit.ir.builder import Builder
from ....jit.ir.graph import Value
from ....jit.ir.types import ArrayType, ScalarType
from ..values.symbolic import Object, Tuple
from .heap import Heap
from .insertions import OUTSIDE, Put, Row, is_its_value, parts_of, table_of

MadeAt = tuple[CodeType, int]
"""An instruction that makes a number."""
Plain = int | str | tuple[object, ...] | MadeAt
"""Identifies a list in each capture: the number of objects made before it, the items it is a copy
of, or its table. For a number: the instruction that makes it."""


class SameObject(Exception):  # noqa: N818
    """A growing list's number would be observed to be another object than in eager.

    In the next capture the list must not grow, or not be copied.
    """

    def __init__(self, plain: set[Plain]) -> None:
        super().__init__()
        self.plain = plain


@dataclass(slots=True)
class SameObjects:
    """Numbers that are, or may be, identical with an item of a growing list."""

    builder: Builder
    heap: Heap
    boxed: frozenset[Plain] = frozenset()
    """Lists whose items' identity is tracked, and instructions that make such numbers, see
    number_identity.py."""
    copies: dict[Object, tuple[object, ...]] = field(default_factory=dict)
    """Lists of the graph with numbers that are also held elsewhere; only their items are other
    objects."""
    rows: dict[Tuple, set[Plain]] = field(default_factory=dict)
    """Items of copies made from columns, with the lists that the columns copy."""
    puts: list[Put] = field(default_factory=list)
    """Objects put into lists, in order."""
    untold: set[str] = field(default_factory=set)
    """Dtypes of tables that got a number of unknown identity."""
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
    """Puts by which a number may have come into lists, found by `_settle`."""
    _reached: dict[Value, frozenset[Object]] = field(default_factory=dict)
    """Holders of a number including those found that way."""
    _sharing: list[frozenset[Object]] = field(default_factory=list)
    """Sets of lists that may hold the same numbers."""

    def mark(self) -> int:
        """Return the present state; what is known of values of the graph stays."""
        return len(self.puts)

    def rollback(self, mark: int) -> None:
        """Undo what was put into lists after the mark."""
        del self.puts[mark:]

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

    def note_put(self, number: Value, owner: Object) -> None:
        """Note that a number was put into a list; arrays keep their identity."""
        if isinstance(number.type, ArrayType) or is_its_value(number) or owner in self.copies:
            return
        self._held_by(number, owner)
        self.puts.append(Put(owner, (number,)))

    def note_of_table(self, owner: Object) -> None:
        """Note that a number with a table place was put into a list without places."""
        self.puts.append(Put(owner, (), again=True))

    def note_boxed(self, number: Value, owner: Object) -> None:
        """Note that a number known to be in the table or not was put into it."""
        self.puts.append(Put(owner, (number,), boxed=True))

    def note_unplaced(self, number: Value) -> None:
        """Note that a number without a table place is handed over where one is required.

        Handed over again it would become another object.
        """
        if not is_its_value(number):
            self.puts.append(Put(OUTSIDE, (number,), unplaced=True))

    def note_constant(self, constant: object, owner: Object) -> None:
        """Note that a constant was put into a list."""
        if type(constant) not in (bool, int) and owner not in self.copies:
            self.puts.append(Put(owner, (), constant=id(constant), kept=constant))

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

    def note_row_put(self, row: Tuple, owner: Object) -> None:
        """Note that a tuple was put into a list."""
        again = owner in self._lists_with(row)
        noted = self._note_row(row, owner)
        values = tuple(value for _, value in parts_of(row))
        outside = row.source is not None
        self.puts.append(Put(owner, values, row=noted, again=again, from_outside=outside))

    def _lists_with(self, row: Tuple) -> set[Object]:
        """Return lists that may hold this very tuple."""
        parts = parts_of(row)
        if not parts:
            rows = {put.row for put in self.puts if put.row is not None and not put.values}
            return {one.owner for one in rows if one.may_be(row)}
        met = {mark for place, value in parts for mark in self._marks(value) if mark[0] == place}
        rows = {one for _, one in met if one.may_be(row)}
        return {one.owner for one in rows if all((k, one) in met for k in one.places)}

    def _marks(self, value: Value) -> frozenset[tuple[int, Row]]:
        return self._parts.get(value, frozenset())

    def note_iterations(self, first: int, made: set[Value]) -> None:
        """Note that puts since `first` occur in each iteration, which makes the values `made`."""
        for k, put in enumerate(self.puts[first:], first):
            if made.isdisjoint(put.values):
                self.puts[k] = replace(put, again=True)

    def note_outside(self, number: Value) -> None:
        """Note that a number is, or may be, an object from outside: a constant."""
        if not is_its_value(number):
            self._holders[number] = self._holders_of(number) | {OUTSIDE}

    def share(self, one: Object, other: Object) -> None:
        """Note that both lists may hold the same numbers."""
        self._sharing.append(frozenset((one, other)))

    # ---- where ways meet -------------------------------------------------------------------------

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
        """Propagate puts backward: a list that got a merged value got each path's value."""
        back: dict[Value, set[int]] = {}
        for k, put in enumerate(self.puts):
            if put.row is None and not (put.boxed or put.unplaced):
                for value in put.values:
                    back.setdefault(value, set()).add(k)
        known = -1
        while (now := sum(map(len, back.values()))) != known:
            known = now
            for output, values in reversed(self._met):
                for value in values if output in back else ():
                    back.setdefault(value, set()).update(back[output])
        self._back = back
        self._reached = dict(self._holders)
        for value, puts in back.items():
            self._reached[value] = self._in(value) | {self.puts[k].owner for k in puts}
        known = -1
        while (now := sum(map(len, self._reached.values()))) != known:
            known = now
            for output, values in self._met:
                found = frozenset[Object]().union(*map(self._in, values)) - {OUTSIDE}
                self._reached[output] = self._in(output) | found

    def _in(self, number: Value) -> frozenset[Object]:
        """Return lists that may hold a number."""
        return self._reached.get(number, frozenset())

    def _is_given_otherwise(self, put: int) -> bool:
        """True if the list of a put may get the same number by another put."""
        owner = self.puts[put].owner
        return any(
            put in puts and any(k != put and self.puts[k].owner is owner for k in puts)
            for puts in self._back.values()
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
                raise SameObject(plain)
            return
        tables = found & set(self.heap.tables.values())
        makers: set[Plain] = {
            self.made_at[value]
            for put in self.puts
            for value in put.values
            if value in self.made_at
            and (put.owner in tables or (put.unplaced and tables & self._tables_of(put)))
        }
        raise SameObject((makers - self.boxed) or {*plain, *map(self.told, found)})

    def _shared(
        self, numbers: set[Value], grown: set[Object], rows: set[Tuple], constants: set[int]
    ) -> set[Object]:
        """Return lists and tables with an item whose identity would differ observably."""
        twice, outside = self._twice(), self._from_outside()
        held = grown | self.copies.keys()
        found = {put.owner for put in self.puts if put.constant in constants} & grown
        with_constants = {put.owner for put in self.puts if put.constant is not None}
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
        for put in self.puts:
            if put.unplaced and put.values[0] in numbers:
                found |= self._tables_of(put)
        return found

    def _twice(self) -> set[Object]:
        """Return lists that may hold one object twice."""
        brought = dict[Value, frozenset[Object]]()
        marks = dict[Value, frozenset[tuple[int, Row]]]()
        for output, values in self._met:
            brought[output] = brought.get(output, frozenset()) | self._all_holders(values)
            marks[output] = marks.get(output, frozenset()).union(*map(self._marks, values))
        found: set[Object] = {self.heap.tables[c] for c in self.untold if c in self.heap.tables}
        seen: set[tuple[Value | int | None, Object]] = set()
        for k, put in enumerate(self.puts):
            again = put.again
            if put.unplaced:
                again |= (put.values[0], OUTSIDE) in seen
                seen.add((put.values[0], OUTSIDE))
                found |= self._tables_of(put) if again else set()
                continue
            if put.row is not None:  # all of it came from where the list had got it
                parts = ((k, v) for v in put.values for k, row in self._marks(v) if row is put.row)
                owners = {
                    k
                    for k, v in parts
                    if any(place == k and row.owner is put.owner for place, row in marks.get(v, ()))
                }
                again |= bool(put.values) and owners == put.row.places
            elif put.boxed:
                again |= put.owner in self._in(put.values[0])
            elif put.values:
                (number,) = put.values
                again |= (number, put.owner) in self._items | seen
                again |= put.owner in brought.get(number, ()) or self._is_given_otherwise(k)
                seen.add((number, put.owner))
            else:
                again |= (put.constant, put.owner) in seen
                seen.add((put.constant, put.owner))
            if again:
                found.add(put.owner)
        return found

    def _tables_of(self, put: Put) -> set[Object]:
        """Return the table of a number's dtype as a set, which may be empty."""
        type_ = put.values[0].type
        table = self.heap.tables.get(type_.char) if isinstance(type_, ScalarType) else None
        return set() if table is None else {table}

    def _from_outside(self) -> set[Object]:
        """Return lists that may hold objects from outside."""

        def told(put: Put) -> bool:
            return put.boxed or put.unplaced or put.row is not None

        return {
            put.owner
            for put in self.puts
            if put.from_outside or (not told(put) and OUTSIDE in self._all_holders(put.values))
        }

    def _with_all_sharing(self, lists: frozenset[Object]) -> frozenset[Object]:
        """Return these lists and those that may hold the same numbers."""
        found = lists
        while True:
            more = found.union(*(one for one in self._sharing if one & found))
            if more == found:
                return found
            found = more

    def told(self, one: Object) -> Plain:
        """Return what identifies the list in the next capture."""
        if one in self.copies:
            return self.copies[one]
        for char, table in self.heap.tables.items():
            if table is one:
                return table_of(char)
        born = self.heap.born(one)
        return born - sum(self.heap.born(table) < born for table in self.heap.tables.values())
