"""Code units put between the instructions of a code object; all others move along as they are.

In: a code object and, for places in it, code units.  Out: the code object with them.  To decode and
assemble would take 18 times as long, and this is done for each function of a program when it is
loaded: so only jumps are looked at, which are all relative, and the tables.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, compress
from opcode import opmap
from types import CodeType
from typing import Any, Final, NamedTuple

from .codetables import read_exception_table, write_exception_table
from .version import LAYOUT

UNIT: Final = 2
"""Bytes of a code unit."""
CACHES: Final = {opmap[name]: count for name, count in LAYOUT.caches.items()}
DIRECTIONS: Final = {opmap[name]: direction for name, direction in LAYOUT.jumps.items()}
EXTENDED_ARG: Final = opmap["EXTENDED_ARG"]

IS_HEAD: Final = bytes(byte >> 7 for byte in range(256))
"""Of a byte of the line table: whether an entry begins with it."""
NOT_HEADS: Final = bytes(range(128))
UNITS: Final = bytes((byte & 7) + 1 for byte in range(256))
"""How many units the entry covers that begins with this byte."""
ONE_LINE, NO_COLUMNS, LONG = 10, 13, 14
"""Kinds of entries that say how many lines lie between the one before and this one: for ONE_LINE
and the two behind it that is the kind less ONE_LINE, for the others the first number."""


class Jump(NamedTuple):
    """A jump as it stands in the bytes; places are counted in units."""

    start: int
    """Its first EXTENDED_ARG, if it has one: where jumps to it land."""
    at: int
    """Its opcode."""
    end: int
    """Behind its inline caches: what its argument counts from."""
    direction: int
    target: int


def marks_of(opcodes: Collection[int]) -> bytes:
    """A table for `places`."""
    return bytes(opcode in opcodes for opcode in range(256))


def places(opcodes: bytes, marks: bytes) -> Iterator[int]:
    """Yields the places of some opcodes among those of a code object; a cache is 0 there."""
    return compress(range(len(opcodes)), opcodes.translate(marks))


_JUMPS: Final = marks_of(DIRECTIONS)


def find_jumps(raw: bytes) -> list[Jump]:
    """All jumps of `co_code`, in their order."""
    opcodes, args = raw[::UNIT], raw[1::UNIT]
    jumps = []
    for at in places(opcodes, _JUMPS):
        start = at
        arg, shift = args[at], 0
        while start and opcodes[start - 1] == EXTENDED_ARG:
            start, shift = start - 1, shift + 8
            arg |= args[start] << shift
        opcode = opcodes[at]
        end = at + 1 + CACHES.get(opcode, 0)
        direction = DIRECTIONS[opcode]
        jumps.append(Jump(start, at, end, direction, end + direction * arg))
    return jumps


class Shift(NamedTuple):
    """How units move when others are put before some of them."""

    places: list[int]
    sums: list[int]

    @classmethod
    def by(cls, counts: dict[int, int]) -> Shift:
        """From the number of units that come before each place."""
        places = sorted(counts)
        return cls(places, [0, *accumulate(counts[place] for place in places)])

    def moved(self, unit: int) -> int:
        """Where a jump to this unit lands: on what has been put before it, if anything has."""
        return unit + self.sums[bisect_left(self.places, unit)]


def insert(
    code: CodeType, pieces: dict[int, bytes], jumps: Sequence[Jump], **changes: Any
) -> CodeType:
    """The code with these units before these places; whoever comes to a place comes through them.

    They have the position and the handler of the instruction that they stand before, and nothing
    jumps out of them.  `jumps` are those of the code; `changes` go to `CodeType.replace`.
    """
    return code.replace(**inserted(code, pieces, jumps), **changes)


def inserted(code: CodeType, pieces: dict[int, bytes], jumps: Sequence[Jump]) -> dict[str, Any]:
    """Returns the attributes that `insert` changes: instructions and tables."""
    counts = {at: len(piece) // UNIT for at, piece in pieces.items()}
    shift, longer = _settle(counts, jumps)
    return {
        "co_code": _moved_code(code.co_code, pieces, jumps, shift, longer),
        "co_linetable": _moved_lines(code.co_linetable, shift),
        "co_exceptiontable": _moved_handlers(code.co_exceptiontable, shift),
    }


def _settle(counts: dict[int, int], jumps: Sequence[Jump]) -> tuple[Shift, dict[int, int]]:
    """How all units move, and the EXTENDED_ARGs that jumps get because they have become longer."""
    longer: dict[int, int] = {}
    while True:
        both = {at: counts.get(at, 0) + longer.get(at, 0) for at in counts.keys() | longer.keys()}
        shift = Shift.by(both)
        grown = False
        for jump in jumps:
            width = jump.at - jump.start + 1 + longer.get(jump.start, 0)
            if _argument(jump, shift) >> 8 * width:
                longer[jump.start] = longer.get(jump.start, 0) + 1
                grown = True
        if not grown:
            return shift, longer


def _argument(jump: Jump, shift: Shift) -> int:
    return (shift.moved(jump.target) - shift.moved(jump.end)) * jump.direction


def _moved_code(
    raw: bytes,
    pieces: dict[int, bytes],
    jumps: Sequence[Jump],
    shift: Shift,
    longer: dict[int, int],
) -> bytes:
    out = bytearray(raw)
    fronts = dict(pieces)
    for jump in jumps:
        arg = _argument(jump, shift)
        more, width = longer.get(jump.start, 0), jump.at - jump.start
        if not more and arg == (jump.target - jump.end) * jump.direction:
            continue
        words = bytearray(out[jump.start * UNIT : (jump.at + 1) * UNIT])
        words[:0] = bytes((EXTENDED_ARG, 0)) * more
        words[1::UNIT] = arg.to_bytes(more + width + 1, "big")
        out[jump.start * UNIT : (jump.at + 1) * UNIT] = words[more * UNIT :]
        if more:
            fronts[jump.start] = fronts.get(jump.start, b"") + words[: more * UNIT]
    parts: list[bytes | bytearray] = []
    before = 0
    for at in sorted(fronts):
        parts += (out[before * UNIT : at * UNIT], fronts[at])
        before = at
    return b"".join((*parts, out[before * UNIT :]))


# ---- the tables --------------------------------------------------------------------------------


def _moved_lines(table: bytes, shift: Shift) -> bytes:
    """The table of locations: the entry of what stands behind an insertion covers it, too.

    To a debugger that is one line, which begins with what was inserted.
    """
    starts = list(compress(range(len(table)), table.translate(IS_HEAD)))
    ends = list(accumulate(table.translate(None, NOT_HEADS).translate(UNITS)))
    starts.append(len(table))
    more: dict[int, int] = {}
    for place, before, after in zip(shift.places, shift.sums, shift.sums[1:], strict=False):
        entry = bisect_right(ends, place)
        if entry < len(ends):  # code that a tool has made may have a table that ends early
            more[entry] = more.get(entry, 0) + after - before
    parts: list[bytes] = []
    last = 0
    for entry, count in more.items():
        start, end = starts[entry], starts[entry + 1]
        parts += (table[last:start], _longer(table[start:end], count))
        last = end
    return b"".join((*parts, table[last:]))


def _longer(entry: bytes, count: int) -> bytes:
    """An entry of the table of locations that covers so many units more, as several if need be."""
    units = (entry[0] & 7) + 1 + count
    out, form = b"", entry
    while units:
        first = min(units, 8)
        out += bytes((form[0] & ~7 | first - 1,)) + form[1:]
        units -= first
        if form is entry and units:
            form = _on_the_same_line(entry)
    return out


def _on_the_same_line(entry: bytes) -> bytes:
    """An entry for the same location, behind another one for it."""
    kind = entry[0] >> 3 & 15
    if ONE_LINE < kind < NO_COLUMNS:
        return bytes((0x80 | ONE_LINE << 3,)) + entry[1:]
    if kind not in (NO_COLUMNS, LONG):
        return entry
    end = 1
    while entry[end] & 0x40:
        end += 1
    return entry[:1] + b"\0" + entry[end + 1 :]


def _moved_handlers(table: bytes, shift: Shift) -> bytes:
    return write_exception_table(
        (shift.moved(start), shift.moved(end), shift.moved(target), depth, lasti)
        for start, end, target, depth, lasti in read_exception_table(table)
    )


def units_of(words: Sequence[tuple[str, int]]) -> bytes:
    """The code units of some instructions, with their EXTENDED_ARGs and empty inline caches."""
    out = bytearray()
    for name, arg in words:
        for part in range(8 * ((max(arg.bit_length(), 1) - 1) // 8), 0, -8):
            out += bytes((EXTENDED_ARG, arg >> part & 255))
        out += bytes((opmap[name], arg & 255)) + bytes(UNIT * LAYOUT.caches.get(name, 0))
    return bytes(out)
