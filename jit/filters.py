"""Warnings filters for a moment, without the traces that `warnings.catch_warnings` leaves.

catch_warnings() marks all filters as changed, and the next warning at a place that has warned
before is shown once more. Putting a filter in front of the list and taking it away again does not.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


class filtered:  # noqa: N801
    """Warnings of a category are treated by `action` ("ignore" or "error") inside the block.

    A class, for it stands around calls that segments make: a generator costs twice as much.
    """

    __slots__ = ("_rule",)

    def __init__(self, action: str, category: type[Warning] = Warning) -> None:
        self._rule = (action, None, category, None, 0)

    def __enter__(self) -> None:
        warnings.filters.insert(0, self._rule)  # type: ignore[attr-defined]

    def __exit__(self, *_: object) -> None:
        warnings.filters.remove(self._rule)  # type: ignore[attr-defined]


@contextmanager
def unmarked() -> Iterator[None]:
    """Code that uses catch_warnings() itself does not mark the filters as changed in this block.

    Numba does while it compiles. The filters it sets work all the same: only the version number
    that makes places warn anew stays as it is.
    """
    mark = warnings._filters_mutated  # type: ignore[attr-defined]
    warnings._filters_mutated = lambda: None  # type: ignore[attr-defined]
    try:
        yield
    finally:
        warnings._filters_mutated = mark  # type: ignore[attr-defined]
