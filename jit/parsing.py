"""Syntax trees of Python text, also while the garbage collector works."""

from __future__ import annotations

import ast
import gc
import sys
from typing import Final, Literal, overload

COUNTS_PER_CALL: Final = sys.version_info >= (3, 12, 1) or (3, 11, 8) <= sys.version_info < (3, 12)
"""True if CPython counts the depth of each tree it makes by itself.

Before, all calls of `ast.parse` share one count (gh-106905). Where a collection runs Python code
that parses, as an error in a finalizer does when it is printed, the parse around it fails.
"""


@overload
def parse(text: str, mode: Literal["exec"] = "exec") -> ast.Module: ...


@overload
def parse(text: str, mode: Literal["eval"]) -> ast.Expression: ...


def parse(text: str, mode: Literal["exec", "eval"] = "exec") -> ast.Module | ast.Expression:
    """Return the syntax tree of a text, as `ast.parse` does.

    Raises
    ------
    SyntaxError
        If it is not Python.
    """
    if COUNTS_PER_CALL or not gc.isenabled():
        return ast.parse(text, mode=mode)  # type: ignore[return-value]
    gc.disable()  # then nothing runs in between, no other thread either
    try:
        return ast.parse(text, mode=mode)  # type: ignore[return-value]
    finally:
        gc.enable()
