"""Sources of what C makes of objects: a number, an array of what a container holds, an index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .frozen import dataclass

if TYPE_CHECKING:
    from .sources import Fields, Slots, Source


@dataclass(frozen=True, slots=True)
class Number:
    """A number of one of several types, converted to a Python float or int of the same value."""

    owner: Source
    kinds: int
    """Mask of admitted types, with the bits of `numbers.py`."""
    whole: bool
    """True to convert to an int, False to a float."""
    exact: bool = False
    """True if an int must be exactly representable as a float."""

    def __str__(self) -> str:
        return str(self.owner)

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        how = self.whole | self.exact << 1
        return "FETCH_NUMBER", {"a": program.slot(self.owner), "b": how, "c": self.kinds}

    def reach(self, live: tuple[Any, ...]) -> Any:
        number = self.owner.reach(live)
        return int(number) if self.whole else float(number)


@dataclass(frozen=True, slots=True)
class Spread:
    """A number or an array of doubles: an array as long as another, each item of which is it."""

    owner: Source
    like: Source
    """An array with one axis."""
    kinds: int
    """Mask of admitted types of numbers, as for `Number`."""

    def __str__(self) -> str:
        return str(self.owner)

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        slots = program.slot(self.owner), program.slot(self.like)
        return "FETCH_SPREAD", {"a": slots[0], "b": slots[1], "c": self.kinds}

    def reach(self, live: tuple[Any, ...]) -> Any:
        found, shape = self.owner.reach(live), self.like.reach(live).shape
        if np.shape(found) not in ((), shape):
            raise LookupError(str(self))
        return found if np.ndim(found) else np.full(shape, found, np.float64)


@dataclass(frozen=True, slots=True)
class IndexOf:
    """The index at which a list first holds an object; those before it compare by identity."""

    owner: Source
    item: Source

    def __str__(self) -> str:
        return f"{self.owner}.index({self.item})"

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        return "FETCH_INDEX_OF", {"a": program.slot(self.owner), "b": program.slot(self.item)}

    def reach(self, live: tuple[Any, ...]) -> Any:
        item = self.item.reach(live)
        for place, held in enumerate(self.owner.reach(live)):
            if held is item:
                return place
        raise LookupError(str(self))


PARTS: Final = ("items", "keys", "values", "slots", "places", "rows")
"""Parts of containers, in the order of `FJ_ITEMS` in listed.h; "slots" is a hash table."""
GRID, FLAT, STARTS, ENDS = range(4)
"""Columns of the part "rows", which is what the lists in a list hold: an array of two axes, if they
are equally long; the numbers of all lists one after the other; where each list begins, and ends."""
_WORDS: Final = ("numbers", "numbers", "starts", "ends")


@dataclass(frozen=True, slots=True)
class Listed:
    """The numbers in a list, its lists, a set, dict or deque, converted to an array."""

    owner: Source
    whole: bool
    """True if the items are ints."""
    part: str = "items"
    """One of `PARTS`."""
    width: int = 0
    """Number of ints in each item, if the items are tuples; 0 for numbers."""
    column: int = 0
    """The index, in an item, of the numbers that the array holds; for "rows" see `GRID`."""
    longest: int | None = None
    """The greatest length of a deque."""
    numpy: bool = False
    """True if the numbers are NumPy's."""

    def __str__(self) -> str:
        if self.part == "rows":
            return f"{_WORDS[self.column]} of lists in {self.owner}"
        if self.part == "items" and not self.width:
            return str(self.owner)
        return f"{self.part} of {self.owner}" + (f", column {self.column}" if self.width else "")

    def fetch(self, program: Slots) -> tuple[str, Fields]:
        longest = -1 if self.longest is None else self.longest
        code = self.whole | PARTS.index(self.part) << 1 | self.width << 4 | self.column << 8
        code |= self.numpy << 12
        return "FETCH_LISTED", {"a": program.slot(self.owner), "b": code, "c": longest}

    def reach(self, live: tuple[Any, ...]) -> Any:
        owner = self.owner.reach(live)
        if self.part in ("slots", "places"):
            raise LookupError(f"only C makes the {self}")
        found = list(owner.values() if self.part == "values" else owner)
        if self.part == "rows":
            return self._of_rows(found)
        if self.width:
            if any(type(one) is not tuple or len(one) != self.width for one in found):
                raise LookupError(str(self))
            found = [one[self.column] for one in found]
        return self._array(found)

    def _of_rows(self, rows: list[Any]) -> Any:
        """Return what a column of the part "rows" holds."""
        if any(type(row) is not list for row in rows):
            raise LookupError(str(self))
        lengths = [len(row) for row in rows]
        if self.column in (STARTS, ENDS):
            ends = np.cumsum(lengths, dtype=np.int64)
            return ends - lengths if self.column == STARTS else ends
        found = self._array([number for row in rows for number in row])
        if self.column == FLAT:
            return found
        if len(set(lengths)) != 1:
            raise LookupError(str(self))
        return found.reshape(len(rows), lengths[0])

    def _array(self, found: list[Any]) -> Any:
        """Return numbers as an array."""
        python = int if self.whole else float
        kind = (np.int64 if self.whole else np.float64) if self.numpy else python
        if any(type(one) is not kind for one in found):
            raise LookupError(str(self))
        if self.whole and not all(-(2**63) <= one < 2**63 for one in found):
            raise LookupError(str(self))
        return np.array(found, np.int64 if self.whole else np.float64)
