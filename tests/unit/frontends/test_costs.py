"""Costs in reports: of graph breaks, of segments, and their lengths."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from report_facts import FACTS, SEGMENT

from framejit import config, explain, jit
from framejit.jit.report.segment_text import why_no_gain
from framejit.jit.report.text import report_text

X = np.linspace(0.5, 1.5, 2000)
COUNTS = pytest.mark.counts("hostile modes end segments elsewhere, and decline")
SLEEP = 0.02


def sleeping(x: Any, n: int) -> Any:
    y = x * 2.0 + 1.0
    print(end="")
    y = np.sqrt(y) - x
    for _ in range(n):
        time.sleep(SLEEP)
        y = y * 0.5 + x
    return y.sum()


@COUNTS
@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_breaks_cost_what_the_interpreter_spends_there(backend: str) -> None:
    """Between the segments on both sides; the most expensive one is told of first."""
    with config(backend=backend):
        report = explain(sleeping)(X, 3)
    costs = {one.source: one for one in report.breaks}
    slept = costs["time.sleep(SLEEP)"]
    printed = costs['print(end="")']

    assert slept.count == 3
    assert slept.seconds is not None
    assert slept.seconds >= 3 * SLEEP
    assert slept.share is not None
    assert slept.share > 0.3
    assert printed.seconds is not None
    assert 0 < printed.seconds < slept.seconds
    assert report.facts.seconds is not None
    assert report.facts.seconds >= slept.seconds
    text = str(report)
    assert text.index("time.sleep(SLEEP)   [") < text.index('print(end="")   [')


@COUNTS
def test_segments_have_times_and_gains() -> None:
    """Times are of the fastest launch, and of NumPy on copies, without captures and compiles."""
    before = X.copy()
    with config(backend="numba"):
        report = explain(sleeping, repeat=3)(X, 1)

    assert X.tobytes() == before.tobytes()
    for one in report.segments:
        if one.launches:
            assert one.seconds is not None
            assert one.seconds > 0
            assert one.eager is not None
            assert one.eager > 0
            assert one.bytes in (X.nbytes, 2 * X.nbytes)


@COUNTS
def test_whole_calls_have_times() -> None:
    report = explain(lambda x: np.sqrt(x * 2 + 1))(X)
    (segment,) = report.segments

    assert segment.seconds == report.facts.seconds
    assert segment.eager is not None


@COUNTS
def test_nothing_is_measured_afterwards() -> None:
    """Code and segments of later calls have no laps, and kernels are not compared."""
    jitted = jit(sleeping, compile="now")
    explain(jitted)(X, 1)
    points = jitted._manager.segmented.points.values()

    assert [one.segment.lap for one in points if one.segment is not None and one.exits] != []
    assert all(one.segment.lap is None for one in points if one.segment is not None and one.exits)
    names = [type(one).__name__ for one in jitted._fallback.__code__.co_consts]
    assert "Lap" not in names


FOUR = """
import logging, time
import numpy as np
def f(x, n):
    y = x * 2.0 + 1.0
    t = time.perf_counter()
    z = np.sqrt(np.abs(y)) - x
    print("mean", z.mean())
    z = z * 0.5 + y
    seen = {n, 1}
    w = np.where(z > y, z, y * 0.5)
    logging.getLogger("a").info("n %d", n)
    w = w / (1.0 + w * w)
    return w.sum() + z[0]
"""
STATEMENTS = (
    *("print('a')", "t = time.perf_counter()", "seen = {n, 1}", "p = os.getpid()"),
    *("s = json.dumps([n])", "sys.stdout.flush()", "k = random.random()", "print(k)"),
)
MANY = (
    "import json, os, random, sys, time\nimport numpy as np\ndef f(x, n):\n    y = x * 2.0 + 1.0\n"
    + "".join(f"    {STATEMENTS[k % 8]}\n    y = y * 0.5 + x\n" for k in range(16))
    + "    return y\n"
)


@COUNTS
@pytest.mark.parametrize(("program", "most"), [(FOUR, 40), (MANY, 60)])
def test_reports_are_short(program: str, most: int, tmp_path: Path) -> None:
    """Long ones are told in brief, unless all is asked for."""
    file = tmp_path / "program.py"
    file.write_text(program)
    space: dict[str, Any] = {"__name__": "program"}
    exec(compile(program, str(file), "exec"), space)
    with config(backend="numpy"):
        report = explain(space["f"])(X, 3)
    text, full = str(report), report.to_text(verbose=True)

    assert len(text.splitlines()) <= most
    assert len(full.splitlines()) >= len(text.splitlines())
    assert max(map(len, text.splitlines())) <= 100
    assert "print" in text
    assert sum(one.count for one in report.breaks) >= 4


@COUNTS
def test_entries_that_served_other_calls_have_no_costs() -> None:
    """Only of launches in explained calls is anything known."""
    jitted = jit(lambda x: x * 2 + 1, compile="now", backend="numpy")
    jitted(X.astype("f4"))
    served, other = sorted(explain(jitted)(X).segments, key=lambda one: one.seconds is None)

    assert served.bytes == X.nbytes
    assert (other.seconds, other.eager, other.bytes) == (None, None, None)


@pytest.mark.parametrize(
    ("seconds", "eager", "hits", "told"),
    [
        (1e-3, 2e-3, 5, ""),
        (2e-3, 1e-3, 1, ""),
        (2e-3, 1e-3, 4, ""),
        (2e-3, 1e-3, 5, "NumPy is as fast in these operations"),
        (2e-6, 1e-6, 5, "arrays of 80 B are small; a launch costs what it saves"),
    ],
)
def test_no_speed_up(seconds: float, eager: float, hits: int, told: str) -> None:
    """Its reason; a few launches on a machine that does other things prove nothing."""
    size = 80 if seconds < 1e-4 else 8_000_000
    one = replace(SEGMENT, seconds=seconds, eager=eager, hits=hits, bytes=size, opaque=0)

    assert why_no_gain(one) == told
    assert (f"no speed-up: {told}" in report_text(replace(FACTS, segments=(one,)))) == bool(told)
