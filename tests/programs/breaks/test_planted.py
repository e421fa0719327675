"""Reports of random programs with planted breaks: all of them, once each, with true counts."""

from __future__ import annotations

import pytest
from planted import faults, program

import framejit

SEEDS = range(40)
ON_NUMBA = 10
"""One in so many runs on numba, too."""


@pytest.mark.counts("hostile modes end segments elsewhere, and decline")
@pytest.mark.parametrize("seed", SEEDS)
def test_every_planted_break_is_told_of(seed: int) -> None:
    """None is missed, invented, told twice or miscounted, as `explain` tells of one call."""
    backends = ["numpy", *(["numba"] if seed % ON_NUMBA == 0 else [])]

    assert [fault for backend in backends for fault in faults(seed, backend)] == []


def test_the_programs_hold_all_kinds() -> None:
    """Breaks in loops, branches, handlers, `with` blocks and helpers are among them."""
    lines = {line.strip().split(" ")[0] for seed in SEEDS for line in program(seed).lines}

    assert {"for", "if", "else:", "try:", "except", "finally:", "with", "raise"} <= lines
    assert sum(len(program(seed).planted) for seed in SEEDS) > 100


@pytest.mark.counts("hostile modes end segments elsewhere, and decline")
def test_later_calls_count_nothing() -> None:
    """What counts goes with the explained call; calls between two of them make it unsure."""

    def prints(x: float) -> float:
        print(end="")
        return x

    jitted = framejit.jit(prints)
    report = framejit.explain(jitted)(1.0)
    jitted(1.0)
    again = framejit.explain(jitted)(1.0)

    assert [one.count for one in report.breaks] == [1]
    assert [(one.count, one.exact) for one in again.breaks] == [(3, False)]
