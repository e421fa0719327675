"""Laps: how often they began, how long they took, and what is set aside."""

from __future__ import annotations

import pytest

from framejit.jit import native
from framejit.jit.native import Lap, Laps, _core

MS = 1_000_000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> object:
    """Stands still unless it is set."""
    yield native.stop_clock
    native.stop_clock(-1)


def test_a_lap_lasts_until_the_next(clock: object) -> None:
    laps = Laps()
    first, second = Lap(laps), Lap(laps)
    for at, lap in ((0, first), (3, second), (4, first), (9, second)):
        native.stop_clock(at * MS)
        lap()

    assert (first.times, first.spent, first.least) == (2, 8 * MS, 3 * MS)
    assert (second.times, second.spent, second.least) == (2, 1 * MS, 1 * MS)


def test_what_is_set_aside(clock: object) -> None:
    """Captures are in no lap; what follows the end of a frame is in none either."""
    laps = Laps()
    lap, end = Lap(laps), Lap(laps, ends=True)
    native.stop_clock(0)
    lap()
    native.stop_clock(10 * MS)
    before = native.set_aside(7 * MS)
    end()
    native.stop_clock(50 * MS)
    lap()

    assert native.set_aside(0) == before
    assert (lap.spent, end.spent) == (3 * MS, 0)


def test_laps_may_die_while_they_run(clock: object) -> None:
    laps = Laps()
    Lap(laps)()
    lap = Lap(laps)
    lap()

    assert lap.times == 1


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError):
        Lap(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        native.set_aside("1")  # type: ignore[arg-type]
    segment = _core.Segment(None, 1)
    segment.closed, segment.lap = 1, 3  # type: ignore[assignment]
    assert segment() is None  # no lap: nothing is measured
