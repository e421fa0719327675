"""A name or an item that is read and then dropped has to be there all the same, at each call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from framejit import jit


class Plain:
    def __init__(self, **held: Any) -> None:
        self.__dict__.update(held)


class Slots:
    __slots__ = ("k", "z")

    def __init__(self, **held: Any) -> None:
        for name, value in held.items():
            setattr(self, name, value)


def among(d: Any, x: Any) -> Any:
    return (d.pop("k"), x + 1) if "k" in d else (not d, x + 2)


def absent(d: Any, x: Any) -> Any:
    return x + 1 if "k" not in d else x + 2


def dropped(d: Any, x: Any) -> Any:
    try:
        d["k"]
    except KeyError:
        return x + 1
    return x + 2


def got(d: Any, x: Any) -> Any:
    d.get("k")
    return x + 1 if d.get("k") is None else x + 2


def put(d: Any, x: Any) -> Any:
    d.setdefault("k", 7)
    return x + 1, dict(d)


def matched(d: Any, x: Any) -> Any:
    match d:
        case {"k": _}:
            return x + 1
        case {"z": z}:
            return x + 2, z
    return x


def taken(d: Any, x: Any) -> Any:
    return d.pop("k", 3), x + 1, len(d)


def unused(o: Any, x: Any) -> Any:
    try:
        o.k  # noqa: B018
    except AttributeError:
        return x + 1
    return x + 2


def has(o: Any, x: Any) -> Any:
    return x + 1 if hasattr(o, "k") else x + 2


def either(o: Any, x: Any) -> Any:
    return getattr(o, "k", 3), x + 1


def cases() -> Iterator[tuple[Callable[..., Any], Callable[..., Any]]]:
    for function in (among, absent, dropped, got, put, matched, taken):
        yield function, dict
    for function in (unused, has, either):
        for made in (Plain, Slots, SimpleNamespace):
            yield function, made


@pytest.mark.usefixtures("plain_and_stubs")
@pytest.mark.parametrize(
    ("function", "made"), list(cases()), ids=lambda value: getattr(value, "__name__", None)
)
def test_presence(function: Callable[..., Any], made: Callable[..., Any]) -> None:
    """With the key or attribute, without it, with another, and again."""
    jitted = jit(function)
    x = np.arange(3.0)
    for _ in range(3):
        for held in ({"k": 1}, {}, {"z": 1}, {"k": 5, "z": 2}, {"k": None}):
            expected = repr(function(made(**held), x))
            assert repr(jitted(made(**held), x)) == expected


@pytest.mark.usefixtures("plain_and_stubs")
def test_globals_and_closures() -> None:
    """A name that is looked up and dropped."""
    space: dict[str, Any] = {}
    exec("def f(x):\n try:\n  gone\n except NameError:\n  return x + 1\n return x + 2\n", space)
    held = 1

    def closure(x: Any) -> Any:
        try:
            held  # noqa: B018
        except NameError:
            return x + 1
        return x + 2

    x = np.arange(3.0)
    jitted, over_cell = jit(space["f"]), jit(closure)
    for number in range(6):
        if number % 2:
            space["gone"] = held = 1
        else:
            space.pop("gone", None)
            del held
        wanted = (x + 1 + number % 2).tolist()
        assert jitted(x).tolist() == wanted
        assert over_cell(x).tolist() == wanted
        held = 1
