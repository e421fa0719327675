"""A scanner for one line of text."""

from __future__ import annotations

import ast
import re
from typing import Any, NoReturn

STRING = re.compile(r"""b?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
SHOWN = 20
"""Number of characters of unexpected text that messages show."""


class ParseError(Exception):
    """The text is not that of a graph; `line` and `column` count from 1."""

    def __init__(self, line: int, column: int, expected: str, found: str) -> None:
        super().__init__(f"line {line}, column {column}: expected {expected}, found {found}")
        self.line, self.column = line, column
        self.expected, self.found = expected, found


class Scanner:
    """A line of text and the position up to which it has been read."""

    def __init__(self, text: str, line: int) -> None:
        self._text = text
        self._line = line
        self.place = 0
        self.skip()

    def skip(self) -> None:
        """Advance over spaces."""
        while self._text[self.place : self.place + 1] == " ":
            self.place += 1

    def fail(self, expected: str, place: int | None = None) -> NoReturn:
        """Raise ParseError about the present position, or `place`."""
        at = self.place if place is None else place
        found = self._text[at:]
        shown = found if len(found) <= SHOWN else f"{found[:SHOWN]}..."
        text = repr(shown) if shown else "the end of the line"
        raise ParseError(self._line, at + 1, expected, text)

    def match(self, pattern: str | re.Pattern[str]) -> re.Match[str] | None:
        """Consume a match of the pattern and the spaces after it.

        None if it does not match here.
        """
        found = re.compile(pattern).match(self._text, self.place)
        if found is not None:
            self.place = found.end()
            self.skip()
        return found

    def need(self, pattern: str | re.Pattern[str], expected: str) -> str:
        """Consume and return a match of the pattern; raise ParseError if there is none."""
        found = self.match(pattern)
        return found[0] if found is not None else self.fail(expected)

    def take(self, literal: str) -> bool:
        """Consume a literal and return True if it stands here.

        A word must not continue after it.
        """
        end = r"\b" if literal[-1].isalnum() else ""
        return self.match(re.escape(literal) + end) is not None

    def expect(self, literal: str) -> None:
        """Consume a literal, or raise ParseError."""
        if not self.take(literal):
            self.fail(f"`{literal}`")

    def integer(self, expected: str = "a number") -> int:
        """Consume a decimal number."""
        return int(self.need(r"-?\d+", expected))

    def string(self) -> Any:
        """Consume a Python str or bytes literal; None if there is none."""
        found = self.match(STRING)
        return None if found is None else ast.literal_eval(found[0])

    @property
    def at_end(self) -> bool:
        """True if the whole line has been read."""
        return self.place == len(self._text)

    def end(self) -> None:
        """Raise ParseError if part of the line has not been read."""
        if not self.at_end:
            self.fail("the end of the line")
