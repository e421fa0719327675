"""The captures of one call are limited together; they go on in later calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from framejit import capture, explain, jit
from framejit.frontends.runtime import call_budget
from framejit.frontends.tiers.accounts import Account
from framejit.frontends.undecorated.caught import hooked_managers

X = np.linspace(0, 1, 7)
pytestmark = pytest.mark.counts("what is captured in which call")


def four_parts(x: Any, seen: set[int]) -> Any:
    y = x * 2 + 1
    seen.add(1)
    z = y * 3 - x
    seen.add(2)
    w = z * z + y
    seen.add(3)
    return w * 2 - z


def inner(x: Any, seen: set[int]) -> Any:
    seen.add(4)
    return (x * 2 + 1) * x


def calls_another(x: Any, seen: set[int]) -> Any:
    y = (x * 2 + 1) * x
    seen.add(1)
    return inner(y, seen)


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first capture of a call there is no more of it."""
    monkeypatch.setattr(call_budget, "MAX_CALL_SECONDS", 0.0)


@pytest.mark.usefixtures("no_time")
def test_captures_go_on_in_later_calls() -> None:
    """Each time it comes to the limit again more calls go by."""
    f = jit(four_parts)
    entries = []
    for _ in range(100):
        assert f(X, set()).tobytes() == four_parts(X, set()).tobytes()
        entries.append(len(f._manager.entries))
    assert entries[0] == 1
    assert [entries.count(one) for one in (1, 2, 3)] == sorted(map(entries.count, (1, 2, 3)))
    assert entries[-1] == 4
    text = " ".join(str(explain(f)(X, set())).split())
    assert "they go on in later ones" in text
    launches = f.stats()["launches"]
    f(X, set())
    assert f.stats()["launches"] == launches + 4


@pytest.mark.usefixtures("no_time")
def test_functions_that_a_call_calls_share_its_time() -> None:
    with capture():
        for _ in range(2):
            f = jit(calls_another)
            f(X, set())
    assert not any(one.entries for one in hooked_managers() if one.function.__name__ == "inner")


def test_without_the_limit_one_call_captures_all() -> None:
    f = jit(four_parts)
    f(X, set())
    assert len(f._manager.entries) == 4


def test_an_overdrawn_account_stops_segments_of_decorated_functions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not if the call waits for kernels: `compile="now"` is to capture whatever it takes."""
    account = Account()
    monkeypatch.setattr(call_budget, "ACCOUNT", account)
    f = jit(four_parts, compile="auto")
    manager = f._manager
    assert manager.may_capture(0, later=True)
    account.inside += call_budget.OVERDRAFT + 10.0
    assert manager.may_capture(0, later=False)
    assert not manager.may_capture(0, later=True)
    account.inside = 0.0
    manager.captures_at = 0  # that call has come
    assert manager.may_capture(0, later=True)
