"""Temporary warnings filters that leave no trace, unlike `warnings.catch_warnings`.

catch_warnings() invalidates the registries of all modules, so that a warning already shown at a
place is shown again. Inserting a filter at the front of the list and removing it does not.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import suppress
from threading import get_ident
from typing import Any

from .frozen import dataclass


@dataclass(eq=False, slots=True)  # not frozen: making one would take twice as long
class _InThread:
    """Stands for a warning category in a filter that applies to one thread.

    Filters are process-wide.
    """

    category: type[Warning]
    thread: int
    over: bool = False
    """Set when the block has ended, as another thread may restore a copy of the list with this
    filter."""

    def __subclasscheck__(self, category: type) -> bool:
        if self.over or get_ident() != self.thread:
            return False
        # objects of the program that are finalised meanwhile warn as usual
        return issubclass(category, self.category) and not issubclass(category, ResourceWarning)


class filtered:  # noqa: N801 (called as a function)
    """Apply `action` ("ignore" or "error") to a category of warnings in a block, for this thread.

    A class, because calls from segments use it and a generator would cost twice as much.
    """

    __slots__ = ("_kind", "_list", "_rule")

    def __init__(self, action: str, category: type[Warning] = Warning) -> None:
        self._kind = _InThread(category, get_ident())
        self._rule = (action, None, self._kind, None, 0)

    def __enter__(self) -> None:
        self._kind.over = False
        self._list = _filters()
        self._list.insert(0, self._rule)

    def __exit__(self, *_: object) -> None:
        self._kind.over = True
        with suppress(ValueError):
            self._list.remove(self._rule)
        now = _filters()
        if now is not self._list:  # a copy made by another thread's catch_warnings()
            with suppress(ValueError):
                now.remove(self._rule)


def _filters() -> list[Any]:
    """Return the process's list of filters; typeshed calls it a sequence."""
    return vars(warnings)["filters"]  # type: ignore[no-any-return]


class Strict:
    """A function whose warnings become errors."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function; raises the warnings that it would issue."""
        with filtered("error"):
            return self.function(*args, **kwargs)
