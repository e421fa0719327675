"""Dispatchers made by hand, as tests/entries.py makes entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from entries import entry

from framejit.jit.native import _core


class Manager:
    """The Python side of a dispatcher: captures nothing unless told to."""

    def __init__(self, miss: Callable[..., bool] = lambda *_: False) -> None:
        self.miss = miss
        self.missed: list[Any] = []

    def prepare(self) -> bool:
        self.missed.append("prepare")
        return True


def dispatcher(function: Any, *entries: Any, miss: Callable[..., bool] | None = None) -> Any:
    """A dispatcher with these entries; without `miss` it captures no more."""
    made = _core.Dispatcher(function, Manager(miss or (lambda *_: False)))
    made._closed = miss is None
    for one in entries:
        made._add(one)
    return made


def echo(n_live: int) -> Any:
    """An entry that gives back what was bound."""
    return entry(n_live=n_live, python_kernel=lambda *slots: (0, slots))


def both(a: Any, b: Any) -> Any:
    return a, b


def outcome(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A result, or the class and text of an exception."""
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return type(error), str(error)
