"""Scripts that change, between two calls, what the capture of the first one has read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Script = Callable[[Any], Any]


class Scripts(list[Script]):
    """The scripts of one file: programs that decorate, call, and change what was captured."""

    def script(self, function: Script) -> Script:
        """Registers a script."""
        self.append(function)
        return function


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """The result, or the text of the exception."""
    try:
        return function(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
