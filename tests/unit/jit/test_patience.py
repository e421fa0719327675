"""The line that tells a user at a terminal the reason of a long wait."""

from __future__ import annotations

import os
import pty
import select
import sys
import time

SLOW = """
import threading, time
import numpy as np
from framejit import jit
from framejit.frontends.runtime import entry
from framejit.jit import patience

patience.SECONDS = {seconds}
original = entry.compile_plan

def slow(*args, **kwargs):
    time.sleep(0.3)
    return original(*args, **kwargs)

entry.compile_plan = slow

@jit(backend="numpy")
def doubled(x):
    return x * 2 + 1

doubled(np.ones(3))
doubled(np.ones((3, 3)))
print("end", threading.active_count(), flush=True)
"""
LONGEST = 60.0


def at_a_terminal(program: str) -> str:
    """Run a program at a terminal and return its output."""
    process, terminal = pty.fork()
    if process == 0:
        os.execv(sys.executable, [sys.executable, "-c", program])
    out, end = b"", time.monotonic() + LONGEST
    while b"end 1\r\n" not in out and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            out += os.read(terminal, 4096)
    os.waitpid(process, 0)
    os.close(terminal)
    return out.decode()


def test_a_line_at_a_terminal() -> None:
    """One for each function, whatever takes long in it; programs see no thread of ours."""
    first, second = at_a_terminal(SLOW.format(seconds=0.1)).splitlines()

    assert first == "framejit: to capture and compile doubled (<string>:17) takes more than 0 s"
    assert second == "end 1"


def test_no_line_where_nothing_is_slow() -> None:
    assert at_a_terminal(SLOW.format(seconds=30.0)).splitlines() == ["end 1"]
