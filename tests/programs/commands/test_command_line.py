"""`python -m framejit`: what it says, and how it ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import framejit


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "framejit", *arguments], capture_output=True, text=True, timeout=120
    )


def test_help_names_the_commands() -> None:
    """Without a command it is help on stderr, and a usage error."""
    asked, nothing = run("--help"), run()

    assert asked.returncode == 0
    assert nothing.returncode == 2
    for command in ("cache", "demo", "doctor", "explain", "run", "warm"):
        assert f"\n  {command} " in asked.stdout
        assert f"\n  {command} " in nothing.stderr


def test_version() -> None:
    """The version of the package."""
    assert run("--version").stdout == f"framejit {framejit.__version__}\n"


def test_an_unknown_command_is_named() -> None:
    """The message lists the commands that exist."""
    wrong = run("dmeo")

    assert wrong.returncode == 2
    assert "'dmeo'" in wrong.stderr
    assert "demo" in wrong.stderr


def test_explain() -> None:
    """A code, one of its causes, all codes; what is unknown is an error that names what is near."""
    assert run("explain").stdout.startswith("FJ101  this kind of statement is not captured yet\n")
    entry = run("explain", "fj201").stdout
    assert entry.startswith("FJ201: this function cannot go into a graph\n")
    assert "What to write instead: call it outside" in entry
    assert "  print        return what is to be printed" in entry
    cause = run("explain", "FJ201", "print").stdout
    assert '        print("mean:", mean)\n' in cause
    assert max(map(len, (entry + cause).splitlines())) <= 100

    for words, told in (
        (["FJ210"], "unknown code 'FJ210': did you mean FJ201"),
        (["X"], "unknown code 'X': use one of FJ101, FJ102"),
        (["FJ201", "prnt"], "unknown cause 'prnt' of FJ201: did you mean print?"),
        (["FJ204", "print"], "unknown cause 'print' of FJ204: it has none"),
    ):
        wrong = run("explain", *words)
        assert (wrong.returncode, wrong.stdout) == (2, "")
        assert told in wrong.stderr


def test_a_reader_that_has_seen_enough() -> None:
    """`... | head` gets its lines, and no traceback comes after them."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "framejit", "doctor"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith("python ")
    process.stdout.close()

    complaint = process.stderr.read()
    process.wait(timeout=60)
    process.stderr.close()
    assert "Traceback" not in complaint


@pytest.mark.counts("kernels that are kept")
def test_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`cache list` tells of the folder, what is in it and who made it; `cache clear` empties it."""
    monkeypatch.setenv("FRAMEJIT_CACHE_DIR", str(tmp_path))
    assert run("cache", "list").stdout == (
        f"directory   {tmp_path}/kernels\nentries     0 kernels, 0 bytes of at most 256 MiB\n"
    )
    program = """
import numpy as np
from framejit import jit
@jit
def f(x): return x * 2 + 1
f(np.ones(3))
"""
    subprocess.run([sys.executable, "-c", program], check=True)
    [entry] = (tmp_path / "kernels").iterdir()
    os.utime(entry, (0, time.time() - 3 * 86400))
    listed = run("cache", "list").stdout.splitlines()

    assert listed[0] == f"directory   {tmp_path}/kernels"
    assert re.fullmatch(r"entries     1 kernel, \d KiB of at most 256 MiB", listed[1])
    assert listed[2] == "last used   3 days ago; the oldest 3 days ago"
    assert re.fullmatch(
        r"made by     numba \S+ with llvmlite \S+ for .+: 1 kernel, \d KiB", listed[3]
    )
    entry.write_bytes(b"spoilt")
    listed = run("cache", "list").stdout.splitlines()
    assert listed[3] == "made by     something else: 1 kernel, 6 bytes"
    assert re.fullmatch(r".*\nremoved     1 kernel, 6 bytes\n", run("cache", "clear").stdout)
    assert not [*(tmp_path / "kernels").iterdir()]
    monkeypatch.setenv("FRAMEJIT_ENTRIES", "1")
    subprocess.run([sys.executable, "-c", program], check=True)
    listed = run("cache", "list").stdout.splitlines()
    assert re.fullmatch(r"captured    1 function, \d+ KiB of at most 256 MiB", listed[4])
    cleared = run("cache", "clear").stdout
    assert re.search(r"\nremoved     what was captured of 1 function, \d+ KiB\n", cleared)
    assert not [*(tmp_path / "entries").iterdir()]
    monkeypatch.setenv("FRAMEJIT_CACHE_DIR", str(entry.parent / "file"))
    (entry.parent / "file").touch()
    unusable = run("cache", "list")
    assert unusable.stdout.endswith("/file/kernels\nnot used    Not a directory\n")
    assert unusable.returncode == 1
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr == ""
    doctor = run("doctor").stdout
    assert re.search(r"\ncache       not used: .*/file/kernels: Not a directory\n", doctor)
    monkeypatch.setenv("FRAMEJIT_CACHE_DIR", "off")
    off = run("cache", "list")
    assert off.stdout == "directory   none: FRAMEJIT_CACHE_DIR switches it off\n"
    assert off.returncode == 1


def test_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict predicts the run."""
    monkeypatch.setenv("FRAMEJIT_DISABLE", "1")
    monkeypatch.setenv("FRAMEJIT_LOG", "brakes")
    told = run("doctor")
    assert "verdict     everything runs eagerly: FRAMEJIT_DISABLE is set\n" in told.stdout
    assert "option      log = none (FRAMEJIT_LOG='brakes' is ignored)\n" in told.stdout
    assert "option      verify = False (default)\n" in told.stdout
    assert told.returncode == 1


def test_eager_as_the_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRAMEJIT_BACKEND", "eager")
    told = run("doctor")
    assert "verdict     everything runs eagerly: backend = eager\n" in told.stdout
    assert told.returncode == 1


def test_an_unknown_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is warned of, and the one that is named instead is used."""
    monkeypatch.setenv("FRAMEJIT_BACKEND", "nummba")
    told = run("demo", "--quick", "heat")
    assert "'numba' is used" in told.stderr
    assert "(numba)" in told.stdout.splitlines()[0]
    assert told.returncode == 0
