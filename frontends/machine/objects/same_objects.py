"""Which numbers may be items of lists that grow: a list gives other objects than it was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import CodeType

from ....jit.ir.builder import Builder
from ....jit.ir.graph import Value
from ....jit.ir.types import ArrayType, ScalarType
from ..values import Object, Tuple
from .heap import Heap
from .puts import OUTSIDE, Put, Row, is_its_value, parts_of, table_of

MadeAt = tuple[CodeType, int]
"""An instruction."""
Plain = int | str | tuple[object, ...] | MadeAt
"""What tells a list from others in each capture: how many objects were made before it, of which
items it is a copy, or which table it is. Of a number: the instruction that makes it."""


class SameObject(Exception):  # noqa: N818
    """A number of a list that grows would be seen to be another object than in eager.

    The list is then not to grow in a new capture, or to have no copy.
    """

    def __init__(self, plain: set[Plain]) -> None:
        super().__init__()
        self.plain = plain


@dataclass(slots=True)
class SameObjects:
    """Numbers that are, or may be, one object with an item of a list that grows."""

    builder: Builder
    heap: Heap
    boxed: frozenset[Plain] = frozenset()
    """Lists of which it is told which object each number is, and what makes such numbers, see
    boxes.py."""
    copies: dict[Object, tuple[object, ...]] = field(default_factory=dict)
    """Lists of the graph's own, of numbers that are held elsewhere: only their items are others."""
    rows: dict[Tuple, set[Plain]] = field(default_factory=dict)
    """Items of copies that are made of their columns, of which each is a copy of these numbers."""
    puts: list[Put] = field(default_factory=list)
    """What lists were given, in order."""
    untold: set[str] = field(default_factory=set)
    """Dtypes of tables that were given a number of which nobody knows which object it is."""
    placed: set[Value] = field(default_factory=set)
    """Places of numbers that are in a table."""
    made_at: dict[Value, MadeAt] = field(default_factory=dict)
    """Where numbers were made."""
    _holders: dict[Value, frozenset[Object]] = field(default_factory=dict)
    """Lists that may hold a number, and OUTSIDE."""
    _items: set[tuple[Value, Object]] = field(default_factory=set)
    """Numbers that lists have given."""
    _parts: dict[Value, frozenset[tuple[int, Row]]] = field(default_factory=dict)
    """Of which tuples in lists a value may be an item, and where in them."""
    _met: list[tuple[Value, tuple[Value, ...]]] = field(default_factory=list)
    _back: dict[Value, set[int]] = field(default_factory=dict)
    """By which puts a number may have come into lists, as `_settle` has found."""
    _reached: dict[Value, frozenset[Object]] = field(default_factory=dict)
    """The holders, as far as that tells of more."""
    _sharing: list[frozenset[Object]] = field(default_factory=list)
    """Lists that were given one number."""

    # ---- what lists hold -------------------------------------------------------------------------

    def note_item(self, number: Value, owner: Object) -> None:
        """A list that grows gives a number, or a part of an item."""
        if not is_its_value(number):
            self._items.add((number, owner))
            self._held_by(number, owner)

    def _held_by(self, number: Value, owner: Object) -> None:
        holders = self._holders[number] = self._holders_of(number) | {owner}
        if len(holders) > 1:
            self._sharing.append(holders - {OUTSIDE})

    def note_put(self, number: Value, owner: Object) -> None:
        """It is given a number; an array is its own object."""
        if isinstance(number.type, ArrayType) or is_its_value(number) or owner in self.copies:
            return
        self._held_by(number, owner)
        self.puts.append(Put(owner, (number,)))

    def note_of_table(self, owner: Object) -> None:
        """A list that tells no objects apart is given a number that has a place in a table."""
        self.puts.append(Put(owner, (), again=True))

    def note_boxed(self, number: Value, owner: Object) -> None:
        """A table is given a number of which it is known whether it is in there."""
        self.puts.append(Put(owner, (number,), boxed=True))

    def note_unplaced(self, number: Value) -> None:
        """A number is handed over where its place in a table is asked for, but has none so far.

        Handed over again it would be another object there.
        """
        if not is_its_value(number):
            self.puts.append(Put(OUTSIDE, (number,), unplaced=True))

    def note_constant(self, constant: object, owner: Object) -> None:
        """It is given a constant."""
        if type(constant) not in (bool, int) and owner not in self.copies:
            self.puts.append(Put(owner, (), constant=id(constant), kept=constant))

    def note_row(self, row: Tuple, owner: Object) -> None:
        """It gives a tuple."""
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
        """It is given a tuple."""
        again = owner in self._lists_with(row)
        noted = self._note_row(row, owner)
        values = tuple(value for _, value in parts_of(row))
        outside = row.source is not None
        self.puts.append(Put(owner, values, row=noted, again=again, from_outside=outside))

    def _lists_with(self, row: Tuple) -> set[Object]:
        """Lists that may hold the very tuple."""
        parts = parts_of(row)
        if not parts:
            rows = {put.row for put in self.puts if put.row is not None and not put.values}
            return {one.owner for one in rows if one.may_be(row)}
        met = {mark for place, value in parts for mark in self._marks(value) if mark[0] == place}
        rows = {one for _, one in met if one.may_be(row)}
        return {one.owner for one in rows if all((k, one) in met for k in one.places)}

    def _marks(self, value: Value) -> frozenset[tuple[int, Row]]:
        return self._parts.get(value, frozenset())

    def note_turns(self, first: int, made: set[Value]) -> None:
        """The puts from the first one on are those of each turn; what a turn makes is `made`."""
        for k, put in enumerate(self.puts[first:], first):
            if made.isdisjoint(put.values):
                self.puts[k] = replace(put, again=True)

    def note_outside(self, number: Value) -> None:
        """A number is, or may be, an object from outside: a constant."""
        if not is_its_value(number):
            self._holders[number] = self._holders_of(number) | {OUTSIDE}

    def share(self, one: Object, other: Object) -> None:
        """Both lists may hold the same numbers."""
        self._sharing.append(frozenset((one, other)))

    # ---- where ways meet -------------------------------------------------------------------------

    def meet(self, output: Value, values: Sequence[Value]) -> None:
        """`output` is one of these numbers, as the way is that was taken."""
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
        """What a turn hands over, later ones find: a list may be given it again."""
        known = -1
        while (now := sum(map(len, (*self._holders.values(), *self._parts.values())))) != known:
            known = now
            for output, values in self._met:
                self._hand_on(output, values)
        self._find_ways_back()

    def _find_ways_back(self) -> None:
        """A list that was given what one of several ways brings was given what that way had."""
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
        """Lists that may hold a number, by whichever way."""
        return self._reached.get(number, frozenset())

    def _is_given_otherwise(self, put: int) -> bool:
        """Whether the list of a put may be given the same number by another one."""
        owner = self.puts[put].owner
        return any(
            put in puts and any(k != put and self.puts[k].owner is owner for k in puts)
            for puts in self._back.values()
        )

    # ---- what is handed over ---------------------------------------------------------------------

    def check(
        self, numbers: set[Value], grown: set[Object], rows: set[Tuple], constants: set[int]
    ) -> None:
        """These numbers, lists, tuples and constants, by address, are handed over.

        Raises:
            SameObject: a number or tuple may be an item of one of the lists, or of two of them, or
                twice, or one from outside, or one that the graph has a copy of.
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
        """Lists and tables of which an item would be seen to be another object than in eager."""
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
        """Those of numbers that may be one: lists gave them, or one has a place, another none."""
        found: set[Object] = set()
        for owner in {owner for _, owner in self._items}:
            if sum(owner in self._in(one) for one in numbers) > 1:
                found.add(owner)
        for put in self.puts:
            if put.unplaced and put.values[0] in numbers:
                found |= self._tables_of(put)
        return found

    def _twice(self) -> set[Object]:
        """Lists that may hold one object twice."""
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
            if put.row is not None:  # all of it came from where the list had been given it
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
        """The table of a number's dtype, where there is one."""
        type_ = put.values[0].type
        table = self.heap.tables.get(type_.char) if isinstance(type_, ScalarType) else None
        return set() if table is None else {table}

    def _from_outside(self) -> set[Object]:
        """Lists that may hold objects from outside."""

        def told(put: Put) -> bool:
            return put.boxed or put.unplaced or put.row is not None

        return {
            put.owner
            for put in self.puts
            if put.from_outside or (not told(put) and OUTSIDE in self._all_holders(put.values))
        }

    def _with_all_sharing(self, lists: frozenset[Object]) -> frozenset[Object]:
        """These lists, and those that may hold the same numbers."""
        found = lists
        while True:
            more = found.union(*(one for one in self._sharing if one & found))
            if more == found:
                return found
            found = more

    def told(self, one: Object) -> Plain:
        """What tells the list from others in the next capture."""
        if one in self.copies:
            return self.copies[one]
        for char, table in self.heap.tables.items():
            if table is one:
                return table_of(char)
        born = self.heap.born(one)
        return born - sum(self.heap.born(table) < born for table in self.heap.tables.values())
