"""Frames of the programs at each statement: lines, locals, callers."""

from __future__ import annotations

import pytest
from python_ladder import CYCLE, FAMILIES, Program
from witness import witnessed

PROGRAMS = [one for family in FAMILIES for one in witnessed(family)]


@pytest.mark.parametrize(
    "program",
    [pytest.param(one, id=f"{one.family}-{one.name}") for one in PROGRAMS if one.runs_here],
)
def test_frames_show_the_same(program: Program) -> None:
    """A break after every statement: what can be seen there is eager's."""
    program.check(["numpy"], ignore=[*program.ignore, *CYCLE])  # f_locals keeps what it showed
