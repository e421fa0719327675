"""Frames of whole programs that go over into other code: `run`, allocator checks, CPython's JIT."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MAIN = """
import numpy as np
x = np.linspace(0.5, 1.5, 7)
total = 0.0
for k in range(60):
    x = x * 1.01 + k
    total += float(x[2])
def main(n):
    y = x
    for k in range(n):
        y = y * 0.5 + k
    return y
print(total, main(50).tolist())
"""


OPENED = """
import sys
from framejit.frontends.undecorated import gates, loading
from framejit.frontends.bytecode import gating
from framejit.frontends.bytecode.opening import open_gates
if {open}:
    def opened(code, gated=gating.gated):
        made = gated(code)
        if made is not None:
            open_gates(made)
        return made
    gating.gated = opened
from framejit.frontends.commands import run
run.main([{script!r}], 0.0)
"""


@pytest.mark.parametrize("opened", [False, True])
def test_a_program_under_run(tmp_path: Path, opened: bool) -> None:
    """Loops of functions and of the module, with the allocator that tells of overruns."""
    script = tmp_path / "main.py"
    script.write_text(MAIN)
    text = OPENED.format(open=opened, script=str(script))
    environment = {**os.environ, "PYTHONMALLOC": "debug", "FRAMEJIT_COMPILE": "auto"}
    got = subprocess.run(
        [sys.executable, "-X", "dev", "-c", text],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=False,
        cwd=tmp_path,
    )
    want = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert (got.stderr, got.stdout) == ("", want.stdout)


TRACED = """
import gc, sys
from framejit.frontends.bytecode import gating
from framejit.frontends.bytecode.opening import close_gates, open_gates

def program(n, asked=None):
    total = 0
    for k in range(n):
        total += k * 2 if k & 1 else k
        if asked is not None and k == n - 2:
            asked()
    return total

expected = program(9000), program(50)
program.__code__ = code = gating.gated(program.__code__)
before = hash(code)

def exchange():
    for gate in gating.gates_of(code):
        assert open_gates(code, gate.header) and hash(code) == before
        close_gates(code, gate.header)
        assert hash(code) == before
        assert open_gates(code)

assert program(9000) == expected[0]
for _ in range(60):
    exchange()
    assert (program(9000, exchange), program(50)) == expected
    gc.collect()
assert {code: 1}[code]
print("the same")
"""


@pytest.mark.parametrize("jit", ["0", "1"])
def test_traces_of_cpythons_own(jit: str) -> None:
    """A trace that CPython's JIT has of an iteration is dropped: gates open and close as ever."""
    done = subprocess.run(
        [sys.executable, "-c", TRACED],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHON_JIT": jit},
    )
    assert done.stdout == "the same\n", done.stderr
