"""Functions that are called when the interpreter has ended its threads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import atexit
import numpy as np
from framejit import capture, jit

def line(x):
    return x * 2.0 + 1.0

decorated = jit(line)

def last():
    for _ in range(3):
        results = [decorated(np.arange(4.0)).tolist()]
        with capture():
            results.append(line(np.arange(4.0)).tolist())
    print(results)

atexit.register(last)
{before}
"""


@pytest.mark.parametrize(
    "before", ["", "decorated(np.ones(3)), decorated(np.ones(3))", "import concurrent.futures"]
)
def test_answers_at_exit(tmp_path: Path, before: str) -> None:
    """All that a capture imports can be imported then, or is there already."""
    script = tmp_path / "program.py"
    script.write_text(PROGRAM.format(before=before))
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False
    )

    assert (done.stderr, done.stdout) == ("", f"{[[1.0, 3.0, 5.0, 7.0]] * 2}\n")
