"""`python -m framejit run -O script.py`: options of Python itself; reports of forked processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from framejit.frontends.commands.interpreter import taken_from

SHOWS = """
import sys
print(sys.argv[1:], sys.flags.optimize, sys.warnoptions, sys._xoptions.get("utf8"), __debug__)
"""


def run(*words: str, cwd: Path, command: str = "run") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "framejit", command, *words],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=cwd,
        env={**os.environ, "FRAMEJIT_CACHE_DIR": str(cwd / "cache")},
    )


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["-O"], "['-O', 'a'] 1 [] None False\n"),
        (["-OO", "-Xutf8"], "['-O', 'a'] 2 [] True False\n"),
        (["-W", "ignore", "-X", "utf8"], "['-O', 'a'] 0 ['ignore'] True True\n"),
        (["--report", "r.txt", "-Wignore", "-B"], "['-O', 'a'] 0 ['ignore'] None True\n"),
    ],
)
def test_options_of_python(options: list[str], shown: str, tmp_path: Path) -> None:
    """They stand before the script; what stands behind it is the script's."""
    (tmp_path / "script.py").write_text(SHOWS)
    done = run(*options, "script.py", "-O", "a", cwd=tmp_path)

    assert (done.stdout, done.stderr) == (shown, "")
    assert (tmp_path / "r.txt").exists() == ("--report" in options)


def test_what_is_taken() -> None:
    """The program ends the options, and so does what nobody knows."""
    words = ["-O", "--report", "-W", "-X", "dev", "-uB", "-v", "-c", "-O"]

    assert taken_from(words) == ["-O", "-X", "dev", "-uB"]
    assert words == ["--report", "-W", "-v", "-c", "-O"]
    unknown = ["-W"]
    assert taken_from(unknown) == []
    assert unknown == ["-W"]
