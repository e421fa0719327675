"""Captures in copies of the process, as `framejit run` has them made: nobody notices the copy."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from copied_programs import run_copied

from framejit.frontends.tiers.ledger import FILE, FOLDER, unpacked
from framejit.jit import native
from framejit.jit.cores import cores

pytestmark = [
    pytest.mark.counts("what was captured, and where"),
    pytest.mark.skipif(
        cores() < 2 or native.adopts_orphans(), reason="such a process is not copied"
    ),
]

START = """
import os, signal, sys, threading, time
import numpy as np
from framejit.frontends import api
from framejit.frontends.tiers import copies, decisions, waiting
from framejit.frontends.tiers.accounts import ACCOUNT
from framejit.frontends.undecorated.inplace import adopt
from framejit.jit import native

ACCOUNT.credit = ACCOUNT.outside_credit = 1e3

def step(a):
    for _ in range(5):
        a = np.sqrt(a * a + 1.0) - a * 0.5
    return a

def hopeless(a):
    for one in {1, 2, 3}:
        print(end="")
    return len("a")

def capture(function, *arguments):
    "Has a function captured that counts as known to gain, and calls it."
    site = decisions.site_in_any_case(function, function.__code__)
    site.before = type(site.before)(gain=10.0, spent=10.0)
    assert adopt(function, site)
    return function(*arguments), native.owned(function), site

def wait():
    end = time.monotonic() + 60
    while copies._at_work and time.monotonic() < end:
        waiting.try_again()
        time.sleep(0.01)
    assert not copies._at_work

a = np.linspace(0.0, 1.0, 2000)
plain = type(step)(step.__code__, globals())(a)
"""


def run(program: str, folder: Path, **environment: str) -> str:
    """Run a program and return its output."""
    return run_copied(START, program, folder, **environment)


def test_the_program_takes_what_a_copy_has_captured(tmp_path: Path) -> None:
    """Its kernel gives plain Python's bits; this process has captured nothing."""
    said = run(
        """
        first, manager, site = capture(step, a)
        assert len(copies._at_work) == 1
        wait()
        again = step(a)
        (entry,) = manager.entries
        print(first.tobytes() == again.tobytes() == plain.tobytes(), entry.native.hits)
        print(type(entry).__name__, site.copies, site.copies_in_vain, "numba" in sys.modules)
        print("framejit.frontends.capture.capturing" in sys.modules)
        """,
        tmp_path,
    )

    assert said.split() == ["True", "1", "KeptEntry", "1", "0", "False", "False"]


def test_nobody_notices_a_copy(tmp_path: Path) -> None:
    """No child, signal, handler of forks, second end of the program, or pipe that stays open."""
    said = run(
        """
        import atexit
        seen = []
        signal.signal(signal.SIGCHLD, lambda *_: seen.append("signal"))
        for when in ("before", "after_in_parent", "after_in_child"):
            os.register_at_fork(**{when: lambda: seen.append("fork")})
        atexit.register(print, "ends")
        reads, writes = os.pipe()
        capture(step, a)
        os.close(writes)
        assert copies._at_work
        print("open" if os.read(reads, 1) else "closed")
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            print("no child")
        wait()
        print(seen, flush=True)
        """,
        tmp_path,
    )

    assert said.splitlines() == ["closed", "no child", "[]", "ends"]


def test_finalisers_of_the_program_run_once(tmp_path: Path) -> None:
    said = run(
        """
        class Told:
            def __del__(self):
                os.write(1, b"gone ")
        kept, round_ = Told(), [Told()]
        round_.append(round_)
        del round_
        capture(step, a)
        wait()
        import gc
        gc.collect()
        del kept
        """,
        tmp_path,
    )

    assert said == "gone gone "


def test_a_process_with_other_threads_is_not_copied(tmp_path: Path) -> None:
    """Another thread might hold a lock, which nobody would give back: it is captured inside."""
    said = run(
        """
        halt = threading.Event()
        other = threading.Thread(target=halt.wait)
        other.start()
        _, manager, site = capture(step, a)
        print(len(copies._at_work), type(manager.entries[0]).__name__)
        halt.set()
        """,
        tmp_path,
    )

    assert said.split() == ["0", "CacheEntry"]


def test_a_copy_that_is_killed_is_one_in_vain(tmp_path: Path) -> None:
    """After two of them the site is left alone; plain Python answers."""
    said = run(
        """
        copies._work = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        _, manager, site = capture(step, a)
        for _ in range(5):
            wait()
            waiting.try_again()
            same = step(a).tobytes() == plain.tobytes()
        print(same, site.copies_in_vain, len(manager.entries))
        """,
        tmp_path,
    )

    assert said.split() == ["True", "2", "0"]


def test_where_there_is_nothing_to_gain_the_copy_says_so(tmp_path: Path) -> None:
    said = run(
        """
        _, manager, site = capture(hopeless, a)
        wait()
        print(site.copies_in_vain + site.copies, len(manager.entries))
        """,
        tmp_path,
    )

    assert said.split() == ["1", "0"]


def test_a_copy_waits_for_the_end_of_a_program_that_is_over_soon(tmp_path: Path) -> None:
    """By the time of earlier runs; what it captures is on disk behind the program's end."""
    said = run(
        """
        ACCOUNT.usual = time.process_time() + 1.5
        _, manager, site = capture(step, a)
        time.sleep(1.2)
        waiting.try_again()
        print(len(copies._at_work), len(manager.entries))
        """,
        tmp_path,
    )
    entries, end = tmp_path / "cache" / "entries", time.monotonic() + 60
    while not [*entries.glob("*")] and time.monotonic() < end:
        time.sleep(0.05)

    assert said.split() == ["1", "0"]
    assert [*entries.glob("*")]


def test_a_copy_in_vain_is_counted_when_the_program_has_ended(tmp_path: Path) -> None:
    run(
        """
        def in_vain(a):
            print(end="")
            return len("a")

        decisions.begin()
        ACCOUNT.usual = time.process_time() + 1.0
        capture(in_vain, a)
        """,
        tmp_path,
    )
    file, end = tmp_path / "cache" / FOLDER / FILE, time.monotonic() + 60

    def times() -> list[float]:
        rows = unpacked(file.read_bytes())
        return [row.runs for key, row in rows.items() if ":in_vain:" in key]

    while times() == [0.0] and time.monotonic() < end:
        time.sleep(0.05)
    assert times() == [1.0]


def test_copies_can_be_switched_off(tmp_path: Path) -> None:
    said = run(
        """
        _, manager, site = capture(step, a)
        print(len(copies._at_work), len(manager.entries))
        """,
        tmp_path,
        FRAMEJIT_COPIES="0",
    )

    assert said.split() == ["0", "1"]
