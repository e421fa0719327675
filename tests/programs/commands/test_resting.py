"""`framejit run` again and again: runs in which nothing can be decided look for nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from framejit.frontends.tiers.ledger import FILE, FOLDER, PROGRAM, Entry, packed, unpacked

pytestmark = pytest.mark.counts("which modules of framejit a process has loaded")

PROGRAM_TEXT = """
import os
import sys
from time import process_time

import numpy as np

def step(a):
    for _ in range(5):
        a = np.sqrt(a * a + 1.0) - a * 0.5
    return a

a = np.linspace(0.0, 1.0, 200)
until = process_time() + float(os.environ["SECONDS"])
while process_time() < until:
    a = step(a)

def looked():
    return "framejit.frontends.tiers.decisions" in sys.modules

print(looked())
"""
FORKS = """
sys.stdout.flush()
child = os.fork()
if not child:
    until = process_time() + 0.5
    while process_time() < until:
        step(a)
    print(looked())
    sys.stdout.flush()
    os._exit(0)
os.waitpid(child, 0)
"""
FAILS = "sys.exit(3)\n"
CHANGES_ITSELF = """
del __file__, sys.argv
os.chdir("/")
"""
FORKS_TWICE = "def other(a):\n    return step(a)\n" + FORKS.replace(
    "    os._exit(0)",
    """
    grandchild = os.fork()
    if not grandchild:
        until = process_time() + 0.2
        while process_time() < until:
            other(a)
        print(sys.modules["framejit.frontends.tiers.decisions"]._open)
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(grandchild, 0)
    sys.exit()""",
)


def run(
    folder: Path,
    *words: str,
    seconds: float = 0.2,
    threads: int = 1,
    text: str = "",
    by_code: bool = False,
    command: str = "run",
) -> str:
    """Return what the program prints; `threads` of its BLAS; `by_code`: it is given with `-c`."""
    script = folder / "script.py"
    if not script.exists() or script.read_text() != PROGRAM_TEXT + text:
        script.write_text(PROGRAM_TEXT + text)
    program = ["-c", PROGRAM_TEXT + text] if by_code else [str(script)]
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("FRAMEJIT_")},
        "FRAMEJIT_CACHE_DIR": str(folder / "cache"),
        "FRAMEJIT_DEBUG": "strict",
        "FRAMEJIT_COMPILE": "auto",
        "OPENBLAS_NUM_THREADS": str(threads),
        "SECONDS": str(seconds),
    }
    done = subprocess.run(
        [sys.executable, "-m", "framejit", command, *program, *words],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == "" or command == "warm"
    return done.stdout.replace("\n", " ").strip()


def row(folder: Path) -> Entry:
    """Return the program's row in the ledger."""
    rows = unpacked((folder / "cache" / FOLDER / FILE).read_bytes())
    return next(one for key, one in rows.items() if key.startswith(PROGRAM))


def test_a_run_too_short_to_be_looked_at_lets_the_next_ones_rest(tmp_path: Path) -> None:
    """One that rests loads no C core, unless the program has threads or forks."""
    loaded = "print('framejit.jit.native' in sys.modules)\n"
    assert run(tmp_path, seconds=0.0, text=loaded) == "False True"
    assert (row(tmp_path).runs, row(tmp_path).unsampled) == (1, 0)
    assert run(tmp_path, seconds=0.0, text=loaded) == "False False"
    assert row(tmp_path).unsampled == 1
    assert run(tmp_path, seconds=0.0, text=FORKS + loaded) == "False True True"
    assert run(tmp_path, seconds=0.0, text=FORKS + loaded) == "False True True"


def test_the_second_run_rests_and_the_third_looks_again(tmp_path: Path) -> None:
    assert run(tmp_path, seconds=0.9) == "True"
    assert run(tmp_path, seconds=0.9) == "False"
    assert (row(tmp_path).runs, row(tmp_path).unsampled) == (1, 1)
    assert run(tmp_path, seconds=0.9) == "True"
    assert (row(tmp_path).runs, row(tmp_path).unsampled) == (3, 0)


def test_other_arguments_or_another_text_are_looked_at(tmp_path: Path) -> None:
    assert [run(tmp_path), run(tmp_path)] == ["True", "False"]
    assert run(tmp_path, "--more") == "True"
    assert [run(tmp_path), run(tmp_path)] == ["True", "False"]
    assert run(tmp_path, text="# edited\n") == "True"


def test_behind_a_run_that_failed_the_program_is_looked_at(tmp_path: Path) -> None:
    assert [run(tmp_path, text=FAILS) for _ in range(2)] == ["True", "True"]


def test_forked_processes_are_looked_at(tmp_path: Path) -> None:
    assert run(tmp_path, text=FORKS) == "True True"
    assert run(tmp_path, text=FORKS) == "False True"


ENDS = FORKS.replace("os._exit(0)", "sys.exit()")
"""The forked process runs its exit handlers."""


def test_forked_processes_leave_the_ledger_to_their_parent(tmp_path: Path) -> None:
    assert run(tmp_path, text=ENDS) == "True True"
    before = row(tmp_path)
    assert run(tmp_path, text=ENDS) == "False True"
    assert row(tmp_path) == before.but(unsampled=1.0)


def test_a_run_that_takes_longer_is_looked_at_if_it_has_threads(tmp_path: Path) -> None:
    assert run(tmp_path, threads=2) == "True"
    assert run(tmp_path, threads=2, seconds=2.0) == "True"


def test_without_threads_the_next_run_is_looked_at(tmp_path: Path) -> None:
    runs = [run(tmp_path), run(tmp_path, seconds=2.0), run(tmp_path)]
    assert runs == ["True", "False", "True"]


def test_what_the_program_makes_of_its_arguments_does_not_matter(tmp_path: Path) -> None:
    runs = [run(tmp_path, "--more", text=CHANGES_ITSELF) for _ in range(2)]
    assert runs == ["True", "False"]
    rows = unpacked((tmp_path / "cache" / FOLDER / FILE).read_bytes())
    programs = [key for key in rows if key.startswith(PROGRAM)]
    assert programs == [f"{PROGRAM}{tmp_path / 'script.py'}"]


def test_programs_without_a_file_may_be_other_ones(tmp_path: Path) -> None:
    assert [run(tmp_path, by_code=True) for _ in range(2)] == ["True", "True"]


def test_what_a_forked_process_forks_goes_on_as_that_was(tmp_path: Path) -> None:
    assert run(tmp_path, text=FORKS_TWICE) == "True True 1"
    assert run(tmp_path, text=FORKS_TWICE) == "False True 1"


def test_a_damaged_row_stops_no_program(tmp_path: Path) -> None:
    assert run(tmp_path, threads=2) == "True"
    key = f"{PROGRAM}{tmp_path / 'script.py'}"
    damaged = row(tmp_path).but(spent=1e300, runs=1e-6, debt=1e300)
    (tmp_path / "cache" / FOLDER / FILE).write_bytes(packed({key: damaged}))
    assert run(tmp_path, threads=2) == "False"
    assert row(tmp_path).debt < 1.0


def test_a_warmed_program_takes_its_entries(tmp_path: Path) -> None:
    assert [run(tmp_path), run(tmp_path)] == ["True", "False"]
    run(tmp_path, command="warm", seconds=0.8)  # of which the first capture takes 0.3
    assert row(tmp_path).hopes
    assert run(tmp_path) == "True"
