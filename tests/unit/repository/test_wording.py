"""Docstrings and comments begin with their subject or verb; none is an indirect question."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from picture import ROOT, sources

FOLDERS = ("jit", "guards", "backends", "frontends", "tests", "examples")
INDIRECT = re.compile(r"(?:What|Whether|Of|Who|How|Why|Which)\b(?![^\n]*\?)")
"""Beginnings that name no subject: "Return ...", "True if ..." or a noun takes their place."""


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each string that is a statement, those under attributes too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Expr(value=ast.Constant(value=str() as text)):
                yield node.lineno, text


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_docstring_is_an_indirect_question(folder: str) -> None:
    """No docstring of the library, of tests and of examples begins with such a word."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text.splitlines()[0]}"
        for path in sources(folder)
        for line, text in docstrings(path)
        if INDIRECT.match(text)
    ]

    assert found == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_comment_is_an_indirect_question(folder: str) -> None:
    """No line of a comment in Python begins with such a word."""
    found = [
        f"{path.relative_to(ROOT)}: {comment}"
        for path in sources(folder)
        for comment in re.findall(r"^ *# (.*)", path.read_text(encoding="utf-8"), re.MULTILINE)
        if INDIRECT.match(comment)
    ]

    assert found == []


def test_no_comment_in_c_is_an_indirect_question() -> None:
    """The same for comments of the C core."""
    found = [
        f"{path.relative_to(ROOT)}: {comment}"
        for path in sorted((ROOT / "jit" / "native").glob("*.[ch]"))
        for comment in re.findall(r"/\*.*", path.read_text(encoding="utf-8"))
        if INDIRECT.match(comment.removeprefix("/*").lstrip())
    ]

    assert found == []
