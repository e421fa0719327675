"""`python -m framejit`: what it says, and how it ends."""

from __future__ import annotations

import subprocess
import sys

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
    for command in ("demo", "doctor"):
        assert f"\n  {command} " in asked.stdout
        assert f"\n  {command} " in nothing.stderr


def test_version() -> None:
    """The version of the package."""
    assert run("--version").stdout == f"framejit {framejit.__version__}\n"


def test_an_unknown_command_is_named() -> None:
    """With the ones that exist."""
    wrong = run("dmeo")

    assert wrong.returncode == 2
    assert "'dmeo'" in wrong.stderr
    assert "demo" in wrong.stderr


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
