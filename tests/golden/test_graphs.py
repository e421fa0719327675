"""Graphs as text: what capture makes of some programs, word for word.

    python -m pytest tests/golden --regenerate

writes the texts anew; the change then stands in the diff, to be read and not only accepted.

An exit is numbered by its instruction, and each Python has other instructions for the same line:
the texts name the line instead, counted from the `def`.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from golden_programs import PROGRAMS

import framejit
from framejit.frontends.bytecode import decode

GRAPHS = Path(__file__).parent / "graphs"

pytestmark = pytest.mark.counts("which segments there are")


def golden_text(program: Callable[..., Any], args: tuple[Any, ...]) -> str:
    """The program and its graphs."""
    jitted = framejit.jit(program, backend="numpy")
    with contextlib.redirect_stdout(io.StringIO()):
        jitted(*args)
    code = program.__code__
    lines = [instruction.line for instruction in decode(code).instructions]

    def line(match: re.Match[str]) -> str:
        number = lines[int(match[2])]
        assert number is not None
        return f"{match[1]} at line {number - code.co_firstlineno + 1}:"

    def heading(match: re.Match[str]) -> str:
        return f"# segment {match[1]}, line {int(match[2]) - code.co_firstlineno + 1}"

    text = re.sub(r"(?m)^(exit \d+: \w+) at (\d+):", line, jitted.inspect("graph"))
    text = re.sub(r"(?m)^# segment (\d+), line (\d+), .*$", heading, text)
    return f"{inspect.getsource(program)}\n{text}\n"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_graph(program: Callable[..., Any], pytestconfig: pytest.Config) -> None:
    """The same text on every Python and NumPy."""
    file = GRAPHS / f"{program.__name__}.txt"
    actual = golden_text(program, PROGRAMS[program])
    if pytestconfig.getoption("--regenerate", default=False):
        file.write_text(actual, encoding="utf-8")
    expected = file.read_text(encoding="utf-8")

    assert expected == actual


def test_no_text_is_left_over() -> None:
    """Each text has its program."""
    assert {file.stem for file in GRAPHS.iterdir()} == {program.__name__ for program in PROGRAMS}
