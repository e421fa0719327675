"""Passes: what each has made of the graph of a program, word for word, and what the report counts.

    python -m pytest tests/golden --regenerate

The texts are those that FRAMEJIT_LOG=passes prints.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from golden_texts import check_text, with_lines
from oracle import check
from pass_programs import PROGRAMS

import framejit

PASSES = Path(__file__).parent / "passes"


@pytest.mark.counts("which segments there are")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_passes(
    program: Callable[..., Any], pytestconfig: pytest.Config, caplog: pytest.LogCaptureFixture
) -> None:
    """The same text on every Python and NumPy; the last line is the report's."""
    jitted = framejit.jit(program, backend="numba")
    with caplog.at_level(logging.DEBUG, "framejit.passes"):
        report = framejit.explain(jitted)(*PROGRAMS[program])
    texts = [record.message for record in caplog.records if record.name == "framejit.passes"]
    (line,) = [line.strip() for line in str(report).splitlines() if "passes:" in line]
    text = "\n\n".join([inspect.getsource(program), *texts, line])
    check_text(
        PASSES / f"{program.__name__}.txt", with_lines(text, program.__code__) + "\n", pytestconfig
    )


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_answers(program: Callable[..., Any]) -> None:
    """They are eager's."""
    check(program, *PROGRAMS[program])


def test_no_text_is_left_over() -> None:
    """Each text has its program."""
    assert {file.stem for file in PASSES.iterdir()} == {program.__name__ for program in PROGRAMS}
