"""Freed memory stays in the heap, so that a program's next arrays need no new pages."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

TEMPORARIES = """
import resource
import sys
import numpy as np
{before}
x = np.ones(200_000)
for _ in range(3):
    x * 2.0 + (x - 1.0) * x
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(50):
    x * 2.0 + (x - 1.0) * x
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
PAGES = 50 * 2 * 200_000 * 8 // 4096
"""In two arrays at a time, if all of them are new."""


def faults(*words: str, before: str = "", **environment: str) -> int:
    """Return the page faults of a loop of temporary arrays in a process of its own."""
    done = subprocess.run(
        [sys.executable, *words, "-c", TEMPORARIES.format(before=before)],
        env={**os.environ, "FRAMEJIT_COMPILE": "auto", "FRAMEJIT_CACHE_DIR": "off", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return int(done.stdout)


@pytest.mark.skipif("GLIBC_TUNABLES" in os.environ, reason="the thresholds are set from outside")
def test_temporaries_need_no_new_pages() -> None:
    assert faults() > PAGES / 2
    assert faults(before="from framejit.jit import heap; heap.keep_freed()") < PAGES / 50


@pytest.mark.skipif("GLIBC_TUNABLES" in os.environ, reason="the thresholds are set from outside")
def test_programs_under_run_keep_theirs_unless_told_otherwise() -> None:
    run = ("-m", "framejit", "run")
    assert faults(*run) < PAGES / 50
    assert faults(*run, FRAMEJIT_KEEP_FREED="0") > PAGES / 2
    assert faults(*run, FRAMEJIT_DISABLE="1") > PAGES / 2


def test_thresholds_of_the_user_stay() -> None:
    low = "glibc.malloc.mmap_threshold=65536:glibc.malloc.trim_threshold=65536"
    assert faults("-m", "framejit", "run", GLIBC_TUNABLES=low) > PAGES / 2
