"""Processes that multiprocessing starts under `python -m framejit run`: one report of all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = """
import multiprocessing, sys, time
from concurrent.futures import ProcessPoolExecutor
import numpy as np
from framejit import jit

@jit(compile="now", backend="numpy")
def twice(x):
    return x * 2 + 1

def task(k):
    for _ in range(5):
        twice(np.ones(3))
    time.sleep(0.3)  # before the next result is handed over
    return k

def work(seconds):
    x, begun, total = np.linspace(0, 1, 100), time.process_time(), 0.0
    while time.process_time() - begun < seconds:
        for k in range(len(x)):
            total += x[k] * 2.0

if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    with context.Pool(2) as pool:
        print(pool.map(task, range(4), chunksize=1))
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        print(list(executor.map(task, range(4))))
    child = context.Process(target=work, args=(0.5,))
    child.start()
    child.join()
    print(child.exitcode)
"""


def run(*words: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder), **environment},
    )


@pytest.mark.counts("calls in processes")
@pytest.mark.parametrize("how", ["fork", "spawn", "forkserver"])
def test_one_report(how: str, tmp_path: Path) -> None:
    """Workers that a pool terminates, those that end, and a process by itself."""
    (tmp_path / "script.py").write_text(SCRIPT)
    plain = run("script.py", how, folder=tmp_path)
    command = ("-m", "framejit", "run", "--report", "r.json", "script.py", how)
    done = run(*command, folder=tmp_path, FRAMEJIT_COMPILE="auto")
    report: dict[str, Any] = json.loads((tmp_path / "r.json").read_text())
    functions = {one["place"]["function"]: one for one in report["functions"]}
    skipped = {one["place"]["function"] for one in report["skipped"]}

    assert (done.stdout, done.stderr) == (plain.stdout, plain.stderr)
    assert functions["twice"]["calls"] == 40
    assert sum(one["hits"] for one in functions["twice"]["segments"]) == 40
    assert "work" in {*functions, *skipped}
    assert 4 <= report["processes"] <= 6  # one worker of two may do all of it
    assert {one.name for one in tmp_path.iterdir()} == {"script.py", "r.json"}


def test_framejit_that_is_not_found(tmp_path: Path) -> None:
    """A process that is spawned without it runs as ever."""
    script = SCRIPT.replace("from framejit import jit\n", "jit = lambda **_: lambda f: f\n")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(
        "import sys\nif '--multiprocessing-fork' in sys.argv: sys.modules['framejit'] = None\n"
    )
    (tmp_path / "script.py").write_text(script)
    done = run(
        *("-m", "framejit", "run", "script.py", "spawn"),
        folder=tmp_path,
        PYTHONPATH=str(tmp_path / "site"),
    )

    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "0"


COMMANDS = """
import subprocess, sys
import numpy as np

def work(x):
    total = 0.0
    for _ in range(int(sys.argv[1])):
        for k in range(len(x)):
            total += x[k] * 2.0
    return total

work(np.linspace(0, 1, 1000))
busy = "import time\\nwhile time.process_time() < 0.5: pass"
for _ in range(int(sys.argv[2])):
    subprocess.run([sys.executable, "-c", busy], check=True)
"""


@pytest.mark.parametrize("count", [0, 1])
def test_commands_that_the_program_starts(count: int, tmp_path: Path) -> None:
    """The report has their times; framejit's own processes are none of them."""
    (tmp_path / "script.py").write_text(COMMANDS)
    for name in ("report.json", "report.txt"):
        words = ("-m", "framejit", "run", "--report", name, "script.py", "2000", str(count))
        run(*words, folder=tmp_path)

    took = json.loads((tmp_path / "report.json").read_text())["commands"]
    text = (tmp_path / "report.txt").read_text()
    assert (took >= 0.5) if count else (took == 0)
    assert ("a Python among them runs without framejit" in text) == bool(count)
