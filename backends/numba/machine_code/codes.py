"""Machine code by the text of a kernel: of this process, from the disk, or compiled.

Nothing of Numba, nor of what writes texts, is loaded for code that is here or on disk.
"""

from __future__ import annotations

from functools import partial

from ....jit.kernels import COMPILING, MachineCode, Pending, Unfinished
from ....jit.log import muted
from . import stored
from .lookups import Outcome, count
from .objects import Code

_codes: dict[tuple[str, bool], Code] = {}
"""What this process has loaded and compiled."""


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
        code = stored.find(text)
        if code is not None:
            _codes[text, cached] = code
    return code


def _compiled(text: str, cached: bool) -> Code:
    with muted("numba"):
        from .compiling import compiled

        code, made, symbol = compiled(text)
    if cached:
        stored.keep(text, made, symbol)
    else:
        count(Outcome.OFF, text, None)
    return code


def _ask(text: str, cached: bool) -> Pending | None:
    from .outside import COMPILES  # four milliseconds of every import, else

    return COMPILES.ask(text, cached)


def _machine_code(text: str, cached: bool, pending: Pending | None = None) -> MachineCode:
    code = _codes.get((text, cached))
    if code is None and pending is not None:
        code = pending.code()
        if code is not None:
            _codes[text, cached] = code
    if code is None:
        code = compile_text(text, cached)
    return code.address, code


def unfinished(text: str, cached: bool) -> Unfinished:
    """A kernel that is neither here nor on disk; `cached`: its code is put there."""
    return Unfinished(
        partial(_machine_code, text, cached), partial(_ask, text, cached), text.count("\n")
    )
