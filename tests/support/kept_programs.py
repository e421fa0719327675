"""Programs that run in several processes, of which later ones find entries kept by the first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 300
START = """
import numpy as np
from framejit import jit
X = np.linspace(0.0, 1.0, 50)
"""
WHOLE = """
@jit
def f(x, y):
    z = x * y + 1.0
    return z.sum(), z
for k in range(3):
    print(f(X, X + k)[0].hex(), f(X, X + k)[1].tobytes().hex())
"""
SEGMENTS = """
@jit
def f(x, n):
    total = np.zeros(3)
    for i in range(n):
        y = np.sqrt(x * x + i)
        print(i, y[0].hex())
        total[i % 3] += (y * 2).sum()
    return total
for n in (5, 4, 3):  # a frame that runs has stubs of the version that it began with
    print(f(X, n).tobytes().hex())
"""
OBJECTS = """
class Body:
    __slots__ = ("p", "v")
    drag = 0.5
    def __init__(self, p, v):
        self.p, self.v = p, v
    def step(self, h=0.01):
        return Body(self.p + self.v * h, self.v - self.v * self.drag * h)

@jit
def f(body, n):
    for _ in range(n):
        body = body.step()
    return body
made = f(Body(X, X * 2), 7)
print(type(made).__name__, made.p.tobytes().hex(), made.v.tobytes().hex())
"""
END = """
import json, sys
LOADED = [name for name in sys.modules if name.startswith((
    "framejit.frontends.capture.", "framejit.frontends.numpy.",
    "framejit.jit.passes", "framejit.jit.ir", "numba."))
    and not name.startswith(("framejit.frontends.numpy.decompositions",
    "framejit.frontends.capture.values.models",
    "framejit.frontends.capture.values.python_bodies", "framejit.jit.ir.references"))
    and name not in ("framejit.frontends.capture.values", "framejit.jit.ir")]
STATS = {name: one.stats() for name, one in [*globals().items()] if hasattr(one, "stats")}
print(json.dumps({"loaded": LOADED, "stats": STATS}))
"""
"""The end of each program: it prints the loaded modules, and numbers of its jitted functions."""


@dataclass(frozen=True)
class Run:
    """One process."""

    printed: list[str]
    loaded: list[str]
    """Modules that capture or compile."""
    stats: dict[str, dict[str, int]]
    errors: str

    def total(self, name: str) -> int:
        """One number of all jitted functions."""
        return sum(one[name] for one in self.stats.values())


def run(program: str, folder: Path, *, eager: bool = False, **environment: str) -> Run:
    """Runs a program; those in one folder share a cache, and the path of their script."""
    script = folder / "script.py"
    script.write_text(program + END)
    variables = {
        "FRAMEJIT_ENTRIES": "1",
        "FRAMEJIT_COMPILE": "now",
        "FRAMEJIT_DEBUG": "strict",
        "FRAMEJIT_CACHE_DIR": str(folder / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=SECONDS,
        check=False,
        env={
            **os.environ,
            **variables,
            **environment,
            **({"FRAMEJIT_DISABLE": "1"} if eager else {}),
        },
    )
    assert done.returncode == 0, done.stderr
    *printed, last = done.stdout.splitlines()
    told: dict[str, Any] = json.loads(last)
    return Run(printed, told["loaded"], told["stats"], done.stderr)


def entries_in(folder: Path) -> list[Path]:
    """The files of kept functions; a short one tells of framejit's own sources."""
    home = folder / "cache" / "entries"
    return [one for one in home.iterdir() if one.stat().st_size > 64] if home.exists() else []


def run_twice(program: str, folder: Path) -> tuple[Run, Run]:
    """Run a program in two processes, of which only the first may capture; both print as eager."""
    eager = run(program, folder, eager=True)
    first = run(program, folder)
    second = run(program, folder)
    assert eager.printed == first.printed == second.printed
    assert first.total("captures") > 0
    assert second.total("captures") == 0, run(program, folder, FRAMEJIT_LOG="cache").errors
    assert second.total("kept") > 0
    return first, second
