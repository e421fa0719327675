"""Which numbers may be items of lists that grow: a list gives other objects than it was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ....jit.ir.builder import Builder
from ....jit.ir.graph import Value
from ....jit.ir.types import ArrayType, ScalarType
from ..values import List, Object, Tuple
from .heap import Heap

Plain = int | tuple[object, ...]
"""What tells a list from others in each capture: how many objects were made before it, or of which
items it is a copy."""
OUTSIDE = List()
"""Stands for whoever holds a number that came from outside."""


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
    copies: dict[Object, tuple[object, ...]] = field(default_factory=dict)
    """Lists of the graph's own, of numbers that are held elsewhere: only their items are others."""
    rows: dict[Tuple, set[Plain]] = field(default_factory=dict)
    """Items of copies that are made of their columns, of which each is a copy of these numbers."""
    puts: list[tuple[Value | None, Object]] = field(default_factory=list)
    """Numbers that lists were given, in order; None for a constant."""
    _holders: dict[Value, frozenset[Object]] = field(default_factory=dict)
    _given: dict[Value, frozenset[Object]] = field(default_factory=dict)
    """Those of the lists that were given the number."""
    _met: list[tuple[Value, tuple[Value, ...]]] = field(default_factory=list)
    _constants: set[tuple[int, Object]] = field(default_factory=set)
    _sharing: list[frozenset[Object]] = field(default_factory=list)
    """Lists that were given one number."""
    _twice: set[Object] = field(default_factory=set)
    """Lists that may hold one number twice."""

    def note_item(self, number: Value, owner: Object) -> None:
        """A number is an item of a list that grows.

        Raises:
            SameObject: it is one from outside.
        """
        if _is_its_value(number):
            return
        if self._may_be_from_outside(number):
            raise SameObject({self.told(owner)})
        holders = self._holders[number] = self._holders.get(number, frozenset()) | {owner}
        if len(holders) > 1:
            self._sharing.append(holders)

    def note_put(self, number: Value, owner: Object) -> None:
        """The same of a number that the list is given here; an array is its own object."""
        if isinstance(number.type, ArrayType) or _is_its_value(number) or owner in self.copies:
            return
        if owner in self._holders.get(number, ()):
            self._twice.add(owner)
        self.note_item(number, owner)
        self.puts.append((number, owner))
        self._given[number] = self._given.get(number, frozenset()) | {owner}

    def note_constant(self, constant: object, owner: Object) -> None:
        """The same of a constant."""
        if type(constant) in (bool, int) or owner in self.copies:
            return
        if (id(constant), owner) in self._constants:
            self._twice.add(owner)
        self._constants.add((id(constant), owner))
        self.puts.append((None, owner))

    def note_turns(self, first: int, made: set[Value]) -> None:
        """The puts from the first one on are those of each turn; what a turn makes is `made`."""
        self._twice.update(owner for number, owner in self.puts[first:] if number not in made)

    def share(self, one: Object, other: Object) -> None:
        """Both lists may hold the same numbers."""
        self._sharing.append(frozenset((one, other)))

    def meet(self, output: Value, values: Sequence[Value]) -> None:
        """`output` is one of these numbers, as the way is that was taken."""
        holders = frozenset[Object]().union(*(self._holders.get(v, ()) for v in values))
        if not _is_its_value(output) and any(map(self._may_be_from_outside, values)):
            holders |= {OUTSIDE}
        if holders:
            self._holders[output] = holders | self._holders.get(output, frozenset())
        self._met.append((output, tuple(values)))

    def _settle(self) -> None:
        """What a turn hands over, later ones find: a list may be given it again."""
        known = -1
        while (now := sum(map(len, self._holders.values()))) != known:
            known = now
            for output, values in self._met:
                holders = frozenset[Object]().union(*(self._holders.get(v, ()) for v in values))
                self._holders[output] = self._holders.get(output, frozenset()) | holders
                self._twice |= holders & self._given.get(output, frozenset())

    def check(self, numbers: set[Value], grown: set[Object]) -> None:
        """These numbers and lists are handed over.

        Raises:
            SameObject: a number may be an item of one of the lists, or of two of them, or twice, or
                one that the graph has a copy of.
        """
        self._settle()
        held = grown | self.copies.keys()
        for number in numbers:
            self._refuse(self._with_all_sharing(self._holders.get(number, frozenset())) & held)
        for owner in grown:
            others = self._with_all_sharing(frozenset({owner})) & held
            self._refuse(others if len(others) > 1 else frozenset())
            if self._with_all_sharing(frozenset({owner})) & self._twice:
                self._refuse(frozenset({owner}))

    def check_row(self, row: Tuple) -> None:
        """A tuple is handed over.

        Raises:
            SameObject: it is an item of a copy, which is equal to the program's own.
        """
        if row in self.rows:
            raise SameObject(self.rows[row])

    def _with_all_sharing(self, lists: frozenset[Object]) -> frozenset[Object]:
        """These lists, and those that may hold the same numbers."""
        found = lists
        while True:
            more = found.union(*(one for one in self._sharing if one & found))
            if more == found:
                return found
            found = more

    def _refuse(self, lists: frozenset[Object]) -> None:
        if lists:
            raise SameObject({self.told(one) for one in lists})

    def told(self, one: Object) -> Plain:
        """What tells the list from others in the next capture."""
        return self.copies.get(one, self.heap.born(one))

    def _may_be_from_outside(self, number: Value) -> bool:
        return number in self.builder.params or OUTSIDE in self._holders.get(number, ())


def _is_its_value(number: Value) -> bool:
    """Whether nobody asks which object a number is: Python's ints and bools."""
    type_ = number.type
    return isinstance(type_, ScalarType) and type_.python and type_.dtype.kind in "bi"
