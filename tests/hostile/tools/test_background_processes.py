"""Compiles in the background, and programs that end, fork and go on in other threads."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from helper_programs import MAKE

pytestmark = pytest.mark.counts("who answered: kernels or plain Python")

PROGRAM = f"""
import os, sys, threading, time
import numpy as np
from framejit import jit, wait_for_compiles
from framejit.frontends.runtime.function import Manager
Manager.may_capture_now = lambda *_: True  # from the first call on

{MAKE}
f = make(2)
X = np.linspace(0, 1, 5)
expected = f.__wrapped__(X).tobytes()

def same():
    return f(X).tobytes() == expected

assert same() and same()
"""


def run(program: str, folder: Path, *options: str) -> list[str]:
    """The lines that a program prints; it must end well and say nothing else."""
    done = subprocess.run(
        [sys.executable, *options, "-c", program],
        env={**os.environ, "FRAMEJIT_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def until(condition: Callable[[], bool]) -> bool:
    """Waits for what a helper process does on its own."""
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def kernels(folder: Path) -> int:
    return len([*folder.glob("cache/kernels/*")])


def test_what_is_on_disk_is_ready_at_once(tmp_path: Path) -> None:
    """It is loaded, not compiled: the first call is the kernel's already."""
    program = f"{PROGRAM}\nprint(f.stats()['hits'], 'numba' in sys.modules)\nwait_for_compiles()"
    assert run(program, tmp_path)[-1].startswith("0 ")
    assert run(program, tmp_path)[-1] == "2 False"


@pytest.mark.parametrize("end", ["", "sys.exit()", "print(wait_for_compiles(0))"])
def test_the_end_of_a_program(tmp_path: Path, end: str) -> None:
    """It does not wait for the compile that is under way, which later processes find."""
    run(f"{PROGRAM}\ntime.sleep(0.05)\n{end}", tmp_path)
    assert until(lambda: kernels(tmp_path) == 1)


def test_what_has_not_begun_is_dropped_at_the_end(tmp_path: Path) -> None:
    """A program does not wait for twenty kernels."""
    run(f"{PROGRAM}\nfor k in range(3, 23): make(k)(X)", tmp_path)
    assert kernels(tmp_path) <= 2


def test_threads_that_go_on_when_the_program_ends(tmp_path: Path) -> None:
    """Kernels that they need are compiled while they wait, as no other thread is left."""
    program = f"""{PROGRAM}
def work():
    threading.main_thread().join()
    while f.stats()["hits"] == 0:
        assert same()
    g = make(5)
    g(X)
    print(f.stats()["hits"], g.stats()["hits"], flush=True)

threading.Thread(target=work).start()
for k in range(7, 10): make(k)(X)
"""
    assert run(program, tmp_path) == ["1 1"]


def test_forks(tmp_path: Path) -> None:
    """Children of a process that compiles do so themselves, and nobody warns of threads."""
    program = f"""{PROGRAM}
more = [make(k) for k in range(3, 6)]
for g in more: g(X)
for n in range(3):
    child = os.fork()
    if child == 0:
        assert same() and more[2](X).shape == (5,)
        assert wait_for_compiles(60)
        assert same() and more[2](X).shape == (5,)
        os._exit(f.stats()["hits"] > 0 and more[2].stats()["hits"] > 0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
for g in more: g(X)
assert wait_for_compiles(60) and same()
print([g(X).shape and g.stats()["hits"] > 0 for g in (f, *more)])
"""
    lines = run(program, tmp_path, "-W", "error::DeprecationWarning")
    assert lines[:3] == ["1"] * 3
    assert lines[3:] == [str([True] * 4)]


def test_forks_of_threads(tmp_path: Path) -> None:
    """Threads that capture and compile while others fork: no child waits for ever."""
    program = f"""{PROGRAM}
done = threading.Event()

def work(n):
    k = 1000 * n
    while not done.is_set():
        k += 1
        make(k)(X)

threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2)]
for thread in threads: thread.start()
for n in range(6):
    child = os.fork()
    if child == 0:
        g = make(-1)
        g(X)
        assert wait_for_compiles(60)
        g(X)
        os._exit(g.stats()["hits"] > 0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
done.set()
for thread in threads: thread.join()
"""
    assert run(program, tmp_path, "-W", "ignore::DeprecationWarning") == ["1"] * 6


def test_pools_of_processes(tmp_path: Path) -> None:
    """Their processes end in a way of their own."""
    program = f"""{PROGRAM}
import multiprocessing

def work(k):
    return same() and wait_for_compiles(60) and same() and f.stats()["hits"] > 0

with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(work, range(6)))
"""
    assert run(program, tmp_path) == [str([True] * 6)]
