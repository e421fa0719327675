"""Builds the text of a kernel: lines, indentation, fresh names."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from .library.names import BUILTINS


class Source:
    """The lines of a Python function under construction."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        """Create it; `reserved` names, like Python's own, are not used for variables."""
        self.lines: list[str] = []
        self.depth = 1
        self.parts: dict[str, list[str]] = {}
        """Lines of the functions that the kernel calls, by name."""
        self.scratch: dict[str, str] = {}
        """Variables for scratch memory and their definitions; each thread needs its own."""
        self._ahead: list[str] = []
        """Lines to be inserted at the place of `begin_ahead`."""
        self._ahead_at = 0
        self._names: dict[str, int] = dict.fromkeys((*BUILTINS.split(), *reserved), 1)

    def line(self, text: str) -> None:
        """Append a line at the current depth."""
        self.lines.append("    " * self.depth + text)

    def scratch_line(self, name: str, place: str, note: str) -> None:
        """Append the definition of a variable for scratch memory."""
        self.scratch[name] = place
        self.line(f"{name} = {place}  # {note}")

    def begin_ahead(self) -> None:
        """Mark the place at which `ahead` inserts lines."""
        self._ahead_at = len(self.lines)

    def ahead(self, text: str) -> None:
        """Insert a line before everything written since `begin_ahead`."""
        self._ahead.append("    " + text)

    @contextmanager
    def indented(self, header: str) -> Iterator[None]:
        """Append `header` and indent what is written inside."""
        self.line(header)
        self.depth += 1
        yield
        self.depth -= 1

    def taken(self) -> frozenset[str]:
        """Return the names in use."""
        return frozenset(self._names)

    def name(self, wanted: str) -> str:
        """Return a fresh variable name that resembles the wanted one."""
        clean = re.sub(r"\W", "_", wanted) or "t"
        if keyword.iskeyword(clean) or clean[0].isdigit():
            clean = "_" + clean
        taken = self._names.get(clean, 0)
        self._names[clean] = taken + 1
        return clean if taken == 0 else self.name(f"{clean}_{taken}")

    def body(self) -> list[str]:
        """Return the lines of the function."""
        return [*self.lines[: self._ahead_at], *self._ahead, *self.lines[self._ahead_at :]]
