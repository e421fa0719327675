"""Text of a kernel: lines, indentation, names."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from .library.names import BUILTINS


class Source:
    """Lines of a Python function under construction."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        """`reserved` names stand for something else in the text, as those of Python's do."""
        self.lines: list[str] = []
        self.depth = 1
        self.parts: dict[str, list[str]] = {}
        """Functions that the kernel calls: their lines, by name."""
        self.scratch: dict[str, str] = {}
        """Variables that are places in the scratch, and what they are: each thread has its own."""
        self._ahead: list[str] = []
        """Lines that come to stand before those from a place on."""
        self._ahead_at = 0
        self._names: dict[str, int] = dict.fromkeys((*BUILTINS.split(), *reserved), 1)

    def line(self, text: str) -> None:
        """Appends one line at the current depth."""
        self.lines.append("    " * self.depth + text)

    def scratch_line(self, name: str, place: str, note: str) -> None:
        """Appends the line of a variable that is a place in the scratch."""
        self.scratch[name] = place
        self.line(f"{name} = {place}  # {note}")

    def begin_ahead(self) -> None:
        """What `ahead` appends stands here."""
        self._ahead_at = len(self.lines)

    def ahead(self, text: str) -> None:
        """Appends a line to those that stand before all that was written since `begin_ahead`."""
        self._ahead.append("    " + text)

    @contextmanager
    def indented(self, header: str) -> Iterator[None]:
        """A block under `header`."""
        self.line(header)
        self.depth += 1
        yield
        self.depth -= 1

    def taken(self) -> frozenset[str]:
        """The names that something in the text has by now."""
        return frozenset(self._names)

    def name(self, wanted: str) -> str:
        """A fresh variable name, as near to the wanted one as possible."""
        clean = re.sub(r"\W", "_", wanted) or "t"
        if keyword.iskeyword(clean) or clean[0].isdigit():
            clean = "_" + clean
        taken = self._names.get(clean, 0)
        self._names[clean] = taken + 1
        return clean if taken == 0 else self.name(f"{clean}_{taken}")

    def body(self) -> list[str]:
        """The lines of the function."""
        return [*self.lines[: self._ahead_at], *self._ahead, *self.lines[self._ahead_at :]]
