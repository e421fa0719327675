"""Reads and writes the packed tables of code objects: exception regions and source positions.

The bytes are exactly those of CPython's assembler (`Objects/exception_handling_notes.txt` and
`Objects/locations.md` describe the formats).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Positions = tuple[int | None, int | None, int | None, int | None]
"""(line, end line, column, end column), as `CodeType.co_positions` returns them."""
Region = tuple[int, int, int, int, bool]
"""(start, end, handler, depth, lasti); the first three in code units of two bytes."""


def read_exception_table(table: bytes) -> Iterator[Region]:
    """Yield the regions of `co_exceptiontable` in order."""
    numbers = _read_varints(table)
    for start in numbers:
        size, target, packed = next(numbers), next(numbers), next(numbers)
        yield start, start + size, target, packed >> 1, bool(packed & 1)


def _read_varints(table: bytes) -> Iterator[int]:
    """Decode ints of six bits per byte, most significant first; bit 6 marks continuation."""
    value = 0
    for byte in table:
        value = value << 6 | byte & 63
        if not byte & 64:
            yield value
            value = 0


def write_exception_table(regions: Iterable[Region]) -> bytes:
    """Return the bytes of `co_exceptiontable` for regions in order."""
    out = bytearray()
    for start, end, target, depth, lasti in regions:
        first = len(out)
        for number in (start, end - start, target, depth << 1 | lasti):
            _write_big_endian(out, number)
        out[first] |= 128  # marks the start of an entry for the interpreter's binary search
    return bytes(out)


def _write_big_endian(out: bytearray, number: int) -> None:
    shift = 6 * max(0, (number.bit_length() - 1) // 6)
    while shift:
        out.append(number >> shift & 63 | 64)
        shift -= 6
    out.append(number & 63)


def write_line_table(spans: Iterable[tuple[Positions, int]], first_line: int) -> bytes:
    """Return the bytes of `co_linetable` for (positions, size in code units), in order."""
    out = bytearray()
    line = first_line
    for positions, size in spans:
        # an entry covers at most eight units; like CPython, fill the first entries completely
        while size > 8:
            line = _write_location(out, positions, 8, line)
            size -= 8
        line = _write_location(out, positions, size, line)
    return bytes(out)


def _write_location(out: bytearray, positions: Positions, size: int, last_line: int) -> int:
    """Append one entry in the shortest possible form; return the line of the next entry's base."""
    line, end_line, column, end_column = positions
    if line is None:
        out.append(_head(15, size))
        return last_line
    delta = line - last_line
    if column is None or end_column is None:
        if end_line in (line, None):
            out.append(_head(13, size))
            _write_signed(out, delta)
            return line
    elif end_line == line:
        if delta == 0 and column < 80 and 0 <= end_column - column < 16:
            out += bytes((_head(column >> 3, size), (column & 7) << 4 | end_column - column))
            return line
        if 0 <= delta < 3 and column < 128 and end_column < 128:
            out += bytes((_head(10 + delta, size), column, end_column))
            return line
    out.append(_head(14, size))
    _write_signed(out, delta)
    _write_little_endian(out, (line if end_line is None else end_line) - line)
    _write_little_endian(out, 0 if column is None else column + 1)
    _write_little_endian(out, 0 if end_column is None else end_column + 1)
    return line


def _head(code: int, size: int) -> int:
    return 128 | code << 3 | size - 1


def _write_signed(out: bytearray, number: int) -> None:
    """Append a signed int; its sign is bit 0."""
    _write_little_endian(out, -number << 1 | 1 if number < 0 else number << 1)


def _write_little_endian(out: bytearray, number: int) -> None:
    """Append an int with six bits per byte, least significant first; bit 6 marks continuation."""
    while number >= 64:
        out.append(number & 63 | 64)
        number >>= 6
    out.append(number)
