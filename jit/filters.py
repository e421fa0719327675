"""Warnings filters for a moment, without the traces that `warnings.catch_warnings` leaves.

catch_warnings() marks all filters as changed, and the next warning at a place that has warned
before is shown once more. Putting a filter in front of the list and taking it away again does not.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from threading import get_ident


@dataclass(eq=False, slots=True)  # not frozen: making one would take twice as long
class _InThread:
    """Stands for a category in a filter, but for one thread only: the filters are everybody's."""

    category: type[Warning]
    thread: int

    def __subclasscheck__(self, category: type) -> bool:
        return get_ident() == self.thread and issubclass(category, self.category)


class filtered:  # noqa: N801
    """Treats warnings of a category by `action` ("ignore" or "error") inside, for this thread.

    A class, for it stands around calls that segments make: a generator costs twice as much.
    """

    __slots__ = ("_rule",)

    def __init__(self, action: str, category: type[Warning] = Warning) -> None:
        self._rule = (action, None, _InThread(category, get_ident()), None, 0)

    def __enter__(self) -> None:
        warnings.filters.insert(0, self._rule)  # type: ignore[attr-defined]

    def __exit__(self, *_: object) -> None:
        warnings.filters.remove(self._rule)  # type: ignore[attr-defined]
