"""Options of the interpreter behind `run` and `warm`: `python -m framejit run -O script.py`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

_ALONE = re.compile("-[OBbdPqsu]+")
_WITH_VALUE = re.compile("-([WX])(.*)", re.DOTALL)
_OURS = ("--report",)
"""Options of the commands with a value."""


def taken_from(words: list[str]) -> list[str]:
    """Options of the interpreter before the program; `words` are what is left."""
    options: list[str] = []
    kept: list[str] = []
    rest = words.copy()
    while rest and rest[0].startswith("-") and rest[0] not in ("-", "-m", "-c"):
        word = rest.pop(0)
        valued = _WITH_VALUE.fullmatch(word)
        if valued is not None and (valued[2] or rest):
            options += [word[:2], valued[2] or rest.pop(0)]
        elif _ALONE.fullmatch(word):
            options.append(word)
        else:
            kept.append(word)
            if word in _OURS and rest:
                kept.append(rest.pop(0))
    words[:] = [*kept, *rest]
    return options


def start_again(options: Sequence[str], words: Sequence[str]) -> NoReturn:
    """Runs `python OPTIONS -m framejit WORDS` in this process: no option can be set any later."""
    import subprocess  # 20 ms of every run, else

    given: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    os.execv(sys.executable, [sys.executable, *given, *options, "-m", "framejit", *words])
