"""The programs of the registry: the one that breaks, and the one that it says to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import oracle
import pytest
from break_pairs import IDS, PAIRS, Run, run, surroundings
from compare import portrait
from oracle import assert_normally

from framejit.frontends.breaks.entry import BreakCode, Cause, Pair
from framejit.frontends.breaks.registry import BREAKS
from framejit.frontends.runtime import capture_budget
from framejit.jit.report import BreakRecord


@pytest.fixture(autouse=True)
def _surroundings() -> Iterator[None]:
    """Scripts may set filters, seeds and where input comes from."""
    with surroundings():
        yield


def same(pair: Pair, folder: Path, backend: str, *, later: bool = False) -> tuple[Run, Run]:
    """Both scripts, after a comparison of their answers with each other and with eager."""
    scripts = (pair.breaks, pair.rewritten)
    runs = [run(script, folder, backend, later=later) for script in scripts]
    eager = [run(script, folder, None) for script in scripts]
    first = portrait(answer=eager[0].answer)
    for other in (eager[1], *runs):
        assert portrait(answer=other.answer) == first
        assert other.printed == eager[0].printed

    return runs[0], runs[1]


@pytest.mark.parametrize(("code", "entry", "pair"), PAIRS, ids=IDS)
def test_pair(
    code: str,
    entry: BreakCode | Cause,
    pair: Pair,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The bad script breaks with the code and the hint, the other one does not; equal answers."""
    if code == "FJ403":  # a program that is too long in earnest would fill the page
        monkeypatch.setattr(capture_budget, "MAX_NODES", 6)
        monkeypatch.setattr(capture_budget, "MAX_NODES_IN_REGIONS", 6)
    varies = code == "FJ305"
    for backend in ["numba"] if varies else oracle.BACKENDS:
        bad, good = same(pair, tmp_path, backend, later=varies)

        assert_normally(code in {one.code for one in bad.breaks})
        assert_normally([f"{one.code} {one.detail}" for one in good.breaks], [])
        assert_normally(any(one.segments for one in good.reports))
        hints = {one.hint for one in bad.breaks if one.code == code}
        if isinstance(entry, Cause):
            assert_normally(any(entry is cause_of(code, one) for one in bad.breaks))
            assert_normally(hints - {BREAKS[code].hint}, hints)


def cause_of(code: str, found: BreakRecord) -> Cause | None:
    """The first cause of a code that a break has."""
    if found.code != code:
        return None
    causes = BREAKS[code].causes
    return next((one for one in causes if re.search(one.found, found.detail)), None)


def test_each_code_has_programs() -> None:
    """But for the one of which framejit itself is the cause."""
    assert [row.code for row in BREAKS.values() if row.pair is None] == ["FJ901"]


def test_causes_have_names_of_their_own() -> None:
    """`explain CODE NAME` finds one, or a name stands for variants that follow each other."""
    for row in BREAKS.values():
        names = [one.name for one in row.causes]

        assert len(names) == len(set(names)), row.code
