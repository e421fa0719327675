"""A few of the random calls and programs that campaigns make for as long as one likes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).with_name("campaigns")))

import random_calls as calls
import random_statements as statements

SEED = sys.version_info[:2]
"""Each version has some of its own."""


def test_random_calls() -> None:
    assert calls.run(250, SEED, ("numpy",)) == []


def test_random_programs() -> None:
    assert statements.run(15, SEED, ("numpy",)) == []


def test_the_calls_are_many_and_some_are_right() -> None:
    """Neither do all of them raise, nor is a large part of the functions left out."""
    assert len(calls.callables()) > 800

    right = 0
    for text, globals_ in calls.first(100, 0):
        exec(text, globals_)
        x = calls.np.linspace(0.5, 3, 4)
        try:
            globals_["program"](x, x + 1, calls.O())
        except Exception:
            continue
        right += 1
    assert right > 10


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_programs_have_statements_of_every_kind() -> None:
    """And more than a third of them come to their end."""
    texts = list(statements.written(60, 0))
    words = ("for", "while", "if", "try:", "except", "finally:", "with", "match", "nonlocal", "del")
    body = "".join(text[len(statements.HEAD) :] for text in texts)
    assert [word for word in words if body.count(f" {word}") < 10] == []

    ended = 0
    for text in texts:
        names = {"np": statements.np}
        exec(text, names)
        try:
            names["program"](*statements.arguments(), names["Thing"](1.0))
        except Exception:
            continue
        ended += 1
    assert ended > 20
