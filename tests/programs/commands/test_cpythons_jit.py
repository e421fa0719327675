"""Programs under `framejit run` beside CPython's own JIT (`PYTHON_JIT=1`)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.counts("which runs of a program have a JIT of CPython's"),
    pytest.mark.skipif(
        not (hasattr(sys, "_jit") and sys._jit.is_available()), reason="CPython has no JIT here"
    ),
]
WITHOUT_ARRAYS = """
import sys
import numpy

class Body:
    def __init__(self, at, speed):
        self.at, self.speed = at, speed

def moved(bodies, steps):
    for _ in range(steps):
        for body in bodies:
            body.speed -= 0.01 * body.at
            body.at += 0.01 * body.speed
    return [(body.at, body.speed) for body in bodies]

def words(count):
    return sum(len(f"{k}{k % 7}") if k & 1 else k % 3 for k in range(count))

for round in range(3):
    print(moved([Body(1.0, 0.0), Body(0.5, 2.0)], 20_000), words(20_000))
"""
WITH_ARRAYS = """
import sys
import numpy as np

def step(a, b):
    for _ in range(4):
        a = np.sqrt(a * a + 1.0) - a * 0.5
        b = b + a * 0.125
    return a, b

def program(count):
    a, b = np.linspace(0.0, 1.0, 300), np.zeros(300)
    total = 0
    for k in range(count):
        a, b = step(a, b)
        total += k * 2 if k & 1 else int(b[k % 300] > 0.5)
    return float(a.sum()), float(b.sum()), total

for round in range(3):
    print(program(2_000), program(500))
"""
TELLS = "print(sys._jit.is_enabled(), file=sys.stderr)\n"


def run(folder: Path, text: str, *words: str) -> tuple[str, str]:
    """Return what a program prints, and True if the JIT is on at its end."""
    program = folder / "program.py"
    if not program.exists():  # its time is part of its identity
        program.write_text(text + TELLS)
    done = subprocess.run(
        [sys.executable, *words, "program.py"],
        cwd=folder,
        env={
            **{key: value for key, value in os.environ.items() if not key.startswith("FRAMEJIT_")},
            "PYTHON_JIT": "1",
            "FRAMEJIT_DEBUG": "strict,unproved",
            "FRAMEJIT_CACHE_DIR": str(folder / "cache"),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout, done.stderr.strip()


@pytest.mark.parametrize("text", [WITHOUT_ARRAYS, WITH_ARRAYS], ids=["plain", "arrays"])
def test_answers_are_those_of_plain_python(tmp_path: Path, text: str) -> None:
    """In runs that are looked at, that rest, and that take what was captured."""
    expected, enabled = run(tmp_path, text)
    assert enabled == "True"
    for _ in range(4):
        actual, _ = run(tmp_path, text, "-m", "framejit", "run")

        assert expected == actual
    actual, _ = run(tmp_path, text, "-m", "framejit", "warm")

    assert expected == actual
    assert run(tmp_path, text, "-m", "framejit", "run")[0] == expected


def test_a_run_that_rests_keeps_the_jit(tmp_path: Path) -> None:
    """The second one of a short program; 3.15 takes it from the first, whose loops get gates."""
    first = run(tmp_path, WITHOUT_ARRAYS, "-m", "framejit", "run")[1]
    second = run(tmp_path, WITHOUT_ARRAYS, "-m", "framejit", "run")[1]

    assert (first, second) == (str(sys.version_info < (3, 15)), "True")
