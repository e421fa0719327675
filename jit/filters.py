"""Warnings filters for a moment, without the traces that `warnings.catch_warnings` leaves.

catch_warnings() marks all filters as changed, and the next warning at a place that has warned
before is shown once more. Putting a filter in front of the list and taking it away again does not.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import get_ident
from typing import Any


@dataclass(eq=False, slots=True)  # not frozen: making one would take twice as long
class _InThread:
    """Stands for a category in a filter, but for one thread only: the filters are everybody's."""

    category: type[Warning]
    thread: int
    over: bool = False
    """Another thread's catch_warnings() may put back a copy of the list that still has the rule."""

    def __subclasscheck__(self, category: type) -> bool:
        if self.over or get_ident() != self.thread:
            return False
        # Objects of the program that end here meanwhile, as a collection may have it, warn as ever.
        return issubclass(category, self.category) and not issubclass(category, ResourceWarning)


class filtered:  # noqa: N801
    """Treats warnings of a category by `action` ("ignore" or "error") inside, for this thread.

    A class, for it stands around calls that segments make: a generator costs twice as much.
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
        if now is not self._list:  # a copy that another thread's catch_warnings() has made
            with suppress(ValueError):
                now.remove(self._rule)


def _filters() -> list[Any]:
    """The list of the process; typeshed calls it a sequence."""
    return vars(warnings)["filters"]  # type: ignore[no-any-return]


class Strict:
    """A function whose warnings are errors."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function; raises what it would warn about."""
        with filtered("error"):
            return self.function(*args, **kwargs)
