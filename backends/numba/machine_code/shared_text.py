"""The text of a kernel without the names of a program: what is compiled, and found again.

Two functions that do the same to arrays of the same kinds differ in the names of their variables,
which people read in the text of a kernel and which decide nothing.
"""

from __future__ import annotations

import keyword
import re

from ..library.names import BUILTINS, NAMES

_WORD = re.compile(r"[ ]*#.*|(?<!\.)\b[^\W\d]\w*")
_KEPT = frozenset((*NAMES, *BUILTINS.split(), *keyword.kwlist, "kernel", "w"))


def shared(text: str) -> str:
    """The text without notes, its variables numbered in the order in which they come."""
    names: dict[str, str] = {}

    def renamed(found: re.Match[str]) -> str:
        word = found[0]
        if word in _KEPT:
            return word
        if word.lstrip().startswith("#"):
            return ""
        return names.setdefault(word, f"v{len(names)}")

    return _WORD.sub(renamed, text)
