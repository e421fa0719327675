"""The table of whole programs: its arithmetic, and how processes are counted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from bench.programs_table import RUNS, Side, Sides, failures, passes, row, speed, summary

TESTS = Path(__file__).parents[2]


def sides(plain: float = 1.0, **walls: float) -> Sides:
    """A program whose runs take as long as plain Python but where said otherwise; CPU as wall."""
    names = {f"run_{number}": f"run {number}" for number in range(1, RUNS + 1)}
    found = {"plain": Side([plain], [plain])}
    for key, name in names.items():
        found[name] = Side([walls.get(key, plain)], [walls.get(key, plain)])
    return found


@pytest.mark.parametrize(
    ("program", "wrong"),
    [
        (sides(), []),
        (sides(run_1=1.049), []),
        (sides(run_1=1.051), ["run 1 wall"]),
        (sides(run_1=1.51), ["run 1 wall", "run 1 CPU"]),
        (sides(run_2=1.039), []),
        (sides(run_2=1.041), ["run 2 wall"]),
        (sides(4.0, run_2=4.079), []),
        (sides(4.0, run_2=4.081), ["run 2 wall"]),
        (sides(0.1, run_1=0.139), []),
        (sides(0.1, run_1=0.141), ["run 1 wall"]),
        (sides(run_5=9.0), []),
        (sides(run_6=0.3), ["a gain is lost"]),
        (sides(run_6=0.3, run_7=0.33), []),
        (sides(run_6=0.3, run_8=0.33), []),
        (sides(run_6=0.3, run_8=0.36), ["a gain is lost"]),
    ],
)
def test_limits(program: Sides, wrong: list[str]) -> None:
    """A twentieth or 40 ms at the first run, a fiftieth or 40 ms at the second; no gain is lost."""
    assert failures(program) == wrong


def test_work_elsewhere_counts() -> None:
    """Half as much CPU time again is allowed, in whichever process it is spent."""
    program = sides()
    program["run 1"] = Side([1.0], [1.6])

    assert failures(program) == ["run 1 CPU"]


def test_other_bits_are_told() -> None:
    """A run that is wrong fails however fast it is."""
    program = sides(run_3=0.1, run_8=0.1)
    program["run 3"].same = False

    assert failures(program) == ["run 3 WRONG"]
    assert not passes({"program": program})


def test_the_best_round_counts() -> None:
    """Wall and CPU time are each the best of their own, and the spread is that of wall time."""
    side = Side([3.0, 2.0, 2.5], [1.0, 1.5, 0.5])

    assert (side.wall, side.cpu, side.spread) == (2.0, 0.5, 0.5)


def test_means_are_geometric() -> None:
    """Twice as fast and half as fast are as fast as plain Python, and the last run has a limit."""
    fast, slow = sides(run_5=0.5, run_8=0.5), sides(3.0, run_5=6.0)

    assert speed([fast, slow], "run 5") == pytest.approx(1.0)
    assert speed([fast], "run 5", of_cpu=True) == pytest.approx(2.0)
    assert passes({"fast": fast})
    assert not passes({"fast": fast, "slow": slow})
    assert "1 of 2 faster" in summary({"fast": fast, "slow": slow})


def test_a_row_shows_multiples_of_plain_python() -> None:
    """Milliseconds, then wall and CPU time over plain Python's."""
    line = row("program", sides(run_1=2.5, run_5=0.5, run_7=0.5))

    assert "2500  2.50  2.50" in line
    assert "500  0.50  0.50" in line
    assert line.endswith("run 1 wall, run 1 CPU")


COUNTED = """
import json, subprocess, sys, time
from pathlib import Path
from bench.process_costs import adopt_orphans, cost

BUSY = "import time\\nwhile time.process_time() < 0.3: pass"
PROGRAM = f'''
import subprocess, sys
again = {BUSY!r}
if sys.argv[1] == "waits":
    subprocess.run([sys.executable, "-c", again])
else:
    subprocess.Popen([sys.executable, "-c", again], start_new_session=True)
print("done")
'''
adopt_orphans()
for way in ("waits", "leaves"):
    found = cost([sys.executable, "-c", PROGRAM, way], {}, Path("."))
    print(json.dumps([found.wall, found.cpu, found.outlived, found.killed, found.output.decode()]))
"""


def test_processes_that_outlive_the_command_are_counted() -> None:
    """Also one in a session of its own, for which nobody waits."""
    done = subprocess.run(
        [sys.executable, "-c", COUNTED], cwd=TESTS, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    waits, leaves = (json.loads(line) for line in done.stdout.splitlines())

    assert waits[1] >= 0.3
    assert waits[2:] == [0, 0, "done\n"]
    assert leaves[1] >= 0.3
    assert leaves[2:] == [1, 0, "done\n"]
