"""Which numbers may be items of lists that grow: a list gives other objects than it was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...jit.ir.builder import Builder
from ...jit.ir.graph import Value
from ...jit.ir.types import ScalarType
from .heap import Heap
from .values import List, Object

OUTSIDE = List()
"""Stands for whoever holds a number that came from outside."""


class SameObject(Exception):  # noqa: N818
    """A number of a list that grows would be seen to be another object than in eager.

    The list is then not to grow in a new capture.
    """

    def __init__(self, born: set[int]) -> None:
        super().__init__()
        self.born = born
        """How many objects were made before each of the lists."""


@dataclass(slots=True)
class SameObjects:
    """Numbers that are, or may be, one object with an item of a list that grows."""

    builder: Builder
    heap: Heap
    _holders: dict[Value, frozenset[Object]] = field(default_factory=dict)
    _sharing: list[frozenset[Object]] = field(default_factory=list)
    """Lists that were given one number."""

    def note_item(self, number: Value, owner: Object) -> None:
        """A number is an item of a list that grows.

        Raises:
            SameObject: it is one from outside.
        """
        if _is_its_value(number):
            return
        if self._may_be_from_outside(number):
            raise SameObject({self.heap.born(owner)})
        holders = self._holders[number] = self._holders.get(number, frozenset()) | {owner}
        if len(holders) > 1:
            self._sharing.append(holders)

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

    def check(self, numbers: set[Value], grown: set[Object]) -> None:
        """These numbers and lists are handed over.

        Raises:
            SameObject: a number may be an item of one of the lists, or of two of them.
        """
        for number in numbers:
            self._refuse(self._with_all_sharing(self._holders.get(number, frozenset())) & grown)
        for owner in grown:
            others = self._with_all_sharing(frozenset({owner})) & grown
            self._refuse(others if len(others) > 1 else frozenset())

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
            raise SameObject({self.heap.born(one) for one in lists})

    def _may_be_from_outside(self, number: Value) -> bool:
        return number in self.builder.params or OUTSIDE in self._holders.get(number, ())


def _is_its_value(number: Value) -> bool:
    """Whether nobody asks which object a number is: Python's ints and bools."""
    type_ = number.type
    return isinstance(type_, ScalarType) and type_.python and type_.dtype.kind in "bi"
