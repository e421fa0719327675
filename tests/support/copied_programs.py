"""Programs whose functions are captured in copies of their process."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

SECONDS = 240


def run_copied(start: str, program: str, folder: Path, **environment: str) -> str:
    """Run a program as a user does, with a cache of its own, and return what it has printed."""
    script = folder / "script.py"
    script.write_text(start + textwrap.dedent(program))
    done = subprocess.run(
        [sys.executable, str(script)],
        env={
            **os.environ,
            "FRAMEJIT_COMPILE": "auto",
            "FRAMEJIT_DEBUG": "",
            "FRAMEJIT_ENTRIES": "1",
            "FRAMEJIT_CACHE_DIR": str(folder / "cache"),
            **environment,
        },
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout
