"""Programs that compile in the background, in processes of their own, and see their helper."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

SECONDS = 120
MAKE = """
def make(k):
    "A function whose kernel no other number has: numbers alone make no difference."
    terms = "".join(" + x" if digit == "1" else " - x" for digit in f"{k:b}")
    return jit(eval(f"lambda x: np.tanh(x){terms}"), compile="auto")
"""
PROGRAM = f"""
import ctypes, os, resource, signal, socket, struct, subprocess, sys, time
import numpy as np
from framejit import jit, wait_for_compiles
from framejit.backends.numba.machine_code.outside import COMPILES
from framejit.frontends.runtime.function import Manager
Manager.may_capture_now = lambda *_: True  # from the first call on

helper = COMPILES.helper
X = np.linspace(0, 1, 5)
{MAKE}
def compiles(f):
    "True if a kernel answers after the wait, as plain Python does before."
    expected = f.__wrapped__(X).tobytes()
    assert f(X).tobytes() == expected
    assert wait_for_compiles(100)
    hits = f.stats()["hits"]
    return f(X).tobytes() == expected and f.stats()["hits"] > hits

def inside():
    return sum(COMPILES.why_inside.values())

def stopped():
    "Starts a compile that is never finished: the helper is stopped. Returns the helper's pid."
    assert compiles(make(2))
    os.kill(helper.pid, signal.SIGSTOP)
    make(3)(X)
    time.sleep(0.05)
    return helper.pid
"""


def start(
    program: str, folder: Path, group: bool = False, **variables: str
) -> subprocess.Popen[str]:
    """A program whose standard output and errors are read by the test."""
    return subprocess.Popen(
        [sys.executable, "-c", f"{PROGRAM}\n{program}"],
        env={**os.environ, "FRAMEJIT_CACHE_DIR": str(folder / "cache"), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=group,
    )


def run(program: str, folder: Path, code: int = 0, **variables: str) -> str:
    """Return the output of a program, which must end with this status and print no error."""
    process = start(program, folder, **variables)
    out, errors = process.communicate(timeout=SECONDS)
    assert (process.returncode, errors) == (code, "")
    return out.strip()


def until(condition: Callable[[], bool]) -> bool:
    """Waits for what another process does on its own."""
    end = time.monotonic() + SECONDS / 2
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def is_there(process: int) -> bool:
    """False for a zombie, which init has not looked at yet."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"
