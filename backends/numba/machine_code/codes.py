"""Machine code of kernels by text or by key: what is in memory, on disk, or compiled.

The key is the name of an entry, which holds for one text, one framejit and one processor: who keeps
the key needs no text. Nothing of Numba or LLVM, nor of what writes texts, is loaded for code that
is here or on disk.
"""

from __future__ import annotations

from collections import deque
from collections.abc import MutableMapping
from functools import partial
from weakref import WeakValueDictionary

from ....jit.kernels import COMPILING, MachineCode, Pending, Unfinished
from ....jit.log import muted
from . import stored
from .lookups import Outcome, count
from .objects import Code
from .objects import load as load_object

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


_codes: MutableMapping[tuple[str, bool], Code] = WeakValueDictionary()
"""What this process has loaded and compiled, as long as somebody may run it."""


def compile_text(text: str, cached: bool = True) -> Code:
    """Machine code for the text of a kernel.

    The same text is compiled once a process, and once by all processes that share a folder:
    addresses of the outside world are words, never part of the text.
    """
    code = known_code(text, cached)
    if code is None:
        with COMPILING:
            code = _codes.get((text, cached)) or _compiled(text, cached)
            _codes[text, cached] = code
    return code


def known_code(text: str, cached: bool = True) -> Code | None:
    """Machine code that is here, or on disk; None where it has to be compiled."""
    code = _codes.get((text, cached))
    if code is None and cached:
        code = find(text)
        if code is not None:
            _codes[text, cached] = code
    return code


def _compiled(text: str, cached: bool) -> Code:
    with muted("numba"):
        from .compiling import compiled

        made, symbol = compiled(text)
    code = load_object(made, symbol)
    if code is None:
        raise ValueError("the machine code of a kernel needs more than each process has")
    if cached:
        stored.keep(text, made, symbol)
    else:
        count(Outcome.OFF, text, None)
    return hold(code)


def _ask(text: str, cached: bool) -> Pending | None:
    from .outside import COMPILES  # four milliseconds of every import, else

    return COMPILES.ask(text, cached)


def _machine_code(text: str, cached: bool, pending: Pending | None = None) -> MachineCode:
    code = _codes.get((text, cached))
    if code is None and pending is not None:
        code = pending.code()
        if code is not None:
            _codes[text, cached] = hold(code)
    if code is None:
        code = compile_text(text, cached)
    return code.address, code


def unfinished(text: str, cached: bool) -> Unfinished:
    """A kernel that is neither here nor on disk; `cached`: its code is put there."""
    return Unfinished(
        partial(_machine_code, text, cached), partial(_ask, text, cached), text.count("\n")
    )
