"""Texts that are kept in files, and compared word for word."""

from __future__ import annotations

import re
from pathlib import Path
from types import CodeType

import pytest

from framejit.frontends.bytecode.decode import decode


def with_lines(text: str, code: CodeType) -> str:
    """The text of graphs, in which exits stand at lines.

    An exit is numbered by its instruction, and each Python has other instructions for the same
    line: the text names the line instead, counted from the `def`.
    """
    lines = [instruction.line for instruction in decode(code).instructions]

    def line(match: re.Match[str]) -> str:
        number = lines[int(match[2])]
        assert number is not None
        return f"{match[1]} at line {number - code.co_firstlineno + 1}:"

    return re.sub(r"(?m)^(exit \d+: \w+) at (\d+):", line, text)


def check_text(file: Path, actual: str, pytestconfig: pytest.Config) -> None:
    """Compares a text with the one that is kept, or keeps it from now on (`--regenerate`)."""
    if pytestconfig.getoption("--regenerate", default=False):
        file.write_text(actual, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == actual
