"""The whole programs of the table, small: `python -m framejit run` and `@jit` against `python`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from oracle import assert_normally
from whole_programs import decorated, functions, load

PROGRAMS = load()
RUN_DECORATED = Path(__file__).parents[2] / "bench" / "run_decorated.py"
UNTOUCHED = {"equaliser", "mfcc", "text_statistics"}
"""Programs of which no function is captured at the small size: what uses arrays is called once."""


def said(name: str, saved: Path, *way: str, backend: str) -> tuple[str, str, bytes]:
    """Return the outputs of a small program, and the bits of its results."""
    program = PROGRAMS[name]
    command = [sys.executable, *way, str(program.path), *program.small, "--save", str(saved)]
    environment = {**os.environ, "FRAMEJIT_BACKEND": backend}
    done = subprocess.run(
        command, env=environment, cwd=saved.parent, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr, saved.read_bytes()


@pytest.mark.parametrize("name", PROGRAMS)
def test_undecorated(name: str, tmp_path: Path) -> None:
    """The same output, warnings and bits, and the report names functions that were captured."""
    report = tmp_path / "report.json"
    way = ("-m", "framejit", "run", "--report", str(report))
    saved = tmp_path / "results.npz"
    expected = said(name, saved, backend="numpy")

    assert said(name, saved, *way, backend="numpy") == expected
    captured = bool(json.loads(report.read_text())["functions"])
    assert_normally(captured, name not in UNTOUCHED)


@pytest.mark.parametrize("name", PROGRAMS)
def test_decorated(name: str, tmp_path: Path) -> None:
    """The same with @jit on the functions that the program names."""
    saved = tmp_path / "results.npz"
    expected = said(name, saved, backend="numpy")

    assert said(name, saved, str(RUN_DECORATED), backend="numpy") == expected


@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled(name: str, tmp_path: Path) -> None:
    """The same with kernels."""
    saved = tmp_path / "results.npz"
    expected = said(name, saved, backend="numba")

    assert said(name, saved, "-m", "framejit", "run", backend="numba") == expected


@pytest.mark.parametrize("name", PROGRAMS)
def test_decorators_stand_where_an_author_would_write_them(name: str) -> None:
    """On each function in HOT and on no other, nearest to it; the lines are those of the file."""
    program = PROGRAMS[name]
    found = dict(functions(decorated(program, "mark")))
    marked = [
        where
        for where, node in found.items()
        if any(getattr(one, "id", None) == "mark" for one in node.decorator_list)
    ]

    assert sorted(marked) == sorted(program.hot)
    assert all(found[where].decorator_list[-1].lineno == found[where].lineno for where in marked)
