"""Removes the program's names from the text of a kernel before it is compiled.

Functions that do the same to the same kinds of arrays then have the same text. The names are for
people who read kernels.
"""

from __future__ import annotations

import keyword
import re

from ..library.names import BUILTINS, NAMES

_WORD = re.compile(r"[ ]*#.*|(?<!\.)\b[^\W\d]\w*")
_KEPT = frozenset((*NAMES, *BUILTINS.split(), *keyword.kwlist, "kernel", "w"))


def shared(text: str) -> str:
    """Return the text without comments, with its variables numbered in order of appearance."""
    names: dict[str, str] = {}

    def renamed(found: re.Match[str]) -> str:
        word = found[0]
        if word in _KEPT:
            return word
        if word.lstrip().startswith("#"):
            return ""
        return names.setdefault(word, f"v{len(names)}")

    return _WORD.sub(renamed, text)
