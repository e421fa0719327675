"""Where things stand: the word layout of a kernel and the tables that the launcher reads."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...jit.addresses import Address
from ...jit.ir.types import ArrayType, ScalarType
from ...jit.native import LOADS, ROOM, WORDS

ARRAY_SPEC = struct.Struct("=6i8b")
LOAD = struct.Struct("=4i")
FRESH, SORTED = -1, -2
"""In place of a base: memory of its own, with the axes in the order of the type; or as NumPy's
iterator places them for operands in that order."""
MAX_ROOMS = 24
"""Arrays that stand in the scratch where they are small, so that all of it stays in an L1 cache."""


@dataclass(eq=False, slots=True)
class Tables:
    """Words, slots and packed tables of one entry, growing while the kernel is written."""

    n_slots: int
    """Slots in use; those of the live-ins and of guard sources come first."""
    objects: list[Any]
    """The entry's objects, shared with its guard program."""
    words: list[int] = field(default_factory=lambda: [0] * WORDS["FIRST"])
    addresses: list[tuple[int, Address]] = field(default_factory=list)
    """Words that hold an address of this process, and how another one finds it."""
    loads: list[bytes] = field(default_factory=list)
    n_entry_loads: int = 0
    """Loads of live-ins; those of opaque results come after them."""
    arrays: list[tuple[int, ...]] = field(default_factory=list)
    _as_objects: set[int] = field(default_factory=set)
    """Slots whose arrays have to be objects of NumPy's."""
    calls: list[bytes] = field(default_factory=list)
    guards: list[bytes] = field(default_factory=list)
    """Guards of opaque results; they come after the `n_guards` of the entry."""
    n_guards: int = 0
    scratch: int = 0
    """Bytes of scratch."""

    def reserve(self, count: int) -> int:
        """The first of `count` fresh words."""
        first = len(self.words)
        self.words += [0] * count
        return first

    def constant_word(self, value: int) -> int:
        """A word that holds this value at every launch."""
        index = self.reserve(1)
        self.words[index] = value
        return index

    def address_word(self, address: Address) -> int:
        """A word that holds an address at every launch."""
        word = self.constant_word(address.find())
        self.addresses.append((word, address))
        return word

    def fresh_slot(self) -> int:
        """A slot for an object made while the kernel runs."""
        self.n_slots += 1
        return self.n_slots - 1

    def as_object(self, slot: int) -> int:
        """The slot, for a text or a table that needs what stands there as an object."""
        self._as_objects.add(slot)
        return slot

    def object(self, value: Any) -> int:
        """Index of an object in the entry's tuple."""
        for index, known in enumerate(self.objects):
            if known is value:
                return index
        self.objects.append(value)
        return len(self.objects) - 1

    def load_array(self, slot: int, ndim: int) -> int:
        """Words of an array that stands in a slot: data, dims, strides."""
        word = self.reserve(1 + 2 * ndim)
        self.loads.append(LOAD.pack(LOADS["ARRAY"], slot, word, ndim))
        return word

    def load_scalar(self, slot: int, type_: ScalarType, word: int | None = None) -> int:
        """Words of a scalar that stands in a slot: fresh ones, or those that it has."""
        word = self.reserve(2) if word is None else word
        kinds = {"?": "INT", "l": "INT", "d": "FLOAT", "D": "COMPLEX"}
        kind = kinds[type_.dtype.char] if type_.python else "SCALAR"
        self.loads.append(LOAD.pack(LOADS[kind], slot, word, 0))
        return word

    def new_array(self, type_: ArrayType, base: int = FRESH) -> tuple[int, int, int]:
        """An array that the kernel makes: (index for alloc, slot, first word).

        `base`: the slot of the array that it is a window on, or FRESH, or SORTED.
        """
        slot, word = self.fresh_slot(), self.reserve(1 + 2 * type_.ndim)
        order = [*type_.layout.order, *[0] * (8 - type_.ndim)]
        dtype = self.object(np.dtype(type_.dtype))
        self.arrays.append((slot, word, type_.ndim, dtype, base, *order))
        return len(self.arrays) - 1, slot, word

    def packed_arrays(self) -> bytes:
        """What the kernel allocates, once it is written.

        The first of those that nobody needs as objects have room in the scratch.
        """
        packed, rooms = b"", 0
        for slot, word, ndim, dtype, base, *order in self.arrays:
            room = -1
            if base in (FRESH, SORTED) and slot not in self._as_objects and rooms < MAX_ROOMS:
                room, rooms = self.new_scratch(ROOM), rooms + 1
            packed += ARRAY_SPEC.pack(slot, word, ndim, dtype, base, room, *order)
        return packed

    def new_scratch(self, size: int) -> int:
        """Offset of fresh scratch memory, aligned to a cache line."""
        offset = self.scratch
        self.scratch += (size + 63) & ~63
        return offset
