"""The machine code of stored entries: found by its key, or by the text of the kernel.

To find code by text, the names in the text are numbered first, which takes longer than all else
that is done to load an entry. So the key is stored beside the text, with a digest that binds both.
"""

from __future__ import annotations

import re
from typing import Any

from ...backends.numba.machine_code import codes
from ...jit.config import Options
from ...jit.digests import digest256
from ..tiers.at_once import is_at_once

_KEY = re.compile(r"[0-9a-f]{64}")


def bound_key(text: str) -> list[str]:
    """Return the key of a kernel's code and what binds it to this text; empty if there is none."""
    key = codes.key_of(_shared(text))
    return [] if key is None else [key, _bond(text, key)]


def code_of(text: str, bound: list[str], options: Options) -> Any:
    """Return (machine code, None), or (None, the pending compile)."""
    code = _found(text, bound) if options.cache else None
    if code is not None:
        return (code.address, code), None
    text, cached = _shared(text), options.cache
    later = options.compiles_later and not is_at_once()
    code = codes.known_code(text, cached) if later else codes.compile_text(text, cached)
    if code is not None:
        return (code.address, code), None
    return None, codes.unfinished(text, cached)


def _shared(text: str) -> str:
    from ...backends.numba.machine_code.shared_text import shared  # most entries need none of it

    return shared(text)


def _found(text: str, bound: list[str]) -> Any:
    match bound:
        case [key, bond] if _KEY.fullmatch(key) and bond == _bond(text, key):
            return codes.load(key)
    return None


def _bond(text: str, key: str) -> str:
    return digest256(f"{key}\n{text}".encode()).hexdigest()
