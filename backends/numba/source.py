"""Builds the text of a kernel: lines, indentation, insertion points, fresh names."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from .library.names import BUILTINS
from .lines import Line, Point, in_order


class Source:
    """The lines of a Python function under construction."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        """Create it; `reserved` names, like Python's own, are not used for variables."""
        self._depth = 1
        self.parts: dict[str, list[Line]] = {}
        """Lines of the functions that the kernel calls, by name."""
        self.scratch: dict[str, str] = {}
        """Variables for scratch memory and their definitions; each thread needs its own."""
        self._texts: list[list[Line | Point]] = [[]]
        """The function's lines, and those that `captured` and `at` are collecting, innermost last.
        """
        self._names: dict[str, int] = dict.fromkeys((*BUILTINS.split(), *reserved), 1)

    def line(self, code: str, note: str = "") -> None:
        """Append a line at the current depth, with a comment if there is a note."""
        self._texts[-1].append(Line(code, self._depth, note))

    def bail(self, check: int, exit_: int, note: str) -> None:
        """Append a bail, with the number of the check that failed."""
        self._texts[-1].append(Line(f"return bail(w, {check}, {exit_})", self._depth, note, exit_))

    def scratch_line(self, name: str, place: str, note: str) -> None:
        """Append the definition of a variable for scratch memory."""
        self.scratch[name] = place
        self.line(f"{name} = {place}", note)

    @contextmanager
    def indented(self, header: str = "", note: str = "") -> Iterator[None]:
        """Append `header` and indent what is written inside, `pass` if that is nothing.

        Without a header, a point before the block has to get one.
        """
        if header:
            self.line(header, note)
        self._depth += 1
        text = self._texts[-1]
        before = len(text)
        yield
        if len(text) == before:
            self.line("pass")
        self._depth -= 1

    # ---- insertion -------------------------------------------------------------------------------

    def point(self) -> Point:
        """Append a point at which lines can be inserted later."""
        made = Point(self._depth)
        self._texts[-1].append(made)
        return made

    @contextmanager
    def at(self, point: Point) -> Iterator[None]:
        """Insert the lines written inside at a point, after those inserted before."""
        depth, self._depth = self._depth, point.depth
        self._texts.append(point.written)
        yield
        self._texts.pop()
        self._depth = depth

    @contextmanager
    def captured(self) -> Iterator[list[Line | Point]]:
        """Collect the lines written inside as the body of a function, instead of appending them."""
        depth, self._depth = self._depth, 1
        text: list[Line | Point] = []
        self._texts.append(text)
        yield text
        self._texts.pop()
        self._depth = depth

    def append(self, lines: Iterable[Line]) -> None:
        """Append the captured body of a function as a part of the block."""
        self._texts[-1] += (line.deeper(self._depth - 1) for line in lines)

    # ---- what is written -------------------------------------------------------------------------

    def lines(self) -> Iterator[Line]:
        """Yield all lines written so far."""
        for text in self._texts:
            yield from in_order(text)

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
