"""Machine code of kernels by text or by key: what is in memory, and what is on disk.

The key is the name of an entry, which holds for one text, one framejit and one processor: who keeps
the key needs no text. Nothing here imports Numba, LLVM or what writes texts.
"""

from __future__ import annotations

from collections import deque
from weakref import WeakValueDictionary

from . import stored
from .objects import Code

RECENT = 64
"""So many codes stay though nobody holds them: a function that is made anew in each call of another
one has the same kernels each time."""

_loaded: WeakValueDictionary[str, Code] = WeakValueDictionary()
"""By key. Who may run a code holds it."""
_recent: deque[Code] = deque(maxlen=RECENT)


def key_of(text: str) -> str | None:
    """Of the entry of a text; None where it cannot be known what decides about machine code."""
    facts = stored.facts_of(text)
    return stored.name_of(facts) if facts is not None else None


def load(key: str) -> Code | None:
    """The code of an entry, from memory or from disk; None where there is none that can be used."""
    code = _loaded.get(key)
    if code is None:
        code = stored.load_entry(key)
        if code is not None:
            _loaded[key] = hold(code)
    return code


def find(text: str) -> Code | None:
    """The same for a text; a search of the disk is counted, with what has come of it."""
    key = key_of(text)
    code = _loaded.get(key) if key is not None else None
    if code is None:
        code = stored.find(text)
        if code is not None and key is not None:
            _loaded[key] = hold(code)
    return code


def hold(code: Code) -> Code:
    """The code, which stays for a while."""
    _recent.append(code)
    return code
