"""A capture that takes too long is given up, one that becomes too long is cut: reports say so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import Decorator, assert_normally, check, check_script

import framejit
from framejit import explain, jit
from framejit.backends.numba import backend
from framejit.frontends.capture import capturing
from framejit.frontends.capture.flow.exits import LocalsNotKept
from framejit.frontends.capture.state.identity_tracker import IdentityDiffers
from framejit.frontends.capture.state.number_kinds import NumberMayChange
from framejit.frontends.runtime import capture_budget as budget
from framejit.frontends.runtime import new_entries

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
    """Segments compiled before the break stay."""
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


@pytest.mark.parametrize(
    "error", [LocalsNotKept(frozenset({0})), NumberMayChange(frozenset("x")), IdentityDiffers({7})]
)
def test_captures_that_learn_nothing_end(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """A capture that would begin anew for the reason of the last one is given up at once."""
    attempts = []

    def fails(*_: object) -> None:
        attempts.append(error)
        raise error

    monkeypatch.setattr(capturing, "_capture", fails)
    with pytest.raises(framejit.StageError, match="learns nothing"):
        jit(whole).trace(X)
    assert len(attempts) <= 3


def straight(x: Any) -> Any:
    y = x * 2 + 1
    z = y * 3 - x
    w = z * y + 2
    v = w * x - z
    u = v * w + y
    return u * y - 3, z


def unrolled(x: Any) -> Any:
    y = x * 2 + 1
    for k in (1, 2.0, 3, 4.0, 5):
        y = y * k + x
        y = y - k * x
    return y * 2 - 1


def in_loop(x: Any) -> Any:
    y = x * 2 + 1
    s = 0.0
    for i in range(len(x)):
        s = s * 0.5 + x[i] * 3 - y[i]
        if s > 2:
            s = s * 0.25 - y[i] + x[i] * y[i]
            s = s - 1
        else:
            s = s + y[i] * 3 + x[i] * 5 - 2
    return y * s - 1


def in_branches(x: Any) -> Any:
    y = x * 2 + 1
    if y[0] > 5:
        y = (y * 3 + 1) * (x - 2) + (y - x) * 4
        y = (y * 5 + 1) * (x - 3) + (y - x) * 5
    else:
        y = (y * 7 + 1) * (x - 4) + (y - x) * 6
        y = (y * 9 + 1) * (x - 5) + (y - x) * 7
    return y * 2 - 1


def called(x: Any) -> Any:
    y = x * 2 + 1
    a, b = straight(y)
    return straight(a + b)[0] - y


def only_called(x: Any) -> Any:
    return straight(x)[0]


CUT = [straight, unrolled, in_loop, in_branches, called]


@pytest.mark.parametrize("in_regions", [6, 14, 1000])
@pytest.mark.parametrize("program", CUT)
def test_many_operations(program: Any, in_regions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another segment goes on behind the last statement, or before what cannot be cut."""
    monkeypatch.setattr(budget, "MAX_NODES", 6)
    monkeypatch.setattr(budget, "MAX_NODES_IN_REGIONS", in_regions)
    for made in check(program, X) + check(program, X + 3):
        assert made.stats()["failures"] == 0
        assert_normally(made.stats()["launches"] > 2)
    report = " ".join(str(explain(jit(program))(X)).split())
    if program is straight or in_regions == 6:
        assert_normally("would take seconds to compile" in report)


def test_too_many_where_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing before it that could be a segment."""
    monkeypatch.setattr(budget, "MAX_NODES_IN_REGIONS", 6)
    monkeypatch.setattr(budget, "MAX_NODES", 6)
    check(only_called, X)
    report = " ".join(str(explain(jit(only_called))(X)).split())
    assert_normally("FJ403, once: more than 6 operations" in report)


@pytest.mark.parametrize("program", CUT[1:])
def test_long_texts(program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are made of fewer operations, as long as there are enough of them."""
    monkeypatch.setattr(backend, "MAX_LINES", 40)
    for fewest in (4, 1000):
        monkeypatch.setattr(new_entries, "FEWEST_NODES", fewest)
        for made in check(program, X):
            assert made.stats()["failures"] == 0
        jitted = jit(program, backend="numba")
        for _ in range(3):
            jitted(X)
        texts = [entry.kernel_text for entry in jitted._manager.entries]
        assert all(text.count("\n") <= 40 for text in texts)
        skips = {rule for rule, _, _ in jitted._manager.journal.skips}
        assert_normally(("text" if fewest == 4 else "too-long") in skips)


def test_stages_of_long_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "MAX_LINES", 10)
    with pytest.raises(framejit.StageError, match="lines, of which 10 are compiled"):
        jit(straight, backend="numba").trace(X).lower()
