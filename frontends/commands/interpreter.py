"""Options of the interpreter behind `run` and `warm`: `python -m framejit run -O script.py`.

The interpreter reads such options only at its start, so the process is executed anew with them.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # the one of `typing` would take as long as the start of the interpreter
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

_ALONE = frozenset("OBbdPqsu")
_WITH_VALUE = ("-W", "-X")
_OURS = ("--report",)
"""Options of framejit's commands that take a value."""


def taken_from(words: list[str]) -> list[str]:
    """Remove the interpreter's options before the program from `words` and return them."""
    options: list[str] = []
    kept: list[str] = []
    rest = words.copy()
    while rest and rest[0].startswith("-") and rest[0] not in ("-", "-m", "-c"):
        word = rest.pop(0)
        if word.startswith(_WITH_VALUE) and (word[2:] or rest):
            options += [word[:2], word[2:] or rest.pop(0)]
        elif len(word) > 1 and _ALONE.issuperset(word[1:]):
            options.append(word)
        else:
            kept.append(word)
            if word in _OURS and rest:
                kept.append(rest.pop(0))
    words[:] = [*kept, *rest]
    return options


def start_again(options: Sequence[str], words: Sequence[str]) -> NoReturn:
    """Replace this process by `python OPTIONS -m framejit WORDS`.

    On Windows, where a process that is replaced ends before its successor, it waits for that one.
    """
    import subprocess  # takes 20 ms to import

    given: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    command = [sys.executable, *given, *options, "-m", "framejit", *words]
    if sys.platform == "win32":
        sys.exit(subprocess.call(command))
    os.execv(sys.executable, command)
