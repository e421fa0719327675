"""Assembles instructions with symbolic jump targets into a code object.

Input: `Line`s, label positions, and the code object whose names, constants and flags are kept. This
is the only writer of whole bytecode: `encode` and `rewrite` make lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from opcode import EXTENDED_ARG, opmap
from types import CodeType
from typing import Final

from ...jit.frozen import dataclass
from .codetables import Positions, Region, write_exception_table, write_line_table
from .model import Decoded, Handler, Instruction
from .version import LAYOUT, rows_of

OPCODES: Final = {name: opmap[name] for name in rows_of(LAYOUT.version)}
CACHES: Final = LAYOUT.caches
DIRECTIONS: Final = LAYOUT.jumps


@dataclass(frozen=True, slots=True)
class Line:
    """One instruction to write."""

    opcode: str
    arg: int
    """Raw argument; a jump's only sets the minimum size of the jump."""
    positions: Positions
    handler: Handler | None
    """Exception handler; its `target` is a label, as for a jump."""
    label: int | None = None
    """Label that it jumps to."""


def encode(decoded: Decoded) -> CodeType:
    """Assemble decoded code again; the result is byte for byte the original."""
    lines = [line_of(instruction) for instruction in decoded.instructions]
    return assemble(decoded.code, lines, range(len(lines)))


def line_of(instruction: Instruction) -> Line:
    """Convert an original instruction to a line; its labels are instruction indices."""
    return Line(
        instruction.opcode,
        instruction.arg,
        instruction.positions,
        instruction.handler,
        instruction.target,
    )


def assemble(
    code: CodeType,
    lines: Sequence[Line],
    labels: Sequence[int],
    consts: tuple[object, ...] | None = None,
    stack_size: int | None = None,
) -> CodeType:
    """Assemble `lines`; label number n stands before line ``labels[n]``."""
    args, starts = _resolve(lines, labels)
    return code.replace(
        co_code=_write_code(lines, args, starts),
        co_exceptiontable=write_exception_table(_regions(lines, starts, labels)),
        co_linetable=write_line_table(_spans(lines, starts), code.co_firstlineno),
        co_consts=code.co_consts if consts is None else consts,
        co_stacksize=code.co_stacksize if stack_size is None else stack_size,
    )


def starts_of(lines: Sequence[Line], labels: Sequence[int]) -> list[int]:
    """Return the code unit at which `assemble` puts each line."""
    return _resolve(lines, labels)[1]


def _resolve(lines: Sequence[Line], labels: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the final arguments, and the unit at which each line starts (plus the end).

    A jump's size depends on its distance and the distance on sizes, so sizes grow until they are
    stable. They start from the original ones, because there can be two stable solutions (a backward
    jump of 255 units, or of 256 with the EXTENDED_ARG that 256 needs) and the compiler does not
    always take the shorter.
    """
    args = [line.arg for line in lines]
    sizes = [_units(line.arg) + CACHES.get(line.opcode, 0) for line in lines]
    jumps = [index for index, line in enumerate(lines) if line.label is not None]
    while True:
        starts = [0, *accumulate(sizes)]
        grown = False
        for index in jumps:
            line = lines[index]
            assert line.label is not None
            distance = starts[labels[line.label]] - starts[index + 1]
            args[index] = distance * DIRECTIONS[line.opcode]
            if args[index] < 0:
                raise ValueError(f"{line.opcode} to the wrong side, at line {line.positions[0]}")
            size = _units(args[index]) + CACHES.get(line.opcode, 0)
            if size > sizes[index]:
                sizes[index], grown = size, True
        if not grown:
            return args, starts


def _units(arg: int) -> int:
    """Return the units of an instruction without inline caches: one per byte of the argument."""
    return max(1, (arg.bit_length() + 7) // 8)


def _write_code(lines: Sequence[Line], args: Sequence[int], starts: Sequence[int]) -> bytes:
    out = bytearray()
    for index, (line, arg) in enumerate(zip(lines, args, strict=True)):
        caches = CACHES.get(line.opcode, 0)
        prefixes = starts[index + 1] - starts[index] - caches - 1
        for shift in range(8 * prefixes, 0, -8):
            out += bytes((EXTENDED_ARG, arg >> shift & 255))
        out += bytes((OPCODES[line.opcode], arg & 255))
        out += bytes(2 * caches)
    return bytes(out)


def _regions(lines: Sequence[Line], starts: Sequence[int], labels: Sequence[int]) -> list[Region]:
    """Return exception regions; adjacent lines with the same handler are merged."""
    regions: list[Region] = []
    for index, line in enumerate(lines):
        handler = line.handler
        if handler is None:
            continue
        start, end = starts[index], starts[index + 1]
        region = (start, end, starts[labels[handler.target]], handler.depth, handler.lasti)
        if regions and regions[-1][1] == start and regions[-1][2:] == region[2:]:
            region = (regions.pop()[0], *region[1:])
        regions.append(region)
    return regions


def _spans(lines: Sequence[Line], starts: Sequence[int]) -> list[tuple[Positions, int]]:
    """Return positions and size of each entry of the line table."""
    spans: list[tuple[Positions, int]] = []
    for index, line in enumerate(lines):
        size = starts[index + 1] - starts[index]
        if LAYOUT.merges_locations and spans and spans[-1][0] == line.positions:
            size += spans.pop()[1]
        spans.append((line.positions, size))
    return spans
