"""Inserts code units into a code object, moving everything else along unchanged.

Decoding and assembling would take 18 times as long, and this is done for each function that a
program loads. Only the tables and jumps, which are all relative, are adjusted.
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
"""Size of a code unit in bytes."""
CACHES: Final = {opmap[name]: count for name, count in LAYOUT.caches.items()}
DIRECTIONS: Final = {opmap[name]: direction for name, direction in LAYOUT.jumps.items()}
EXTENDED_ARG: Final = opmap["EXTENDED_ARG"]

IS_HEAD: Final = bytes(byte >> 7 for byte in range(256))
"""For each byte of the line table: 1 if it begins an entry."""
NOT_HEADS: Final = bytes(range(128))
UNITS: Final = bytes((byte & 7) + 1 for byte in range(256))
"""Number of units covered by an entry that begins with this byte."""
ONE_LINE, NO_COLUMNS, LONG = 10, 13, 14
"""Kinds of line table entries with a line delta: for ONE_LINE and the next two, kind - ONE_LINE;
for the others, the first number."""


class Jump(NamedTuple):
    """A jump in the bytecode; positions are in units."""

    start: int
    """Its first EXTENDED_ARG, if any: where jumps to it land."""
    at: int
    """Position of its opcode."""
    end: int
    """Position after its inline caches, from which its argument counts."""
    direction: int
    target: int


def marks_of(opcodes: Collection[int]) -> bytes:
    """Return a table for `places` that marks these opcodes."""
    return bytes(opcode in opcodes for opcode in range(256))


def places(opcodes: bytes, marks: bytes) -> Iterator[int]:
    """Yield the positions of marked opcodes; inline caches count as opcode 0."""
    return compress(range(len(opcodes)), opcodes.translate(marks))


_JUMPS: Final = marks_of(DIRECTIONS)


def find_jumps(raw: bytes) -> list[Jump]:
    """Return all jumps of `co_code` in order."""
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
    """The displacement of units when others are inserted before some of them."""

    places: list[int]
    sums: list[int]

    @classmethod
    def by(cls, counts: dict[int, int]) -> Shift:
        """Make it from the number of units inserted before each position."""
        places = sorted(counts)
        return cls(places, [0, *accumulate(counts[place] for place in places)])

    def moved(self, unit: int) -> int:
        """Return where a jump to this unit lands: on the units inserted before it, if any."""
        return unit + self.sums[bisect_left(self.places, unit)]


def insert(
    code: CodeType, pieces: dict[int, bytes], jumps: Sequence[Jump], **changes: Any
) -> CodeType:
    """Insert code units at positions; whoever reaches a position passes through them.

    They get the source position and handler of the instruction after them, and must not jump out.
    `jumps` are those of the code; `changes` go to `CodeType.replace`.
    """
    return code.replace(**inserted(code, pieces, jumps), **changes)


def inserted(code: CodeType, pieces: dict[int, bytes], jumps: Sequence[Jump]) -> dict[str, Any]:
    """Return the attributes that `insert` changes: instructions and tables."""
    counts = {at: len(piece) // UNIT for at, piece in pieces.items()}
    shift, longer = _settle(counts, jumps)
    return {
        "co_code": _moved_code(code.co_code, pieces, jumps, shift, longer),
        "co_linetable": _moved_lines(code.co_linetable, shift),
        "co_exceptiontable": _moved_handlers(code.co_exceptiontable, shift),
    }


def _settle(counts: dict[int, int], jumps: Sequence[Jump]) -> tuple[Shift, dict[int, int]]:
    """Compute how units move, and the EXTENDED_ARGs that jumps need because they get longer."""
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
    """Adjust the location table: an entry extends over the insertion before it.

    To a debugger that is one line, beginning with the insertion.
    """
    starts = list(compress(range(len(table)), table.translate(IS_HEAD)))
    ends = list(accumulate(table.translate(None, NOT_HEADS).translate(UNITS)))
    starts.append(len(table))
    more: dict[int, int] = {}
    for place, before, after in zip(shift.places, shift.sums, shift.sums[1:], strict=False):
        entry = bisect_right(ends, place)
        if entry < len(ends):  # generated code may have a table that ends early
            more[entry] = more.get(entry, 0) + after - before
    parts: list[bytes] = []
    last = 0
    for entry, count in more.items():
        start, end = starts[entry], starts[entry + 1]
        parts += (table[last:start], _longer(table[start:end], count))
        last = end
    return b"".join((*parts, table[last:]))


def _longer(entry: bytes, count: int) -> bytes:
    """Extend a location table entry by some units, splitting it if necessary."""
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
    """Return a further entry for the same location."""
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
    """Encode instructions with EXTENDED_ARGs and empty inline caches."""
    out = bytearray()
    for name, arg in words:
        for part in range(8 * ((max(arg.bit_length(), 1) - 1) // 8), 0, -8):
            out += bytes((EXTENDED_ARG, arg >> part & 255))
        out += bytes((opmap[name], arg & 255)) + bytes(UNIT * LAYOUT.caches.get(name, 0))
    return bytes(out)
