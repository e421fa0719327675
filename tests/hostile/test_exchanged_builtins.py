"""Builtins that a program exchanges: for its own functions, and not for the engine's."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally

from framejit import capture, explain, jit

SPACE = vars(builtins)
KEPT = dict(SPACE)


pytestmark = pytest.mark.usefixtures("plain_and_stubs")


class Name(str):
    """A key of the user's own kind, equal to a name."""

    asked = 0

    def __hash__(self) -> int:
        return hash(str(self))

    def __eq__(self, other: object) -> bool:
        type(self).asked += 1
        return str.__eq__(self, other)


@contextmanager
def exchanged(**others: Any) -> Iterator[None]:
    """Meanwhile the builtins are others; None takes one away."""
    for name, other in others.items():
        if other is None:
            del SPACE[name]
        else:
            SPACE[name] = other
    try:
        yield
    finally:
        for name in others:
            SPACE.pop(name, None)
            SPACE[name] = KEPT[name]


def body(x: Any) -> Any:
    y = x + len([1, 2, 3])
    print(end="")
    return y * len("ab")


TAKEN = (
    "len",
    "zip",
    "isinstance",
    "getattr",
    "reversed",
    "type",
    "any",
    "map",
    "dict",
    "Exception",
)


@pytest.mark.parametrize("name", TAKEN)
def test_one_is_taken_away(name: str) -> None:
    """Before the first capture and after it; then captures go on."""
    x = np.arange(3.0)
    fresh, known = jit(body), jit(body)
    known(x)
    for function in (fresh, known):
        with capture(), exchanged(**{name: None}):
            if name == "len":
                with pytest.raises(NameError):
                    function(x)
            else:
                result = function(x) + body(x) - body(x)
        if name != "len":
            assert (result == body(x)).all()
        assert (function(x) == body(x)).all()
        assert_normally(function.stats()["captures"] > 0)


def test_another_one_is_called() -> None:
    """By the program; the old one when it is back."""
    x = np.arange(3.0)
    jitted = jit(body)
    for _ in range(3):
        with exchanged(len=lambda items: 7):
            assert (jitted(x) == (x + 7) * 7).all()
        assert (jitted(x) == (x + 3) * 2).all()


def test_a_key_of_the_programs_kind_is_not_asked() -> None:
    """A comparison of the key with a name would run code of the program's."""
    x = np.arange(3.0)
    jitted = jit(body)
    jitted(x)
    with exchanged(reversed=None):
        key = Name("reversed")
        SPACE[key] = KEPT["reversed"]
        Name.asked = 0
        try:
            jitted(x)
            jitted(x.astype("f4"))
            asked = Name.asked
        finally:
            del SPACE[key]

    assert asked == 0


def test_the_report_says_so() -> None:
    """While it is so for a function; for a program with the number of frames."""
    x = np.arange(3.0)
    jitted = jit(body)
    jitted(x)
    with exchanged(oct=hex, abs=float):
        report = str(explain(jitted)(x))
    assert "the program has put other builtins in the place of abs, oct" in report
    assert "other builtins" not in str(explain(jitted)(x))

    with capture() as seen, exchanged(len=lambda items: 7):
        for _ in range(5):
            body(x)
    [skip] = (skip for skip in seen.report.skipped if skip.rule == "exchanged")
    assert skip.count >= 5  # those of `exchanged` itself too
