"""The cost of `python -m framejit run` for a program of calls: plain and under it, in turn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pytest

PROGRAM = Path(__file__).with_name("call_heavy.py")
LEAST, MOST = 4, 16
"""Rounds."""


def seconds(*command: str) -> float:
    start = perf_counter()
    subprocess.run([sys.executable, *command], check=True, capture_output=True, timeout=120)
    return perf_counter() - start


@pytest.mark.parametrize(("argument", "limit"), [((), 1.10), (("numpy",), 1.25)])
def test_a_program_of_calls(argument: tuple[str, ...], limit: float) -> None:
    """At most a tenth more without NumPy; with it, what captures is loaded as well.

    Recursion, methods, properties, closures, generators, key functions, stars: most of a second.
    The best of rounds that alternate: what else the machine does can only add, and one process is
    easily a fifth slower than the next.  A disturbed measurement is taken further.
    """
    ours = ("-m", "framejit", "run", str(PROGRAM), *argument)
    pairs: list[tuple[float, float]] = []
    ratio = float("inf")
    while len(pairs) < LEAST or (ratio > limit and len(pairs) < MOST):
        pairs.append((seconds(str(PROGRAM), *argument), seconds(*ours)))
        ratio = min(b for _, b in pairs) / min(a for a, _ in pairs)

    print(f"a program of calls {argument}: {ratio:.2f} of plain Python, {len(pairs)} rounds")
    assert ratio <= limit
