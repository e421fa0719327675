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

    def note_item(self, number: Value, owner: Object) -> None:
        """A number is an item of a list that grows.

        Raises:
            SameObject: it is one from outside.
        """
        if _is_its_value(number):
            return
        if self._may_be_from_outside(number):
            raise SameObject({self.heap.born(owner)})
        self._holders[number] = self._holders.get(number, frozenset()) | {owner}

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
            SameObject: a number may be an item of one of the lists.
        """
        for number in numbers:
            both = self._holders.get(number, frozenset()) & grown
            if both:
                raise SameObject({self.heap.born(one) for one in both})

    def _may_be_from_outside(self, number: Value) -> bool:
        return number in self.builder.params or OUTSIDE in self._holders.get(number, ())


def _is_its_value(number: Value) -> bool:
    """Whether nobody asks which object a number is: Python's ints and bools."""
    type_ = number.type
    return isinstance(type_, ScalarType) and type_.python and type_.dtype.kind in "bi"
