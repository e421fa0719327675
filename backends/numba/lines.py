"""One line of a kernel's text, and places in the text at which lines may still be inserted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from ...jit.frozen import dataclass

# Writers of ops compose a line from the expressions of its operands. Only the text has all names
# that occur in these, so names and targets are read there.
NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
"""A variable or function in the code of a line; attributes are none."""
_ASSIGNED = re.compile(r"(?P<target>\w+) (?P<operator>[^\s=]{0,2})= ")
_LOOP = re.compile(r"for (?P<target>\w+) in ")


@dataclass(frozen=True, slots=True)
class Line:
    """A statement without its blocks, or the header of a block."""

    code: str
    depth: int = 0
    """Number of blocks around it."""
    note: str = ""
    """A comment."""
    exit: int | None = None
    """Number of the exit if the line is a bail; None if it is anything else."""

    def __str__(self) -> str:
        return "    " * self.depth + self.code + (f"  # {self.note}" if self.note else "")

    def deeper(self, by: int) -> Line:
        """Return the line with this many more blocks around it."""
        return replace(self, depth=self.depth + by)

    @property
    def names(self) -> list[str]:
        """Return the variables and functions that the line names, with repetitions."""
        return NAME.findall(self.code)

    @property
    def target(self) -> str:
        """Return the variable that the line assigns or loops over; "" if there is none."""
        found = _ASSIGNED.match(self.code) or _LOOP.match(self.code)
        return found["target"] if found else ""

    @property
    def assignment(self) -> tuple[str, str, str] | None:
        """Return variable, operator ("" without one) and expression of an assignment."""
        found = _ASSIGNED.match(self.code)
        return found and (found["target"], found["operator"], self.code[found.end() :])

    @property
    def is_loop(self) -> bool:
        """True for the header of a `for`."""
        return self.code.startswith("for ")

    @property
    def returns(self) -> bool:
        """True if the line leaves its function."""
        return self.code.startswith("return ")

    @property
    def continues(self) -> bool:
        """True for the header of another branch of the statement above it."""
        return self.code.startswith(("else:", "elif "))


@dataclass(eq=False, slots=True)
class Point:
    """A place in the text, at which `Source.at` inserts lines after those behind it are written."""

    depth: int
    written: list[Line | Point] = field(default_factory=list)


def in_order(written: Iterable[Line | Point]) -> Iterator[Line]:
    """Yield lines in the order of the text, inserted ones included."""
    for one in written:
        if isinstance(one, Line):
            yield one
        else:
            yield from in_order(one.written)
