"""Graphs as text: what capture makes of some programs, word for word.

    python -m pytest tests/golden --regenerate

writes the texts anew; the change then stands in the diff, to be read and not only accepted.
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
from golden_texts import check_text, with_lines

import framejit

GRAPHS = Path(__file__).parent / "graphs"

pytestmark = pytest.mark.counts("which segments there are")


def golden_text(program: Callable[..., Any], args: tuple[Any, ...]) -> str:
    """The program and its graphs."""
    jitted = framejit.jit(program, backend="numpy")
    with contextlib.redirect_stdout(io.StringIO()):
        jitted(*args)
    code = program.__code__

    def heading(match: re.Match[str]) -> str:
        return f"# segment {match[1]}, line {int(match[2]) - code.co_firstlineno + 1}"

    text = with_lines(jitted.inspect("graph"), code)
    text = re.sub(r"(?m)^# segment (\d+), line (\d+), .*$", heading, text)
    return f"{inspect.getsource(program)}\n{text}\n"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_graph(program: Callable[..., Any], pytestconfig: pytest.Config) -> None:
    """The same text on every Python and NumPy."""
    text = golden_text(program, PROGRAMS[program])
    check_text(GRAPHS / f"{program.__name__}.txt", text, pytestconfig)


def test_no_text_is_left_over() -> None:
    """Each text has its program."""
    assert {file.stem for file in GRAPHS.iterdir()} == {program.__name__ for program in PROGRAMS}
