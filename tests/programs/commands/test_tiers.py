"""`framejit run` with compile="auto": what has paid for it is captured and compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from framejit.frontends.tiers import ledger
from framejit.jit.cores import cores

pytestmark = pytest.mark.counts("what was captured, and when")

HOT = """
import numpy as np

def step(a):
    for _ in range(5):
        a = np.sqrt(a * a + 1.0) - a * 0.5
    return a

def small(k):
    return k + 1

def main(seconds):
    a = np.linspace(0.0, 1.0, 2000)
    total, k, until = 0.0, 0, process_time() + seconds
    while process_time() < until or k < 2000:
        total += step(a)[k % 7] + small(k) * 1e-9
        k += 1
        if k == 2000:
            print(repr(total))
"""
"""The same total after 2,000 iterations, however many there are."""
RICH = """
from framejit.frontends.tiers import accounts, ledger
accounts.LEAST = accounts.LEAST_HELPER = 100.0
"""
"""Framejit may take as much as it wants: only the gain decides."""
POOR = RICH.replace("100.0", "0.03") + "accounts.SHARE = accounts.HELPER_SHARE = 0.0\n"
"""That pays for gates, and for no capture."""
START = "from time import process_time\n"


def run(
    program: str, folder: Path, *words: str, seconds: float = 0.0, **environment: str
) -> tuple[str, dict[str, Any]]:
    """Return the output of the program, and its report."""
    script, report = folder / "script.py", folder / "report.json"
    script.write_text(START + textwrap.dedent(program))
    done = subprocess.run(
        [sys.executable, "-m", "framejit", "run", "--report", str(report), str(script), *words],
        env={
            **os.environ,
            "FRAMEJIT_COMPILE": "auto",
            "FRAMEJIT_CACHE_DIR": str(folder / "cache"),
            **environment,
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, json.loads(report.read_text())


def plain(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", START + textwrap.dedent(program)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout


def named(rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """The row of a function."""
    return next(row for row in rows if row["place"]["function"] == name)


def test_what_pays_is_compiled_while_the_program_runs(tmp_path: Path) -> None:
    wait = "from framejit import wait_for_compiles\nwait_for_compiles(60)\n"
    program = f"{HOT}main(2.0)\n{wait}main(1.0)\n{wait}main(1.0)\n"
    out, report = run(RICH + program, tmp_path)
    spending = [one["spending"] for one in report["functions"]]
    segments = [one for function in report["functions"] for one in function["segments"]]

    assert out == plain(HOT + "main(0.0)\n" * 3)
    assert any(one["tier"].startswith("compiled") for one in spending)
    assert all(one["captured"] > 0.0 for one in spending)
    assert sum(segment["hits"] for segment in segments) > 100


def test_what_was_kept_serves_the_next_process(tmp_path: Path) -> None:
    """A function that is called again and again, and the loop of a function that is called once."""
    wait = "from framejit import wait_for_compiles\nwait_for_compiles(60)\n"
    taken = RICH + "from framejit.frontends.tiers import prices\nprices.TAKING_FIRST = 0.0\n"
    program = f"{taken}{HOT}main(2.0)\n{wait}main(1.0)\n"
    # A copy of the process would be over only after it on a machine whose cores are busy.
    inside = {"FRAMEJIT_ENTRIES": "1", "FRAMEJIT_COPIES": "0"}
    out, _ = run(program, tmp_path, **inside)
    again, report = run(program, tmp_path, **inside)
    segments = [one for function in report["functions"] for one in function["segments"]]
    kept = [one for one in segments if any("brought back" in note for note in one["notes"])]

    assert again == out == plain(HOT + "main(0.0)\n" * 2)
    assert sum(segment["hits"] for segment in kept) > 100


def test_a_program_that_is_over_soon_is_left_alone(tmp_path: Path) -> None:
    out, report = run(HOT + "main(0.0)\n", tmp_path)

    assert out == plain(HOT + "main(0.0)\n")
    assert report["functions"] == []
    rules = {row["rule"] for row in report["skipped"] if row["place"]["function"] == "step"}
    assert rules <= {"cold", "unpaid", "once"}  # none, if no sample has met it


def test_what_the_account_has_no_room_for_waits(tmp_path: Path) -> None:
    """It would have paid, and the report says so."""
    _, report = run(POOR + HOT + "main(1.5)\n", tmp_path)
    step = named(report["skipped"], "step")

    assert report["functions"] == []
    assert step["rule"] == "unpaid"
    assert "it would have paid, but so much of the program's time" in step["reason"]


def test_short_programs_pay_together(tmp_path: Path) -> None:
    """Time, and what framejit was allowed and did not take, add up in the ledger."""
    program = HOT + "main(0.7)\n"
    expected = plain(HOT + "main(0.0)\n")
    captured = []
    for _ in range(12):
        out, report = run(program, tmp_path)
        assert out == expected
        captured += [one["place"]["function"] for one in report["functions"]]
    rows = ledger.unpacked((tmp_path / "cache" / ledger.FOLDER / ledger.FILE).read_bytes())
    (step,) = [row for key, row in rows.items() if ":step:" in key]

    assert "step" in captured
    assert step.spent > 2.0


ONCE = """
import numpy as np

out = np.zeros(7_000_000)
level = 0.0
for i in range(len(out)):
    level += 0.01 * (abs(i % 1000 - 500.0) - level)
    if level > 200.0:
        level = 200.0
    out[i] = level
print(repr(out.sum()))
"""
"""No loop but one, which is met once: nothing tries it against plain Python."""


@pytest.mark.skipif(cores() < 2, reason="captures inside of a program of a second do not pay")
def test_a_loop_that_runs_once_goes_on_being_compiled(tmp_path: Path) -> None:
    """Its kernel takes a hundredth of plain Python's time, and had no gain but its own time."""
    expected, served = plain(ONCE), []
    for _ in range(12):
        out, report = run(ONCE, tmp_path, FRAMEJIT_ENTRIES="1")
        assert out == expected
        segments = [one for function in report["functions"] for one in function["segments"]]
        served.append(any(segment["hits"] for segment in segments))
        if served[-4:-3] == [True]:
            break

    assert served[-4:] == [True] * 4, served


def test_without_a_folder_each_process_begins_anew(tmp_path: Path) -> None:
    run(HOT + "main(0.3)\n", tmp_path, FRAMEJIT_CACHE_DIR="off")
    assert not (tmp_path / "cache").exists()


def test_the_cache_folder_may_be_one_that_others_read(tmp_path: Path) -> None:
    """A user makes it with `mkdir`; what must be private is in folders inside."""
    (tmp_path / "cache").mkdir(mode=0o755)
    asks = "from framejit.frontends.tiers import copies\nprint(copies._why_none())\n"
    out, _ = run(HOT + "main(0.5)\n" + asks, tmp_path, FRAMEJIT_ENTRIES="1", FRAMEJIT_DEBUG="")

    assert (tmp_path / "cache" / ledger.FOLDER / ledger.FILE).exists()
    assert "kept on disk" not in out
    assert "nothing can be kept" not in out


def test_a_fork_does_not_write_the_ledger(tmp_path: Path) -> None:
    """Its time is a copy of the parent's measurement."""
    program = (
        HOT
        + """
main(0.5)
import os, sys
child = os.fork()
if not child:
    sys.exit(0)
os.waitpid(child, 0)
folder = os.path.join(os.environ["FRAMEJIT_CACHE_DIR"], "programs")
print(os.listdir(folder) if os.path.isdir(folder) else [])
"""
    )
    out, _ = run(program, tmp_path)
    assert out.endswith("[]\n")
    assert (tmp_path / "cache" / ledger.FOLDER / ledger.FILE).exists()


def test_now_compiles_while_the_call_waits(tmp_path: Path) -> None:
    program = HOT + "main(0.0)\n"
    _, report = run(program, tmp_path, FRAMEJIT_COMPILE="now")
    assert named(report["functions"], "step")["spending"]["tier"] == "compiled"


TOSSED = """
import numpy as np

def step(a, k):
    return (a * 0.5 + k).sum()

total, a = 0.0, np.arange(10.0)
for k in range(200):
    total += step(a, k)
    a = a + 0.1
    if k % 50 == 0:
        print(k, total)
print(total, k, a.tolist(), step.__code__.co_name)
"""


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_tossed_tiers_change_nothing(tmp_path: Path, seed: str) -> None:
    """FRAMEJIT_DEBUG=tier_everywhere: functions and the module's loop, captured at random."""
    modes = {"FRAMEJIT_DEBUG": "strict,tier_everywhere", "FRAMEJIT_BACKEND": "numpy"}
    out, _ = run(TOSSED, tmp_path, FRAMEJIT_SEED=seed, **modes)

    assert out == plain(TOSSED)


def test_tosses_can_be_replayed() -> None:
    """Without a seed one is made up and printed."""
    made = subprocess.run(
        [sys.executable, "-c", "import framejit; framejit.jit(lambda x: x)"],
        env={**os.environ, "FRAMEJIT_DEBUG": "tier_everywhere"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert made.stderr.startswith("framejit: tier_everywhere with FRAMEJIT_SEED=")
