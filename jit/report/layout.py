"""Formats for a terminal: counts, tables, wrapped text, times and sizes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

WIDTH = 100


def count(number: int, noun: str) -> str:
    """Return a number and its noun: "1 break", "2 breaks"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def times(number: int) -> str:
    """Return a number of times in words."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def lines(first: int, last: int) -> str:
    """Return a range: "line 3" or "lines 3-5"."""
    return f"line {first}" if last <= first else f"lines {first}-{last}"


def duration(seconds: float) -> str:
    """Return a time with at most three digits: "2.9 us", "88 us", "1.2 ms", "0.4 s"."""
    for unit, scale in (("s", 1.0), ("ms", 1e3)):
        if seconds * scale >= (0.1 if unit == "s" else 1.0):
            break
    else:
        unit, scale = "us", 1e6
    return (
        f"{seconds * scale:.1f} {unit}" if seconds * scale < 10 else f"{seconds * scale:.0f} {unit}"
    )


def size(number: int) -> str:
    """Return a size: "800 B", "16 kB", "1.6 MB"."""
    if number < 1000:
        return f"{number} B"
    scaled, unit = (number / 1e3, "kB") if number < 1e6 else (number / 1e6, "MB")
    return f"{scaled:.1f} {unit}" if scaled < 10 else f"{scaled:,.0f} {unit}"


def percent(share: float) -> str:
    """Return a share: "7 %", or "under 1 %"."""
    return "under 1 %" if 0 < share < 0.01 else f"{share * 100:.0f} %"


def table(rows: Sequence[tuple[str, ...]], sides: str) -> Iterator[str]:
    """Yield rows in aligned columns; `sides` has "<" or ">" for each."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, sides, strict=True)
        yield ("  " + "  ".join(f"{text:{side}{width}}" for text, width, side in cells)).rstrip()


def wrapped(text: str, indent: str, hanging: str | None = None) -> list[str]:
    """Wrap a text: the first line indented, others hanging, by default two columns more."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  " if hanging is None else hanging,
        break_on_hyphens=False,
    )


def shortened(line: str, width: int = WIDTH) -> str:
    """Shorten a line to the width of a terminal, or to `width`."""
    return line if len(line) <= width else line[: width - 3] + "..."
