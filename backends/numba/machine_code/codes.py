"""Finds machine code of kernels by text or key: in memory, on disk, or by compiling.

A key is the name of a disk entry, for one text, version of framejit and processor; with a key no
text is needed. Code in memory or on disk is found without importing Numba, LLVM or the writers of
texts.
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
"""Number of codes kept although unused: a function created anew in each call of another one has the
same kernels every time."""

_loaded: WeakValueDictionary[str, Code] = WeakValueDictionary()
"""Codes by key. Whoever may run a code holds a reference."""
_recent: deque[Code] = deque(maxlen=RECENT)


def key_of(text: str) -> str | None:
    """Return the key of a text; None if the facts that determine its machine code are unknown."""
    facts = stored.facts_of(text)
    return stored.name_of(facts) if facts is not None else None


def load(key: str) -> Code | None:
    """Return the code of an entry, from memory or disk; None if there is none that can be used."""
    code = _loaded.get(key)
    if code is None:
        code = stored.load_entry(key)
        if code is not None:
            _loaded[key] = hold(code)
    return code


def find(text: str) -> Code | None:
    """Return the code of a text, from memory or disk, and count the search and its outcome."""
    key = key_of(text)
    code = _loaded.get(key) if key is not None else None
    if code is None:
        code = stored.find(text)
        if code is not None and key is not None:
            _loaded[key] = hold(code)
    return code


def hold(code: Code) -> Code:
    """Keep the code alive for a while and return it."""
    _recent.append(code)
    return code


_codes: MutableMapping[tuple[str, bool], Code] = WeakValueDictionary()
"""Codes that this process has loaded or compiled and something may still run."""


def compile_text(text: str, cached: bool = True) -> Code:
    """Return the machine code of a kernel's text.

    A text is compiled once in a process, and once among processes that share a folder, because
    it contains no addresses: those are in words.
    """
    code = known_code(text, cached)
    if code is None:
        with COMPILING:
            code = _codes.get((text, cached)) or _made(text, cached)
            _codes[text, cached] = code
    return code


def known_code(text: str, cached: bool = True) -> Code | None:
    """Return machine code from memory or disk; None if it has to be compiled."""
    code = _codes.get((text, cached))
    if code is None and cached:
        code = find(text)
        if code is not None:
            _codes[text, cached] = code
    return code


def _made(text: str, cached: bool) -> Code:
    """Compiled, unless another process has compiled it meanwhile."""
    if not cached:
        return _compiled(text, cached)
    from .compile_leases import lease  # only compiles need it

    with lease(text) as is_there:
        return (find(text) if is_there else None) or _compiled(text, cached)


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
    from .outside import COMPILES  # four milliseconds of every import otherwise

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
    """Describe a kernel that has to be compiled; with `cached` its code goes to disk."""
    return Unfinished(
        partial(_machine_code, text, cached), partial(_ask, text, cached), text.count("\n")
    )
