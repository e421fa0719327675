"""Programs that run in several processes, of which later ones find what the first has kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 300
END = """
import json, sys
LOADED = [name for name in sys.modules if name.startswith((
    "framejit.frontends.machine.", "framejit.jit.passes", "framejit.jit.ir", "numba."))
    and not name.startswith("framejit.frontends.machine.in_python")]
STATS = {name: one.stats() for name, one in [*globals().items()] if hasattr(one, "stats")}
print(json.dumps({"loaded": LOADED, "stats": STATS}))
"""
"""What stands behind each program: what it has loaded, and numbers of its jitted functions."""


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
