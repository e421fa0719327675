"""Finds the statement that contains a line, for hints on statements over several lines."""

from __future__ import annotations

import ast
import linecache
from functools import lru_cache

from ...jit.parsing import parse
from ...jit.report import Place


def statement_at(place: Place) -> str:
    """Return the simple statement that contains the line, joined into one; else the line itself."""
    lines = tuple(linecache.getlines(place.file))
    spans = _spans(lines)
    found = spans.get(place.line)
    return place.source if found is None else found


@lru_cache(maxsize=4)
def _spans(lines: tuple[str, ...]) -> dict[int, str]:
    """Return the text of each simple statement over several lines, by line number."""
    try:
        tree = parse("".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return {}
    found = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or hasattr(node, "body"):
            continue
        if isinstance(node, ast.Match | ast.Try) or node.end_lineno in (None, node.lineno):
            continue
        text = ast.unparse(node)
        if "\n" not in text:
            assert node.end_lineno is not None
            found.update(dict.fromkeys(range(node.lineno, node.end_lineno + 1), text))
    return found
