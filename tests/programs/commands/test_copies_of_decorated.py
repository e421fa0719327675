"""Captures of decorated functions in copies of the process: plain Python answers meanwhile."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from copied_programs import run_copied

from framejit.jit import native, own_sources
from framejit.jit.cores import cores

pytestmark = [
    pytest.mark.counts("what was captured, and where"),
    pytest.mark.skipif(
        cores() < 2 or native.adopts_orphans(), reason="such a process is not copied"
    ),
]

LENGTH = 64
"""Number of characters in the name of a file with entries, once it is complete."""
START = """
import sys, time
import numpy as np
from framejit import config, jit, wait_for_compiles
from framejit.frontends.tiers import copies, waiting

copies.give_way = lambda niceness: None  # beside other tests it would wait for long

@jit
def step(a):
    for _ in range(5):
        a = np.sqrt(a * a + 1.0) - a * 0.5
    return a

def told(function, *names):
    return [function.stats()[name] for name in names]

a = np.linspace(0.0, 1.0, 2000)
"""


def run(program: str, folder: Path, **environment: str) -> list[str]:
    """Run a program, and return the lines that it has printed."""
    return run_copied(START, program, folder, **environment).splitlines()


def _holds_entries(file: Path) -> bool:
    """True for the entries of a function; digests of sources stand in the same folder."""
    return len(file.name) == LENGTH and file.stat().st_size > own_sources.SIZE


def test_the_program_waits_for_no_capture(tmp_path: Path) -> None:
    """The second call has a copy made; its kernel answers later ones with plain Python's bits."""
    program = """
        first, second = step(a), step(a)
        print(len(copies._at_work))
        assert wait_for_compiles(200)
        third = step(a)
        plain = step.__wrapped__(a)
        print(first.tobytes() == second.tobytes() == third.tobytes() == plain.tobytes())
        print("numba" in sys.modules, "framejit.frontends.capture.capturing" in sys.modules)
        print(told(step, "hits", "from_disk", "captures"))
        """

    assert run(program, tmp_path) == ["1", "True", "False False", "[1, 1, 0]"]


def test_who_asks_is_told_what_is_awaited(tmp_path: Path) -> None:
    program = """
        step(a), step(a)
        print(told(step, "awaited"), repr(step).split(": ")[1].split("; ")[0])
        assert wait_for_compiles(200)
        print(told(step, "awaited"), repr(step).split(": ")[1].split("; ")[0])
        """

    awaited = "[1] plain Python, while a copy of the process captures it"
    assert run(program, tmp_path) == [awaited, "[0] 1 kernel"]


def test_a_program_that_ends_first_leaves_its_kernel_to_the_next_one(tmp_path: Path) -> None:
    """Its copies begin when it is over: it is not slowed down by them."""
    assert run("step(a), step(a); print(len(copies._at_work))", tmp_path) == ["1"]
    entries, end = tmp_path / "cache" / "entries", time.monotonic() + 200
    while not any(_holds_entries(one) for one in entries.glob("*")):
        assert time.monotonic() < end
        time.sleep(0.05)

    said = run("step(a); print(told(step, 'hits', 'from_disk'))", tmp_path)

    assert said == ["[1, 1]"]


def test_what_begins_behind_a_break_is_found_by_the_next_copies(tmp_path: Path) -> None:
    """A first copy finds only where a segment may begin, a second one captures it.

    On a busy machine the first ones may cost more than the account allows at once: it grows.
    """
    program = """
        @jit
        def shown(a, names):
            for name in sorted(names):
                print(end=name)
            b = np.sin(a) * 2.0 + a
            return b * b - 1.0

        end = time.monotonic() + 60.0
        while not told(shown, "launches")[0] and time.monotonic() < end:
            shown(a, ["x"])
            assert wait_for_compiles(200)
            time.sleep(0.01)
        same = shown(a, ["x"]).tobytes() == shown.__wrapped__(a, ["x"]).tobytes()
        print(same, told(shown, "captures"), told(shown, "launches")[0] > 0)
        """

    said = run(program, tmp_path)

    assert [line.lstrip("x") for line in said] == ["True [0] True"]


def test_captures_in_vain_are_not_repeated(tmp_path: Path) -> None:
    """Two copies of a process at most; and no later process makes one before it is long."""
    program = """
        made, begin = [], copies.begin
        def counted(*given):
            made.append(given)
            return begin(*given)
        copies.begin = counted

        @jit
        def stem(word):
            for ending in ("ing", "ed", "s"):
                if word.endswith(ending) and len(word) > 4:
                    return word[: -len(ending)]
            return word

        words = [stem("walking") for _ in range(4)]
        assert wait_for_compiles(200)
        words += [stem("walked") for _ in range(4)]
        assert wait_for_compiles(200)
        words += [stem("walks") for _ in range(4)]
        print(len(made), len(copies._at_work), {*words})
        """
    first, second = run(program, tmp_path), run(program, tmp_path)

    assert first == ["1 0 {'walk'}"]
    assert second == ["0 0 {'walk'}"]


def test_what_cannot_be_stored_is_captured_in_the_program(tmp_path: Path) -> None:
    program = """
        def made():
            class Scale:
                by = 2.5
            scale = Scale()
            @jit
            def scaled(a):
                return np.sqrt(a) * scale.by + a
            return scaled

        scaled = made()
        for _ in range(3):
            scaled(a), scaled(a)
            assert wait_for_compiles(200)
        print(told(scaled, "captures", "kept"), told(scaled, "hits")[0] > 0)
        """

    assert run(program, tmp_path) == ["[1, 0] True"]


def test_kernels_that_run_keep_the_code_they_continue_in(tmp_path: Path) -> None:
    """The program loads a copy's entries when no kernel of the function is under way."""
    program = """
        import signal
        from framejit.jit.native import set_trials

        set_trials(0)  # kernels serve, be they faster or not
        seen = set()

        def looks(*_):
            "Called in a kernel: waits for a copy, and in vain for what it has made."
            if copies._at_work and around._launches:
                copy = copies._at_work[0]
                copy.hurry()
                while not (copy.has_ended or copy._receive()):
                    time.sleep(0.01)
                seen.add((copy.is_over(), len(copies._at_work)))
            else:  # once only, so that no handler interrupts another one
                signal.setitimer(signal.ITIMER_REAL, 1e-3)

        @jit
        def around(a, n):
            b = a * 2.0 + 1.0
            return b * b + np.median(b) + n

        for _ in range(2):
            around(a, 1), around(a, 1)
            assert wait_for_compiles(200)
        around(a, 1.5), around(a, 1.5)  # a copy captures another kind
        print(len(copies._at_work))
        signal.signal(signal.SIGALRM, looks)
        signal.setitimer(signal.ITIMER_REAL, 1e-3)
        same, end = set(), time.monotonic() + 60
        while not seen and time.monotonic() < end:
            same.add(around(a, 1).tobytes())
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(same == {around.__wrapped__(a, 1).tobytes()})
        print(seen)
        assert wait_for_compiles(200)
        around(a, 1)
        same = around(a, 1.5).tobytes() == around.__wrapped__(a, 1.5).tobytes()
        print(same, told(around, "kept"))
        """

    said = run(program, tmp_path)

    assert said == ["1", "True", "{(False, 1)}", "True [2]"]


def test_waiting_has_a_limit(tmp_path: Path) -> None:
    program = """
        step(a), step(a)
        print(wait_for_compiles(0.0), wait_for_compiles(200))
        """

    assert run(program, tmp_path) == ["False True"]


def test_threads_prevent_copies(tmp_path: Path) -> None:
    """Another thread may hold a lock: what is asked for is captured in the program."""
    program = """
        import threading
        stop = threading.Event()
        thread = threading.Thread(target=stop.wait)
        thread.start()
        step(a), step(a)
        assert wait_for_compiles(200)
        step(a)
        print(len(copies._at_work), told(step, "captures", "hits"))
        stop.set()
        """

    assert run(program, tmp_path) == ["0 [1, 1]"]


def test_without_a_backend_nobody_is_asked_again(tmp_path: Path) -> None:
    """Under options that leave a function as it is, its calls ask once; under others, anew."""
    program = """
        asked, miss = [], type(step._manager).miss
        def counted(manager, *given):
            asked.append(given)
            return miss(manager, *given)
        type(step._manager).miss = counted
        for _ in range(100):
            step(a)
        print(len(asked), told(step, "calls"))
        with config(backend="numba", compile="now"):
            step(a), step(a)
        print(len(asked) > 1, told(step, "hits")[0] > 0)
        """

    assert run(program, tmp_path, FRAMEJIT_BACKEND="eager") == ["1 [100]", "True True"]
