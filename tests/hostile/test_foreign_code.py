"""Code that the compiler of CPython has not written: it runs as it is, for a named reason."""

from __future__ import annotations

from typing import Any

import pytest

from framejit import capture, explain, jit


def plain(x: Any) -> Any:
    return x


def stars(*x: Any) -> Any:
    return x[0]


@pytest.fixture(params=[plain, stars], ids=["plain", "stars"])
def function(request: pytest.FixtureRequest) -> Any:
    """A function with bytes behind its end, which nobody reaches."""
    made = type(plain)(request.param.__code__, {"__name__": "foreign"})
    code = made.__code__
    made.__code__ = code.replace(co_code=code.co_code + bytes(4))
    return made


@pytest.mark.counts("a call that is declined is not asked about")
def test_it_is_asked_about_once(function: Any) -> None:
    """The report gives the reason."""
    jitted = jit(function)
    for _ in range(5):
        assert jitted(3) == 3
    skipped = jitted._manager.journal.skips
    assert [(rule, count) for (rule, _, _), count in skipped.items()] == [("code", 1)]

    report = explain(function)(3)
    assert report.result == 3
    assert "not what CPython's compiler writes" in str(report)


def test_under_the_hook(function: Any) -> None:
    """No failure is on record: the fixture of the suite looks."""
    with capture():
        assert [function(k) for k in range(5)] == list(range(5))
