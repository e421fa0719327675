"""The thread pool by itself: jobs, callers that compete, forks, no threads to be had, data races.

The thread sanitizer looks for these; helgrind takes C11 atomics for plain memory.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from picture import ROOT

DRIVER = Path(__file__).with_name("thread_pool_driver.c")
NATIVE = ROOT / "jit" / "native"
WRAPPED = "-Wl,--wrap=pthread_create"


def _built(folder: Path, *flags: str) -> Path | None:
    """Compile the driver with the pool; None if this compiler does not know the flags."""
    compiler, made = shutil.which("gcc") or shutil.which("cc"), folder / "driver"
    sources = [DRIVER, NATIVE / "thread_pool.c"]
    if compiler is None:
        return None
    command = [compiler, "-std=gnu11", "-O1", "-g", "-pthread", f"-I{NATIVE}", *flags, WRAPPED]
    done = subprocess.run([*command, "-o", made, *sources], capture_output=True, check=False)
    return made if done.returncode == 0 else None


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr[-4000:]


def test_jobs_callers_and_forks(tmp_path: Path) -> None:
    made = _built(tmp_path)
    if made is None:
        pytest.skip("no C compiler")
    _run(made)


def test_no_data_race(tmp_path: Path) -> None:
    made = _built(tmp_path, "-fsanitize=thread")
    if made is None:
        pytest.skip("this compiler has no thread sanitizer")
    _run("env", "TSAN_OPTIONS=die_after_fork=0 halt_on_error=1", made)
