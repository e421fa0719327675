"""A capture that takes too long is given up, and the report says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import Decorator, assert_normally, check_script

import framejit
from framejit import explain, jit
from framejit.frontends.machine import budget

X = np.arange(6.0)


def whole(x: Any) -> Any:
    return (x * 2 + 1) * x


def in_two(x: Any) -> Any:
    y = x * 2 + 1
    print("between")
    return y * x - 1


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MAX_SECONDS", -1.0)


@pytest.mark.usefixtures("no_time")
@pytest.mark.parametrize("program", [whole, in_two])
def test_plain_python_answers(program: Any) -> None:
    """Each call, and no capture is tried again."""

    def script(jit: Decorator) -> Any:
        jitted = jit(program)
        return [jitted(X + k) for k in range(4)]

    for (made,) in check_script(script):
        assert_normally(made.stats()["captures"] <= 1)
        assert made.stats()["failures"] == 0
    report = str(explain(jit(program))(X))
    assert_normally("its capture took more than" in " ".join(report.split()))


def test_points_behind_a_break_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was compiled before stays."""
    jitted = jit(in_two)
    jitted(X)
    launches = jitted.stats()["launches"]
    monkeypatch.setattr(budget, "MAX_SECONDS", -1.0)
    for _ in range(3):
        assert np.array_equal(jitted(X.astype("f4")), in_two(X.astype("f4")))
        assert np.array_equal(jitted(X), in_two(X))
    assert_normally(jitted.stats()["launches"] > launches)
    assert jitted.stats()["failures"] == 0


@pytest.mark.usefixtures("no_time")
def test_stages_say_so() -> None:
    with pytest.raises(framejit.StageError, match="takes more than"):
        jit(whole).trace(X)
