"""`explain`: how often it calls, what its report waits for, and what it is before it is called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_normally

from framejit import FramejitError, config, explain, jit
from framejit.frontends.runtime import call_budget

X = np.linspace(0.5, 1.5, 50)


def counted(x: Any, calls: list[int]) -> Any:
    calls.append(1)
    y = x * 2.0 + 1.0
    print(end="")
    return np.sqrt(y) - x


@pytest.mark.parametrize("backend", ["numpy", "numba"])
@pytest.mark.parametrize("before", range(3))
def test_the_function_is_called_once(backend: str, before: int) -> None:
    """Whatever calls came before, with compile="auto" too; `repeat` asks for more."""
    calls: list[int] = []
    with config(backend=backend, compile="auto"):
        jitted = jit(counted)
        for _ in range(before):
            jitted(X, calls)
        report = explain(jitted)(X, calls)

    assert len(calls) == before + 1
    assert report.result.tobytes() == counted(X, []).tobytes()


def test_more_calls_are_asked_for() -> None:
    """One report tells of all; the result is that of the last call."""
    calls: list[int] = []
    with config(backend="numpy"):
        report = explain(counted, repeat=3)(X, calls)

    assert len(calls) == 3
    assert report.facts.calls == 3
    assert_normally([(one.count, one.exact) for one in report.breaks][-1:] == [(3, True)])


@pytest.mark.counts("what is captured in which call")
@pytest.mark.parametrize("before", range(3))
def test_kernels_are_waited_for(before: int) -> None:
    """The next call captures nothing, and runs what the report has."""
    with config(compile="auto"):
        jitted = jit(counted)
        for _ in range(before):
            jitted(X, [])
        report = explain(jitted)(X, [])
        segments = report.segments
        stats = jitted.stats()
        jitted(X, [])

    assert not any(one.waits for one in segments)
    assert jitted.stats()["captures"] == stats["captures"] == len(segments)
    assert jitted.stats()["launches"] == stats["launches"] + len(segments)


@pytest.mark.counts("what is captured in which call")
def test_captures_are_not_put_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """They may take more time than those of other calls may."""
    monkeypatch.setattr(call_budget, "MAX_CALL_SECONDS", 0.0)
    with config(backend="numpy"):
        report = explain(counted)(X, [])

    assert [one.hits for one in report.segments] == [1, 1]


def takes(x: Any, k: Any = 2, *rest: Any, scale: Any, **others: Any) -> Any:
    return x


def test_before_it_is_called() -> None:
    """The message has the correct form."""
    explained: Any = explain(takes)

    assert repr(explained) == (
        "<framejit.explain: takes was not called yet: explain(takes)(x, *rest, scale=scale, "
        "**others) calls it once and gives the report>"
    )
    assert "calls it 5 times" in repr(explain(takes, repeat=5))
    with pytest.raises(AttributeError, match="a report has 'breaks', but takes was not called yet"):
        _ = explained.breaks
    with pytest.raises(AttributeError, match="'Explained' object has no attribute 'nothing'"):
        _ = explained.nothing


@pytest.mark.parametrize("wrong", [0, -1, 1.0, True, "2", None])
def test_wrong_numbers_of_calls(wrong: Any) -> None:
    with pytest.raises(FramejitError, match="explain: `repeat` must be an int from 1 on, not"):
        explain(takes, repeat=wrong)
