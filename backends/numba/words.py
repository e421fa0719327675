"""The word layout of a kernel, and the tables that the launcher reads."""

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
"""In place of a base: new memory with the type's axis order, or with the order that NumPy's
iterator chooses for operands in that order."""
MAX_ROOMS = 24
"""Arrays that use scratch memory if they are small; few enough to stay in an L1 cache."""


@dataclass(eq=False, slots=True)
class Tables:
    """Words, slots and packed tables of one entry, filled while the kernel is written."""

    n_slots: int
    """Number of slots in use; live-ins and guard sources come first."""
    objects: list[Any]
    """Objects of the entry, shared with its guard program."""
    words: list[int] = field(default_factory=lambda: [0] * WORDS["FIRST"])
    addresses: list[tuple[int, Address]] = field(default_factory=list)
    """Words that hold an address of this process, and how other processes find it."""
    loads: list[bytes] = field(default_factory=list)
    n_entry_loads: int = 0
    """Number of loads for live-ins; those for opaque results follow."""
    arrays: list[tuple[int, ...]] = field(default_factory=list)
    _as_objects: set[int] = field(default_factory=set)
    """Slots whose arrays must be NumPy objects."""
    calls: list[bytes] = field(default_factory=list)
    guards: list[bytes] = field(default_factory=list)
    """Packed guards of opaque results; they follow the entry's `n_guards`."""
    n_guards: int = 0
    scratch: int = 0
    """Bytes of scratch memory."""

    def reserve(self, count: int) -> int:
        """Reserve `count` words and return the first."""
        first = len(self.words)
        self.words += [0] * count
        return first

    def constant_word(self, value: int) -> int:
        """Return a word that holds this value in every launch."""
        index = self.reserve(1)
        self.words[index] = value
        return index

    def address_word(self, address: Address) -> int:
        """Return a word that holds this address in every launch."""
        word = self.constant_word(address.find())
        self.addresses.append((word, address))
        return word

    def fresh_slot(self) -> int:
        """Return a slot for an object made while the kernel runs."""
        self.n_slots += 1
        return self.n_slots - 1

    def as_object(self, slot: int) -> int:
        """Note that the array in a slot is needed as an object; return the slot."""
        self._as_objects.add(slot)
        return slot

    def object(self, value: Any) -> int:
        """Return the index of an object in the entry's tuple."""
        for index, known in enumerate(self.objects):
            if known is value:
                return index
        self.objects.append(value)
        return len(self.objects) - 1

    def load_array(self, slot: int, ndim: int) -> int:
        """Reserve words for the data, dims and strides of the array in a slot; return the first."""
        word = self.reserve(1 + 2 * ndim)
        self.loads.append(LOAD.pack(LOADS["ARRAY"], slot, word, ndim))
        return word

    def load_scalar(self, slot: int, type_: ScalarType, word: int | None = None) -> int:
        """Return the word of the scalar in a slot.

        New words are reserved unless `word` is given.
        """
        word = self.reserve(2) if word is None else word
        kinds = {"?": "INT", "l": "INT", "d": "FLOAT", "D": "COMPLEX"}
        kind = kinds[type_.dtype.char] if type_.python else "SCALAR"
        self.loads.append(LOAD.pack(LOADS[kind], slot, word, 0))
        return word

    def new_array(self, type_: ArrayType, base: int = FRESH) -> tuple[int, int, int]:
        """Declare an array that the kernel makes; return (index for `alloc`, slot, first word).

        `base` is the slot of the array that it is a view of, or FRESH, or SORTED.
        """
        slot, word = self.fresh_slot(), self.reserve(1 + 2 * type_.ndim)
        order = [*type_.layout.order, *[0] * (8 - type_.ndim)]
        dtype = self.object(np.dtype(type_.dtype))
        self.arrays.append((slot, word, type_.ndim, dtype, base, *order))
        return len(self.arrays) - 1, slot, word

    def packed_arrays(self) -> bytes:
        """Return the specs of all arrays that the kernel allocates.

        The first of those that are not needed as objects may use scratch memory.
        """
        packed, rooms = b"", 0
        for slot, word, ndim, dtype, base, *order in self.arrays:
            room = -1
            if base in (FRESH, SORTED) and slot not in self._as_objects and rooms < MAX_ROOMS:
                room, rooms = self.new_scratch(ROOM), rooms + 1
            packed += ARRAY_SPEC.pack(slot, word, ndim, dtype, base, room, *order)
        return packed

    def new_scratch(self, size: int) -> int:
        """Reserve scratch memory, aligned to a cache line; return its offset."""
        offset = self.scratch
        self.scratch += (size + 63) & ~63
        return offset
