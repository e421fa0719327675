"""Reading one line of text, from the left to the right."""

from __future__ import annotations

import ast
import re
from typing import Any, NoReturn

STRING = re.compile(r"""b?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
SHOWN = 20
"""Characters of what was found that a message shows."""


class ParseError(Exception):
    """A text that is not the text of a graph; `line` and `column` count from 1."""

    def __init__(self, line: int, column: int, expected: str, found: str) -> None:
        super().__init__(f"line {line}, column {column}: expected {expected}, found {found}")
        self.line, self.column = line, column
        self.expected, self.found = expected, found


class Scanner:
    """A line and the place up to which it has been read."""

    def __init__(self, text: str, line: int) -> None:
        self._text = text
        self._line = line
        self.place = 0
        self.skip()

    def skip(self) -> None:
        """Goes to the next character that is no space."""
        while self._text[self.place : self.place + 1] == " ":
            self.place += 1

    def fail(self, expected: str, place: int | None = None) -> NoReturn:
        """Raises ParseError for what stands here, or at another place."""
        at = self.place if place is None else place
        found = self._text[at:]
        shown = found if len(found) <= SHOWN else f"{found[:SHOWN]}..."
        text = repr(shown) if shown else "the end of the line"
        raise ParseError(self._line, at + 1, expected, text)

    def match(self, pattern: str | re.Pattern[str]) -> re.Match[str] | None:
        """Takes what a pattern finds here, and the spaces behind it."""
        found = re.compile(pattern).match(self._text, self.place)
        if found is not None:
            self.place = found.end()
            self.skip()
        return found

    def need(self, pattern: str | re.Pattern[str], expected: str) -> str:
        """The text that a pattern finds here; else ParseError."""
        found = self.match(pattern)
        return found[0] if found is not None else self.fail(expected)

    def take(self, literal: str) -> bool:
        """True if this stood here, which is then behind; a word must end there."""
        end = r"\b" if literal[-1].isalnum() else ""
        return self.match(re.escape(literal) + end) is not None

    def expect(self, literal: str) -> None:
        """Takes this, or raises ParseError."""
        if not self.take(literal):
            self.fail(f"`{literal}`")

    def integer(self, expected: str = "a number") -> int:
        """A decimal number."""
        return int(self.need(r"-?\d+", expected))

    def string(self) -> Any:
        """A str or bytes as Python writes it; None if there is none."""
        found = self.match(STRING)
        return None if found is None else ast.literal_eval(found[0])

    @property
    def at_end(self) -> bool:
        """True if nothing is left."""
        return self.place == len(self._text)

    def end(self) -> None:
        """Raises ParseError if something is left."""
        if not self.at_end:
            self.fail("the end of the line")
