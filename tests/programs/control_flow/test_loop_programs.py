"""The programs of the loop benchmark: each is one kernel, with eager's bits."""

from __future__ import annotations

import re

import oracle
import pytest
from compare import differences, portrait
from loop_programs import Program, load

from framejit import explain, jit

PROGRAMS = load()


@pytest.mark.counts("the programs take a while, and what is asked here is how they are captured")
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_one_kernel(program: Program) -> None:
    """No break, no bail, and in loops no call of NumPy but its own loops; cold and cached."""
    if "numba" not in oracle.BACKENDS:
        pytest.skip("compiled with numba in another session, see FRAMEJIT_TEST_NUMBA")
    eager = program.arguments()
    expected = portrait(result=program.function(*eager), args=eager)
    jitted = jit(program.function)
    for _ in range(2):
        ours = program.arguments()
        report = explain(jitted)(*ours)
        assert differences(expected, portrait(result=report.result, args=ours)) == []

    assert [(broken.code, broken.place.line) for broken in report.breaks] == []
    assert jitted.stats()["bails"] == 0
    assert len(report.segments) == 1
    assert re.findall(r"^ {5,}if call\(.*", jitted.inspect("numba"), re.MULTILINE) == []
