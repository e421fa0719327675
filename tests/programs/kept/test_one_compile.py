"""Processes that share a cache compile a kernel once, even where they come to it at one time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.counts("which kernels were compiled")

PROGRAM = """
import json, os, sys, time
import numpy as np
from framejit import jit, wait_for_compiles
from framejit.backends.numba.machine_code import compiling  # a second, before the others begin
@jit
def f(x):
    for k in range(6):
        x = np.sqrt(x * x + k)
    return x
x = np.linspace(0.0, 1.0, 50)
open(f"ready.{os.getpid()}", "w").close()
while not os.path.exists("go"):
    time.sleep(0.005)
for _ in range(3):
    y = f(x)
    wait_for_compiles()
print(json.dumps([f.stats(), y.tobytes().hex()]))
"""


@pytest.mark.parametrize("when", ["now", "auto"])
def test_at_the_same_time(when: str, tmp_path: Path) -> None:
    """Three processes begin at one signal."""
    (tmp_path / "script.py").write_text(PROGRAM)
    variables = {"FRAMEJIT_CACHE_DIR": str(tmp_path / "cache"), "FRAMEJIT_COMPILE": when}
    running = [
        subprocess.Popen(
            [sys.executable, "script.py"],
            cwd=tmp_path,
            env={**os.environ, **variables},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    while len([*tmp_path.glob("ready.*")]) < len(running):
        assert all(one.poll() is None for one in running)
    (tmp_path / "go").touch()
    told = [json.loads(one.communicate(timeout=300)[0]) for one in running]

    assert len({answer for _, answer in told}) == 1
    assert sum(stats["hits"] > 0 for stats, _ in told) == 3
    assert sum(stats["compiled"] for stats, _ in told) == 1
    assert sum(stats["from_disk"] for stats, _ in told) == 2
